import { createMemoryHistory } from "@tanstack/react-router"
import { screen } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createQueryClient } from "../platform/query-client.ts"
import { createAppRouter } from "../router.ts"
import { openPage, openTestApp, type TestApp } from "./page.tsx"

let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

const id = "01990000-0000-7000-8000-000000000001"
const notFoundTitle = "Oops! Page not found"
const notFoundTexts: Record<string, string> = {
  "/claims/$claimId": "Claim not found",
  "/claims/$claimId/approve": "Claim not found",
  "/claims/$claimId/edit": "Claim not found",
  "/finance/claims-payments/$payoutId": "Payment not found",
  "/finance/payment-batches/$batchId": "Batch not found",
  "/finance/premium-refunds/$refundId": "Refund not found",
  "/finance/receipting/$receiptId": "Receipt not found",
  "/finance/trial-balance/$account": notFoundTitle,
  "/groups/$groupId": "Employer not found",
  "/invoices/$invoiceId": "Invoice not found",
  "/invoices/$invoiceId/edit": "Invoice not found",
  "/invoices/credit-notes/$creditNoteId": "Credit note not found",
  "/invoices/reconciliation/remittances/$remittanceId": "Remittance list not found",
  "/invoices/reconciliation/statements/$statementId": "Statement not found",
  "/members/$memberId": "Member not found",
  "/members/$memberId/edit": "Member not found",
  "/members/import/$importId": "Import not found",
  "/policies/$policyId": "Policy not found",
  "/policies/$policyId/edit": "Policy not found",
  "/policies/$policyId/statement": "Statement not found. A statement starts when the policy is activated.",
  "/reports/$report": notFoundTitle,
  "/reports/mine/$customReportId": "Report not found",
  "/settings/about/$memberId": "Member not found",
  "/settings/audit/$entryId": "Entry not found",
  "/settings/email/$mailId": "E-mail not found",
  "/settings/integrations/$webhookId": "Webhook not found",
  "/settings/integrations/messages/$deliveryId": "Message not found",
}

test("the test covers every record page", () => {
  const { routesByPath } = createAppRouter(createQueryClient(), createMemoryHistory())
  const pages = Object.keys(routesByPath).map((path) => path.replace(/\/$/, ""))
  expect([...new Set(pages.filter((path) => path.includes("$")))].sort()).toEqual(Object.keys(notFoundTexts).sort())
})

describe("an unknown id", () => {
  test.each(Object.entries(notFoundTexts))("%s: %s", async (path, said) => {
    await openPage(testApp, testApp.people.admin, path.replace(/\$\w+/, id))
    expect(await screen.findByText(said)).toBeTruthy()
  })
})

describe("an unknown address", () => {
  test.each([
    ...["/nowhere", "/policies/nowhere", "/policies/a/b/c", "/invoices/nowhere", "/invoices/credit-notes/nowhere"],
    ...["/finance", "/finance/nowhere", "/finance/receipting/nowhere", "/settings/nowhere"],
  ])("%s", async (path) => {
    await openPage(testApp, testApp.people.admin, path)
    expect(await screen.findByText(notFoundTitle)).toBeTruthy()
  })
})
