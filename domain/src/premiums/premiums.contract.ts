import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read } from "../kernel/procedure.ts"
import { rateTable } from "../policies/rates-shape.ts"

/** What a policy's members owe for a month: cents without VAT and before discount. */
export const premiumMonth = z.object({
  /** Its first day. */
  month: day,
  /** Who owes it, and what they owe together; who has no rate owes nothing here, and stands in `unrated`. */
  members: z.int(),
  cents,
  /** How many have no rate, and some of them with why. */
  unrated: z.object({
    count: z.int(),
    some: z.array(z.object({ memberId: z.uuid(), name: z.string(), why: z.string() })),
  }),
})
export type PremiumMonth = z.infer<typeof premiumMonth>

export const premiumsContract = {
  /**
   * What a policy's members owe for a month as the facts stand, and, where `rates` are given, as those would have it;
   * nothing is saved. Of a draft it is what activation would date. Without `month` the next one that is owed. NOT_FOUND
   * when there is no such policy. Never says what anybody earns.
   */
  month: read("rates.read")
    .route({
      method: "POST",
      path: "/policies/{policyId}/premium-month",
      summary: "A policy's month",
      tags: ["Policies"],
    })
    .input(z.object({ policyId: z.uuid(), month: day.optional(), rates: rateTable.optional() }))
    .output(z.object({ stands: premiumMonth, proposed: premiumMonth.nullable() })),
}
