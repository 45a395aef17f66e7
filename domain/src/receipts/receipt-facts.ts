import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

interface ReceiptFactHead {
  record: { kind: "receipt"; id: string; label: string }
  groupId: string
}

/** Write-offs are internal to the insurer: employers are not notified. */
export interface WriteOffFact {
  type: "WriteOffAsked" | "InvoiceWrittenOff" | "WriteOffDeclined" | "WriteOffReversed"
  record: { kind: "invoice"; id: string; label: string }
  groupId: null
  totalCents: Cents
  reason: string
}

export type ReceiptFact = ReceiptFactHead &
  (
    | { type: "ReceiptRecorded"; policyId: string; amountCents: Cents; after: Record<string, unknown> }
    | { type: "ReceiptEdited"; before: Record<string, unknown>; after: Record<string, unknown> }
    | { type: "ReceiptMailed"; to: string; mailed: boolean }
    | { type: "ReceiptAllocated"; invoiceIds: string[]; amountCents: Cents; invoices: string }
    | { type: "ReceiptAllocationsReleased"; invoiceIds: string[]; amountCents: Cents; reason: string }
    | { type: "ReceiptReversed"; invoiceIds: string[]; amountCents: Cents; reason: string }
  )

type ReceiptSentenceFact = ReceiptFact | WriteOffFact
type FactOf<T extends ReceiptSentenceFact["type"]> =
  | Extract<ReceiptFact, { type: T }>
  | (T extends WriteOffFact["type"] ? WriteOffFact : never)

export const receiptSentences: { [T in ReceiptSentenceFact["type"]]: (fact: FactOf<T>, currency: Currency) => string } =
  {
    WriteOffAsked: (fact, currency) => `requested a write-off of ${formatMoney(fact.totalCents, currency)}`,
    InvoiceWrittenOff: (fact, currency) => `wrote off ${formatMoney(fact.totalCents, currency)}`,
    WriteOffDeclined: (fact, currency) => `declined the write-off of ${formatMoney(fact.totalCents, currency)}`,
    WriteOffReversed: (fact, currency) => `reversed the write-off of ${formatMoney(fact.totalCents, currency)}`,
    ReceiptRecorded: (fact, currency) => `recorded the receipt of ${formatMoney(fact.amountCents, currency)}`,
    ReceiptEdited: () => "corrected the receipt",
    ReceiptMailed: ({ to, mailed }) =>
      mailed ? `sent the receipt to ${to}` : `prepared the receipt e-mail to ${to}; it was not sent`,
    ReceiptAllocated: (fact, currency) => `allocated ${formatMoney(fact.amountCents, currency)} to ${fact.invoices}`,
    ReceiptAllocationsReleased: (fact, currency) => `undid allocations of ${formatMoney(fact.amountCents, currency)}`,
    ReceiptReversed: () => "reversed the receipt",
  }
