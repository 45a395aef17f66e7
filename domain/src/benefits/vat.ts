import type { Day } from "../kernel/calendar.ts"
import { type Refusal, refuse } from "../kernel/refusal.ts"

/** The default rate of a product type, in per cent (specification 2, section 9). */
export const standardVatPercent = 15

/** Standard-rated, zero-rated (input tax can be claimed) or exempt (life cover). */
export const vatClasses = ["standard", "zero", "exempt"] as const

export type VatClass = (typeof vatClasses)[number]

export const vatClassNames: Record<VatClass, string> = {
  standard: "Standard-rated",
  zero: "Zero-rated",
  exempt: "Exempt",
}

/** The default class of a rate: insurance without VAT is life cover, which is exempt. */
export const vatClassOf = (percent: number): VatClass => (percent === 0 ? "exempt" : "standard")

export interface Vat {
  class: VatClass
  percent: number
}

export const vatText = ({ class: named, percent }: Vat): string =>
  named === "standard" ? `${String(percent).replace(".", ",")}%` : vatClassNames[named]

export interface DatedVat {
  from: Day | null
  percent: number
  class?: VatClass | undefined
}

/** The class and rate on a day; the standard rate if there are none. */
export function vatAt(rates: readonly DatedVat[], on: Day): Vat {
  const started = rates.filter((rate) => rate.from === null || rate.from <= on)
  const latest = started.reduce<DatedVat | undefined>(
    (last, rate) => (last === undefined || (rate.from ?? "") > (last.from ?? "") ? rate : last),
    undefined,
  )
  const percent = latest?.percent ?? standardVatPercent
  return { class: latest?.class ?? vatClassOf(percent), percent }
}

/** Whether these rates charge VAT on a day or later. */
export const chargesVat = (rates: readonly DatedVat[], today: Day): boolean =>
  vatAt(rates, today).percent > 0 || rates.some(({ from, percent }) => from !== null && from > today && percent > 0)

export const vatNumberMissing = {
  NO_VAT_NUMBER: {
    status: 409,
    message:
      "The organisation has no VAT number, so it cannot charge VAT. Choose exempt or zero-rated, or add the number in Settings, General.",
  },
} as const

/** Refuses NO_VAT_NUMBER when rates charge VAT from today on and the organisation has no VAT number. */
export function refuseRates(
  rates: readonly DatedVat[],
  { vatNumber, today }: { vatNumber: string; today: Day },
): Refusal<"NO_VAT_NUMBER"> | null {
  return vatNumber === "" && chargesVat(rates, today) ? refuse("NO_VAT_NUMBER") : null
}
