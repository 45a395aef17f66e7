import { z } from "zod"
import type { Day } from "../kernel/calendar.ts"
import { day } from "../kernel/calendar-shape.ts"
import { standardVatPercent } from "./vat.ts"

/** A VAT rate and the day it holds from; the first of a product type has no such day: it held before all others. */
export const vatRate = z.object({
  from: day.nullable(),
  percent: z
    .number()
    .min(0, "A VAT rate is at least 0 %")
    .max(100, "A VAT rate is at most 100 %")
    .multipleOf(0.01, "A VAT rate has at most two decimals"),
})

export type VatRate = z.infer<typeof vatRate>

/** The dated rates of a product type: a first one without a day, and no two from the same day. Sorted by day. */
export const vatRates = z
  .array(vatRate)
  .max(50)
  .refine((rates) => rates.filter((rate) => rate.from === null).length === 1, "Give one VAT rate to start with")
  .refine(
    (rates) => new Set(rates.map((rate) => rate.from)).size === rates.length,
    "Two VAT rates start on the same day",
  )
  .transform((rates) => [...rates].sort((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1)))

/** The rate, in per cent, that holds on a day: the one that started last on or before it. */
export function vatPercentAt(rates: readonly VatRate[], on: Day): number {
  const started = rates.filter((rate) => rate.from === null || rate.from <= on)
  const latest = started.reduce<VatRate | undefined>(
    (last, rate) => (last === undefined || (rate.from ?? "") > (last.from ?? "") ? rate : last),
    undefined,
  )
  return latest?.percent ?? standardVatPercent
}
