import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { bankAccountRowOf } from "./bank-accounts.queries.ts"

/**
 * A bank account at the end of a day. By statement, what the ledger has of it is `dueCents`: the balance of the statements,
 * what stands between the two today (receipts and payments on no statement yet, lines not posted), and what either has
 * had since the day that the other has not.
 */
export interface BankAt {
  id: string
  name: string
  statementCents: Cents
  receiptsToComeCents: Cents
  paymentsToComeCents: Cents
  notPostedCents: Cents
  /** What the bank booked since, less what was posted since. */
  sinceCents: Cents
  dueCents: Cents
  ledgerCents: Cents
}

/** Every account that was opened here by the end of a day, as it stood then. */
export async function bankAt(cx: Pick<Cx, "tx" | "actor">, day: Day): Promise<BankAt[]> {
  const since = await cx.tx.rows<{ id: string; linesCents: Cents; postedCents: Cents }>(sql`
    select a.id,
      (select coalesce(sum(amount_cents), 0)::bigint from bank_lines l where l.account_id = a.id and l.day > ${day}::date) as "linesCents",
      (select coalesce(sum(p.amount_cents), 0)::bigint from ledger_postings p where p.account = 'bank' and p.effective_on > ${day}::date
        and (p.bank_account_id = a.id or a.is_main and p.bank_account_id is null)) as "postedCents"
    from bank_accounts a where a.opened_on <= ${day}::date order by a.is_main desc, lower(a.name), a.id`)
  const accounts: BankAt[] = []
  for (const { id, linesCents, postedCents } of since) {
    const { name, ...now } = await bankAccountRowOf(cx, id)
    const statementCents = now.statementCents! - linesCents
    const [receiptsToComeCents, paymentsToComeCents] = [now.receiptsToComeCents!, now.paymentsToComeCents!]
    const sinceCents = linesCents - postedCents
    accounts.push({
      ...{ id, name, statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents: now.notPostedCents! },
      sinceCents,
      dueCents: statementCents + receiptsToComeCents - paymentsToComeCents - now.notPostedCents! + sinceCents,
      ledgerCents: now.ledgerCents - postedCents,
    })
  }
  return accounts
}

/** A statement's days, and whether it opens at what the lines before it come to. */
export interface StatementDays {
  accountId: string
  accountName: string
  openedOn: Day
  fromOn: Day
  toOn: Day
  meets: boolean
}

/** Statements of accounts opened by the end of a stretch that reach into it, and the first ones after it. */
export function statementsOver({ tx }: Pick<Cx, "tx">, from: Day, to: Day): Promise<StatementDays[]> {
  return tx.rows<StatementDays>(sql`
    select a.id as "accountId", a.name as "accountName", a.opened_on as "openedOn", s.from_on as "fromOn", s.to_on as "toOn",
      coalesce(s.opening_cents = a.opening_cents
        + (select coalesce(sum(l.amount_cents), 0) from bank_lines l where l.account_id = a.id and l.day < s.from_on), false) as meets
    from bank_accounts a cross join lateral (
      select from_on, to_on, opening_cents from bank_statements s
      where s.account_id = a.id and s.undone_at is null and s.to_on >= ${addDays(from, -1)}::date order by s.from_on, s.to_on limit 62
    ) s
    where a.opened_on <= ${to}::date order by a.id, s.from_on`)
}
