import { oweAgain, pay } from "@milkwood/domain/claims/claim-review"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { PayoutFact } from "@milkwood/domain/payouts/payout-facts"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

type FactOf<T extends PayoutFact["type"]> = Extract<PayoutFact, { type: T }>

/**
 * The reaction to a payment that arrived: its claim is paid once its payments come to what was approved, on the day of
 * the last. Until then the rest waits for a further payment.
 */
export async function settleClaim(cx: Cx, { subject }: FactOf<"PayoutCompleted" | "PayoutReturnTakenBack">) {
  if (subject.kind !== "claim") return
  const claim = await lockClaim(cx, subject.id)
  const arrived = await cx.tx.row<{ cents: number; last: Day }>(sql`
    select sum(amount_cents)::bigint as cents, max(completed_on) as last from payouts
    where subject_kind = 'claim' and subject_id = ${subject.id} and status = 'completed'`)
  if (arrived!.cents !== claim.approvedAmountCents) return
  await saveClaim(cx, claim, orRefuse(pay(claim, arrived!.last)))
}

/** The reaction to one that came back, or had not arrived after all: its claim, if it was paid, is owed again. */
export async function oweClaim(cx: Cx, { subject, record }: FactOf<"PayoutReturned" | "PayoutCompletionTakenBack">) {
  if (subject.kind !== "claim") return
  const claim = await lockClaim(cx, subject.id)
  if (claim.status === "paid") await saveClaim(cx, claim, orRefuse(oweAgain(claim, record.label)))
}
