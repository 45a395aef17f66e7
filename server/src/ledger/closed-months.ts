import { randomUUID } from "node:crypto"
import { type Day, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { checkClosable, checkReopenable, firstOpenDay } from "@milkwood/domain/ledger/closed-months"
import { eq, sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { holdLock } from "../platform/database/locks.ts"
import { closedMonths } from "./ledger.tables.ts"
import { postedSumsSql } from "./posted.queries.ts"

/** The first day open for posting. Until the transaction ends, months cannot be closed. */
export async function firstOpenDayOfBooks({ tx, today }: Pick<Cx, "tx" | "today">): Promise<Day> {
  const found = await tx.row<{ month: Day | null }>(sql`select (books_open_from() - interval '1 month')::date as month`)
  return firstOpenDay(today, found!.month)
}

export async function loadLastClosedMonth(tx: Tx): Promise<{ id: string; month: Day } | undefined> {
  return tx.row<{ id: string; month: Day }>(
    sql`select id, month from closed_months where reopened_at is null order by month desc limit 1`,
  )
}

/** Prevents postings by other transactions until this one ends. */
export const lockBooks = (tx: Tx): Promise<void> => holdLock(tx, "books")

const lastSeq = sql`(select coalesce(max(seq), 0) from ledger_entries)`

/** Requires `lockBooks`. Refuses a month that is not next or not over. */
export async function closeMonth({ tx, now, today, actor }: Cx, month: Day): Promise<string> {
  const last = await loadLastClosedMonth(tx)
  orRefuse(checkClosable(month, today, last?.month ?? null))
  const id = randomUUID()
  await tx.run(sql`
    insert into closed_months (id, month, balances, last_seq, closed_by, closed_at)
    values (${id}, ${month}, ${balancesAt(lastOfMonth(month))}, ${lastSeq}, ${actorUserId(actor)}, ${now})`)
  return id
}

const balancesAt = (day: Day) => sql`(
  select coalesce(jsonb_object_agg(account, cents), '{}') from (
    select account, sum(debit - credit)::bigint as cents from ${postedSumsSql(day)} posted group by account
  ) by_account where cents <> 0)`

/** Only the last closed month. */
export async function reopenMonth({ tx, now, actor }: Cx, month: Day, reason: string): Promise<string> {
  const last = await loadLastClosedMonth(tx)
  orRefuse(checkReopenable(month, last?.month ?? null))
  await tx
    .update(closedMonths)
    .set({ reopenedBy: actorUserId(actor), reopenedAt: now.toString(), reopenReason: reason, reopenedSeq: lastSeq })
    .where(eq(closedMonths.id, last!.id))
  return last!.id
}
