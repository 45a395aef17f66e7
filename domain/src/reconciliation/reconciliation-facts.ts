import { type Day, formatMonth } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Resolution, resolutionNames } from "./reconciliation.ts"

interface MonthResolved {
  record: { kind: "group"; id: string; label: string }
  groupId: null
  type: "MonthResolved"
  month: Day
  kind: Resolution
  differenceCents: Cents
  reason: string
}

interface InvoiceReconciliationFact {
  record: { kind: "invoice"; id: string; label: string }
  groupId: null
  fileName: string
}

/** Never shown to employers. */
export type ReconciliationFact =
  | MonthResolved
  | (InvoiceReconciliationFact & { type: "RemittanceUploaded"; sha256: string })
  | (InvoiceReconciliationFact & {
      type: "RemittanceLaid"
      members: number
      differing: number
      paidCents: Cents
      billedCents: Cents
    })
  | (InvoiceReconciliationFact & { type: "RemittanceRemoved"; sha256: string })

type FactOf<T extends ReconciliationFact["type"]> = Extract<ReconciliationFact, { type: T }>

export const reconciliationSentences: {
  [T in ReconciliationFact["type"]]: (fact: FactOf<T>, currency: Currency) => string
} = {
  MonthResolved: ({ month, kind, differenceCents }, currency) => {
    const side = differenceCents < 0 ? "short by" : "over by"
    const done = resolutionNames[kind].toLowerCase()
    return `resolved ${formatMonth(month)}, ${side} ${formatMoney(Math.abs(differenceCents), currency)}: ${done}`
  },
  RemittanceUploaded: ({ fileName }) => `uploaded the remittance list ${fileName}`,
  RemittanceLaid: ({ fileName, members, differing, paidCents, billedCents }, currency) =>
    `compared ${fileName} with the invoice, ${formatMoney(paidCents, currency)} to ${formatMoney(billedCents, currency)}: ${
      differing === 0 ? "all members agree" : `${differing} of ${members} differ`
    }`,
  RemittanceRemoved: ({ fileName }) => `removed the remittance list ${fileName}`,
}
