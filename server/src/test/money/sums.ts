import { addMonths, type Day } from "@milkwood/domain/kernel/calendar"
import { moneyCheckKeys } from "@milkwood/domain/month-end/checklist"
import { type SQL, sql } from "drizzle-orm"
import { accountRows } from "../../banking/bank-accounts.queries.ts"
import { loadSettledBilling } from "../../billing/settled.queries.ts"
import { findMismatchedMonths } from "../../billing/settled.samples.ts"
import { claimsToPay } from "../../claims/payable-claims.queries.ts"
import type { Tx } from "../../platform/database/database.ts"
import { prepareStatement } from "../../platform/database/tx.ts"
import { changedClosedMonthsSql, verifyLedger } from "../../reports/verify-ledger.ts"
import { deliveredLines } from "./bank.ts"
import type { MoneyTestApp } from "./hand.ts"

const ledgerBalanceSql = (account: string) =>
  sql`(select coalesce(sum(debit_cents - credit_cents), 0) from ledger_months where account = ${account})`

const expectEqualSql = (what: string, one: SQL, other: SQL) =>
  sql`select ${what}::text || ': ' || one || ' and ' || other as fault from (select ${one} as one, ${other} as other) both_of where one <> other`

/**
 * Invariants checked after every step; each query returns its violations. Totals of records are recomputed here and
 * compared with the monthly ledger totals.
 */
