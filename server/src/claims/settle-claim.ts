import { markOwedAgain, pay } from "@milkwood/domain/claims/claim-review"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { PayoutFact } from "@milkwood/domain/payouts/payout-facts"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { lockClaims, saveClaims } from "./claim-record.ts"

type FactOf<T extends PayoutFact["type"]> = Extract<PayoutFact, { type: T }>

/**
 * Marks claims paid when their payments reach the approved amount, on the day of the last. Until then the remainder
 * waits for another payment.
 */
export async function settleClaims(
  cx: Cx,
  facts: readonly FactOf<"PayoutCompleted" | "PayoutReturnTakenBack">[],
): Promise<void> {
  const ids = facts.flatMap(({ subject }) => (subject.kind === "claim" ? [subject.id] : []))
  if (ids.length === 0) return
  const claims = await lockClaims(cx, ids)
  // Only under the lock does the check see a concurrent payment of the same claim.
  await cx.tx.run(sql`set constraints check_claim_payments immediate`)
  const arrived = await cx.tx.rows<{ id: string; cents: Cents; last: Day }>(sql`
    select subject_id as id, sum(amount_cents)::bigint as cents, max(completed_on) as last from payouts
    where subject_kind = 'claim' and subject_id = any (${sql.param(ids)}::uuid[]) and status = 'completed' group by 1`)
  const arrivedFor = new Map(arrived.map((of) => [of.id, of]))
  const settled = claims.flatMap((before) => {
    const of = arrivedFor.get(before.id)
    return of?.cents === before.approvedAmountCents ? [{ before, change: orRefuse(pay(before, of.last)) }] : []
  })
  if (settled.length > 0) await saveClaims(cx, settled)
}

/** When payments are returned or never arrived, their paid claims are owed again. */
export async function markClaimsOwedAgain(
  cx: Cx,
  facts: readonly FactOf<"PayoutReturned" | "PayoutCompletionTakenBack">[],
): Promise<void> {
  const labels = new Map(
    facts.flatMap(({ subject, record }) => (subject.kind === "claim" ? [[subject.id, record.label] as const] : [])),
  )
  if (labels.size === 0) return
  const claims = await lockClaims(cx, [...labels.keys()])
  const owed = claims.flatMap((before) =>
    before.status === "paid" ? [{ before, change: orRefuse(markOwedAgain(before, labels.get(before.id)!)) }] : [],
  )
  if (owed.length > 0) await saveClaims(cx, owed)
}
