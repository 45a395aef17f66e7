import { lettersOf, moveSurnameFirst, type NameMatch, type ReferenceTypo } from "@milkwood/domain/banking/line-words"
import { isReturn, type RecordEvidence } from "@milkwood/domain/banking/match-score-records"
import { NameIndex } from "@milkwood/domain/banking/name-index"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import type { EvidenceLine } from "./evidence.queries.ts"

const maxDaysApart = 92
const maxRecordsPerAmount = 20

interface RecordCandidate extends Pick<RecordEvidence, "as" | "id" | "number" | "name" | "on" | "amountCents"> {
  reference: string
  /** The bank account whose lines may match the record; null is the main account, "any" is every account. */
  accountId: string | null
}

export async function loadRecords(
  tx: Tx,
  lines: readonly EvidenceLine[],
  asked: readonly string[] = [],
): Promise<(line: EvidenceLine) => RecordEvidence[]> {
  if (lines.length === 0) return () => []
  const found = [
    ...(await loadReceiptsToLink(tx, lines, asked)),
    ...(await loadDepositsToLink(tx, lines, asked)),
    ...(await loadArrivedReceipts(tx, lines, asked)),
    ...(await loadArrivedDeposits(tx, lines, asked)),
    ...(await loadPayments(tx, lines, asked)),
    ...(await loadBatches(tx, lines, asked)),
  ]
  if (found.length === 0) return () => []
  const outs = new Set<RecordCandidate["as"]>(["payout", "batch", "returned", "returnedDeposit"])
  const keyOf = (isOut: boolean, cents: Cents) => `${isOut ? "-" : ""}${cents}`
  const byAmount = new Map<string, RecordCandidate[]>()
  const byNumber = new Map<string, RecordCandidate[]>()
  const add = (map: Map<string, RecordCandidate[]>, key: string, one: RecordCandidate) => {
    const there = map.get(key)
    if (there) there.push(one)
    else map.set(key, [one])
  }
  for (const one of found) {
    add(byAmount, keyOf(outs.has(one.as), one.amountCents), one)
    add(byNumber, one.number, one)
  }
  return (line) => {
    const isOut = line.amountCents < 0
    const cents = Math.abs(line.amountCents)
    const alike = (byAmount.get(keyOf(isOut, cents)) ?? []).filter(
      ({ on }) => on >= addDays(line.day, -maxDaysApart) && on <= addDays(line.day, maxDaysApart),
    )
    const said = line.words.references.flatMap(({ number }) => byNumber.get(number) ?? [])
    const chosen = found.length > 0 && asked.length > 0 ? found.filter(({ id }) => asked.includes(id)) : []
    const all = new Map([...alike, ...said, ...chosen].map((one) => [`${one.as} ${one.id}`, one]))
    return [...all.values()]
      .filter((one) => outs.has(one.as) === isOut && isPossibleMatch(one, line))
      .sort((a, b) => daysApart(a.on, line.day) - daysApart(b.on, line.day))
      .slice(0, maxRecordsPerAmount)
      .map(({ reference, accountId: _, ...one }) => ({
        ...one,
        named: nameMatchIn(line, one.name),
        said: findReferenceIn(line, one.number, reference),
      }))
  }
}

function nameMatchIn({ words }: EvidenceLine, name: string): NameMatch {
  const names = [name, moveSurnameFirst(name)].map((name) => ({ name, value: true }))
  return new NameIndex(names).find(words)[0]?.named ?? null
}

const daysApart = (a: Day, b: Day): number => Math.abs(Date.parse(a) - Date.parse(b))

/** A receipt may be split over lines, other records not; a return must be later than the original. */
function isPossibleMatch({ as, amountCents, on, accountId }: RecordCandidate, line: EvidenceLine): boolean {
  if (accountId !== "any" && (accountId === null ? !line.isMain : accountId !== line.accountId)) return false
  if (as === "receipt") return true
  if (isReturn(as) && on > line.day) return false
  return amountCents === Math.abs(line.amountCents)
}

/** The record's number in the line, or its reference if that has a digit and is long enough to be unique. */
function findReferenceIn(
  { words }: EvidenceLine,
  number: string,
  reference: string,
): { number: string; slip: ReferenceTypo } | null {
  const own = words.references.find((said) => said.number === number)
  if (own) return { number, slip: own.slip }
  const quoted = (reference.match(/[\w-]*\d[\w-]*/g) ?? []).find(
    (word) => word.length >= 6 && words.letters.includes(lettersOf(word)),
  )
  return quoted ? { number: quoted, slip: "short" } : null
}

/** A PostgreSQL array literal; elements may contain only letters, digits and dashes. */
export const postgresArray = (all: Iterable<string | Cents>): string => `{${[...new Set(all)].join(",")}}`
const amountsOf = (lines: readonly EvidenceLine[], sign: 1 | -1) =>
  sql`${postgresArray(lines.flatMap(({ amountCents }) => (amountCents * sign > 0 ? [amountCents * sign] : [])))}::bigint[]`
