import { describe, expect, test } from "vitest"
import type { Receipt } from "./receipt.ts"
import {
  allocatedFact,
  checkDepositParts,
  checkReceiptPolicy,
  edit,
  moveErrorToPart,
  refuseReversed,
  reverse,
} from "./receipt-steps.ts"

const now = Temporal.Instant.from("2026-11-21T10:00:00Z")
const today = "2026-11-21"
const receipt: Receipt = {
  id: "r",
  number: "RCP-2026-000001",
  groupId: "g",
  policyId: "p",
  amountCents: 100_00,
  allocatedCents: 60_00,
  refundedCents: 0,
  method: "cash",
  paidInto: "undeposited",
  receivedOn: "2026-11-02",
  reference: "",
  notes: "",
  depositId: null,
  postedVersion: 1,
  reversedOn: null,
  reversedAt: null,
  reversedBy: null,
  reverseReason: null,
  version: 2,
}
const reversalReason = { reason: "Bounced", invoiceIds: ["i"] }
const actor = { userId: "max", role: "manager" } as const

test("a receipt is reversed once, with user and reason, and not before its date", () => {
  const reversed = reverse(receipt, reversalReason, actor, today, now, "ZAR")
  expect(reversed).toMatchObject({
    value: { reversedOn: today, reversedBy: "max", reverseReason: "Bounced", version: 3 },
    facts: [{ type: "ReceiptReversed", invoiceIds: ["i"], amountCents: 100_00, reason: "Bounced", groupId: "g" }],
  })
  expect(reverse({ ...receipt, receivedOn: "2026-11-25" }, reversalReason, actor, today, now, "ZAR")).toMatchObject({
    value: { reversedOn: "2026-11-25" },
  })
  const gone = { ...receipt, reversedAt: now.toString() }
  expect(reverse(gone, reversalReason, actor, today, now, "ZAR")).toMatchObject({ refused: "REVERSED" })
  expect(refuseReversed(gone)).toMatchObject({ refused: "REVERSED" })
  expect(refuseReversed(receipt)).toBeNull()
})

test.each([
  ["a day to come", { status: "Active" }, "2026-11-22", "receivedOn"],
  ["a closed year", { status: "Active" }, "2025-12-31", "receivedOn"],
  ["no policy", undefined, today, "policyId"],
  ["a draft", { status: "Draft" }, today, "policyId"],
] as const)("refuses a receipt for %s", (_, policy, on, path) => {
  expect(checkReceiptPolicy(policy, on, today)).toMatchObject({ refused: "INVALID", data: { fields: [{ path }] } })
})

test("accepts a receipt for an ended policy", () => {
  expect(checkReceiptPolicy({ status: "Terminated" }, today, today)).toEqual({ status: "Terminated" })
})

test("refuses to reverse a receipt with a refund, even if the refund is pending", () => {
  expect(reverse({ ...receipt, refundedCents: 1 }, reversalReason, actor, today, now, "ZAR")).toMatchObject({
    refused: "REFUNDED",
  })
})

describe("correcting a receipt", () => {
  const free = { ...receipt, allocatedCents: 0 }
  const { policyId, amountCents, method, receivedOn, reference, notes } = free
  const form = { policyId, amountCents, method, receivedOn, reference, notes }
  const to = {
    policy: { id: "p", groupId: "g", number: "GP-1" },
    fromPolicy: "GP-1",
    wasUsed: false,
    wasLinked: false,
    deposit: null,
  }
  const other = { ...to, policy: { id: "q", groupId: "h", number: "GP-2" } }

  test("posts it again when its money changed, and records the old values", () => {
    expect(edit(free, { ...form, amountCents: 90_00, notes: "A slip" }, to)).toMatchObject({
      isPosted: true,
      value: { amountCents: 90_00, notes: "A slip", version: 3, postedVersion: 3 },
      facts: [{ before: { amountCents: 100_00, notes: "" }, after: { amountCents: 90_00, notes: "A slip" } }],
    })
    expect(edit(free, { ...form, policyId: "q" }, other)).toMatchObject({
      isPosted: true,
      value: { policyId: "q", groupId: "h" },
      facts: [{ groupId: "h", before: { policy: "GP-1" }, after: { policy: "GP-2" } }],
    })
    expect(edit(free, { ...form, reference: "FNB" }, to)).toMatchObject({
      isPosted: false,
      value: { postedVersion: 1 },
    })
    expect(edit(free, form, to)).toMatchObject({ isPosted: false, facts: [] })
  })

  test.each([
    ["once anything is allocated", receipt, form, to, "ALLOCATED"],
    ["once anything is refunded", { ...free, refundedCents: 1 }, form, to, "ALLOCATED"],
    ["once it is reversed", { ...free, reversedAt: "2026-11-03T00:00:00Z" }, form, to, "REVERSED"],
    ["to another policy after it was used", free, { ...form, policyId: "q" }, { ...other, wasUsed: true }, "INVALID"],
    ["after the bank has shown it", free, { ...form, method: "cheque" }, { ...to, wasLinked: true }, "INVALID"],
    ["where a deposit says it", free, { ...form, amountCents: 1 }, { ...to, deposit: { number: "DEP-1" } }, "INVALID"],
  ] as const)("is refused %s", (_, from, said, where, code) => {
    expect(edit(from, said, where)).toMatchObject({ refused: code })
  })
})

describe("the parts of a deposit", () => {
  const part = (policyId: string, amountCents: number) => ({ policyId, amountCents })
  const form = { amountCents: 100, method: "cash", receivedOn: today, reference: "", notes: "" } as const
  const of = (...parts: ReturnType<typeof part>[]) => checkDepositParts({ ...form, parts }, "ZAR")

  test("each have a different policy, are sorted by policy and add up to the deposit", () => {
    expect(of(part("b", 60), part("a", 40))).toEqual([
      { policyId: "a", amountCents: 40, at: 1 },
      { policyId: "b", amountCents: 60, at: 0 },
    ])
    expect(of(part("a", 60), part("b", 41))).toMatchObject({ data: { fields: [{ path: "amountCents" }] } })
    expect(of(part("a", 60), part("b", 39))).toMatchObject({ data: { fields: [{ path: "amountCents" }] } })
    expect(of(part("a", 60), part("a", 40))).toMatchObject({ data: { fields: [{ path: "parts.1.policyId" }] } })
  })

  test("are refused with the path of the wrong part", () => {
    const refused = moveErrorToPart(checkReceiptPolicy(undefined, today, today), 2)
    expect(refused).toMatchObject({ refused: "INVALID", data: { fields: [{ path: "parts.2.policyId" }] } })
  })
})

test("the audit fact of allocations names the invoices and adds up the amounts", () => {
  const invoices = [
    { id: "a", number: "INV-1" },
    { id: "b", number: "INV-2" },
  ]
  const allocations = [
    { invoiceId: "b", amountCents: 40_00 },
    { invoiceId: "a", amountCents: 20_00 },
  ]
  expect(allocatedFact(receipt, allocations, invoices)).toMatchObject({
    type: "ReceiptAllocated",
    invoices: "INV-2, INV-1",
    invoiceIds: ["b", "a"],
    amountCents: 60_00,
  })
})
