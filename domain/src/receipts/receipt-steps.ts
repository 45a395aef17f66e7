import { type Day, maxDay } from "../kernel/calendar.ts"
import { type Currency, formatMoney } from "../kernel/money.ts"
import { type Decision, isRefusal, type Refusal, refuse } from "../kernel/refusal.ts"
import { openYearsError } from "../ledger/open-years.ts"
import type { RuleActor } from "../platform/permission.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import { type Deposit, type OpenInvoice, type Receipt, receiptAccountFor } from "./receipt.ts"
import type { ReceiptFact } from "./receipt-facts.ts"
import type { AllocationInput, DepositForm, ReceiptEdit } from "./receipt-shape.ts"

export interface ReceiptChange {
  value: Receipt
  facts: ReceiptFact[]
}

type ReceiptHead = Pick<Receipt, "id" | "number" | "groupId">

const receiptFactHead = ({ id, number, groupId }: ReceiptHead) => ({
  record: { kind: "receipt" as const, id, label: number },
  groupId,
})

/** The policy, if a receipt of that day may be recorded for it; INVALID names the wrong field. */
export function checkReceiptPolicy<P extends { status: PolicyStatus }>(
  policy: P | undefined,
  receivedOn: Day,
  today: Day,
): Decision<P, "INVALID"> {
  const wrong = (path: string, message: string) => refuse("INVALID", undefined, { fields: [{ path, message }] })
  if (receivedOn > today) return wrong("receivedOn", "The receipt date cannot be in the future")
  const closed = openYearsError(receivedOn, today)
  if (closed) return wrong("receivedOn", closed)
  if (!policy) return wrong("policyId", "This policy does not exist")
  if (policy.status === "Draft") return wrong("policyId", "This policy is still a draft")
  return policy
}

export type DepositPart = DepositForm["parts"][number] & { at: number }

/** The parts in policy order; INVALID unless each policy appears once and the parts add up to the deposit. */
export function checkDepositParts(
  { amountCents, parts }: DepositForm,
  currency: Currency,
): Decision<DepositPart[], "INVALID"> {
  const wrong = (path: string, message: string) => refuse("INVALID", undefined, { fields: [{ path, message }] })
  const doubled = parts.findIndex(({ policyId }, at) => parts.findIndex((one) => one.policyId === policyId) < at)
  if (doubled >= 0) return wrong(`parts.${doubled}.policyId`, "This policy is already in the deposit")
  const left = amountCents - parts.reduce((sum, part) => sum + part.amountCents, 0)
  if (left > 0)
    return wrong("amountCents", `${formatMoney(left, currency)} of the deposit is not divided among policies yet`)
  if (left < 0) return wrong("amountCents", `The parts exceed the deposit by ${formatMoney(-left, currency)}`)
  return parts.map((part, at) => ({ ...part, at })).sort((a, b) => (a.policyId < b.policyId ? -1 : 1))
}

export function moveErrorToPart<T>(decision: Decision<T, "INVALID">, at: number): Decision<T, "INVALID"> {
  if (!isRefusal(decision)) return decision
  const { fields } = decision.data as { fields: { path: string; message: string }[] }
  const placed = fields.map(({ path, message }) => ({
    path: path === "policyId" ? `parts.${at}.policyId` : path,
    message,
  }))
  return { ...decision, data: { fields: placed } }
}

export function receiptRecordedFacts(
  receipt: Omit<Receipt, "allocatedCents" | "refundedCents" | "postedVersion" | keyof Reversal | "version">,
): ReceiptFact[] {
  const { policyId, amountCents, method, receivedOn, reference } = receipt
  const after = { amountCents, method, receivedOn, reference }
  return [{ ...receiptFactHead(receipt), type: "ReceiptRecorded", policyId, amountCents, after }]
}

type Reversal = Pick<Receipt, "reversedOn" | "reversedAt" | "reversedBy" | "reverseReason">

export function refuseReversed({ reversedAt }: Pick<Receipt, "reversedAt">): Refusal<"REVERSED"> | null {
  return reversedAt === null ? null : refuse("REVERSED")
}

export function allocatedFact(
  receipt: ReceiptHead,
  allocations: readonly AllocationInput[],
  invoices: readonly Pick<OpenInvoice, "id" | "number">[],
): ReceiptFact {
  const numbers = new Map(invoices.map(({ id, number }) => [id, number]))
  return {
    ...receiptFactHead(receipt),
    type: "ReceiptAllocated",
    invoiceIds: allocations.map(({ invoiceId }) => invoiceId),
    amountCents: allocations.reduce((sum, { amountCents }) => sum + amountCents, 0),
    invoices: allocations.map(({ invoiceId }) => numbers.get(invoiceId)).join(", "),
  }
}