const numbersOf = (lines: readonly EvidenceLine[], of: "receipt" | "deposit" | "payout" | "batch") =>
  sql`${postgresArray(lines.flatMap(({ words }) => words.references.flatMap(({ kind, number }) => (kind === of ? [number] : []))))}::text[]`
const uuidArray = (asked: readonly string[]) => sql`${sql.param([...asked])}::uuid[]`

const dayRangeOf = (lines: readonly EvidenceLine[]): { from: Day; to: Day } => {
  const days = lines.map(({ day }) => day).sort()
  return { from: addDays(days[0]!, -maxDaysApart), to: addDays(days.at(-1)!, maxDaysApart) }
}

const isHeld = sql`coalesce(r.paid_into = 'bank' and r.received_on < a.opened_on and r.created_at <= a.opened_at, false)`
const matchedCents = sql`coalesce((select sum(m.amount_cents) from bank_matches m
  where m.receipt_id = r.id and m.undone_at is null and m.kind in ('made', 'linked')), 0)`

/** The bank account of receipt `r`'s line; null without a line (the main account). */
const arrivalAccountSql = sql`(select l.account_id::text from bank_matches m join bank_lines l on l.id = m.line_id
  where m.receipt_id = r.id and m.undone_at is null and m.kind in ('made', 'linked') order by m.id limit 1)`

async function loadReceiptsToLink(
  tx: Tx,
  lines: readonly EvidenceLine[],
  asked: readonly string[],
): Promise<RecordCandidate[]> {
  const { from, to } = dayRangeOf(lines)
  return tx.rows<RecordCandidate>(sql`
    select 'receipt' as as, r.id, r.number, g.name, r.received_on as on, r.reference, 'any' as "accountId",
      (r.amount_cents - ${matchedCents})::bigint as "amountCents"
    from receipts r join employer_groups g on g.id = r.group_id cross join bank_accounts a
    where a.is_main and r.reversed_at is null and not ${isHeld} and r.amount_cents > ${matchedCents}
      and r.id in (
        select id from receipts where amount_cents = any (${amountsOf(lines, 1)}) and reversed_at is null and received_on between ${from} and ${to}
        union all select id from receipts where number = any (${numbersOf(lines, "receipt")})
        union all select unnest(${uuidArray(asked)}))`)
}

/**
 * Finds deposits by amount less reversals, or by number. A deposit with one unmatched receipt is offered as a receipt.
 */
async function loadDepositsToLink(
  tx: Tx,
  lines: readonly EvidenceLine[],
  asked: readonly string[],
): Promise<RecordCandidate[]> {
  if (lines.every(({ amountCents }) => amountCents < 0) && asked.length === 0) return []
  return tx.rows<RecordCandidate>(loadDeposits("deposit", sql`not ${isHeld} and ${matchedCents} = 0`, lines, asked))
}

/** Deposits recorded as several receipts; the bank may have returned the whole deposit in one line. */
async function loadArrivedDeposits(
  tx: Tx,
  lines: readonly EvidenceLine[],
  asked: readonly string[],
): Promise<RecordCandidate[]> {
  if (lines.every(({ amountCents }) => amountCents > 0) && asked.length === 0) return []
  return tx.rows<RecordCandidate>(
    loadDeposits("returnedDeposit", sql`(${isHeld} or ${matchedCents} = r.amount_cents)`, lines, asked),
  )
}

function loadDeposits(
  as: "deposit" | "returnedDeposit",
  which: SQL,
  lines: readonly EvidenceLine[],
  asked: readonly string[],
): SQL {
  const { from, to } = dayRangeOf(lines)
  const reversed = sql`coalesce((select sum(amount_cents) from receipts where deposit_id = d.id and reversed_at is not null), 0)`
  return sql`
    select ${as}::text as as, d.id, d.number, open.names as name, d.received_on as on, d.reference,
      ${as === "deposit" ? sql`'any'` : sql`open.account`} as "accountId", open.cents as "amountCents"
    from deposits d cross join lateral (
      select count(*) as receipts, sum(r.amount_cents)::bigint as cents, min(${arrivalAccountSql}) as account,
        min(g.name) || case count(distinct g.id) when 1 then '' when 2 then ' and ' || max(g.name)
          else ' and ' || count(distinct g.id) - 1 || ' more' end as names
      from receipts r join employer_groups g on g.id = r.group_id cross join bank_accounts a
      where r.deposit_id = d.id and r.reversed_at is null and a.is_main and ${which}) open
    where open.receipts > 1 and (d.id = any (${uuidArray(asked)}) or d.number = any (${numbersOf(lines, "deposit")})
      or d.received_on between ${from} and ${to}
        and d.amount_cents - ${reversed} = any (${amountsOf(lines, as === "deposit" ? 1 : -1)}))`
}

