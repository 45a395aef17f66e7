import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { ageDays, findRateProblems, ratedPersons } from "./rates.ts"

const age = z
  .int("Enter the age as a whole number")
  .min(0, "Enter an age of at least 0")
  .max(130, "Enter an age of at most 130")
  .nullable()
const amount = cents.min(0, "A rate cannot be negative").max(100_000_000, "Enter a rate of at most 1 000 000")
const sum = cents.min(1, "Enter a sum assured above 0").max(1_000_000_000_000)

export const rateRow = z.object({
  person: z.enum(ratedPersons),
  tierId: z.uuid().nullable(),
  /** Full years, both inclusive; null: no lower or upper limit. */
  ageFrom: age,
  ageUntil: age,
  /** Per month, without VAT. */
  cents: amount.nullable(),
  /** Per month, per mille of the sum assured. */
  perMille: z
    .null()
    .or(
      z
        .number()
        .min(0.0001, "Enter a rate per mille above 0")
        .max(1_000, "Enter a rate per mille of at most 1 000")
        .multipleOf(0.0001, "Enter a rate per mille with at most four decimals"),
    ),
})

/** INVALID names a row that rates the same people as an earlier row, or that lacks its sum assured. */
export const rateTable = z
  .object({
    ageOn: z.enum(ageDays),
    sumAssured: z
      .discriminatedUnion("kind", [
        z.object({ kind: z.literal("fixed"), cents: sum }),
        z.object({
          kind: z.literal("tier"),
          sums: z
            .array(z.object({ tierId: z.uuid(), cents: sum }))
            .min(1, "Enter the sum assured of a tier")
            .max(100)
            .refine(
              (sums) => new Set(sums.map(({ tierId }) => tierId)).size === sums.length,
              "Enter only one sum assured for each tier",
            ),
        }),
        z.object({
          kind: z.literal("salary"),
          multiple: z
            .number()
            .min(0.01, "Enter a multiple above 0")
            .max(1_000, "Enter a multiple of at most 1 000")
            .multipleOf(0.01, "Enter a multiple with at most two decimals"),
        }),
      ])
      .nullable(),
    rows: z.array(rateRow).min(1, "Enter a rate for members").max(500, "Enter at most 500 rows"),
  })
  .superRefine((table, context) => {
    for (const { row, message } of findRateProblems(table))
      context.addIssue({ code: "custom", path: row === null ? ["rows"] : ["rows", row], message })
  })
