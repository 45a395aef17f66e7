import { findGapBefore, type PrecedingStatement } from "@milkwood/domain/banking/statement-gap"
import type { Currency } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"

const precedingStatementSql = (accountId: SQL, fromOn: SQL, own: SQL) => sql`(
  select jsonb_build_object(
    'beforeCents', a.opening_cents + coalesce(sum(b.amount_cents) filter (where b.day < ${fromOn}), 0),
    'sameDayCents', coalesce((select jsonb_agg(running.cents) from (
      select sum(d.amount_cents) over (order by e.imported_at, e.id, d.line) as cents
      from bank_lines d join bank_statements e on e.id = d.statement_id
      where d.account_id = a.id and d.day = ${fromOn} and d.statement_id is distinct from ${own}) running), '[]'),
    'lastOn', greatest(max(b.day) filter (where b.day < ${fromOn}), (select max(least(e.to_on, ${fromOn} - 1)) from bank_statements e
      where e.account_id = a.id and e.undone_at is null and e.from_on < ${fromOn} and e.id is distinct from ${own})))
  from bank_accounts a left join bank_lines b on b.account_id = a.id and b.day <= ${fromOn}
  where a.id = ${accountId} and a.opened_on is not null group by a.id)`

export const precedingListedStatement = precedingStatementSql(sql`s."accountId"`, sql`s."fromOn"`, sql`s.id`)

export const precedingFileStatement = (accountId: string, fromOn: string) =>
  precedingStatementSql(sql`${accountId}::uuid`, sql`${fromOn}::date`, sql`null::uuid`)

type StatementOpening = Pick<PrecedingStatement, "fromOn" | "openingCents">

/** Null for the account's first statement and for undone imports. */
export const gapOf = (
  statement: StatementOpening,
  found: Omit<PrecedingStatement, keyof StatementOpening> | null,
  currency: Currency,
): string | null =>
  found ? findGapBefore({ fromOn: statement.fromOn, openingCents: statement.openingCents, ...found }, currency) : null