export function allocationReleasedFact(
  receipt: ReceiptHead,
  invoiceId: string,
  amountCents: number,
  reason: string,
): ReceiptFact {
  return {
    ...receiptFactHead(receipt),
    type: "ReceiptAllocationsReleased",
    invoiceIds: [invoiceId],
    amountCents,
    reason,
  }
}

export interface EditContext {
  policy: { id: string; groupId: string; number: string }
  /** Number of the policy that the receipt has now. */
  fromPolicy: string
  /** Part of the receipt is or was allocated or refunded. */
  wasUsed: boolean
  /** A bank line is or was matched to it. */
  wasLinked: boolean
  deposit: Pick<Deposit, "number"> | null
}

/** `isPosted`: the receipt must be posted again in the ledger. */
export type ReceiptEditResult = ReceiptChange & { isPosted: boolean }

const postedFields = ["policyId", "amountCents", "method", "receivedOn"] as const
const editedFields = [...postedFields, "reference", "notes"] as const

/**
 * Corrects a receipt with no allocation or refund. A part of a deposit keeps the deposit's values, a once used receipt
 * keeps its policy, and one matched to a bank line keeps its money. INVALID names the field. `to` must have passed
 * `receiving`.
 */
export function edit(
  receipt: Receipt,
  form: ReceiptEdit,
  to: EditContext,
): Decision<ReceiptEditResult, "REVERSED" | "ALLOCATED" | "INVALID"> {
  const refusal = refuseReversed(receipt)
  if (isRefusal(refusal)) return refusal
  if (receipt.allocatedCents + receipt.refundedCents > 0) return refuse("ALLOCATED")
  const changed = editedFields.filter((name) => form[name] !== receipt[name])
  const wrong = (path: string, message: string) => refuse("INVALID", undefined, { fields: [{ path, message }] })
  const ofDeposit = changed.find((name) => name === "amountCents" || name === "method" || name === "receivedOn")
  if (to.deposit && ofDeposit)
    return wrong(ofDeposit, `This is set by deposit ${to.deposit.number}. Reverse the receipt instead`)
  const inBank = changed.find((name) => postedFields.some((one) => one === name))
  if (to.wasLinked && inBank)
    return wrong(inBank, "The receipt was matched to a bank line. Reverse the receipt instead")
  if (to.wasUsed && form.policyId !== receipt.policyId)
    return wrong("policyId", "The receipt was already used for this policy. Reverse the receipt instead")
  const version = receipt.version + 1
  const isPosted = postedFields.some((name) => changed.includes(name))
  const of = (from: ReceiptEdit, policy: string) =>
    Object.fromEntries(changed.map((name) => (name === "policyId" ? ["policy", policy] : [name, from[name]])))
  return {
    value: {
      ...receipt,
      ...Object.fromEntries(editedFields.map((name) => [name, form[name]])),
      groupId: to.policy.groupId,
      paidInto: form.method === receipt.method ? receipt.paidInto : receiptAccountFor(form.method),
      version,
      postedVersion: isPosted ? version : receipt.postedVersion,
    },
    isPosted,
    facts:
      changed.length === 0
        ? []
        : [
            {
              ...receiptFactHead({ ...receipt, groupId: to.policy.groupId }),
              type: "ReceiptEdited",
              before: of(receipt, to.fromPolicy),
              after: of(form, to.policy.number),
            },
          ],
  }
}

/**
 * Reverses a receipt today, or on its receipt date if that is later. `invoiceIds`: the invoices it was allocated to.
 */
export function reverse(
  receipt: Receipt,
  by: { reason: string; invoiceIds: string[] },
  actor: RuleActor,
  today: Day,
  now: Temporal.Instant,
  currency: Currency,
): Decision<ReceiptChange & { value: { reversedOn: Day } }, "REVERSED" | "REFUNDED"> {
  const refusal = refuseReversed(receipt)
  if (isRefusal(refusal)) return refusal
  if (receipt.refundedCents > 0)
    return refuse(
      "REFUNDED",
      `${formatMoney(receipt.refundedCents, currency)} of this receipt is refunded or in an open refund.`,
    )
  const { amountCents, receivedOn, version } = receipt
  const reversal = {
    reversedOn: maxDay(today, receivedOn),
    reversedAt: now.toString(),
    reversedBy: actor.userId,
    reverseReason: by.reason,
  }
  return {
    value: { ...receipt, ...reversal, version: version + 1 },
    facts: [{ ...receiptFactHead(receipt), type: "ReceiptReversed", amountCents, ...by }],
  }
}
