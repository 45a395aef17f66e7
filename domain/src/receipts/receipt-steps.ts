import { type Day, maxDay } from "../kernel/calendar.ts"
import { type Decision, isRefusal, type Refusal, refuse } from "../kernel/refusal.ts"
import { outsideOpenYears } from "../ledger/open-years.ts"
import type { RuleActor } from "../platform/permission.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import type { OpenInvoice, Receipt } from "./receipt.ts"
import type { ReceiptFact } from "./receipt-facts.ts"
import type { AllocationInput } from "./receipt-shape.ts"

/** A receipt after a rule, and the news about it. */
export interface ReceiptChange {
  value: Receipt
  facts: ReceiptFact[]
}

type Named = Pick<Receipt, "id" | "number" | "groupId">

const newsOf = ({ id, number, groupId }: Named) => ({
  record: { kind: "receipt" as const, id, label: number },
  groupId,
})

/** The policy, where money that came in on that day may be recorded for it; INVALID names the field that is wrong. */
export function receiving<P extends { status: PolicyStatus }>(
  policy: P | undefined,
  receivedOn: Day,
  today: Day,
): Decision<P, "INVALID"> {
  const wrong = (path: string, message: string) => refuse("INVALID", undefined, { fields: [{ path, message }] })
  if (receivedOn > today) return wrong("receivedOn", "The receipt date is in the future")
  const closed = outsideOpenYears(receivedOn, today)
  if (closed) return wrong("receivedOn", closed)
  if (!policy) return wrong("policyId", "There is no such policy")
  if (policy.status === "Draft") return wrong("policyId", "The policy is still a draft")
  return policy
}

/** The news of a receipt that was recorded. */
export function recorded(receipt: Omit<Receipt, "allocatedCents" | keyof Reversal | "version">): ReceiptFact[] {
  const { policyId, amountCents, method, receivedOn, reference } = receipt
  const after = { amountCents, method, receivedOn, reference }
  return [{ ...newsOf(receipt), type: "ReceiptRecorded", policyId, amountCents, after }]
}

type Reversal = Pick<Receipt, "reversedOn" | "reversedAt" | "reversedBy" | "reverseReason">

/** Refuses whatever would be done with a receipt that was taken back. */
export function refuseReversed({ reversedAt }: Pick<Receipt, "reversedAt">): Refusal<"REVERSED"> | null {
  return reversedAt === null ? null : refuse("REVERSED")
}

/** The news of what was set against invoices; `invoices` holds each of them. */
export function allocated(
  receipt: Named,
  allocations: readonly AllocationInput[],
  invoices: readonly Pick<OpenInvoice, "id" | "number">[],
): ReceiptFact {
  const numbers = new Map(invoices.map(({ id, number }) => [id, number]))
  return {
    ...newsOf(receipt),
    type: "ReceiptAllocated",
    invoiceIds: allocations.map(({ invoiceId }) => invoiceId),
    amountCents: allocations.reduce((sum, { amountCents }) => sum + amountCents, 0),
    invoices: allocations.map(({ invoiceId }) => numbers.get(invoiceId)).join(", "),
  }
}

/** The news of what an invoice does not ask for any more. */
export function released(receipt: Named, invoiceId: string, amountCents: number, reason: string): ReceiptFact {
  return { ...newsOf(receipt), type: "ReceiptAllocationsReleased", invoiceIds: [invoiceId], amountCents, reason }
}

/** Takes a receipt back, today but never before it came in. `invoiceIds` are those that its money is taken from. */
export function reverse(
  receipt: Receipt,
  by: { reason: string; invoiceIds: string[] },
  actor: RuleActor,
  today: Day,
  now: Temporal.Instant,
): Decision<ReceiptChange & { value: { reversedOn: Day } }, "REVERSED"> {
  const refusal = refuseReversed(receipt)
  if (isRefusal(refusal)) return refusal
  const { amountCents, receivedOn, version } = receipt
  const reversal = {
    reversedOn: maxDay(today, receivedOn),
    reversedAt: now.toString(),
    reversedBy: actor.userId,
    reverseReason: by.reason,
  }
  return {
    value: { ...receipt, ...reversal, version: version + 1 },
    facts: [{ ...newsOf(receipt), type: "ReceiptReversed", amountCents, ...by }],
  }
}
