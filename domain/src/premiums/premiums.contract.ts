import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure } from "../kernel/procedure.ts"
import { rateTable } from "../policies/rates-shape.ts"

/** Cents without VAT and before discount. */
export const premiumMonth = z.object({
  month: day,
  /** Members who owe and their total; members without a rate count in `unrated` only. */
  members: z.int(),
  cents,
  /** Number of members without a rate, and some of them with reasons. */
  unrated: z.object({
    count: z.int(),
    some: z.array(z.object({ memberId: z.uuid(), name: z.string(), why: z.string() })),
  }),
})
export type PremiumMonth = z.infer<typeof premiumMonth>

export const premiumsContract = {
  /**
   * The premium of a policy's members for a month, now or with the given `rates`; saves nothing. A draft is calculated
   * as if activated. Default month: the next owed. NOT_FOUND if the policy does not exist. Never reveals a salary.
   */
  month: readProcedure("rates.read")
    .route({
      method: "POST",
      path: "/policies/{policyId}/premium-month",
      summary: "Calculate the premiums of a policy for a month",
      tags: ["Policies"],
    })
    .input(z.object({ policyId: z.uuid(), month: day.optional(), rates: rateTable.optional() }))
    .output(z.object({ stands: premiumMonth, proposed: premiumMonth.nullable() })),
}
