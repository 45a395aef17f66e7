import { randomUUID } from "node:crypto"
import { type Claim, stages } from "@milkwood/domain/claims/claim"
import type { ClaimChange } from "@milkwood/domain/claims/claim-approval"
import { eq, type SQL, sql } from "drizzle-orm"
import { hasLivePayout, hasPayout } from "../payouts/payouts.queries.ts"
import { type Actor, actorSeesGroup, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { lockRecord, readRecord, type Stored, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { claimApprovals, claims } from "./claims.tables.ts"

type Approval = Stored<typeof claimApprovals>

/** Whether a payment is on its way or done; only those who make payments may look at payouts, and need the answer. */
export const paymentStarted = (actor: Actor): SQL =>
  seesAllGroups(actor) ? hasLivePayout("claim", sql`c.id`) : sql`false`

/** Whether there is a payment to show, for those who may look at payouts. */
export const hasPayments = (actor: Actor): SQL => (seesAllGroups(actor) ? hasPayout("claim", sql`c.id`) : sql`false`)

/**
 * A claim with its approvals, locked until the transaction ends: whoever changes a claim starts here. NOT_FOUND for
 * one that does not exist and for one of a group that the actor does not see, whatever the database role.
 */
export async function lockClaim(cx: Cx, claimId: string): Promise<Claim> {
  return withApprovals(cx, await lockRecord(cx.tx, claims, claimId))
}

/** The same as it stands, for a look before the lock: who comes too late is told so without waiting for it. */
export async function readClaim(cx: Cx, claimId: string): Promise<Claim> {
  return withApprovals(cx, await readRecord(cx.tx, claims, claimId))
}

async function withApprovals(cx: Cx, claim: Stored<typeof claims>): Promise<Claim> {
  if (!actorSeesGroup(cx.actor, claim.groupId)) throw refused("NOT_FOUND")
  // Statements of their own: one that waited for the lock would still see these as they were before it.
  const approvals = (await cx.tx
    .select()
    .from(claimApprovals)
    .where(eq(claimApprovals.claimId, claim.id))) as Approval[]
  approvals.sort((a, b) => a.round - b.round || stages.indexOf(a.stage) - stages.indexOf(b.stage))
  // Only an approved claim is paid.
  const payments =
    claim.status === "approved"
      ? await cx.tx.rows(sql`select from claims c where id = ${claim.id} and ${paymentStarted(cx.actor)}`)
      : []
  return { ...claim, paymentStarted: payments.length > 0, approvals }
}

/** Writes what a rule made of a locked claim, columns and approvals, and tells of it. */
export async function saveClaim(cx: Cx, before: Claim, { value: after, facts }: ClaimChange): Promise<void> {
  await saveRecord(cx.tx, claims, before, after, { updatedAt: cx.now })
  for (const approval of after.approvals) {
    const known = before.approvals.find(({ round, stage }) => round === approval.round && stage === approval.stage)
    if (known) await saveRecord(cx.tx, claimApprovals, known as Approval, approval)
    else {
      const { id: claimId, groupId } = after
      await cx.tx.insert(claimApprovals).values({ ...approval, id: randomUUID(), claimId, groupId, createdAt: cx.now })
    }
  }
  await record(cx, facts)
}
