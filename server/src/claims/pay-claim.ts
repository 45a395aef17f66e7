import { pay } from "@milkwood/domain/claims/claim-review"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

/** The reaction to a completed claim payment: the claim is paid, on the day that the payment went through. */
export async function payClaim(cx: Cx, claimId: string, paidOn: Day): Promise<void> {
  const claim = await lockClaim(cx, claimId)
  const paid = orRefuse(pay(claim, paidOn))
  await saveClaim(cx, claim, paid.claim)
  await record(cx, paid.facts)
}
