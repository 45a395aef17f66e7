import { addDays, type Day, maxDay, minDay } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { StatementDay } from "./statement-days.ts"

/** Days with equal digests have the same lines; a null digest is unknown. */
export interface ChainedDay extends StatementDay {
  digest: string | null
}

export interface ChainedStatement {
  number: string
  fromOn: Day
  toOn: Day
  openingCents: Cents | null
  days: readonly ChainedDay[]
}

export interface ChainStart {
  coveredTo: Day
  closingCents: Cents | null
  number: string | null
}

/**
 * `gap`: opening and previous closing balance differ, or days between may have lines. `missing`: no statement reaches
 * the last day. `lines`, `balance`: overlapping statements disagree.
 */
export type ChainFault =
  | { kind: "gap"; from: Day; to: Day; earlier: string | null; later: string; cents: Cents | null }
  | { kind: "missing"; from: Day; to: Day }
  | { kind: "lines" | "balance"; from: Day; to: Day; earlier: string; later: string }

/**
 * The chain faults on the days from `from` to `to`, inclusive. If the statements end earlier, the first one after `to`
 * can prove that the days between have no lines.
 */
export function chainFaults(
  statements: readonly ChainedStatement[],
  { from, to, start }: { from: Day; to: Day; start: ChainStart | null },
): ChainFault[] {
  const faults: ChainFault[] = []
  let covered: CoveredChain | null = start && { ...start, days: new Map() }
  for (const statement of sortStatements(statements)) {
    if (statement.fromOn > to && covered !== null && covered.coveredTo >= to) break
    const found = covered === null ? [] : faultsBetween(covered, statement)
    faults.push(...found)
    covered = appendStatement(covered, statement)
  }
  const coveredTo = covered?.coveredTo ?? addDays(from, -1)
  if (coveredTo < to) faults.push({ kind: "missing", from: maxDay(from, addDays(coveredTo, 1)), to })
  return faults
    .filter((fault) =>
      // A gap between statements of consecutive days has no days: its fault is reported on the later statement's first
      // day.
      fault.from > fault.to ? fault.from >= from && fault.to <= to : fault.to >= from && fault.from <= to,
    )
    .map((fault) => (fault.kind === "gap" && fault.from <= fault.to ? { ...fault, to: minDay(fault.to, to) } : fault))
}

const sortStatements = (statements: readonly ChainedStatement[]): ChainedStatement[] =>
  [...statements].sort(
    (a, b) => compareText(a.fromOn, b.fromOn) || compareText(a.toOn, b.toOn) || compareText(a.number, b.number),
  )
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

interface CoveredChain extends ChainStart {
  days: Map<Day, ChainedDay & { number: string }>
}

function faultsBetween(covered: CoveredChain, statement: ChainedStatement): ChainFault[] {
  const { number: later } = statement
  // Lines before the account's first day are not imported, so compare with the file's balance for that day.
  const isFirst = covered.days.size === 0
  const fromOn = isFirst ? maxDay(statement.fromOn, addDays(covered.coveredTo, 1)) : statement.fromOn
  const before = isFirst ? statement.days.findLast(({ day }) => day <= covered.coveredTo) : undefined
  const openingCents = before ? before.closingCents : statement.openingCents
  if (fromOn > covered.coveredTo) {
    const stretch = { from: addDays(covered.coveredTo, 1), to: addDays(fromOn, -1), earlier: covered.number, later }
    if (openingCents !== null && covered.closingCents !== null) {
      const cents = openingCents - covered.closingCents
      return cents === 0 ? [] : [{ kind: "gap", ...stretch, cents }]
    }
    return stretch.from <= stretch.to ? [{ kind: "gap", ...stretch, cents: null }] : []
  }
  const end = minDay(covered.coveredTo, statement.toOn)
  const own = new Map(statement.days.map((of) => [of.day, of]))
  const days = [...new Set([...covered.days.keys(), ...own.keys()])].filter((day) => day >= fromOn && day <= end).sort()
  return days.flatMap((day): ChainFault[] => {
    const [one, other] = [covered.days.get(day), own.get(day)]
    const kind = findDisagreement(one ?? emptyDay, other ?? emptyDay, {
      begins: day === fromOn,
      // A file's last day may be incomplete, because the file was downloaded during that day.
      oneEnds: day === covered.coveredTo,
      otherEnds: day === statement.toOn,
    })
    const earlier = one?.number ?? covered.number ?? later
    return kind === null ? [] : [{ kind, from: day, to: day, earlier, later }]
  })
}

const emptyDay: Omit<ChainedDay, "day"> = { amounts: [], closingCents: null, digest: null }
type DayContent = Omit<ChainedDay, "day">

interface Edges {
  begins: boolean
  oneEnds: boolean
  otherEnds: boolean
}

