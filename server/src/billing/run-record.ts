import type { BillingRun, RunCounts } from "@milkwood/domain/billing/billing-run"
import type { BillingRunChange } from "@milkwood/domain/billing/billing-run-steps"
import { sql } from "drizzle-orm"
import { type Actor, actorUserId } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { lockRecord, type Stored, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { notifyScreens } from "../platform/work/live.ts"
import { billingRuns } from "./billing.tables.ts"

const runNotFound = "This premium run does not exist."

export type StoredRun = BillingRun & Pick<Stored<typeof billingRuns>, "policyIds">

export const lockRun = ({ tx }: Pick<Cx, "tx">, runId: string): Promise<StoredRun> =>
  lockRecord(tx, billingRuns, runId, runNotFound)

/** Saves a step and notifies screens, also if it has no facts. */
export async function saveRun(cx: Cx, before: StoredRun, { value, facts }: BillingRunChange): Promise<void> {
  await saveRecord(cx.tx, billingRuns, before, value)
  await record(cx, facts)
  if (facts.length === 0) await notifyScreens(cx.tx, { kind: "billing_run", id: value.id, groupId: null })
}

/** Rows `id`: credit notes of run policy `r` not yet mailed. */
export const unmailedNotes = sql`
  select n.id from unnest(r.credit_note_ids) n (id)
  where r.credit_notes_mailed_at is null
    and not exists (select from mails m where m.about_id = n.id and m.about_kind = 'credit_note')
    and not exists (select from mail_documents d where d.document_id = n.id)`

/** Policies by state; unsent invoices; credit notes not mailed. */
export async function countRunPolicies(tx: Tx, runId: string): Promise<RunCounts> {
  const counts = await tx.row<RunCounts>(sql`
    select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'made') as made,
      count(*) filter (where state = 'parked') as parked, count(*) filter (where state = 'nothing') as nothing,
      count(*) filter (where state = 'left_out') as left_out,
      count(*) filter (where i.status in ('draft', 'pending') and i.total_cents > 0) as unsent,
      coalesce(sum((select count(*) from (${unmailedNotes}) note)) filter (where r.credit_note_ids <> '{}'), 0)::int as unmailed
    from billing_run_policies r left join invoices i on i.id = r.invoice_id where r.run_id = ${runId}`)
  return counts!
}

/** Records the job's actions under the requester's name. */
export async function cxOfRequester(cx: Cx): Promise<Cx> {
  const found = await cx.tx.row<{ name: string }>(sql`select name from users where id = ${actorUserId(cx.actor)}`)
  return found ? { ...cx, actor: { ...cx.actor, name: found.name } as Actor } : cx
}
