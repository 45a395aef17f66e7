import { changes } from "../kernel/changes.ts"
import { step } from "../kernel/lifecycle.ts"
import type { Currency } from "../kernel/money.ts"
import { type Decision, isRefusal, type Refusal, refuse } from "../kernel/refusal.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import type { BillingFact } from "./billing-facts.ts"
import type { Credit } from "./credit-parts.ts"
import type { Invoice } from "./invoice.ts"
import type { InvoiceEdit } from "./invoice-form.ts"
import { invoiceLifecycle } from "./invoice-lifecycle.ts"
import type { Discount, InvoiceTotals } from "./invoice-totals.ts"
import { type Line, lineChanges } from "./line-changes.ts"

export interface InvoiceChange {
  value: Invoice
  facts: BillingFact[]
}

type Change = Decision<InvoiceChange, "WRONG_STATUS">
type Named = Pick<Invoice, "id" | "number">

const recordOf = ({ id, number }: Named) => ({ record: { kind: "invoice", id, label: number } }) as const

/** Employers do not see an invoice before it is sent. */
const draftNews = (invoice: Named) => ({ ...recordOf(invoice), groupId: null })

function next(invoice: Invoice, changes: Partial<Invoice>, fact: BillingFact): InvoiceChange {
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

/** The fact of a new draft. */
export function generated(invoice: Named & Pick<Invoice, "policyId" | "totalCents">): BillingFact[] {
  const { policyId, totalCents } = invoice
  return [{ ...draftNews(invoice), type: "InvoiceGenerated", policyId, totalCents }]
}

/** `before` are the draft's current lines. The fact has only changes. */
export function edit(
  invoice: Invoice,
  { lines, ...form }: Omit<InvoiceEdit, "memberLines">,
  totals: InvoiceTotals & Discount,
  before: readonly Line[],
  currency: Currency,
): Change {
  const status = step(invoiceLifecycle, invoice, "edit")
  if (isRefusal(status)) return status
  const fields = { ...form, ...totals }
  const changed = changes<typeof fields>(invoice, fields, Object.keys(fields) as (keyof typeof fields)[])
  const { removed, added } = lineChanges(before, lines, currency)
  return next(
    invoice,
    { ...fields, status },
    {
      ...draftNews(invoice),
      type: "InvoiceEdited",
      before: { ...changed.before, ...(removed && { lines: removed }) },
      after: { ...changed.after, ...(added && { lines: added }) },
    },
  )
}

/** Makes a draft pending. */
export function approve(invoice: Invoice, now: Temporal.Instant): Change {
  const status = step(invoiceLifecycle, invoice, "approve")
  if (isRefusal(status)) return status
  return next(invoice, { status, approvedAt: now.toString() }, { ...draftNews(invoice), type: "InvoiceApproved" })
}

/** Without `mailed` it is issued only. Refuses NOTHING_TO_SEND for a total of 0 and NO_CONTACT without an address. */
export function send(
  invoice: Invoice,
  { to, mailed, useCredit }: { to: string; mailed: boolean; useCredit?: boolean | undefined },
  now: Temporal.Instant,
): Decision<InvoiceChange, "WRONG_STATUS" | "NOTHING_TO_SEND" | "NO_CONTACT"> {
  const status = step(invoiceLifecycle, invoice, "send")
  if (isRefusal(status)) return status
  const { groupId, policyId, totalCents, dueOn } = invoice
  if (totalCents === 0) return refuse("NOTHING_TO_SEND")
  if (!to) return refuse("NO_CONTACT")
  return next(
    invoice,
    { status, sentAt: now.toString(), sentTo: to },
    {
      ...recordOf(invoice),
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
export function cancel(invoice: Invoice, reason: string, now: Temporal.Instant): Change {
  const status = step(invoiceLifecycle, invoice, "cancel")
  if (isRefusal(status)) return status
  return next(
    invoice,
    { status, cancelledAt: now.toString(), cancelReason: reason },
    { ...draftNews(invoice), type: "InvoiceCancelled", reason },
  )
}

/** `creditedCents` is unchanged here: the database maintains it. */
export function credit(
  invoice: Invoice,
  { totalCents, whole }: Pick<Credit, "totalCents" | "whole">,
  { number, reason }: { number: string; reason: string },
  now: Temporal.Instant,
): Change {
  const status = step(invoiceLifecycle, invoice, "credit")
  if (isRefusal(status)) return status
  const { groupId, policyId } = invoice
  return next(
    invoice,
    { status, ...(whole && { creditedWholeAt: now.toString() }) },
    {
      ...recordOf(invoice),
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
