import { type ProofKind, proofState } from "@milkwood/domain/banking/bank-proof"
import { chainFaults, describeChainFault } from "@milkwood/domain/banking/statement-chain"
import { type Day, type DayFormat, formatDay, lastOfMonth, maxDay } from "@milkwood/domain/kernel/calendar"
import { type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import type { Account } from "@milkwood/domain/ledger/account"
import type { Check, CheckFigure, CheckKey } from "@milkwood/domain/month-end/checklist"
import { sql } from "drizzle-orm"
import { chainedAccounts, loadChain } from "../banking/statement-chain.queries.ts"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { sumReservesAt } from "../claims/claim-reserve.queries.ts"
import { loadLastClosedMonth } from "../ledger/closed-months.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { bankProofOf } from "./bank-proof.queries.ts"
import { sumBilledForLaterMonths, sumUnearnedPremium } from "./deferred-income.queries.ts"
import { creditsUpTo } from "./month-credits.queries.ts"
import { monthPoliciesSql } from "./month-policies.queries.ts"
import { sumDocumentsVat, sumLedgerVat } from "./vat.queries.ts"

type CheckCx = Pick<Cx, "tx" | "actor" | "today" | "timezone" | "currency"> & {
  month: Day
  last: Day
  day: (on: Day) => string
}

const countFigure = (label: string, value: number): CheckFigure => ({ label, kind: "count", value })
const centsFigure = (label: string, value: Cents): CheckFigure => ({ label, kind: "cents", value })
const countText = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`

async function checkBilled({ tx, month }: CheckCx): Promise<Omit<Check, "key">> {
  const found = (await tx.row<{ all: number; billed: number; excused: number }>(sql`
    select count(*)::int as all, count(*) filter (where state = 'billed')::int as billed,
      count(*) filter (where state = 'excused')::int as excused
    from (${monthPoliciesSql(month)}) o`))!
  const left = found.all - found.billed - found.excused
  return {
    isDone: left === 0,
    figures: [
      countFigure("Active policies", found.all),
      countFigure("Billed or excused", found.billed + found.excused),
    ],
    notes: [
      ...(left > 0 ? [`${countText(left, "policy is", "policies are")} neither billed nor excused.`] : []),
      ...(found.excused > 0 ? [`${countText(found.excused, "policy is", "policies are")} excused with a reason.`] : []),
    ],
  }
}

/** Also counts unsent invoices of earlier months. */
async function checkSent({ tx, month, last }: CheckCx): Promise<Omit<Check, "key">> {
  const found = (await tx.row<{ unsent: number; sent: number }>(sql`
    select (select count(*)::int from invoices where status in ('draft', 'pending') and invoice_on <= ${last}::date) as unsent,
      (select count(*)::int from invoices where status = 'sent' and invoice_on between ${month}::date and ${last}::date) as sent`))!
  const { unsent } = found
  return {
    isDone: unsent === 0,
    figures: [countFigure("Invoices", found.sent + unsent), countFigure("Sent", found.sent)],
    notes:
      unsent > 0
        ? [`${countText(unsent, "invoice is", "invoices are")} in draft or pending. Send or cancel them.`]
        : [],
  }
}

async function checkStatements({ tx, month, last, day, currency }: CheckCx): Promise<Omit<Check, "key">> {
  const accounts = await chainedAccounts(tx)
  const isFirstClosing = (await loadLastClosedMonth(tx)) === undefined
  const notes: string[] = []
  let complete = 0
  for (const { id, name, openedOn, begins } of accounts) {
    if (openedOn === null) {
      notes.push(`${name} has no statement yet.`)
      continue
    }
    if (openedOn > last) {
      complete++
      notes.push(`${name} starts in Milkwood on ${day(openedOn)}, after this month.`)
      continue
    }
    // The first closing also covers all earlier months.
    const from = isFirstClosing ? openedOn : maxDay(month, openedOn)
    const chain = await loadChain(tx, id, { from: isFirstClosing ? null : from, to: last })
    const isContinued = chain.some(({ toOn }) => toOn < from)
    const faults = chainFaults(chain, { from, to: last, start: isContinued ? null : begins })
    if (faults.length === 0) complete++
    notes.push(
      ...faults.slice(0, maxFaultsShown).map((fault) => `${name}: ${describeChainFault(fault, day, currency)}`),
    )
    if (faults.length > maxFaultsShown) notes.push(`${name}: ${faults.length - maxFaultsShown} more problems.`)
  }
  if (accounts.length === 0) notes.push("No bank account is set up under Settings, General.")
  return {
    isDone: accounts.length > 0 && complete === accounts.length,
    figures: [countFigure("Bank accounts", accounts.length), countFigure("With complete statements", complete)],
    notes,
  }
}

/** Maximum number of faults shown per account. */
const maxFaultsShown = 20

async function checkLines({ tx, month, last }: CheckCx): Promise<Omit<Check, "key">> {
  const found = (await tx.row<{ open: number; matched: number }>(sql`
    select count(*) filter (where p.id is null)::int as open,
      count(*) filter (where p.id is not null and l.day >= ${month}::date)::int as matched
    from bank_lines l left join bank_placements p on p.line_id = l.id and p.undone_at is null
    where l.day <= ${last}::date and (p.id is null or l.day >= ${month}::date)`))!
  return {
    isDone: found.open === 0,
    figures: [countFigure("Lines", found.open + found.matched), countFigure("Matched", found.matched)],
    notes: found.open > 0 ? [`${countText(found.open, "line", "lines")} to match.`] : [],
  }
}

async function checkReceipts({ tx, last, currency }: CheckCx): Promise<Omit<Check, "key">> {
  const found = (await tx.row<{ open: number; openCents: Cents; keptCents: Cents }>(sql`
    select count(*) filter (where state = 'open')::int as open,
      coalesce(sum(credit_cents) filter (where state = 'open'), 0)::bigint as "openCents",
      coalesce(sum(credit_cents) filter (where state = 'kept'), 0)::bigint as "keptCents"
    from (${creditsUpTo(last)}) c`))!
  return {
    isDone: found.open === 0,
    figures: [
      centsFigure("Not allocated", found.openCents + found.keptCents),
      centsFigure("Kept as credit", found.keptCents),
    ],
    notes:
      found.open > 0
        ? [
            `Allocate ${formatMoney(found.openCents, currency)} from ${countText(found.open, "receipt", "receipts")}, or keep it as credit.`,
          ]
        : [],
  }
}

async function checkPayouts({ tx, timezone, month, last }: CheckCx): Promise<Omit<Check, "key">> {
  const begin = sql`(${month}::date::timestamp at time zone ${timezone})`
  const end = sql`((${last}::date + 1)::timestamp at time zone ${timezone})`
  const found = (await tx.row<{ open: number; released: number }>(sql`
    select (select count(*)::int from payouts where status = 'processing' and released_at < ${end}) as open,
      (select count(*)::int from payouts
        where status <> 'processing' and released_at >= ${begin} and released_at < ${end}) as released`))!
  return {
    isDone: found.open === 0,
    figures: [countFigure("Payments released", found.open + found.released), countFigure("Completed", found.released)],
    notes: found.open > 0 ? [`${countText(found.open, "payment is", "payments are")} released but not completed.`] : [],
  }
}

/**
 * Unpaid amounts of invoices at the end of a day: today's amounts minus later ledger entries. Only these entries are
 * read, so the cost does not grow with the books.
 */
async function sumOpenInvoicesAt(tx: Tx, day: Day): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    with since as materialized (
      select e.kind, e.record_id, e.source, case when e.kind <> 'invoice_sent' then split_part(e.source, ':', 2)::uuid end as id,
        case e.kind when 'reversal' then -1 else 1 end as sign
      from ledger_entries e
      where e.effective_on > ${day}::date and (e.kind in ('invoice_sent', 'credit_note', 'allocation', 'write_off')
        or e.kind = 'reversal' and (e.source like 'allocation:%' or e.source like 'write-off:%'))
    )
    select ((select coalesce(sum(${openCents}), 0) from invoices i where ${isOpen})
      - (select coalesce(sum(i.total_cents), 0) from since s join invoices i on i.id = s.record_id where s.kind = 'invoice_sent')
      + (select coalesce(sum(c.total_cents), 0) from since s join credit_notes c on c.id = s.id where s.kind = 'credit_note')
      + (select coalesce(sum(s.sign * a.amount_cents), 0) from since s join receipt_allocations a on a.id = s.id
          where s.source like 'allocation:%')
      + (select coalesce(sum(s.sign * w.total_cents), 0) from since s join write_offs w on w.id = s.id
          where s.source like 'write-off:%'))::bigint as cents`)
  return found!.cents
}

