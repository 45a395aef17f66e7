import type { ChainedDay, ChainedStatement, ChainStart } from "@milkwood/domain/banking/statement-chain"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

interface Stored extends Omit<ChainedStatement, "days"> {
  id: string
  days: (Omit<ChainedDay, "amounts" | "closingCents"> & { amounts: Cents[]; closingCents: Cents | null })[]
}

/** Includes the last statement before the period and the first one after it. Undone imports are excluded. */
export async function loadChain(
  tx: Tx,
  accountId: string,
  { from, to }: { from: Day | null; to: Day },
): Promise<ChainedStatement[]> {
  const live = sql`s.account_id = ${accountId} and s.undone_at is null`
  const since =
    from === null
      ? sql`true`
      : sql`s.to_on >= coalesce((select max(s.to_on) from bank_statements s where ${live} and s.to_on < ${from}::date), '-infinity'::date)`
  const after = sql`(select min(s.from_on) from bank_statements s where ${live} and s.from_on > ${to}::date)`
  const statements = await tx.rows<Stored>(sql`
    select s.id, s.number, s.from_on as "fromOn", s.to_on as "toOn", s.opening_cents as "openingCents", (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'amounts', d.amounts, 'closingCents', d.closing_cents,
        'digest', d.digest) order by d.day), '[]') from bank_statement_days d where d.statement_id = s.id) as days
    from bank_statements s
    where ${live} and ${since} and (s.from_on <= ${to}::date or s.from_on = ${after})
    order by s.from_on, s.to_on, s.number`)
  return statements.map(({ id: _, ...statement }) => statement)
}

export interface ChainedAccount {
  id: string
  name: string
  openedOn: Day | null
  begins: ChainStart | null
}

export async function chainedAccounts(tx: Tx): Promise<ChainedAccount[]> {
  const rows = await tx.rows<{ id: string; name: string; openedOn: Day | null; openingCents: Cents | null }>(sql`
    select id, name, opened_on as "openedOn", opening_cents as "openingCents" from bank_accounts
    order by is_main desc, lower(name), id`)
  return rows.map(({ openingCents, ...account }) => ({
    ...account,
    begins:
      account.openedOn === null
        ? null
        : { coveredTo: addDays(account.openedOn, -1), closingCents: openingCents, number: null },
  }))
}
