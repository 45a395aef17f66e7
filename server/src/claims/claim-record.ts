import { randomUUID } from "node:crypto"
import { type Claim, stages } from "@milkwood/domain/claims/claim"
import type { ClaimChange } from "@milkwood/domain/claims/claim-approval"
import { type SQL, sql } from "drizzle-orm"
import { hasCompletedPayout, hasLivePayout, hasPayout } from "../payouts/payouts.queries.ts"
import { type Actor, actorSeesGroup, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { lockRecord, readRecord, type Stored, saveRecord, saveRecords } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { withClocks } from "./claim-clocks.ts"
import { claimApprovals, claims } from "./claims.tables.ts"
import { moveReserves } from "./reserves.ts"

type Approval = Stored<typeof claimApprovals>

/** False for actors without access to payouts, because they cannot pay the claim. */
export const hasStartedPayment = (actor: Actor): SQL =>
  seesAllGroups(actor) ? hasLivePayout("claim", sql`c.id`) : sql`false`

export const hasCompletedPayment = (actor: Actor): SQL =>
  seesAllGroups(actor) ? hasCompletedPayout("claim", sql`c.id`) : sql`false`

export const hasPayments = (actor: Actor): SQL => (seesAllGroups(actor) ? hasPayout("claim", sql`c.id`) : sql`false`)

/**
 * Reads a claim with its approvals and locks it for the transaction; call it before any change. NOT_FOUND when the
 * claim does not exist or the actor does not see its group, whatever the database role.
 */
export async function lockClaim(cx: Cx, claimId: string): Promise<Claim> {
  return withApproval(cx, await lockRecord(cx.tx, claims, claimId))
}

/** Locks in id order, to avoid deadlocks; missing claims are omitted. */
export async function lockClaims(cx: Cx, claimIds: readonly string[]): Promise<Claim[]> {
  const locked = await cx.tx
    .select()
    .from(claims)
    .where(sql`${claims.id} = any (${sql.param([...claimIds])}::uuid[])`)
    .orderBy(claims.id)
    .for("update")
  return withApprovals(cx, locked as unknown as Stored<typeof claims>[])
}

/** Reads without a lock, so that stale callers are refused without waiting. */
export async function readClaim(cx: Cx, claimId: string): Promise<Claim> {
  return withApproval(cx, await readRecord(cx.tx, claims, claimId))
}

async function withApproval(cx: Cx, claim: Stored<typeof claims>): Promise<Claim> {
  const [found] = await withApprovals(cx, [claim])
  return found!
}

async function withApprovals(cx: Cx, found: readonly Stored<typeof claims>[]): Promise<Claim[]> {
  if (!found.every(({ groupId }) => actorSeesGroup(cx.actor, groupId))) throw refused("NOT_FOUND")
  const ids = found.map(({ id }) => id)
  // A separate statement: one that waited for the lock would still see the old approvals.
  const approvals = (await cx.tx
    .select()
    .from(claimApprovals)
    .where(sql`${claimApprovals.claimId} = any (${sql.param(ids)}::uuid[])`)) as Approval[]
  approvals.sort((a, b) => a.round - b.round || stages.indexOf(a.stage) - stages.indexOf(b.stage))
  const approvalsOf = Map.groupBy(approvals, ({ claimId }) => claimId)
  const approved = found.filter(({ status }) => status === "approved").map(({ id }) => id)
  const started =
    approved.length > 0
      ? await cx.tx.rows<{ id: string; paymentStarted: boolean; isPartlyPaid: boolean }>(sql`
          select c.id, ${hasStartedPayment(cx.actor)} as "paymentStarted", ${hasCompletedPayment(cx.actor)} as "isPartlyPaid"
          from claims c where c.id = any (${sql.param(approved)}::uuid[])`)
      : []
  const paymentsOf = new Map(started.map((of) => [of.id, of]))
  return found.map((claim) => {
    const { paymentStarted = false, isPartlyPaid = false } = paymentsOf.get(claim.id) ?? {}
    return { ...claim, paymentStarted, isPartlyPaid, approvals: approvalsOf.get(claim.id) ?? [] }
  })
}

export const saveClaim = (cx: Cx, before: Claim, change: ClaimChange): Promise<void> =>
  saveClaims(cx, [{ before, change }])

export async function saveClaims(cx: Cx, changes: readonly { before: Claim; change: ClaimChange }[]): Promise<void> {
  const saving = await withClocks(
    cx,
    changes.map(({ before, change }) => ({ before, after: change.value })),
  )
  await saveRecords(cx.tx, claims, saving, { updatedAt: cx.now })
  for (const { before, after } of saving) {
    for (const approval of after.approvals) {
      const known = before.approvals.find(({ round, stage }) => round === approval.round && stage === approval.stage)
      if (known) await saveRecord(cx.tx, claimApprovals, known as Approval, approval)
      else {
        const { id: claimId, groupId } = after
        const added = { ...approval, id: randomUUID(), claimId, groupId, createdAt: cx.now }
        await cx.tx.insert(claimApprovals).values(added)
      }
    }
  }
  await moveReserves(cx, saving)
  await record(
    cx,
    changes.flatMap(({ change }) => change.facts),
  )
}
