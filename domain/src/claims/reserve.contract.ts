import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { reserveCauses } from "./reserve.ts"

export const claimReserve = z.object({
  claimId: z.uuid(),
  /** Number of the last movement, for `set`; 0 without one. */
  version: z.int(),
  reserveCents: cents,
  /** The amount that the cover pays of the claim, as known now. */
  proposedCents: cents,
  /** The manager's amount; null while the reserve follows the proposed amount. */
  setCents: cents.nullable(),
  canSet: z.boolean(),
  /** Newest first. */
  movements: z.array(
    z.object({
      /** From 1, without gaps. */
      seq: z.int(),
      on: day,
      at: instant,
      cause: z.enum(reserveCauses),
      changeCents: cents,
      reserveCents: cents,
      /** Empty unless a manager set or cleared the amount. */
      reason: z.string(),
      /** Null for a job of the system. */
      by: z.string().nullable(),
    }),
  ),
})
export type ClaimReserve = z.infer<typeof claimReserve>

const claimId = z.uuid()
const tags = ["Claims"]

export const reserveContract = {
  /** A claim's reserve in cents, with its movements. The ledger carries it as claims outstanding. NOT_FOUND for a draft. */
  detail: readProcedure("payouts.read")
    .route({ method: "GET", path: "/claims/{claimId}/reserve", summary: "Read the reserve of a claim", tags })
    .input(z.object({ claimId }))
    .output(claimReserve),

  /**
   * Sets the reserve to an amount in cents, or with null to the proposed amount, and posts the difference to claims
   * outstanding. WRONG_STATUS for a draft, a decided and a withdrawn claim; STALE; INVALID without a reason or a change.
   */
  set: writeProcedure("claims.review")
    .route({ method: "PUT", path: "/claims/{claimId}/reserve", summary: "Set the reserve of a claim", tags })
    .errors({ WRONG_STATUS: { status: 409, message: "The claim's status no longer allows this." } })
    .input(
      z.object({
        claimId,
        version: z.int(),
        amountCents: cents.refine((amount) => amount >= 0, "Enter an amount of R 0,00 or more").nullable(),
        reason: text(1_000).refine((reason) => reason.trim() !== "", "Enter a reason"),
      }),
    )
    .output(claimReserve),
}
