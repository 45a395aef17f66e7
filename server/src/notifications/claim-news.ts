import { type Stage, stages } from "@milkwood/domain/claims/claim"
import type { ClaimFact, ClaimFactType } from "@milkwood/domain/claims/claim-facts"
import { standInRole } from "@milkwood/domain/claims/stand-in"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { escalateAfterDays, remindAfterDays } from "@milkwood/domain/notifications/notification"
import { sql } from "drizzle-orm"
import { isDue } from "../claims/claim-lists.queries.ts"
import { activeStandIns, standInsOfClaim } from "../claims/stand-ins.queries.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { markNotificationsDone, type NotificationInput, notifyPeople } from "./tell.ts"

type ClaimFactOf<T extends ClaimFactType> = Extract<ClaimFact, { type: T }>

interface InvolvedUsers {
  capturedBy: string[]
  submittedBy: string | null
  reviewedBy: string | null
  asked: number
  own: (string | null)[]
}

async function loadInvolved(cx: Cx, claimId: string): Promise<InvolvedUsers> {
  return (await loadInvolvedByClaim(cx, [claimId])).get(claimId)!
}

async function loadInvolvedByClaim({ tx }: Cx, claimIds: readonly string[]): Promise<Map<string, InvolvedUsers>> {
  const found = await tx.rows<Omit<InvolvedUsers, "own"> & { id: string }>(sql`
    select id, captured_by as "capturedBy", submitted_by as "submittedBy", reviewed_by as "reviewedBy",
      cardinality(requested_documents) as asked
    from claims where id = any (${sql.param([...claimIds])}::uuid[])`)
  return new Map(found.map(({ id, ...of }) => [id, { ...of, own: [...of.capturedBy, of.submittedBy] }]))
}

/** Four eyes: the capturer, the submitter and approvers of other stages may not decide this one (`pendingStep`). */
const involvedUserIdsSql = (stage: string) =>
  sql.raw(`
  c.captured_by || c.submitted_by || array(select a.decided_by from claim_approvals a
    where a.claim_id = c.id and a.decided_by is not null and a.stage <> ${stage})`)

async function notifyDeciders(cx: Cx, { record, groupId }: Pick<ClaimFact, "record" | "groupId">, stage: Stage) {
  const found = await cx.tx.row<{ except: string[] }>(
    sql`select ${involvedUserIdsSql(`'${stage}'`)} as "except" from claims c where id = ${record.id}`,
  )
  const people = await loadStandInsAt(cx, record.id, stage)
  await notifyPeople(cx, "claim_to_decide", [{ record, groupId, roles: [stage], people, except: found!.except }])
}

async function loadStandInsAt(cx: Cx, claimId: string, stage: Stage): Promise<string[]> {
  if (!standInRole[stage]) return []
  return (await standInsOfClaim(cx.tx, claimId, cx.today)).map(({ userId }) => userId)
}

const intakeKinds = ["claim_submitted", "claim_documents", "claim_returned"] as const
const decisionKinds = ["claim_to_decide", "claim_late"] as const

export const notifyClaimSubmitted = (cx: Cx, { record, groupId }: ClaimFactOf<"ClaimSubmitted">): Promise<void> =>
  notifyPeople(cx, "claim_submitted", [{ record, groupId, roles: ["manager"] }])

export const settleSubmittedClaim = (cx: Cx, { record }: ClaimFactOf<"ClaimReviewStarted">): Promise<void> =>
  markNotificationsDone(cx, ["claim_submitted"], [record.id])

export async function notifyClaimReassigned(
  cx: Cx,
  { record, groupId, to }: ClaimFactOf<"ClaimReassigned">,
): Promise<void> {
  await markNotificationsDone(cx, ["claim_submitted"], [record.id])
  await notifyPeople(cx, "claim_submitted", [{ record, groupId, people: [to], detail: { outcome: "assigned" } }])
}

export async function notifyClaimRouted(cx: Cx, fact: ClaimFactOf<"ClaimRouted">): Promise<void> {
  await markNotificationsDone(cx, intakeKinds, [fact.record.id])
  await notifyDeciders(cx, fact, stages[0])
}

export async function notifyClaimDecided(cx: Cx, fact: ClaimFactOf<"ClaimDecided">): Promise<void> {
  await markNotificationsDone(cx, decisionKinds, [fact.record.id])
  const next = stages[stages.indexOf(fact.stage) + 1]
  if (fact.decision === "approved" && next) await notifyDeciders(cx, fact, next)
  else await notifyClaimOutcome(cx, [fact], fact.decision)
}

