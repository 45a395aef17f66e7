import { pay } from "@milkwood/domain/claims/claim-review"
import type { PayoutFact } from "@milkwood/domain/payouts/payout-facts"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

/** The reaction to a completed payment: its claim is paid, on the day that the payment went through. */
export async function settleClaim(cx: Cx, { subject, completedOn }: Extract<PayoutFact, { type: "PayoutCompleted" }>) {
  if (subject.kind !== "claim") return
  const claim = await lockClaim(cx, subject.id)
  await saveClaim(cx, claim, orRefuse(pay(claim, completedOn)))
}