async function sumAccount(tx: Tx, account: Account, month: Day): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    select coalesce(sum(debit_cents - credit_cents), 0)::bigint as cents from ledger_months
    where account = ${account} and month <= ${month}::date`)
  return found!.cents
}

async function checkDebtors({ tx, month, last, currency }: CheckCx): Promise<Omit<Check, "key">> {
  const ledgerCents = await sumAccount(tx, "premium_debtors", month)
  const invoicesCents = await sumOpenInvoicesAt(tx, last)
  return {
    isDone: ledgerCents === invoicesCents,
    figures: [centsFigure("Premium debtors in the ledger", ledgerCents), centsFigure("Unpaid invoices", invoicesCents)],
    notes: differenceNotes(ledgerCents - invoicesCents, currency),
  }
}

async function checkDeferred({ tx, month, today, currency }: CheckCx): Promise<Omit<Check, "key">> {
  const [ledgerCents, linesCents] = [
    await sumUnearnedPremium(tx, month),
    await sumBilledForLaterMonths(tx, month, today),
  ]
  return {
    isDone: ledgerCents === linesCents,
    figures: [
      centsFigure("Unearned premium in the ledger", ledgerCents),
      centsFigure("Billed for later months", linesCents),
    ],
    notes: differenceNotes(ledgerCents - linesCents, currency),
  }
}

async function checkReserves({ tx, month, last, currency }: CheckCx): Promise<Omit<Check, "key">> {
  const ledgerCents = -(await sumAccount(tx, "claims_outstanding", month))
  const reservesCents = await sumReservesAt(tx, last)
  return {
    isDone: ledgerCents === reservesCents,
    figures: [
      centsFigure("Claims outstanding in the ledger", ledgerCents),
      centsFigure("Reserves of open claims", reservesCents),
    ],
    notes: differenceNotes(ledgerCents - reservesCents, currency),
  }
}

async function checkBank(cx: CheckCx): Promise<Omit<Check, "key">> {
  const { month, currency, day } = cx
  const proof = await bankProofOf(cx, month)
  const money = (cents: Cents) => formatMoney(cents, currency)
  const state = proofState(proof)
  const expectedCents = proof.accounts.reduce((sum, account) => sum + (account.expectedCents ?? 0), 0)
  const notes = proof.accounts.flatMap(({ name, statement, groups, ledgerCents, unexplainedCents }) => {
    if (statement === null) {
      if (ledgerCents === 0) return []
      return [
        `${name} has no statement up to ${day(proof.day)}: the ledger balance of ${money(ledgerCents)} cannot be verified.`,
      ]
    }
    const to = statement.lastLineOn === null ? "" : `, last line on ${day(statement.lastLineOn)}`
    const items = groups
      .filter((group) => group.items.length > 0)
      .map(
        ({ kind, cents, items }) =>
          `; ${items.length} ${proofNouns[kind][items.length === 1 ? 0 : 1]}, ${money(cents)}`,
      )
    return [
      `${name}: ${money(statement.cents)} by statement${to}${items.join("")}.`,
      ...(unexplainedCents === 0 ? [] : [`${name}: ${money(unexplainedCents)} is not explained.`]),
    ]
  })
  if (proof.accounts.length === 0 && proof.ledgerCents !== 0)
    notes.push(`No bank account is set up: the ledger balance of ${money(proof.ledgerCents)} cannot be verified.`)
  return {
    isDone: state === "proved",
    isUnproved: state === "unproved",
    figures: [
      centsFigure("Bank balance in the ledger", proof.ledgerCents),
      centsFigure("Bank balance per statements", expectedCents),
    ],
    notes,
  }
}

const proofNouns: Record<ProofKind, [one: string, several: string]> = {
  deposit: ["outstanding deposit", "outstanding deposits"],
  payment: ["outstanding payment", "outstanding payments"],
  unposted: ["line not posted", "lines not posted"],
  later: ["line posted later", "lines posted later"],
}

async function checkVat({ tx, month, currency }: CheckCx): Promise<Omit<Check, "key">> {
  const [ledgerCents, documentsCents] = [await sumLedgerVat(tx, month), await sumDocumentsVat(tx, month)]
  return {
    isDone: documentsCents === ledgerCents,
    figures: [
      centsFigure("VAT output in the ledger", ledgerCents),
      centsFigure("Invoices and credit notes", documentsCents),
    ],
    notes: differenceNotes(ledgerCents - documentsCents, currency),
  }
}

const differenceNotes = (cents: Cents, currency: Currency): string[] =>
  cents === 0 ? [] : [`They differ by ${formatMoney(cents, currency)}.`]

const checkFunctions: Record<CheckKey, (cx: CheckCx) => Promise<Omit<Check, "key">>> = {
  billed: checkBilled,
  sent: checkSent,
  statements: checkStatements,
  lines: checkLines,
  receipts: checkReceipts,
  payouts: checkPayouts,
  debtors: checkDebtors,
  deferred: checkDeferred,
  reserves: checkReserves,
  bank: checkBank,
  vat: checkVat,
}

/** The current checklist. Queries run one after the other, because a transaction has a single connection. */
export async function checklistOf(
  cx: Pick<Cx, "tx" | "actor" | "today" | "timezone" | "currency">,
  month: Day,
  dateFormat: DayFormat,
): Promise<Check[]> {
  const of = { ...cx, month, last: lastOfMonth(month), day: (on: Day) => formatDay(on, dateFormat) }
  const done: Check[] = []
  for (const key of Object.keys(checkFunctions) as CheckKey[]) done.push({ key, ...(await checkFunctions[key](of)) })
  return done
}
