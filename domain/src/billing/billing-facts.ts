import type { Day } from "../kernel/calendar.ts"
import { type Cents, formatRand } from "../kernel/money.ts"

interface Invoiced {
  record: { kind: "invoice"; id: string; label: string }
  groupId: string
}

/** Before an invoice is sent it is the insurer's own affair: no group hears of it. */
interface Internal {
  record: { kind: "invoice"; id: string; label: string }
  groupId: null
}

export type BillingFact =
  | (Internal & { type: "InvoiceGenerated"; policyId: string; totalCents: Cents })
  | (Internal & { type: "InvoiceEdited"; before: Record<string, unknown>; after: Record<string, unknown> })
  | (Internal & { type: "InvoiceApproved" })
  /** `mailed` says whether it goes out by mail; facts from before it was kept do not know. */
  | (Invoiced & {
      type: "InvoiceSent"
      policyId: string
      totalCents: Cents
      dueOn: Day
      to: string
      mailed?: boolean
    })
  | (Internal & { type: "InvoiceCancelled"; reason: string })
  | (Invoiced & {
      type: "InvoiceCredited"
      policyId: string
      creditNote: string
      creditedCents: Cents
      /** What may at most stay allocated to the invoice now; what receipts paid beyond it becomes the policy's credit. */
      payableCents: Cents
      reason: string
    })

export const billingSentences = {
  InvoiceGenerated: (fact: { totalCents: Cents }) => `generated the invoice, ${formatRand(fact.totalCents)}`,
  InvoiceEdited: () => "edited the invoice",
  InvoiceApproved: () => "approved the invoice",
  InvoiceSent: ({ to, mailed }: { to: string; mailed?: boolean }) =>
    to && mailed !== false ? `sent the invoice to ${to}` : "issued the invoice; it was not mailed",
  InvoiceCancelled: () => "cancelled the invoice",
  InvoiceCredited: (fact: { creditNote: string; creditedCents: Cents }) =>
    `credited ${formatRand(fact.creditedCents)} with ${fact.creditNote}`,
}
