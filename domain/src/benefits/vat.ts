import type { Day } from "../kernel/calendar.ts"
import { type Refusal, refuse } from "../kernel/refusal.ts"

/** The rate that a product type starts with (specification 2, section 9). */
export const standardVatPercent = 15

/** How VAT stands to a supply: taxed at the standard rate, taxed at nothing (with input tax), or not taxed (life). */
export const vatClasses = ["standard", "zero", "exempt"] as const

export type VatClass = (typeof vatClasses)[number]

/** The class as tax invoices and the VAT report say it. */
export const vatClassNames: Record<VatClass, string> = {
  standard: "Standard-rated",
  zero: "Zero-rated",
  exempt: "Exempt",
}

/** The class that a rate has when nobody says: insurance that is not taxed is life cover, which is exempt. */
export const vatClassOf = (percent: number): VatClass => (percent === 0 ? "exempt" : "standard")

/** VAT as a line carries it: the class, and the rate in per cent. */
export interface Vat {
  class: VatClass
  percent: number
}

/** VAT as documents say it: its rate, "15,5%", or the class of what has none. */
export const vatWords = ({ class: named, percent }: Vat): string =>
  named === "standard" ? `${String(percent).replace(".", ",")}%` : vatClassNames[named]

/** A rate and the day it holds from; the first has none and held before all others. */
export interface DatedVat {
  from: Day | null
  percent: number
  class?: VatClass | undefined
}

/** The class and rate that hold on a day; without any rate the standard one. */
export function vatAt(rates: readonly DatedVat[], on: Day): Vat {
  const started = rates.filter((rate) => rate.from === null || rate.from <= on)
  const latest = started.reduce<DatedVat | undefined>(
    (last, rate) => (last === undefined || (rate.from ?? "") > (last.from ?? "") ? rate : last),
    undefined,
  )
  const percent = latest?.percent ?? standardVatPercent
  return { class: latest?.class ?? vatClassOf(percent), percent }
}

/** Whether VAT is charged at these rates on a day or later. */
export const chargesVat = (rates: readonly DatedVat[], today: Day): boolean =>
  vatAt(rates, today).percent > 0 || rates.some(({ from, percent }) => from !== null && from > today && percent > 0)

/** What the contract answers where a product type would charge VAT without the organisation's VAT number. */
export const vatNeedsNumber = {
  NO_VAT_NUMBER: {
    status: 409,
    message:
      "The organisation has no VAT number, so it cannot charge VAT. Choose exempt or zero-rated, or add the number in Settings, General.",
  },
} as const

/** Refuses the rates of a product type that charge VAT from today on while the organisation has no VAT number. */
export function refuseRates(
  rates: readonly DatedVat[],
  { vatNumber, today }: { vatNumber: string; today: Day },
): Refusal<"NO_VAT_NUMBER"> | null {
  return vatNumber === "" && chargesVat(rates, today) ? refuse("NO_VAT_NUMBER") : null
}
