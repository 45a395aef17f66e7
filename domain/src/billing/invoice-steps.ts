import { diffFields } from "../kernel/changes.ts"
import { applyTransition } from "../kernel/lifecycle.ts"
import type { Currency } from "../kernel/money.ts"
import { type Decision, isRefusal, type Refusal, refuse } from "../kernel/refusal.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import type { BillingFact } from "./billing-facts.ts"
import type { Credit } from "./credit-parts.ts"
import type { Invoice } from "./invoice.ts"
import type { InvoiceEdit } from "./invoice-form.ts"
import { invoiceLifecycle } from "./invoice-lifecycle.ts"
import type { Discount, InvoiceTotals } from "./invoice-totals.ts"
import { describeLineChanges, type Line } from "./line-changes.ts"

export interface InvoiceChange {
  value: Invoice
  facts: BillingFact[]
}

type InvoiceDecision = Decision<InvoiceChange, "WRONG_STATUS">
type InvoiceHead = Pick<Invoice, "id" | "number">

const invoiceRecordOf = ({ id, number }: InvoiceHead) => ({ record: { kind: "invoice", id, label: number } }) as const

/** Employers do not see an invoice before it is sent. */
const draftFactHead = (invoice: InvoiceHead) => ({ ...invoiceRecordOf(invoice), groupId: null })

function applyInvoiceStep(invoice: Invoice, changes: Partial<Invoice>, fact: BillingFact): InvoiceChange {
  return { value: { ...invoice, ...changes, version: invoice.version + 1 }, facts: [fact] }
}

/** Refuses POLICY_NOT_ACTIVE. */
export function refuseInactive({ status }: { status: PolicyStatus }): Refusal<"POLICY_NOT_ACTIVE"> | null {
  return status === "Active" ? null : refuse("POLICY_NOT_ACTIVE")
}

/** For fields that every once-active policy has; refuses POLICY_NOT_ACTIVE if null. */
export function requireOnceActive<T>(value: T | null): Decision<T, "POLICY_NOT_ACTIVE"> {
  return value ?? refuse("POLICY_NOT_ACTIVE")
}

export function invoiceGeneratedFacts(invoice: InvoiceHead & Pick<Invoice, "policyId" | "totalCents">): BillingFact[] {
  const { policyId, totalCents } = invoice
  return [{ ...draftFactHead(invoice), type: "InvoiceGenerated", policyId, totalCents }]
}

/** `before` are the draft's current lines. The fact contains only what changed. */
export function edit(
  invoice: Invoice,
  { lines, ...form }: Omit<InvoiceEdit, "memberLines">,
  totals: InvoiceTotals & Discount,
  before: readonly Line[],
  currency: Currency,
): InvoiceDecision {
  const status = applyTransition(invoiceLifecycle, invoice, "edit")
  if (isRefusal(status)) return status
  const fields = { ...form, ...totals }
  const changed = diffFields<typeof fields>(invoice, fields, Object.keys(fields) as (keyof typeof fields)[])
  const { removed, added } = describeLineChanges(before, lines, currency)
  return applyInvoiceStep(
    invoice,
    { ...fields, status },
    {
      ...draftFactHead(invoice),
      type: "InvoiceEdited",
      before: { ...changed.before, ...(removed && { lines: removed }) },
      after: { ...changed.after, ...(added && { lines: added }) },
    },
  )
}

export function approve(invoice: Invoice, now: Temporal.Instant): InvoiceDecision {
  const status = applyTransition(invoiceLifecycle, invoice, "approve")
  if (isRefusal(status)) return status
  return applyInvoiceStep(
    invoice,
    { status, approvedAt: now.toString() },
    { ...draftFactHead(invoice), type: "InvoiceApproved" },
  )
}

/**
 * Without `mailed` the invoice is issued but not mailed. Refuses NOTHING_TO_SEND for a total of 0 and NO_CONTACT
 * without an address.
 */
export function send(
  invoice: Invoice,
  { to, mailed, useCredit }: { to: string; mailed: boolean; useCredit?: boolean | undefined },
  now: Temporal.Instant,
): Decision<InvoiceChange, "WRONG_STATUS" | "NOTHING_TO_SEND" | "NO_CONTACT"> {
  const status = applyTransition(invoiceLifecycle, invoice, "send")
  if (isRefusal(status)) return status
  const { groupId, policyId, totalCents, dueOn } = invoice
  if (totalCents === 0) return refuse("NOTHING_TO_SEND")
  if (!to) return refuse("NO_CONTACT")
  return applyInvoiceStep(
    invoice,
    { status, sentAt: now.toString(), sentTo: to },
    {
      ...invoiceRecordOf(invoice),
      groupId,
      type: "InvoiceSent",
      policyId,
      totalCents,
      dueOn,
      to,
      mailed,
      ...(useCredit !== undefined && { useCredit }),
    },
  )
}

/** The invoice keeps its number and releases its period. */
export function cancel(invoice: Invoice, reason: string, now: Temporal.Instant): InvoiceDecision {
  const status = applyTransition(invoiceLifecycle, invoice, "cancel")
  if (isRefusal(status)) return status
  return applyInvoiceStep(
    invoice,
    { status, cancelledAt: now.toString(), cancelReason: reason },
    { ...draftFactHead(invoice), type: "InvoiceCancelled", reason },
  )
}

/** `creditedCents` is unchanged here: the database maintains it. */
export function credit(
  invoice: Invoice,
  { totalCents, whole }: Pick<Credit, "totalCents" | "whole">,
  { number, reason }: { number: string; reason: string },
  now: Temporal.Instant,
): InvoiceDecision {
  const status = applyTransition(invoiceLifecycle, invoice, "credit")
  if (isRefusal(status)) return status
  const { groupId, policyId } = invoice
  return applyInvoiceStep(
    invoice,
    { status, ...(whole && { creditedWholeAt: now.toString() }) },
    {
      ...invoiceRecordOf(invoice),
      groupId,
      type: "InvoiceCredited",
      policyId,
      creditNote: number,
      creditedCents: totalCents,
      payableCents: invoice.totalCents - invoice.creditedCents - invoice.writtenOffCents - totalCents,
      reason,
    },
  )
}
