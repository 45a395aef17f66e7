import { randomUUID } from "node:crypto"
import { premiumTemplates } from "@milkwood/domain/collection/premium-mail"
import type { ContactPurpose } from "@milkwood/domain/employers/employer-contact"
import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { queueRecurring } from "../platform/work/schedule.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"

let app: BillingApp
beforeEach(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterEach(() => app.close())

const addContact = (groupId: string, name: string, email: string, purposes: ContactPurpose[]) =>
  app.manager.employers.contacts.add({
    groupId,
    values: { name, position: "", email, phone: "", cell: "", purposes },
  })

async function sendEveryMail(policyId: string) {
  const invoice = await createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await app.manager.billing.credit({
    ...{ invoiceId: invoice.id, idempotencyKey: randomUUID(), amountCents: 1_00, reason: "A slip", mail: true },
  })
  const { subject, text } = premiumTemplates.reminder.initial
  await app.manager.collection.remind({ policyIds: [policyId], idempotencyKey: randomUUID(), subject, text })
  await app.sql.run(sql`update policies set end_on = '2026-11-30' where id = ${policyId}`)
  await queueRecurring(app.app)
  app.clock.set("2026-11-03T05:30:00Z")
  await queueRecurring(app.app)
  await app.runJobs()
  const receipt = await recordedReceipt(app.manager, { policyId, amountCents: 100, receivedOn: "2026-11-01" })
  const { to: receiptTo } = await app.manager.receipts.draftMail({ receiptId: receipt.id })
  const mails = await app.mails()
  const of = (pattern: RegExp) => mails.find((mail) => pattern.test(mail.subject))!
  return {
    invoice,
    receiptTo,
    invoiceMail: of(/^Invoice/),
    creditNoteMail: of(/^Credit note/),
    reminderMail: of(/Premiums/),
    expiryMail: of(/ ends on /),
  }
}

test("each mail goes to the contacts of its purpose", async () => {
  const { id, groupId } = await app.policy({ premiumCents: 1_000_00 })
  await addContact(groupId, "Ann Accounts", "ann@acacia.example", ["invoices"])
  await addContact(groupId, "Ben Books", "ben@acacia.example", ["invoices", "statements"])
  await addContact(groupId, "Nel Notices", "nel@acacia.example", ["notices"])
  const sent = await sendEveryMail(id)
  const accounts = "ann@acacia.example, ben@acacia.example"
  expect(sent.invoiceMail.to).toBe(accounts)
  expect(sent.invoiceMail.text).toContain("Dear Ann Accounts, Ben Books")
  expect(sent.creditNoteMail.to).toBe(accounts)
  expect(sent.receiptTo).toBe(accounts)
  expect(sent.invoice.policy.contactEmail).toBe(accounts)
  expect(sent.reminderMail.to).toBe("ben@acacia.example")
  expect(sent.reminderMail.text).toContain("Dear Ben Books")
  expect(sent.expiryMail.to).toBe("nel@acacia.example")
})

test("mails without a contact of their purpose go to the policy's main contact", async () => {
  const { id, groupId } = await app.policy({ premiumCents: 1_000_00 })
  await addContact(groupId, "Clara Claims", "clara@acacia.example", ["claims", "staff_lists"])
  const { invoice: _, receiptTo, ...mails } = await sendEveryMail(id)
  expect([receiptTo, ...Object.values(mails).map(({ to }) => to)]).toEqual(Array(5).fill("hr@acacia.example"))
})