const invariantQueries: SQL[] = [
  expectEqualSql(
    "debits and credits",
    sql`(select sum(debit_cents) from ledger_months)`,
    sql`(select sum(credit_cents) from ledger_months)`,
  ),
  expectEqualSql(
    "debtors and open invoices",
    ledgerBalanceSql("premium_debtors"),
    sql`(select coalesce(sum(total_cents - credited_cents - allocated_cents - written_off_cents), 0) from invoices where status = 'sent')`,
  ),
  expectEqualSql("accrued premium of all days and nothing", ledgerBalanceSql("accrued_premium"), sql`0`),
  expectEqualSql(
    "credit and what of receipts is set against nothing, less what refunds have taken away",
    sql`-${ledgerBalanceSql("unallocated_receipts")}`,
    sql`(select coalesce(sum(amount_cents - allocated_cents), 0) from receipts where reversed_at is null)
      - (select coalesce(sum(amount_cents), 0) from payouts where subject_kind = 'refund' and status in ('processing', 'completed'))`,
  ),
  sql`select 'credit below nothing: ' || p.number || ' ' || sum(m.credit_cents - m.debit_cents) as fault
    from ledger_months m join policies p on p.id = m.policy_id where m.account = 'unallocated_receipts'
    group by p.number having sum(m.credit_cents - m.debit_cents) < 0`,
  expectEqualSql(
    "refunds payable and refunds on their way",
    sql`-${ledgerBalanceSql("refunds_payable")}`,
    sql`(select coalesce(sum(amount_cents), 0) from payouts where subject_kind = 'refund' and status = 'processing')`,
  ),
  expectEqualSql(
    "claims payable and what of approved claims has not arrived",
    sql`-${ledgerBalanceSql("claims_payable")}`,
    sql`(select coalesce(sum(approved_amount_cents), 0) from claims where status in ('approved', 'paid'))
      - (select coalesce(sum(amount_cents), 0) from payouts where subject_kind = 'claim' and status = 'completed')`,
  ),
  expectEqualSql(
    "claims outstanding and the reserves of claims that are not decided",
    sql`-${ledgerBalanceSql("claims_outstanding")}`,
    sql`(select coalesce(sum((select reserve_cents from claim_reserve_movements v where v.claim_id = c.id order by seq desc limit 1)), 0)
      from claims c where status in ('submitted', 'under_review', 'pending_group_admin', 'pending_underwriter', 'pending_policy_holder'))`,
  ),
  sql`select 'waits for a payment, or not, against its payments: ' || coalesce(w.subject_label, c.number) as fault
    from (${claimsToPay}) w full join (
      select id, number, approved_amount_cents - coalesce((
          select sum(amount_cents) from payouts where claim_id = claims.id and status = 'completed'), 0) as cents
      from claims where status = 'approved' and id not in (
        select claim_id from payouts where claim_id is not null and status in ('pending', 'processing', 'failed'))
    ) c on c.id = w.id
    where w.amount_cents is distinct from nullif(c.cents, 0)`,
  expectEqualSql(
    "undeposited and what no statement shows of cash, cheques and cards",
    ledgerBalanceSql("undeposited"),
    sql`(select coalesce(sum(amount_cents - coalesce((select sum(amount_cents) from bank_matches m
          where m.receipt_id = r.id and m.kind = 'linked' and m.undone_at is null), 0)), 0)
        from receipts r where paid_into = 'undeposited' and reversed_at is null)`,
  ),
  sql`select 'allocated, credited or written off beyond its total: ' || number as fault from invoices
    where credited_cents + allocated_cents + written_off_cents > case when status = 'sent' then total_cents else 0 end
      or least(credited_cents, allocated_cents, written_off_cents) < 0`,
  sql`select 'allocated or refunded beyond its amount: ' || number as fault from receipts
    where allocated_cents + refunded_cents > case when reversed_at is null then amount_cents else 0 end
      or least(allocated_cents, refunded_cents) < 0`,
  sql`select 'two payments of one subject are live: ' || subject_label as fault from payouts
    where status in ('pending', 'processing', 'failed') group by subject_id, subject_label having count(*) > 1`,
  sql`select 'paid beyond what was approved: ' || c.number as fault from claims c
    join payouts o on o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed', 'completed')
    group by c.id having sum(o.amount_cents) > coalesce(c.approved_amount_cents, 0)`,
  sql`select 'a refund holds another amount than its own: ' || f.number as fault
    from refunds f cross join lateral (select coalesce(sum(amount_cents), 0) as cents from refund_parts
      where refund_id = f.id and (released_at is null or invoice_id is not null)) held
    where held.cents <> case when f.status in ('failed', 'cancelled') and f.method <> 'credit_note' then 0
        when f.status = 'cancelled' then held.cents else f.amount_cents end`,
  // A returned payment's refund has failed and reserves nothing.
  sql`select 'in two batches at once: ' || o.number as fault from payout_batch_payments i join payouts o on o.id = i.payout_id
    where i.removed_at is null group by o.number having count(*) > 1`,
  sql`select 'a batch has two files that count: ' || message_id as fault from (
    select min(message_id) as message_id from payment_files where withdrawn is null group by batch_id having count(*) > 1) several`,
  sql`select 'a line is more, or less, than its parts: ' || l.text as fault from bank_lines l
    join bank_placements p on p.line_id = l.id and p.undone_at is null and p.kind in ('receipt', 'payout', 'returned')
    where l.amount_cents <> (select coalesce(sum(amount_cents), 0) from bank_matches m where m.placement_id = p.id and m.undone_at is null)`,
  sql`select 'more on lines than a receipt is: ' || r.number as fault from receipts r
    join bank_matches m on m.receipt_id = r.id and m.undone_at is null and m.kind in ('made', 'linked')
    group by r.id having sum(m.amount_cents) > r.amount_cents`,
  sql`select 'on a line, and reversed: ' || r.number as fault from receipts r
    join bank_matches m on m.receipt_id = r.id and m.undone_at is null and m.kind in ('made', 'linked')
    where r.reversed_at is not null and not exists (
      select from bank_matches b where b.receipt_id = r.id and b.undone_at is null and b.kind = 'returned')`,
  sql`select 'left by a line, and not completed: ' || o.number as fault from payouts o
    join bank_matches m on m.payout_id = o.id and m.undone_at is null and m.kind in ('completed', 'paid')
    where o.status not in ('completed', 'returned')`,
  sql`select 'left the bank twice, or came back twice: ' || o.number as fault from payouts o
    join bank_matches m on m.payout_id = o.id and m.undone_at is null group by o.id
    having sum(m.amount_cents) not in (0, -o.amount_cents)`,
  // The bank account in the ledger agrees with the statements.
  sql`select 'bank of ' || name || ': ' || due || ' due, ' || ledger || ' in the ledger' as fault from (
      select name, "ledgerCents" as ledger, "statementCents" + "receiptsToComeCents" - "paymentsToComeCents" - "notPostedCents" as due
      from (${accountRows(sql`true`)}) account where "statementCents" is not null) equation where due is distinct from ledger`,
  changedClosedMonthsSql,
]

const allInvariants = prepareStatement(sql.join(invariantQueries, sql` union all `))

/** Unearned premium: document lines for months that start after today and after the document's day. */
const unearnedPremiumSql = (today: Day): SQL =>
  expectEqualSql(
    "unearned premium and lines of later months",
    sql`-${ledgerBalanceSql("unearned_premium")}`,
    sql`(select coalesce(sum(l.net_cents), 0) from premium_of_lines l
      join ledger_entries e on e.source = case when l.credit_note_id is null then 'invoice:' || l.invoice_id || ':sent'
        else 'credit-note:' || l.credit_note_id end
      where l.month > greatest(date_trunc('month', e.effective_on), date_trunc('month', ${today}::date)))`,
  )

