import type { Claim } from "@milkwood/domain/claims/claim"
import { permissionFor } from "@milkwood/domain/claims/claim-lifecycle"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { hasReserve } from "@milkwood/domain/claims/reserve"
import type { ClaimReserve } from "@milkwood/domain/claims/reserve.contract"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { loadClaimCover } from "./claim-cover.queries.ts"
import { readClaim } from "./claim-record.ts"

type Movement = ClaimReserve["movements"][number] & { setCents: Cents | null }

/** `proposedCents` is what the cover pays of the claim now. */
export async function claimReserve(
  cx: Pick<Cx, "tx" | "actor">,
  { id: claimId, status }: Pick<Claim, "id" | "status">,
  proposedCents: Cents,
): Promise<ClaimReserve> {
  const movements = await cx.tx.rows<Movement>(sql`
    select v.seq, v.moved_on as "on", v.moved_at as at, v.cause, v.change_cents as "changeCents",
      v.reserve_cents as "reserveCents", v.set_cents as "setCents", v.reason, u.name as by
    from claim_reserve_movements v left join users u on u.id = v.moved_by
    where v.claim_id = ${claimId} order by v.seq desc`)
  const isOpen = hasReserve(status)
  return {
    claimId,
    version: movements[0]?.seq ?? 0,
    reserveCents: movements[0]?.reserveCents ?? 0,
    proposedCents,
    setCents: isOpen ? (movements[0]?.setCents ?? null) : null,
    canSet: isOpen && hasPermission(ruleActor(cx.actor).role, permissionFor.reopen),
    movements: movements.map(({ setCents: _, ...movement }) => movement),
  }
}

export const readClaimReserve = query(claimsContract.reserve.detail, async (cx) => {
  const claim = await readClaim(cx, cx.input.claimId)
  if (claim.status === "draft") throw refused("NOT_FOUND")
  const { proposedAmountCents } = await loadClaimCover(cx, claim.id)
  return claimReserve(cx, claim, proposedAmountCents)
})

/** The reserves of all claims at the end of a day, in cents. */
export async function sumReservesAt(tx: Tx, day: Day): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    select coalesce(sum(reserve_cents), 0)::bigint as cents from (
      select distinct on (claim_id) reserve_cents from claim_reserve_movements
      where moved_on <= ${day}::date order by claim_id, seq desc) last`)
  return found!.cents
}
