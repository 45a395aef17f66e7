import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import type { BillingFact } from "./billing-facts.ts"
import type { CreditKind } from "./credit-parts.ts"

/** A stored credit note without its lines; immutable. */
export interface CreditNote {
  id: string
  number: string
  groupId: string
  policyId: string
  invoiceId: string
  creditedOn: Day
  kind: CreditKind
  netCents: Cents
  vatCents: Cents
  totalCents: Cents
  reason: string
  /** Recipient at issue; empty: issued without mail. */
  mailTo: string
}

export const creditNoteActions = ["mail", "download"] as const
export type CreditNoteAction = (typeof creditNoteActions)[number]

export function creditNoteActionsOf(role: Role | null): CreditNoteAction[] {
  return [
    ...(hasPermission(role, "invoices.write") ? (["mail"] as const) : []),
    ...(hasPermission(role, "invoices.read") ? (["download"] as const) : []),
  ]
}

/** For the credit note's own history. */
export function creditNoteIssuedFact(note: CreditNote, invoiceNumber: string, mailed: boolean): BillingFact {
  const { id, number, groupId, policyId, kind, totalCents, reason, mailTo } = note
  return {
    record: { kind: "credit_note", id, label: number },
    groupId,
    type: "CreditNoteIssued",
    policyId,
    creditKind: kind,
    invoice: invoiceNumber,
    totalCents,
    to: mailTo,
    mailed,
    reason,
  }
}
