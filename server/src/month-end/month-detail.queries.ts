import { addMonths, type Day, firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { monthActionsOf, type SignedCheck } from "@milkwood/domain/month-end/checklist"
import {
  type CheckRow,
  type ClosingRow,
  type MonthDetail,
  monthEndContract,
} from "@milkwood/domain/month-end/month-end.contract"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { loadLastClosedMonth } from "../ledger/closed-months.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { checklistOf } from "./checklist.queries.ts"

type Closing = ClosingRow & { checks: SignedCheck[] }

/** Latest first. */
const closingsOf = ({ tx }: Pick<Cx, "tx">, month: Day) =>
  tx.rows<Closing>(sql`
    select c.id, c.closed_at as "closedAt", coalesce(u.name, 'A former user') as "closedByName", c.reopened_at as "reopenedAt",
      case when c.reopened_at is not null then coalesce(r.name, 'A former user') end as "reopenedByName",
      c.reopen_reason as "reopenReason", s.sha256, b.pdf_sha256 as "reconciliationSha256", s.checks
    from closed_months c join signed_checklists s on s.closed_month_id = c.id
    left join signed_reconciliations b on b.closed_month_id = c.id
    left join users u on u.id = c.closed_by left join users r on r.id = c.reopened_by
    where c.month = ${month} order by c.last_seq desc, c.closed_at desc, c.reopened_at desc nulls first`)

/** A month with its signed checklist, or the current one while open. */
export async function monthDetailOf(
  cx: Pick<Cx, "tx" | "actor" | "today" | "timezone" | "currency">,
  asked: Day | undefined,
): Promise<MonthDetail> {
  const last = await loadLastClosedMonth(cx.tx)
  const next = last ? addMonths(last.month, 1) : null
  const lastOver = addMonths(firstOfMonth(cx.today), -1)
  const month = asked ?? (next !== null && next < lastOver ? next : lastOver)
  const closings = await closingsOf(cx, month)
  const signed = closings.find(({ reopenedAt }) => reopenedAt === null)
  const isClosed = last !== undefined && month <= last.month
  // Months closed together with the first closing have no checklist.
  const checks: CheckRow[] = isClosed ? (signed?.checks ?? []) : await loadCurrentChecks(cx, month)
  const { role } = ruleActor(cx.actor)
  const isNext = lastOfMonth(month) < cx.today && (next === null || month === next)
  return {
    month,
    state: isClosed ? "closed" : "open",
    closedTo: last ? lastOfMonth(last.month) : null,
    next,
    checks,
    closings: closings.map(({ checks: _, ...closing }) => closing),
    allowedActions: monthActionsOf({ isNext, isLastClosed: month === last?.month }, role),
  }
}

async function loadCurrentChecks(
  cx: Pick<Cx, "tx" | "actor" | "today" | "timezone" | "currency">,
  month: Day,
): Promise<CheckRow[]> {
  const { dateFormat } = await readSettings(cx.tx, platformSettings)
  return (await checklistOf(cx, month, dateFormat)).map((check) => ({ ...check, reason: null }))
}

export const readMonth = query(monthEndContract.month, (cx) => monthDetailOf(cx, cx.input.month), { heavy: true })
