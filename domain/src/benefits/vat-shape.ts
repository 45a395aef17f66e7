import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { vatClasses } from "./vat.ts"

/**
 * A dated VAT rate; the first rate of a product type has no day and applies before all others. The default class is
 * standard above 0 %, exempt at 0 %.
 */
export const vatRate = z
  .object({
    from: day.nullable(),
    percent: z
      .number()
      .min(0, "Enter a VAT rate of at least 0 %")
      .max(100, "Enter a VAT rate of at most 100 %")
      .multipleOf(0.01, "Enter a VAT rate with at most two decimals"),
    class: z.enum(vatClasses).optional(),
  })
  .refine(({ class: named, percent }) => named === undefined || named === "standard" || percent === 0, {
    path: ["percent"],
    message: "A zero-rated or exempt rate must be 0 %",
  })

export type VatRate = z.infer<typeof vatRate>

/** The dated rates of a product type, sorted by day: the first has no day, and all days are different. */
export const vatRates = z
  .array(vatRate)
  .max(50)
  .refine((rates) => rates.filter((rate) => rate.from === null).length === 1, "Enter exactly one initial VAT rate")
  .refine(
    (rates) => new Set(rates.map((rate) => rate.from)).size === rates.length,
    "Enter a different start date for each VAT rate",
  )
  .transform((rates) => [...rates].sort((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1)))