export async function findCheapFaults({ app }: Pick<MoneyTestApp, "app">): Promise<string[]> {
  const { today } = await app.app.moment()
  const faults = [
    ...(await app.sql.preparedRows<{ fault: string }>(allInvariants)),
    ...(await app.sql.preparedRows<{ fault: string }>(unearnedPremiumSql(today))),
  ]
  return faults.map(({ fault }) => fault)
}

/**
 * Policies whose next invoice would wrongly skip settled months, and the number that skip any. `before`: as in
 * `loadSettledBilling`.
 */
export async function findSettledFaults(
  { app, insured }: MoneyTestApp,
  before?: string,
): Promise<{ faults: string[]; passedOver: number }> {
  const faults: string[] = []
  let passedOver = 0
  const knownAt = app.clock.now()
  for (const { policyId, number } of insured) {
    const settled = await loadSettledBilling(app.sql, policyId, knownAt, before)
    if (!settled) continue
    passedOver += 1
    const asked = { policies: sql`${policyId}::uuid`, month: addMonths(settled.month, 1), knownAt }
    const differing = await findMismatchedMonths(app.sql, settled, asked)
    if (differing.length > 0) faults.push(`the next invoice of ${number} misses ${JSON.stringify(differing)}`)
  }
  return { faults, passedOver }
}

/** Duplicate or missing bank lines: the imported lines must equal the lines of all current files, in any order. */
async function findLineFaults(tx: Tx, { accounts }: MoneyTestApp["bank"]): Promise<string[]> {
  const faults: string[] = []
  for (const account of accounts) {
    const had = await tx.rows<{ day: string; cents: number }>(
      sql`select day, amount_cents as cents from bank_lines where account_id = ${account.id}`,
    )
    const keyed = (all: { day: string; cents: number }[]) => all.map(({ day, cents }) => `${day} ${cents}`).sort()
    const given = keyed([...deliveredLines(account)].map(({ day, amountCents: cents }) => ({ day, cents })))
    const kept = keyed(had)
    if (kept.join() !== given.join()) faults.push(`files hold ${given.length} lines, ${kept.length} are here`)
  }
  return faults
}

/**
 * Checks a month's reconciliation: the statement balance must equal the bank's at the last imported line, and the items
 * must explain the difference to the ledger.
 */
async function findProofFaults({ app, bank }: Pick<MoneyTestApp, "app" | "bank">, month: string): Promise<string[]> {
  const { accounts, day } = await app.manager.monthEnd.bank({ month })
  const faults: string[] = []
  for (const { accountId, name, statement, expectedCents, unexplainedCents, ledgerCents } of accounts) {
    if (statement === null) continue
    const kept = bank.accounts.find(({ id }) => id === accountId)!
    const held = [...deliveredLines(kept)].filter((line) => line.day <= day).map((line) => kept.lines.indexOf(line))
    const last = Math.max(-1, ...held)
    const byBank = kept.lines.slice(0, last + 1).reduce((sum, line) => sum + line.amountCents, kept.openingCents)
    const of = `${month} ${name}:`
    if (last >= 0 && statement.cents !== byBank) faults.push(`${of} ${statement.cents} stated, ${byBank} at the bank`)
    const lines = await app.sql.row<{ cents: number }>(sql`
      select a.opening_cents + (select coalesce(sum(amount_cents), 0) from bank_lines where account_id = a.id and day <= ${day}) as cents
      from bank_accounts a where a.id = ${accountId}`)
    const left = lines!.cents - statement.cents
    if (unexplainedCents !== left) faults.push(`${of} ${unexplainedCents} unexplained, of the lines ${left}`)
    if (expectedCents! + unexplainedCents !== ledgerCents) faults.push(`${of} does not add up`)
  }
  return faults
}

/** Failed money checks of open months; `verifyLedger` covers closed months. */
async function findMonthFaults({ app, bank }: Pick<MoneyTestApp, "app" | "bank">): Promise<string[]> {
  const faults: string[] = []
  for (let month = 1; month <= 12; month++) {
    const first = `2026-${String(month).padStart(2, "0")}-01`
    const { state, checks } = await app.manager.monthEnd.month({ month: first })
    // After undone files the lines have gaps, so the bank check may fail rightly.
    const wrong = checks.filter(({ key, isDone }) => moneyCheckKeys.includes(key) && key !== "bank" && !isDone)
    if (state === "open") faults.push(...(await findProofFaults({ app, bank }, first)))
    if (state === "open") faults.push(...wrong.map(({ key, notes }) => `${first} ${key}: ${notes.join(" ")}`))
  }
  return faults
}

export async function findAllFaults(desk: MoneyTestApp): Promise<string[]> {
  const { app, bank } = desk
  return [
    ...(await findCheapFaults(desk)),
    ...(await verifyLedger(app.sql)),
    ...(await findMonthFaults(desk)),
    ...(await findLineFaults(app.sql, bank)),
  ]
}