function findDisagreement(
  one: DayContent,
  other: DayContent,
  { begins, oneEnds, otherEnds }: Edges,
): "lines" | "balance" | null {
  const differ = (a: Cents | null, b: Cents | null) => a !== null && b !== null && a !== b
  const isSame =
    one.digest !== null && other.digest !== null
      ? one.digest === other.digest
      : one.amounts.length === other.amounts.length && isSubsequence(one.amounts, other.amounts)
  if (isSame) return differ(one.closingCents, other.closingCents) ? "balance" : null
  if (begins && (oneEnds || otherEnds) && isContinuation(one, other)) return null
  const startsDiffer = differ(openingCentsOf(one), openingCentsOf(other))
  const isCut =
    (oneEnds && isSubsequence(one.amounts, other.amounts)) || (otherEnds && isSubsequence(other.amounts, one.amounts))
  if (isCut && !startsDiffer) return null
  const isLater = begins && isSubsequence(other.amounts, one.amounts)
  if (isLater && !differ(one.closingCents, other.closingCents)) return null
  return isCut || isLater ? "balance" : "lines"
}

/** Whether a day that begins part-way continues after a line of the other statement. */
function isContinuation(one: DayContent, other: DayContent): boolean {
  const [start, from] = [openingCentsOf(one), openingCentsOf(other)]
  if (start === null || from === null) return false
  let running = start
  for (let at = 0; at <= one.amounts.length; at++) {
    const rest = one.amounts.slice(at)
    if (running === from && (isSubsequence(rest, other.amounts) || isSubsequence(other.amounts, rest))) return true
    running += one.amounts[at] ?? 0
  }
  return false
}

const openingCentsOf = ({ amounts, closingCents }: DayContent): Cents | null =>
  closingCents === null ? null : closingCents - amounts.reduce((sum, cents) => sum + cents, 0)

function isSubsequence(these: readonly Cents[], those: readonly Cents[]): boolean {
  const left = new Map<Cents, number>()
  for (const cents of those) left.set(cents, (left.get(cents) ?? 0) + 1)
  return these.every((cents) => {
    const count = left.get(cents) ?? 0
    left.set(cents, count - 1)
    return count > 0
  })
}

function appendStatement(
  covered: CoveredChain | null,
  { days, toOn, openingCents, number }: ChainedStatement,
): CoveredChain {
  const all = new Map(covered?.days)
  for (const of of days) {
    const there = all.get(of.day)
    // If both statements have the day, the one with more lines is complete.
    if (!there || of.amounts.length > there.amounts.length) all.set(of.day, { ...of, number })
  }
  if (covered && covered.coveredTo > toOn) return { ...covered, days: all }
  const last = days.at(-1)
  const closingCents = last ? last.closingCents : openingCents
  return { coveredTo: toOn, closingCents, number, days: all }
}

export function describeChainFault(fault: ChainFault, day: (on: Day) => string, currency: Currency): string {
  const days = fault.from === fault.to ? `for ${day(fault.from)}` : `from ${day(fault.from)} to ${day(fault.to)}`
  if (fault.kind === "missing") return `No statement ${days}.`
  const { earlier, later } = fault
  switch (fault.kind) {
    case "gap": {
      const before = earlier === null ? "the opening balance of the account" : `the closing balance of ${earlier}`
      const stretch = fault.from > fault.to ? "" : ` No statement ${days}.`
      return fault.cents === null
        ? `No statement ${days}, and ${later} states no balance: lines may be missing.`
        : `The opening balance of ${later} differs from ${before} by ${formatMoney(fault.cents, currency)}.${stretch}`
    }
    case "lines":
      return `${earlier} and ${later} overlap and have different lines ${days}.`
    case "balance":
      return `${earlier} and ${later} overlap and state different balances ${days}.`
  }
}

export interface StatedBalance {
  cents: Cents | null
  lastLineOn: Day
  number: string
}

/**
 * The balance of a day; null without a line on or before it. Several statements may have the last line's day. Order of
 * preference: one with later days, then more lines, then the latest import.
 */
export function statedBalanceAt(statements: readonly ChainedStatement[], day: Day): StatedBalance | null {
  let best: { of: ChainedDay; statement: ChainedStatement } | null = null
  for (const statement of sortStatements(statements)) {
    const of = statement.days.findLast((one) => one.day <= day)
    if (!of) continue
    const rank =
      best === null
        ? 1
        : compareText(of.day, best.of.day) ||
          Number(statement.toOn > of.day) - Number(best.statement.toOn > of.day) ||
          of.amounts.length - best.of.amounts.length ||
          compareText(statement.number, best.statement.number)
    if (rank > 0) best = { of, statement }
  }
  return best && { cents: best.of.closingCents, lastLineOn: best.of.day, number: best.statement.number }
}
