import { randomUUID } from "node:crypto"
import type { Claim, ClaimApproval } from "@milkwood/domain/claims/claim"
import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import { type Actor, actorSeesGroup, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { claimApprovals, claims } from "./claims.tables.ts"

/** Whether a payment is on its way or done; only those who make payments may look at payouts, and need the answer. */
export function paymentStarted(actor: Actor): SQL {
  return seesAllGroups(actor)
    ? sql`exists (select from payouts p where p.claim_id = c.id and p.status <> 'cancelled')`
    : sql`false`
}

/** Whether there is a payment to show, for those who may look at payouts. */
export function hasPayments(actor: Actor): SQL {
  return seesAllGroups(actor) ? sql`exists (select from payouts p where p.claim_id = c.id)` : sql`false`
}

/**
 * A claim with its approvals, locked until the transaction ends: whoever changes a claim starts here. NOT_FOUND for
 * one that does not exist and for one of a group that the actor does not see, whatever the database role.
 */
export const lockClaim = (cx: Cx, claimId: string): Promise<Claim> => claimOf(cx, claimId, sql`for update of c`)

/** The same as it stands, for a look before the lock: who comes too late is told so without waiting for it. */
export const readClaim = (cx: Cx, claimId: string): Promise<Claim> => claimOf(cx, claimId, sql``)

async function claimOf(cx: Cx, claimId: string, lock: SQL): Promise<Claim> {
  const claim = await cx.tx.row<Omit<Claim, "approvals">>(sql`
    select c.id, c.number, c.group_id as "groupId", c.policy_id as "policyId", c.member_id as "memberId", c.status,
      c.version, c.round, c.benefit_id as "benefitId", c.claim_type as "claimType", c.incident_on as "incidentOn",
      c.notification_on as "notificationOn", c.claim_amount_cents as "claimAmountCents",
      c.requested_amount_cents as "requestedAmountCents", c.approved_amount_cents as "approvedAmountCents",
      c.description, c.diagnosis, c.hospital_name as "hospitalName", c.doctor_name as "doctorName",
      c.treatment_details as "treatmentDetails", c.captured_by as "capturedBy", c.submitted_by as "submittedBy",
      c.submitted_at as "submittedAt", c.reviewed_by as "reviewedBy", c.reviewed_at as "reviewedAt",
      c.routed_at as "routedAt", c.requested_documents as "requestedDocuments",
      c.group_admin_approval_at as "groupAdminApprovalAt", c.underwriter_approval_at as "underwriterApprovalAt",
      c.policy_holder_approval_at as "policyHolderApprovalAt", c.final_approval_at as "finalApprovalAt",
      c.rejected_at as "rejectedAt", c.rejection_reason as "rejectionReason", c.payment_on as "paymentOn",
      ${paymentStarted(cx.actor)} as "paymentStarted"
    from claims c where c.id = ${claimId} ${lock}`)
  if (!claim || !actorSeesGroup(cx.actor, claim.groupId)) throw refused("NOT_FOUND")
  // A statement of its own: one that waited for the lock would still see the approvals as they were before it.
  const approvals = await cx.tx.rows<ClaimApproval>(sql`
    select round, stage, status, comment, reduction_reason as "reductionReason", approved_amount_cents as "approvedAmountCents",
      decided_by as "decidedBy", decided_at as "decidedAt"
    from claim_approvals where claim_id = ${claimId}
    order by round, array_position(array['group_admin', 'underwriter', 'policy_holder'], stage)`)
  return { ...claim, approvals }
}

type Row = typeof claims.$inferInsert
const columns = Object.keys(getTableColumns(claims)) as (keyof Row)[]

/** Writes what a rule changed of a locked claim, columns and approvals, and nothing else. */
export async function saveClaim(cx: Cx, before: Claim, after: Claim): Promise<void> {
  const values = after as Partial<Row>
  const changed = columns.filter((key) => key in after && !same(values[key], (before as Partial<Row>)[key]))
  if (changed.length > 0) {
    await cx.tx
      .update(claims)
      .set({ ...Object.fromEntries(changed.map((key) => [key, values[key]])), updatedAt: cx.now })
      .where(eq(claims.id, after.id))
  }
  for (const approval of after.approvals) {
    const known = before.approvals.find(({ round, stage }) => round === approval.round && stage === approval.stage)
    if (!known) {
      const { id: claimId, groupId } = after
      await cx.tx.insert(claimApprovals).values({ ...approval, id: randomUUID(), claimId, groupId, createdAt: cx.now })
    } else if (!same(known, approval)) {
      const { round, stage, ...decided } = approval
      await cx.tx
        .update(claimApprovals)
        .set(decided)
        .where(
          and(eq(claimApprovals.claimId, after.id), eq(claimApprovals.round, round), eq(claimApprovals.stage, stage)),
        )
    }
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