export async function notifyClaimRejected(cx: Cx, fact: ClaimFactOf<"ClaimRejected">): Promise<void> {
  await markNotificationsDone(cx, intakeKinds, [fact.record.id])
  await notifyClaimOutcome(cx, [fact], "rejected")
}

/** The capturers, the submitter and the reviewer expect these. */
export async function notifyClaimReopened(cx: Cx, fact: ClaimFactOf<"ClaimReopened">): Promise<void> {
  await notifyClaimOutcome(cx, [fact], "reopened")
}

export async function notifyApprovalWithdrawn(cx: Cx, fact: ClaimFactOf<"ClaimApprovalWithdrawn">): Promise<void> {
  await notifyClaimOutcome(cx, [fact], "approval_withdrawn", { isReviewerNotified: true })
}

export async function notifyClaimWithdrawn(cx: Cx, fact: ClaimFactOf<"SubmittedClaimWithdrawn">): Promise<void> {
  await markNotificationsDone(cx, intakeKinds, [fact.record.id])
  await notifyClaimOutcome(cx, [fact], "withdrawn", { isReviewerNotified: true })
}

/**
 * Handles thousands of claims per batch. A claim paid again by the same releases, after a bank line was undone and
 * matched again, is not notified twice.
 */
export async function notifyClaimsPaid(cx: Cx, facts: readonly ClaimFactOf<"ClaimPaid">[]): Promise<void> {
  const ids = sql.param(facts.map(({ record }) => record.id))
  const paid = await cx.tx.rows<{ id: string; once: string; areColumnsDeclared: boolean }>(sql`
    select p.*, exists (select from notifications n
      where n.record_id = p.id and n.kind = 'claim_decided' and n.once_key = p.once) as "areColumnsDeclared"
    from (
      select subject_id as id,
        'claim paid ' || md5(string_agg(id::text || ':' || releases_undone, ',' order by id)) as once
      from payouts
      where subject_kind = 'claim' and subject_id = any (${ids}::uuid[]) and status = 'completed'
      group by subject_id
    ) p`)
  const payments = new Map(paid.map((of) => [of.id, of]))
  const untold = facts.flatMap((fact) => {
    const of = payments.get(fact.record.id)
    return of?.areColumnsDeclared ? [] : [{ ...fact, ...(of && { once: of.once }) }]
  })
  if (untold.length > 0) await notifyClaimOutcome(cx, untold, "paid")
}

async function notifyClaimOutcome(
  cx: Cx,
  facts: readonly (Pick<ClaimFact, "record" | "groupId"> & Pick<NotificationInput, "once">)[],
  outcome: "approved" | "rejected" | "paid" | "reopened" | "approval_withdrawn" | "withdrawn",
  { isReviewerNotified = false }: { isReviewerNotified?: boolean } = {},
): Promise<void> {
  const ids = facts.map(({ record }) => record.id)
  const involved = await loadInvolvedByClaim(cx, ids)
  // Unread notifications of earlier outcomes are obsolete.
  await markNotificationsDone(cx, ["claim_decided", "claim_due"], ids)
  await notifyPeople(
    cx,
    "claim_decided",
    facts.map(({ record, groupId, once }) => {
      const { own, reviewedBy } = involved.get(record.id)!
      return {
        record,
        groupId,
        people: isReviewerNotified ? [...own, reviewedBy] : own,
        detail: { outcome },
        ...(once !== undefined && { once }),
      }
    }),
  )
}

/** The submitter must correct the claim. Earlier notifications to decide it are done. */
export async function notifyClaimSentBack(cx: Cx, { record, groupId }: ClaimFactOf<"ClaimSentBack">): Promise<void> {
  await markNotificationsDone(cx, [...decisionKinds, "claim_returned"], [record.id])
  const { own } = await loadInvolved(cx, record.id)
  await notifyPeople(cx, "claim_returned", [{ record, groupId, people: own, detail: { outcome: "sent_back" } }])
}

/** The submitter also receives a mail that lists the documents, so the notification is not mailed. */
export async function notifyDocumentsRequested(
  cx: Cx,
  { record, groupId }: ClaimFactOf<"ClaimDocumentsRequested">,
): Promise<void> {
  await markNotificationsDone(cx, ["claim_due"], [record.id])
  const { own } = await loadInvolved(cx, record.id)
  const news = { record, groupId, people: own, detail: { outcome: "documents" as const } }
  await notifyPeople(cx, "claim_returned", [news], { isMailed: true })
}

