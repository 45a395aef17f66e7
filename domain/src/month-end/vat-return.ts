import type { VatClass } from "../benefits/vat.ts"
import type { Cents } from "../kernel/money.ts"

/** Credit notes and bad debt relief reduce VAT; `relief_back` restores VAT when the debt is paid. */
export const vatKinds = ["invoice", "credit_note", "relief", "relief_back"] as const
export type VatKind = (typeof vatKinds)[number]

export const vatKindNames: Record<VatKind, string> = {
  invoice: "Invoices",
  credit_note: "Credit notes",
  relief: "Bad debt relief",
  relief_back: "Bad debt relief reversed",
}

/** Totals per kind, class and rate; negative if they reduce VAT. */
export interface VatLine {
  kind: VatKind
  vatClass: VatClass
  percent: number
  documents: number
  /** Excluding VAT, before discount. */
  netCents: Cents
  vatCents: Cents
}

export function vatTotal(lines: readonly Pick<VatLine, "netCents" | "vatCents">[]): {
  netCents: Cents
  vatCents: Cents
} {
  return {
    netCents: lines.reduce((sum, { netCents }) => sum + netCents, 0),
    vatCents: lines.reduce((sum, { vatCents }) => sum + vatCents, 0),
  }
}
