import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { may, type Role } from "../platform/permission.ts"
import type { BillingFact } from "./billing-facts.ts"
import type { CreditKind } from "./credit-parts.ts"

/** A credit note as it is stored, without its lines. It never changes. */
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
  /** Whom it is mailed to when it is issued; empty: it is issued without mail. */
  mailTo: string
}

/** What a reader may do with a credit note. */
export const creditNoteActions = ["mail", "download"] as const
export type CreditNoteAction = (typeof creditNoteActions)[number]

export function creditNoteActionsOf(role: Role | null): CreditNoteAction[] {
  return [
    ...(may(role, "invoices.write") ? (["mail"] as const) : []),
    ...(may(role, "invoices.read") ? (["download"] as const) : []),
  ]
}

/** The news of a credit note: in its own history, beside that of its invoice. */
export function issued(note: CreditNote, invoiceNumber: string, mailed: boolean): BillingFact {
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
