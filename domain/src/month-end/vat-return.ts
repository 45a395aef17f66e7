import type { VatClass } from "../benefits/vat.ts"
import type { Cents } from "../kernel/money.ts"

/** What makes VAT more or less: a credit note gives it back, so does relief for what was given up, until that is paid after all. */
export const vatKinds = ["invoice", "credit_note", "relief", "relief_back"] as const
export type VatKind = (typeof vatKinds)[number]

export const vatKindNames: Record<VatKind, string> = {
  invoice: "Invoices",
  credit_note: "Credit notes",
  relief: "Bad debt relief",
  relief_back: "Bad debt relief taken back",
}

/** Documents of a kind at a class and rate. What takes VAT back is below zero; so the lines add up. */
export interface VatLine {
  kind: VatKind
  vatClass: VatClass
  percent: number
  documents: number
  /** Without VAT, before discount. */
  netCents: Cents
  vatCents: Cents
}

/** What lines come to. */
export function vatTotal(lines: readonly Pick<VatLine, "netCents" | "vatCents">[]): {
  netCents: Cents
  vatCents: Cents
} {
  return {
    netCents: lines.reduce((sum, { netCents }) => sum + netCents, 0),
    vatCents: lines.reduce((sum, { vatCents }) => sum + vatCents, 0),
  }
}