async function loadArrivedReceipts(
  tx: Tx,
  lines: readonly EvidenceLine[],
  asked: readonly string[],
): Promise<RecordCandidate[]> {
  const { from, to } = dayRangeOf(lines)
  return tx.rows<RecordCandidate>(sql`
    select 'returned' as as, r.id, r.number, g.name, r.received_on as on, r.reference, ${arrivalAccountSql} as "accountId", r.amount_cents as "amountCents"
    from receipts r join employer_groups g on g.id = r.group_id cross join bank_accounts a
    where a.is_main and r.reversed_at is null and (r.amount_cents = any (${amountsOf(lines, -1)}) or r.id = any (${uuidArray(asked)}))
      and r.received_on between ${from} and ${to} and (${isHeld} or ${matchedCents} = r.amount_cents)`)
}

const isLiveMatch = (
  ...kinds: string[]
) => sql`exists (select from bank_matches m where m.payout_id = o.id and m.undone_at is null
  and m.kind = any (${sql.param(kinds)}::text[]))`
const isHeldPayment = sql`coalesce(o.completed_on < a.opened_on and o.completed_at <= a.opened_at, false)`
/**
 * A payment that was debited or is processing, even if returned later, without a line and not in the opening balance.
 */
const isOnNoLine = sql`(o.status = 'processing' or o.status in ('completed', 'returned') and not ${isHeldPayment})
  and not ${isLiveMatch("completed", "paid")}`

/**
 * Unmatched payments and possible returns. A payment named in a line is offered as returned even before its debit is
 * matched.
 */
async function loadPayments(
  tx: Tx,
  lines: readonly EvidenceLine[],
  asked: readonly string[],
): Promise<RecordCandidate[]> {
  const of = sql`o.id, o.number, o.payee_name as name, o.amount_cents as "amountCents", o.reference || ' ' || o.subject_label as reference,
    o.bank_account_id as "accountId"`
  const account = sql`join bank_accounts a on a.id = o.bank_account_id or a.is_main and o.bank_account_id is null`
  return tx.rows<RecordCandidate>(sql`
    select 'payout' as as, ${of}, coalesce(o.completed_on, (o.released_at at time zone 'UTC')::date) as on
    from payouts o ${account}
    where (o.amount_cents = any (${amountsOf(lines, -1)}) or o.number = any (${numbersOf(lines, "payout")}) or o.id = any (${uuidArray(asked)}))
      and ${isOnNoLine}
    union all
    select 'cameBack', ${of}, o.completed_on from payouts o ${account}
    where o.status in ('completed', 'returned') and not ${isLiveMatch("came_back", "back")} and (
      o.number = any (${numbersOf(lines, "payout")})
      or (o.amount_cents = any (${amountsOf(lines, 1)}) or o.id = any (${uuidArray(asked)})) and (${isHeldPayment} or ${isLiveMatch("completed", "paid")}))`)
}

/** Finds batches by released amount less failed payments, or by number; with and without payments returned later. */
async function loadBatches(
  tx: Tx,
  lines: readonly EvidenceLine[],
  asked: readonly string[],
): Promise<RecordCandidate[]> {
  if (lines.every(({ amountCents }) => amountCents > 0) && asked.length === 0) return []
  const { from, to } = dayRangeOf(lines)
  const failed = sql`coalesce((select sum(f.amount_cents) from payout_batch_payments i join payouts f on f.id = i.payout_id
    where i.batch_id = b.id and i.removed_at is not null and i.end_to_end_id is not null), 0)`
  return tx.rows<RecordCandidate>(sql`
    select 'batch' as as, b.id, b.number, b.execution_on as on,
      open.payments || ' payments' || case offered.returned when 0 then '' else ' and ' || offered.returned || ' returned since' end as name,
      coalesce((select f.message_id from payment_files f where f.batch_id = b.id and f.withdrawn is null), '') as reference,
      b.bank_account_id as "accountId", offered.cents as "amountCents"
    from payout_batches b join bank_accounts a on a.id = b.bank_account_id cross join lateral (
      select count(*) filter (where o.status <> 'returned') as payments, count(*) filter (where o.status = 'returned') as returned,
        sum(o.amount_cents)::bigint as cents, sum(o.amount_cents) filter (where o.status <> 'returned')::bigint as kept
      from payout_batch_payments i join payouts o on o.id = i.payout_id
      where i.batch_id = b.id and i.removed_at is null and ${isOnNoLine}) open
    cross join lateral (select open.returned, open.cents union select 0, open.kept where open.kept > 0) offered
    where b.status = 'released' and open.payments + offered.returned > 1 and (b.id = any (${uuidArray(asked)}) or b.number = any (${numbersOf(lines, "batch")})
      or b.execution_on between ${from} and ${to} and b.amount_cents - ${failed} = any (${amountsOf(lines, -1)}))`)
}
