import { type Day, formatMonth } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { RunOutcome } from "./billing-run.ts"
import { type CreditKind, creditKindNames } from "./credit-parts.ts"

interface InvoiceFactHead {
  record: { kind: "invoice"; id: string; label: string }
  groupId: string
}

/** Employers do not see an invoice before it is sent. */
interface Internal {
  record: { kind: "invoice"; id: string; label: string }
  groupId: null
}

/** A premium run bills many employers, so employers cannot see it. */
interface RunFactHead {
  record: { kind: "billing_run"; id: string; label: string }
  groupId: null
}

export type BillingFact =
  | (RunFactHead & { type: "BillingRunStarted"; month: Day })
  | (RunFactHead & { type: "PoliciesLeftOut"; policies: string[]; isLeftOut: boolean })
  | (RunFactHead & { type: "BillingRunMaking"; outcome: RunOutcome; policies: number })
  | (RunFactHead & { type: "BillingRunContinued"; policies: number })
  | (RunFactHead & { type: "BillingRunMade"; made: number; parked: number })
  | (RunFactHead & { type: "BillingRunSending"; invoices: number; creditNotes?: number })
  | (RunFactHead & { type: "BillingRunCancelled" })
  | (Internal & { type: "InvoiceGenerated"; policyId: string; totalCents: Cents })
  | (Internal & { type: "InvoiceEdited"; before: Record<string, unknown>; after: Record<string, unknown> })
  | (Internal & { type: "InvoiceApproved" })
  /** Older facts lack `mailed`. Without `useCredit`, the setting decided. */
  | (InvoiceFactHead & {
      type: "InvoiceSent"
      policyId: string
      totalCents: Cents
      dueOn: Day
      to: string
      mailed?: boolean
      useCredit?: boolean
    })
  | (Internal & { type: "InvoiceCancelled"; reason: string })
  | (InvoiceFactHead & {
      type: "InvoiceCredited"
      policyId: string
      creditNote: string
      creditedCents: Cents
      /** The maximum that may stay allocated to the invoice; any excess becomes credit of the policy. */
      payableCents: Cents
      reason: string
    })
  | {
      record: { kind: "credit_note"; id: string; label: string }
      groupId: string
      type: "CreditNoteIssued"
      policyId: string
      creditKind: CreditKind
      invoice: string
      totalCents: Cents
      /** Recipient; empty if issued without mail. */
      to: string
      mailed: boolean
      reason: string
    }
  | {
      record: { kind: "invoice" | "credit_note"; id: string; label: string }
      groupId: string
      type: "DocumentMailed"
      to: string
      mailed: boolean
    }

const policyCountText = (count: number) => (count === 1 ? "1 policy" : `${count} policies`)

export const billingSentences = {
  BillingRunStarted: ({ month }: { month: Day }) => `started the premium run for ${formatMonth(month)}`,
  PoliciesLeftOut: (fact: { policies: string[]; isLeftOut: boolean }) =>
    fact.isLeftOut
      ? `left ${policyCountText(fact.policies.length)} out of the premium run`
      : `included ${policyCountText(fact.policies.length)} in the premium run again`,
  BillingRunMaking: (fact: { policies: number }) => `started creating invoices for ${policyCountText(fact.policies)}`,
  BillingRunContinued: (fact: { policies: number }) =>
    `continued the premium run for ${policyCountText(fact.policies)}`,
  BillingRunMade: ({ made, parked }: { made: number; parked: number }) =>
    `billed ${policyCountText(made)}${parked > 0 ? `; ${parked} could not be billed` : ""}`,
  BillingRunSending: ({ invoices, creditNotes = 0 }: { invoices: number; creditNotes?: number }) => {
    const notes = creditNotes === 1 ? "1 credit note" : `${creditNotes} credit notes`
    const sent = `started sending ${invoices === 1 ? "1 invoice" : `${invoices} invoices`} of the premium run`
    if (creditNotes === 0) return sent
    return invoices === 0 ? `started emailing ${notes} of the premium run` : `${sent} and emailing ${notes}`
  },
  BillingRunCancelled: () => "cancelled the premium run",
  InvoiceGenerated: (fact: { totalCents: Cents }, currency: Currency) =>
    `generated the invoice, ${formatMoney(fact.totalCents, currency)}`,
  InvoiceEdited: () => "edited the invoice",
  InvoiceApproved: () => "approved the invoice",
  InvoiceSent: ({ to, mailed }: { to: string; mailed?: boolean }) =>
    to && mailed !== false ? `sent the invoice to ${to}` : "issued the invoice; it was not emailed",
  InvoiceCancelled: () => "cancelled the invoice",
  InvoiceCredited: (fact: { creditNote: string; creditedCents: Cents }, currency: Currency) =>
    `credited ${formatMoney(fact.creditedCents, currency)} with ${fact.creditNote}`,
  CreditNoteIssued: (
    fact: {
      creditKind: CreditKind
      invoice: string
      totalCents: Cents
      to: string
      mailed: boolean
    },
    currency: Currency,
  ) =>
    `issued the credit note, a ${creditKindNames[fact.creditKind].toLowerCase()} of ${formatMoney(fact.totalCents, currency)} for ${fact.invoice}; ${fact.to && fact.mailed ? `emailed to ${fact.to}` : "it was not emailed"}`,
  DocumentMailed: ({ to, mailed }: { to: string; mailed: boolean }) =>
    mailed ? `resent the document to ${to}` : `prepared an e-mail to ${to}; it was not sent`,
}
