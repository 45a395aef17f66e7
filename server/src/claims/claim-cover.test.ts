import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sentInvoice } from "../billing/billing.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { draftClaim } from "./claims.samples.ts"

let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())

const premiums = (claim: ClaimDetail) => {
  const { result, label, evidence } = claim.coverCheck.find(({ check }) => check === "premiums")!
  return { result, label, evidence }
}

/** A policy from 1 January of which some months were billed on a day, and paid or not. */
async function billed(months: string[], invoiceOn: string, paid: boolean) {
  const scene = await insureGroup(app, `Employer ${crypto.randomUUID()}`)
  const { policyId } = scene
  for (const month of months) {
    const invoice = await sentInvoice(app.as(app.people.manager), { policyId, month, invoiceOn })
    if (paid)
      await recordedReceipt(app.as(app.people.manager), {
        policyId,
        amountCents: invoice.totalCents,
        receivedOn: invoiceOn,
      })
  }
  return draftClaim(scene.cast, { ...scene.sample, incidentOn: "2026-10-20" })
}
const months = Array.from({ length: 10 }, (_, at) => `2026-${String(at + 1).padStart(2, "0")}-01`)

test("premiums do not pass because the only month that was ever billed is paid", async () => {
  expect(premiums(await billed(["2026-10-01"], "2026-10-01", true))).toEqual({
    result: "fail",
    label: "Unpaid",
    evidence: "Jan–Sep 2026 never billed. As at 2026-11-02.",
  })
})

test("premiums do not fail because of an invoice that is not due", async () => {
  // Sent on the day of the test: due in thirty days.
  const claim = await billed(months, "2026-11-02", false)
  expect(premiums(claim)).toMatchObject({ result: "open", label: "Not yet due" })
  expect(premiums(claim).evidence).toContain("due 2026-12-02, in grace until 2026-12-17. As at 2026-11-02.")
})

test("premiums pass when every month is billed and paid", async () => {
  expect(premiums(await billed(months, "2026-10-01", true))).toEqual({
    result: "pass",
    label: "Paid",
    evidence: "Paid up to Oct 2026. As at 2026-11-02.",
  })
})

test("a month before the member joined is not owed", async () => {
  const scene = await insureGroup(app, "Employer before cover")
  const claim = await draftClaim(scene.cast, { ...scene.sample, incidentOn: "2025-12-31" })
  expect(premiums(claim)).toMatchObject({
    result: "pass",
    evidence: "No premium was owed up to Dec 2025. As at 2026-11-02.",
  })
})
