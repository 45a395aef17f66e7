import { expect, test } from "vitest"
import { type Invoice, storedInvoiceStatuses } from "./invoice.ts"
import { invoiceLifecycle } from "./invoice-lifecycle.ts"
import { approve, cancel, credit, edit, refuseInactive, requireOnceActive, send } from "./invoice-steps.ts"

const now = Temporal.Instant.from("2026-11-21T10:00:00Z")
const draft: Invoice = {
  id: "i",
  number: "INV-2026-000001",
  groupId: "g",
  policyId: "p",
  kind: "premium",
  status: "draft",
  invoiceOn: "2026-11-01",
  dueOn: "2026-12-01",
  periodStartOn: "2026-11-01",
  periodEndOn: "2026-11-30",
  subtotalCents: 100_00,
  discountCents: 0,
  discountPercent: null,
  discountReason: "",
  vatPercent: 15,
  vatCents: 15_00,
  totalCents: 115_00,
  notes: "",
  approvedAt: null,
  sentAt: null,
  sentTo: null,
  cancelledAt: null,
  cancelReason: null,
  creditedWholeAt: null,
  creditedCents: 0,
  writtenOffCents: 0,
  allocatedCents: 0,
  version: 3,
}
const line = { description: "One", quantity: 1, unitCents: 200_00, memberId: null, tierId: null, billedMonth: null }
const { subtotalCents, discountCents, vatPercent, vatCents, totalCents } = draft
const discount = { discountCents, discountPercent: null, discountReason: "" }
const totals = { subtotalCents, ...discount, vatPercent, vatCents, totalCents }
const { kind, invoiceOn, dueOn, periodStartOn, periodEndOn } = draft
const form = { kind, invoiceOn, dueOn, periodStartOn, periodEndOn, notes: "", ...discount, lines: [line] }
const note = { number: "CN-1", reason: "Wrong" }
const parts = { netCents: 20_00, vatCents: 3_00, totalCents: 23_00, whole: false }

const steps = {
  edit: (invoice: Invoice) => edit(invoice, form, totals, [], "ZAR"),
  approve: (invoice: Invoice) => approve(invoice, now),
  send: (invoice: Invoice) => send(invoice, { to: "hr@example.com", mailed: true }, now),
  cancel: (invoice: Invoice) => cancel(invoice, "Twice", now),
  credit: (invoice: Invoice) => credit(invoice, parts, note, now),
}

test.each(
  Object.keys(steps) as (keyof typeof steps)[],
)("%s returns the next version and its fact, or WRONG_STATUS", (action) => {
  for (const status of storedInvoiceStatuses) {
    const next = invoiceLifecycle.next(status, action)
    const done = steps[action]({ ...draft, status })
    if (!next) expect(done).toMatchObject({ refused: "WRONG_STATUS" })
    else expect(done).toMatchObject({ value: { status: next, version: 4 }, facts: [{ record: { id: "i" } }] })
  }
})

test("employers do not see facts of an unsent invoice", () => {
  expect(steps.edit(draft)).toMatchObject({ facts: [{ groupId: null }] })
  expect(steps.approve(draft)).toMatchObject({ facts: [{ groupId: null }] })
  expect(steps.cancel(draft)).toMatchObject({ facts: [{ groupId: null, reason: "Twice" }] })
  expect(steps.send(draft)).toMatchObject({ facts: [{ groupId: "g" }] })
  expect(steps.credit({ ...draft, status: "sent" })).toMatchObject({ facts: [{ groupId: "g" }] })
})

test("an edit's fact has only the changed fields and lines", () => {
  expect(edit(draft, { ...form, dueOn: "2026-12-15" }, totals, [{ ...line, quantity: 2 }], "ZAR")).toMatchObject({
    value: { dueOn: "2026-12-15" },
    facts: [
      {
        before: { dueOn: "2026-12-01", lines: [expect.stringContaining("2 ×")] },
        after: { dueOn: "2026-12-15", lines: [expect.stringContaining("1 ×")] },
      },
    ],
  })
  expect(edit(draft, form, totals, [line], "ZAR")).toMatchObject({ facts: [{ before: {}, after: {} }] })
})

test("refuses to send an invoice of 0 or without a recipient", () => {
  expect(send({ ...draft, totalCents: 0 }, { to: "hr@example.com", mailed: true }, now)).toMatchObject({
    refused: "NOTHING_TO_SEND",
  })
  expect(send(draft, { to: "", mailed: true }, now)).toMatchObject({ refused: "NO_CONTACT" })
})

test("a credit returns the payable amount; a full correction releases the period", () => {
  const sent: Invoice = { ...draft, status: "sent", creditedCents: 15_00 }
  expect(credit(sent, parts, note, now)).toMatchObject({
    value: { creditedWholeAt: null, creditedCents: 15_00 },
    facts: [{ creditNote: "CN-1", creditedCents: 23_00, payableCents: 77_00, reason: "Wrong" }],
  })
  expect(credit(sent, { ...parts, whole: true }, note, now)).toMatchObject({
    value: { creditedWholeAt: now.toString() },
  })
})

test("refuses to generate an invoice of an inactive policy", () => {
  expect(refuseInactive({ status: "Active" })).toBeNull()
  expect(refuseInactive({ status: "Suspended" })).toMatchObject({ refused: "POLICY_NOT_ACTIVE" })
  expect(requireOnceActive<string>(null)).toMatchObject({ refused: "POLICY_NOT_ACTIVE" })
  expect(requireOnceActive("2026-01-01")).toBe("2026-01-01")
})
