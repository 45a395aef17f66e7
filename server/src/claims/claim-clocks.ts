import type { Claim } from "@milkwood/domain/claims/claim"
import {
  advanceClock,
  type ClaimClock,
  isUnrouted,
  settleClock,
  type WorkingCalendar,
} from "@milkwood/domain/claims/claim-clock"
import { claimsSettings, promisedDaysOf } from "@milkwood/domain/claims/claims-settings"
import { type ChecklistFacts, documentChecklist, missingDocuments } from "@milkwood/domain/claims/required-documents"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { loadChecklist } from "./claim-checklist.queries.ts"

interface ClaimUpdate {
  before: Claim
  after: Claim
}

/** Payments of decided claims, which come by the thousand, do not move a clock. */
const movesClock = ({ before, after }: ClaimUpdate): boolean =>
  isUnrouted(after.status) ||
  before.status !== after.status ||
  before.requestedDocuments.length !== after.requestedDocuments.length

/** Sets the clock of each changed claim. Call it after documents and waivers were stored. */
export async function withClocks(cx: Cx, updates: readonly ClaimUpdate[]): Promise<ClaimUpdate[]> {
  if (!updates.some(movesClock)) return [...updates]
  const settings = await readSettings(cx.tx, claimsSettings)
  const calendar: WorkingCalendar = { timezone: cx.timezone, extraHolidays: settings.extraHolidays }
  const promised = promisedDaysOf(settings)
  const settled: ClaimUpdate[] = []
  for (const { before, after } of updates) {
    const checklist = isUnrouted(after.status) ? await loadChecklist(cx.tx, after) : []
    const isMissingDocuments = missingDocuments(checklist).length > 0
    const clock = advanceClock(before, after, { now: cx.now, isMissingDocuments, promised, calendar })
    settled.push({ before, after: { ...after, ...clock } })
  }
  return settled
}

type OpenClaim = Pick<
  Claim,
  "id" | "status" | "claimType" | "requestedDocuments" | "finalApprovalAt" | "rejectedAt" | keyof ClaimClock
> &
  ChecklistFacts & { attached: Claim["requestedDocuments"]; waived: Claim["requestedDocuments"][] }

/**
 * Computes the due days of open claims again, after a change of holidays, timezone or required documents, and starts
 * the clock of claims that miss nothing any more.
 */
export async function settleClocks(cx: Cx): Promise<number> {
  // The timezone of the call is that of before a change of the settings.
  const settings = await readSettings(cx.tx, { ...claimsSettings, timezone: platformSettings.timezone })
  const calendar: WorkingCalendar = { timezone: settings.timezone, extraHolidays: settings.extraHolidays }
  const open = await cx.tx.rows<OpenClaim>(sql`
    select c.id, c.status, c.claim_type as "claimType", c.benefit_id as "benefitId", c.dependent_id as "dependentId",
      c.requested_amount_cents as "requestedAmountCents", c.requested_documents as "requestedDocuments",
      null as "finalApprovalAt", null as "rejectedAt", c.promised_days as "promisedDays",
      c.documents_complete_at as "documentsCompleteAt", c.document_pauses as "documentPauses", c.due_on as "dueOn",
      c.working_days_used as "workingDaysUsed",
      array(select distinct d.document_type from claim_documents d where d.claim_id = c.id) as attached,
      (select coalesce(jsonb_agg(w.documents), '[]') from claim_document_waivers w
        where w.claim_id = c.id and w.withdrawn_at is null) as waived
    from claims c
    where c.status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder')
    order by c.id for update`)
  const changed = open.flatMap((claim) => {
    const isComplete =
      claim.documentsCompleteAt === null &&
      isUnrouted(claim.status) &&
      missingDocuments(documentChecklist(claim, claim, settings.requiredDocuments)).length === 0
    const documentsCompleteAt = isComplete ? cx.now.toString() : claim.documentsCompleteAt
    const { dueOn } = settleClock({ ...claim, documentsCompleteAt }, calendar)
    const isSame = dueOn === claim.dueOn && documentsCompleteAt === claim.documentsCompleteAt
    return isSame ? [] : [{ id: claim.id, due_on: dueOn, complete_at: documentsCompleteAt }]
  })
  if (changed.length === 0) return 0
  await cx.tx.run(sql`
    update claims c set due_on = s.due_on, documents_complete_at = s.complete_at
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as s (id uuid, due_on date, complete_at timestamptz)
    where c.id = s.id`)
  return changed.length
}

const clockSettings = ["extraHolidays", "timezone", "requiredDocuments"]

/** Reaction to saved settings. */
export async function followSettings(cx: Cx, { after }: { after: object }): Promise<void> {
  if (clockSettings.some((key) => key in after)) await settleClocks(cx)
}
