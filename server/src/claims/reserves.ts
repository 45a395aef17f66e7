import { randomUUID } from "node:crypto"
import type { Claim } from "@milkwood/domain/claims/claim"
import {
  type Reserve,
  type ReserveCause,
  type ReserveMovement,
  releasesReserve,
  reserveCause,
  reserveMovements,
} from "@milkwood/domain/claims/reserve"
import type { Cents } from "@milkwood/domain/kernel/money"
import {
  approvalSource,
  claimApproved,
  claimReserveChanged,
  reserveSource,
} from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { post, reverse } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { loadClaimCover } from "./claim-cover.queries.ts"
import { claimReserveMovements } from "./claims.tables.ts"

/** The last movement; null for a claim that never had a reserve. */
export async function loadReserve(tx: Tx, claimId: string): Promise<Reserve | null> {
  const found = await tx.row<Reserve>(sql`
    select seq, policy_id as "policyId", cause, change_cents as "changeCents", reserve_cents as "reserveCents",
      set_cents as "setCents"
    from claim_reserve_movements where claim_id = ${claimId} order by seq desc limit 1`)
  return found ?? null
}

/**
 * Moves the reserves of saved claims and posts the movements, approvals and withdrawn approvals. Requires the claims'
 * locks, and the staff role if a reserve moves, because the scoped role cannot see the ledger.
 */
export async function moveReserves(cx: Cx, saved: readonly { before: Claim; after: Claim }[]): Promise<void> {
  for (const { before, after } of saved) {
    const cause = reserveCause(before, after)
    if (cause) await moveReserve(cx, after, cause)
  }
}

/**
 * `manual`: `set` is the manager's amount in cents, or null to follow the proposed amount, which the caller has loaded.
 */
export async function moveReserve(
  cx: Cx,
  claim: Claim,
  cause: ReserveCause,
  manual?: { proposedCents: Cents; set: { cents: Cents | null; reason: string } },
): Promise<void> {
  const { tx, now, today } = cx
  const { id: claimId, groupId, policyId, number } = claim
  const last = await loadReserve(tx, claimId)
  const proposedCents = releasesReserve(cause)
    ? 0
    : (manual?.proposedCents ?? (await loadClaimCover(cx, claimId)).proposedAmountCents)
  const movements = reserveMovements(last, cause, { policyId, proposedCents, ...(manual && { set: manual.set }) })
  const nth = isOfApproval(cause) ? await countApprovals(tx, claim) : 0
  const approval = approvalSource(claimId, nth)
  const sourceOf = ({ cause, seq }: ReserveMovement) =>
    cause === "approved"
      ? approval
      : cause === "approval_withdrawn"
        ? `${approval}:reversed`
        : reserveSource(claimId, seq)
  if (movements.length > 0) {
    await tx.insert(claimReserveMovements).values(
      movements.map((movement) => ({
        ...movement,
        ...{ id: randomUUID(), claimId, groupId, source: sourceOf(movement) },
        ...{ movedOn: today, movedBy: actorUserId(cx.actor), movedAt: now },
      })),
    )
  }
  if (cause === "approved") {
    const amountCents = claim.approvedAmountCents ?? 0
    const reserveCents = last?.reserveCents ?? 0
    const policy = { policyId, groupId }
    await post(cx, claimApproved({ on: today, policy, claimId, nth, number, amountCents, reserveCents }))
  }
  if (cause === "approval_withdrawn")
    await reverse(cx, [{ source: approval, on: today, reason: "the approval was withdrawn" }])
  const posted = movements.filter(({ cause, changeCents }) => changeCents !== 0 && !isOfApproval(cause))
  await post(
    cx,
    ...posted.map(({ seq, changeCents, policyId }) =>
      claimReserveChanged({ on: today, policy: { policyId, groupId }, claimId, seq, number, changeCents }),
    ),
  )
}

/** The entry of the approval, or its reversal, contains the movement. */
const isOfApproval = (cause: ReserveCause): boolean => cause === "approved" || cause === "approval_withdrawn"

/** Approvals of the claim so far, with one that is just being withdrawn. Each has its own ledger entry. */
async function countApprovals(tx: Tx, { id, status }: Claim): Promise<number> {
  const found = await tx.row<{ withdrawn: number }>(sql`
    select count(*) as withdrawn from claim_reopenings where claim_id = ${id} and kind = 'approval_withdrawn'`)
  return found!.withdrawn + (status === "approved" ? 1 : 0)
}
