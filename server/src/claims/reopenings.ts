import { randomUUID } from "node:crypto"
import { type Claim, claimTabs } from "@milkwood/domain/claims/claim"
import type { ReopeningChange } from "@milkwood/domain/claims/claim-after-decision"
import { canSeeCommentOf } from "@milkwood/domain/claims/claim-privacy"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { claimsSettings } from "@milkwood/domain/claims/claims-settings"
import { answerDueBy, appealUntil } from "@milkwood/domain/claims/reopening"
import { todayInTimezone } from "@milkwood/domain/kernel/calendar"
import type { Role } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { saveClaim } from "./claim-record.ts"
import { claimReopenings } from "./claims.tables.ts"

type ShownReopening = ClaimDetail["reopenings"][number]

/** The reopening is inserted first: the database allows the change of the claim only with it. */
export async function saveReopenedClaim(cx: Cx, before: Claim, change: ReopeningChange): Promise<void> {
  const { id: claimId, groupId } = before
  await cx.tx.insert(claimReopenings).values({ ...change.reopening, id: randomUUID(), claimId, groupId })
  await saveClaim(cx, before, change)
}

/** A policy holder reads the reason of a rejection by a policy holder, and no reason of the insurer. */
export async function loadReopenings({ tx }: Cx, claimId: string, reader: Role | null): Promise<ShownReopening[]> {
  const rows = await tx.preparedRows<ShownReopening & { role: string | null; rejectedBy: string | null }>(sql`
    select r.kind, r.round, u.name as by, u.role, r.reopened_at as at, r.reason, r.received_on as "receivedOn",
      r.is_late as "isLate", r.decided_at as "decidedAt", r.rejection_reason as "rejectionReason",
      r.approved_amount_cents as "approvedAmountCents", (
        select case when a.decided_for is null then a.stage end from claim_approvals a
        where a.claim_id = r.claim_id and a.round = r.round - 1 and a.status = 'rejected') as "rejectedBy"
    from claim_reopenings r join users u on u.id = r.reopened_by
    where r.claim_id = ${claimId} order by r.round`)
  return rows.map(({ role, rejectedBy, reason, rejectionReason, ...row }) => ({
    ...row,
    reason: canSeeCommentOf(role, reader) ? reason : null,
    rejectionReason: canSeeCommentOf(rejectedBy, reader) ? rejectionReason : null,
  }))
}

/** The time limits of an appeal, from today's settings. */
export async function appealDays(
  { tx, timezone }: Cx,
  claim: Pick<ClaimDetail, "status" | "rejectedAt">,
  reopenings: readonly ShownReopening[],
): Promise<Pick<ClaimDetail, "appealUntil" | "answerDueBy">> {
  const rejectedAt = claim.status === "rejected" ? claim.rejectedAt : null
  const isOpen = (claimTabs.pending as readonly string[]).includes(claim.status)
  const receivedOn = isOpen ? (reopenings.at(-1)?.receivedOn ?? null) : null
  if (rejectedAt === null && receivedOn === null) return { appealUntil: null, answerDueBy: null }
  const { objectionDays, objectionAnswerDays } = await readSettings(tx, claimsSettings)
  return {
    appealUntil: rejectedAt && appealUntil(todayInTimezone(Temporal.Instant.from(rejectedAt), timezone), objectionDays),
    answerDueBy: receivedOn && answerDueBy(receivedOn, objectionAnswerDays),
  }
}
