import { expect, test } from "vitest"
import type { Receipt } from "./receipt.ts"
import { allocated, receiving, refuseReversed, reverse } from "./receipt-steps.ts"

const now = Temporal.Instant.from("2026-11-21T10:00:00Z")
const today = "2026-11-21"
const receipt: Receipt = {
  id: "r",
  number: "RCP-2026-000001",
  groupId: "g",
  policyId: "p",
  amountCents: 100_00,
  allocatedCents: 60_00,
  method: "cash",
  paidInto: "undeposited",
  receivedOn: "2026-11-02",
  reference: "",
  reversedOn: null,
  reversedAt: null,
  reversedBy: null,
  reverseReason: null,
  version: 2,
}
const by = { reason: "Bounced", invoiceIds: ["i"] }
const actor = { userId: "max", role: "manager" } as const

test("a receipt is taken back once, by somebody, for a reason, never before it came in", () => {
  const reversed = reverse(receipt, by, actor, today, now)
  expect(reversed).toMatchObject({
    value: { reversedOn: today, reversedBy: "max", reverseReason: "Bounced", version: 3 },
    facts: [{ type: "ReceiptReversed", invoiceIds: ["i"], amountCents: 100_00, reason: "Bounced", groupId: "g" }],
  })
  expect(reverse({ ...receipt, receivedOn: "2026-11-25" }, by, actor, today, now)).toMatchObject({
    value: { reversedOn: "2026-11-25" },
  })
  const gone = { ...receipt, reversedAt: now.toString() }
  expect(reverse(gone, by, actor, today, now)).toMatchObject({ refused: "REVERSED" })
  expect(refuseReversed(gone)).toMatchObject({ refused: "REVERSED" })
  expect(refuseReversed(receipt)).toBeNull()
})

test.each([
  ["a day to come", { status: "Active" }, "2026-11-22", "receivedOn"],
  ["a closed year", { status: "Active" }, "2025-12-31", "receivedOn"],
  ["no policy", undefined, today, "policyId"],
  ["a draft", { status: "Draft" }, today, "policyId"],
] as const)("money is refused for %s", (_, policy, on, path) => {
  expect(receiving(policy, on, today)).toMatchObject({ refused: "INVALID", data: { fields: [{ path }] } })
})

test("money for a policy that ended is taken", () => {
  expect(receiving({ status: "Terminated" }, today, today)).toEqual({ status: "Terminated" })
})

test("the news of allocations names the invoices and adds up", () => {
  const invoices = [
    { id: "a", number: "INV-1" },
    { id: "b", number: "INV-2" },
  ]
  const allocations = [
    { invoiceId: "b", amountCents: 40_00 },
    { invoiceId: "a", amountCents: 20_00 },
  ]
  expect(allocated(receipt, allocations, invoices)).toMatchObject({
    type: "ReceiptAllocated",
    invoices: "INV-2, INV-1",
    invoiceIds: ["b", "a"],
    amountCents: 60_00,
  })
})
