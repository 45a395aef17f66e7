import { type Cents, formatRand } from "../kernel/money.ts"

interface ReceiptNews {
  record: { kind: "receipt"; id: string; label: string }
  groupId: string
}

/** What can happen to a receipt. */
export type ReceiptFact = ReceiptNews &
  (
    | { type: "ReceiptRecorded"; policyId: string; amountCents: Cents; after: Record<string, unknown> }
    | { type: "ReceiptAllocated"; invoiceIds: string[]; amountCents: Cents; invoices: string }
    | { type: "ReceiptAllocationsReleased"; invoiceIds: string[]; amountCents: Cents; reason: string }
    | { type: "ReceiptReversed"; invoiceIds: string[]; amountCents: Cents; reason: string }
  )

type FactOf<T extends ReceiptFact["type"]> = Extract<ReceiptFact, { type: T }>

export const receiptSentences: { [T in ReceiptFact["type"]]: (fact: FactOf<T>) => string } = {
  ReceiptRecorded: (fact) => `recorded the receipt of ${formatRand(fact.amountCents)}`,
  ReceiptAllocated: (fact) => `allocated ${formatRand(fact.amountCents)} to ${fact.invoices}`,
  ReceiptAllocationsReleased: (fact) => `released ${formatRand(fact.amountCents)} of what was allocated`,
  ReceiptReversed: () => "reversed the receipt",
}
