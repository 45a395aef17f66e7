import { type Day, type DayFormat, formatDay, isoMonthOf, todayInTimezone, yearOf } from "../kernel/calendar.ts"
import { type Currency, formatMoney } from "../kernel/money.ts"
import type { Cause } from "./difference.ts"

export interface TextFormats {
  dateFormat: DayFormat
  currency: Currency
  timezone: string
}

/**
 * "Thandi Mokoena joined on 2026-08-01, recorded 2026-09-20: August and September, 2 × R 350,00". See
 * docs/premium-run.md.
 */
export function causeSentence(cause: Cause, name: string, { dateFormat, timezone, currency }: TextFormats): string {
  const day = (on: Day) => formatDay(on, dateFormat)
  const recordedOn = cause.recordedAt ? todayInTimezone(Temporal.Instant.from(cause.recordedAt), timezone) : null
  const recorded = recordedOn ? `, recorded ${day(recordedOn)}` : ""
  return `${describeChange(cause, name, day, currency)}${recorded}: ${describeAmounts(cause.months, recordedOn, currency)}`
}

function describeChange(
  { kind, on, premium, person, tier, document }: Cause,
  name: string,
  day: (on: Day) => string,
  currency: Currency,
): string {
  const at = on === null ? "" : ` on ${day(on)}`
  const after = on === null ? "" : ` after ${day(on)}`
  const dependent = person === "other" || !person ? "a dependent" : `a ${person}`
  switch (kind) {
    case "month":
      return name
    case "left out":
      return document
        ? `${name} was left out of invoice ${document.number}${describeDocument(document)}`
        : `${name} was left out`
    case "billed otherwise":
      if (!document) return `${name} was billed incorrectly`
      return document.kind === "creditNote"
        ? `${name} was credited incorrectly by credit note ${document.number}${describeDocument(document)}`
        : `${name} was billed incorrectly on invoice ${document.number}${describeDocument(document)}`
    case "joined":
      return `${name} joined${at}`
    case "goes on":
      return `${name} stays covered${after}`
    case "left":
      return `${name} left${at}`
    case "starts later":
      return on === null ? `${name} is not covered` : `${name} is covered only from ${day(on)}`
    case "suspended":
      return `${name} was suspended${at}`
    case "reinstated":
      return `${name} was reinstated${at}`
    case "policy started":
      return `${name}: the policy came into force${at}`
    case "policy goes on":
      return `${name}: the policy continues${after}`
    case "policy ended":
      return `${name}: the policy ended${at}`
    case "policy suspended":
      return `${name}: the policy was suspended${at}`
    case "policy reinstated":
      return `${name}: the policy was reinstated${at}`
    case "premium":
      return `${name}: the premium changed from ${formatMoney(premium?.beforeCents ?? 0, currency)} to ${formatMoney(premium?.cents ?? 0, currency)}${at}`
    case "rates":
      return `${name}: the rates changed${at}`
    case "tier":
      return tier?.name && tier.beforeName
        ? `${name} moved from ${tier.beforeName} to ${tier.name}${at}`
        : `${name} moved to another benefit tier${at}`
    case "dependent joined":
      return `${name}: ${dependent} is covered${on === null ? "" : ` from ${day(on)}`}`
    case "dependent left":
      return `${name}: ${dependent} is no longer covered${after}`
    case "dependent changed":
      return `${name}: the details of ${dependent} were corrected`
    case "date of birth":
      return `${name}: the date of birth was corrected`
    case "salary":
      return `${name} was re-rated${at}`
    case "end rule":
      return `${name}: the premium rule for a member's last month changed${at}`
    case "billed from":
      return on === null
        ? `${name}: the policy is now billed from its start`
        : `${name}: the policy is now billed from ${day(on)}`
  }
}

/** " (run RUN-2026-000003, created by Nomsa Radebe)" */
function describeDocument({ run, by }: NonNullable<Cause["document"]>): string {
  const parts = [...(run ? [`run ${run}`] : []), ...(by ? [`created by ${by}`] : [])]
  return parts.length > 0 ? ` (${parts.join(", ")})` : ""
}

/** "August, R 400,00; September and October, 2 × R 350,00" */
function describeAmounts(months: Cause["months"], recordedOn: Day | null, currency: Currency): string {
  const inOrder = [...months].sort((a, b) => (a.month < b.month ? -1 : 1))
  const runs: { cents: number; months: Day[] }[] = []
  for (const { month, cents } of inOrder) {
    const last = runs.at(-1)
    if (last?.cents === cents) last.months.push(month)
    else runs.push({ cents, months: [month] })
  }
  const withYear = inOrder.some(({ month }) => recordedOn === null || yearOf(month) !== yearOf(recordedOn))
  return runs
    .map(({ cents, months: of }) => {
      const times = of.length > 1 ? `${of.length} × ` : ""
      return `${monthNames(of, withYear)}, ${times}${formatMoney(cents, currency)}`
    })
    .join("; ")
}

const names = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
]

/** "November and December 2025 and January 2026" */
export function monthNames(months: readonly Day[], withYear: boolean): string {
  const words = months.map((month, index) => {
    const next = months[index + 1]
    const name = names[Number(isoMonthOf(month).slice(5)) - 1]!
    return withYear && (next === undefined || yearOf(next) !== yearOf(month)) ? `${name} ${yearOf(month)}` : name
  })
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}
