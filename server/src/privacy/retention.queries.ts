import type { Day } from "@milkwood/domain/kernel/calendar"
import { addDays } from "@milkwood/domain/kernel/calendar"
import { privacySettings } from "@milkwood/domain/privacy/privacy-settings"
import { confirmationValidDays, type RetentionCounts, retentionEndOn } from "@milkwood/domain/privacy/retention"
import {
  type RetentionOverview,
  type RetentionRun,
  retentionContract,
} from "@milkwood/domain/privacy/retention.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"

export const retentionJob = "privacy.retention"

/**
 * Members due for anonymising. Also anonymised members whose age and salary were kept for premiums, if their policy has
 * ended.
 */
export const selectMembersDue = (before: Day): SQL => sql`
  select m.id from members m where m.status = 'Terminated' and m.end_on < ${before}::date
    and (m.forgotten_on is null or m.date_of_birth is not null
      and exists (select from policies p where p.id = m.policy_id and p.status in ('Terminated', 'Expired')))
    and may_forget(m.id, ${before}::date)`

/** The conditions must equal those of the removing database functions. */
export async function countDue({ tx }: Pick<Cx, "tx">, before: Day): Promise<RetentionCounts> {
  const day = sql`${before}::date`
  return (await tx.row<RetentionCounts>(sql`
    select (select count(*) from (${selectMembersDue(before)}) due) as members,
      (select count(*) from removed_people where seen_on < ${day}) as removed_people,
      (select count(*) from mails where created_at < ${day} and state <> 'queued') as mails,
      (select count(*) from staff_lists where created_at < ${day} and forgotten_on is null and status not in ('checking', 'committing')) as staff_lists,
      (select count(*) from invoices i where i.invoice_on < ${day} and i.pdf_file_id is not null and (i.status = 'cancelled'
        or i.status = 'sent' and i.credited_cents + i.allocated_cents + i.written_off_cents >= i.total_cents)) as invoices,
      (select count(*) from credit_notes where credited_on < ${day} and pdf_file_id is not null) as credit_notes,
      (select count(*) from remittances where created_at < ${day} and file_id is not null) as remittances,
      (select count(*) from payment_files where made_at < ${day} and file_id is not null and not is_on_its_way(batch_id))
        + (select count(*) from payment_answers where uploaded_at < ${day} and file_id is not null and not is_on_its_way(batch_id))
        + (select count(*) from bank_statements where imported_at < ${day} and file_id is not null) as bank_files`))!
}

export interface StoredRun {
  id: string
  today: Day
  years: number
  state: RetentionRun["state"]
}

/** The last confirmation, and the first day with records not removed since, for the current `years`. */
export async function readPendingRetention({ tx }: Pick<Cx, "tx">, years: number) {
  const found = await tx.row<{ confirmedOn: Day | null; shownSince: Day | null }>(sql`
    with since as (
      select * from retention_runs where years = ${years}
        and today > coalesce((select max(today) from retention_runs where years <> ${years}), '-infinity')
    )
    select max(today) filter (where confirmed_at is not null) as "confirmedOn",
      min(today) filter (where today > coalesce((select max(today) from since where state = 'done'), '-infinity')) as "shownSince"
    from since`)
  return found ?? { confirmedOn: null, shownSince: null }
}

export async function readRetentionOverview(cx: Pick<Cx, "tx" | "today">): Promise<RetentionOverview> {
  const { retentionYears: years, autoRetention: isAutomatic } = await readSettings(cx.tx, privacySettings)
  const { confirmedOn } = await readPendingRetention(cx, years)
  const rows = await cx.tx.rows<Omit<RetentionRun, "allowedActions" | "before">>(sql`
    select r.id, r.today, r.years, r.shown_at as "shownAt", r.state, r.due, r.removed, u.name as "confirmedBy", r.finished_at as "finishedAt"
    from retention_runs r left join users u on u.id = r.confirmed_by order by r.today desc limit 20`)
  const job = await cx.tx.row(
    sql`select from jobs where kind = ${retentionJob} and state in ('queued', 'running') limit 1`,
  )
  const until = confirmedOn && addDays(confirmedOn, confirmationValidDays)
  return {
    years,
    isAutomatic,
    confirmedUntil: until !== null && until >= cx.today ? until : null,
    isUnderway: job !== undefined,
    runs: rows.map((row, index) => ({
      ...row,
      before: retentionEndOn(row.today, row.years),
      allowedActions: index === 0 && row.state === "shown" && row.years === years ? ["confirm"] : [],
    })),
  }
}

export const readRetention = query(retentionContract.overview, readRetentionOverview)