export async function notifyDocumentAttached(
  cx: Cx,
  { record, groupId }: ClaimFactOf<"ClaimDocumentAttached">,
): Promise<void> {
  const { reviewedBy, asked } = await loadInvolved(cx, record.id)
  if (asked === 0) await markNotificationsDone(cx, ["claim_returned"], [record.id])
  const askers = await cx.tx.rows<{ id: string }>(sql`
    select distinct actor_id as id from audit_log
    where record_kind = 'claim' and record_id = ${record.id} and fact = 'ClaimDocumentsRequested'`)
  await notifyPeople(cx, "claim_documents", [{ record, groupId, people: [reviewedBy, ...askers.map(({ id }) => id)] }])
}

interface WaitingClaim {
  id: string
  number: string
  groupId: string
  stage: Stage
  round: number
  days: number
  except: string[]
  inPlace: string[]
}

/** Reminds a stage's approvers of a claim after 3 days and notifies managers after 7, once per stage and round. */
export async function remindOfClaims(cx: Cx): Promise<void> {
  const waiting = await cx.tx.rows<WaitingClaim>(sql`
    select * from (
      select c.id, c.number, c.group_id as "groupId", replace(c.status, 'pending_', '') as stage, c.round,
        ${cx.today}::date - (case c.status when 'pending_group_admin' then c.routed_at
          when 'pending_underwriter' then c.group_admin_approval_at else c.underwriter_approval_at end
          at time zone ${cx.timezone})::date as days,
        ${involvedUserIdsSql("replace(c.status, 'pending_', '')")} as "except",
        case when c.status = 'pending_policy_holder'
          then array(select f.stand_in_id from (${activeStandIns(cx.today)}) f) else '{}' end as "inPlace"
      from claims c where c.status in ('pending_group_admin', 'pending_underwriter', 'pending_policy_holder')
    ) w where days >= ${remindAfterDays} order by days desc, id`)
  const news = ({ id, number, groupId, stage, round, days }: WaitingClaim): NotificationInput & { once: string } => ({
    record: { kind: "claim", id, label: number },
    groupId,
    detail: { days, stage },
    once: `claim ${id} ${round} ${stage}`,
  })
  // A reminder replaces the unread first notification.
  const reminders = waiting.map((claim) => {
    const { stage, except, inPlace: people } = claim
    return { ...news(claim), roles: [stage], people, except }
  })
  await notifyAgain(cx, reminders)
  const late = waiting.filter(({ days }) => days >= escalateAfterDays)
  await notifyPeople(
    cx,
    "claim_late",
    late.map((claim) => ({ ...news(claim), roles: ["manager"] as const })),
  )
}

/** Notifies managers of claims whose promise ends today or ended before, once per due day. */
export async function notifyClaimsDue(cx: Cx): Promise<void> {
  const due = await cx.tx.rows<{ id: string; number: string; groupId: string; dueOn: Day }>(sql`
    select c.id, c.number, c.group_id as "groupId", c.due_on as "dueOn" from claims c where ${isDue(cx.today)}
    order by c.due_on, c.id`)
  await notifyPeople(
    cx,
    "claim_due",
    due.map(({ id, number, groupId, dueOn }) => ({
      record: { kind: "claim", id, label: number },
      groupId,
      detail: { on: dueOn, ...(dueOn < cx.today && { outcome: "late" as const }) },
      roles: ["manager"] as const,
      once: `claim due ${id} ${dueOn}`,
    })),
  )
}

async function notifyAgain(cx: Cx, reminders: (NotificationInput & { once: string })[]): Promise<void> {
  if (reminders.length === 0) return
  const keys = JSON.stringify(reminders.map(({ record, once }) => ({ id: record.id, once })))
  await cx.tx.run(sql`
    update notifications n set done_at = ${cx.now}
    from jsonb_to_recordset(${keys}::jsonb) as r (id uuid, once text)
    where n.kind = 'claim_to_decide' and n.record_id = r.id and n.once_key is null and n.done_at is null
      and not exists (select from notifications told where told.user_id = n.user_id and told.once_key = r.once)`)
  await notifyPeople(cx, "claim_to_decide", reminders)
}
