import { bankAccountActionsOf } from "@milkwood/domain/banking/bank-account"
import { type BankAccountRow, bankingContract } from "@milkwood/domain/banking/banking.contract"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"

/**
 * What the ledger had on the account of bank account `a` before a day. What says no account of its own is the main
 * one's.
 */
export const ledgerCentsBefore = (day: SQL): SQL => sql`(
  select coalesce(sum(p.amount_cents), 0)::bigint from ledger_postings p
  where p.account = 'bank' and (p.bank_account_id = a.id or a.is_main and p.bank_account_id is null)
    and p.effective_on < ${day})`

/** What it has now: the main account's is what the months come to, without what says another account. */
const ledgerCents = sql.raw(`(
  select case when a.is_main
    then (select coalesce(sum(debit_cents - credit_cents), 0) from ledger_months where account = 'bank')
      - coalesce(sum(amount_cents) filter (where bank_account_id <> a.id), 0)
    else coalesce(sum(amount_cents) filter (where bank_account_id = a.id), 0) end::bigint
  from ledger_postings where bank_account_id is not null)`)

const accountRows = (where: SQL): SQL => sql`
  select a.id, a.name, a.bank, a.account_number as "accountNumber", a.branch_code as "branchCode", a.is_main as "isMain",
    a.opened_on as "openedOn", a.opening_cents as "openingCents", (a.opening_cents + l.cents)::bigint as "statementCents",
    l.last as "lastLineOn", l.count as "lineCount", ${ledgerCents} as "ledgerCents", a.version
  from bank_accounts a
  cross join lateral (select coalesce(sum(amount_cents), 0) as cents, max(day) as last, count(*) as count
    from bank_lines where account_id = a.id) l
  where ${where} order by a.is_main desc, lower(a.name), a.id`

async function rowsOf({ tx, actor }: Pick<Cx, "tx" | "actor">, where: SQL): Promise<BankAccountRow[]> {
  const rows = await tx.rows<Omit<BankAccountRow, "allowedActions">>(accountRows(where))
  const allowedActions = bankAccountActionsOf(ruleActor(actor).role)
  return rows.map((row) => ({ ...row, allowedActions }))
}

/** One account as its screens show it, after a command. */
export async function bankAccountRowOf(cx: Pick<Cx, "tx" | "actor">, accountId: string): Promise<BankAccountRow> {
  const [row] = await rowsOf(cx, sql`a.id = ${accountId}`)
  return row!
}

export const listBankAccounts = query(bankingContract.accounts, (cx) => rowsOf(cx, sql`true`))
