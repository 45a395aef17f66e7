import { type Day, type DayFormat, formatDay, formatMonths } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

export interface EmployerStanding {
  closedOn: Day | null
  policies: { active: number; suspended: number; draft: number; ended: number }
  members: { active: number }
  owedCents: Cents
  overdueCents: Cents
  creditCents: Cents | null
  staffLists: readonly { outstanding: { month: Day; state: "expected" | "late" } | null }[]
}

const countOf = (count: number, noun: string, nouns: string): string => `${count} ${count === 1 ? noun : nouns}`

/** How things stand with an employer, such as "3 policies, 412 members, R 1 200,00 overdue". */
export function employerSentence(standing: EmployerStanding, format: DayFormat, currency: Currency): string {
  const { closedOn, policies, members, owedCents, overdueCents, creditCents, staffLists } = standing
  const money = (cents: Cents) => formatMoney(cents, currency)
  const current = policies.active + policies.suspended
  const parts: string[] = []
  if (closedOn) parts.push(`closed on ${formatDay(closedOn, format)}`)
  else if (current > 0) {
    parts.push(countOf(current, "policy", "policies"))
    if (policies.suspended > 0) parts.push(`${policies.suspended} of them suspended`)
    parts.push(countOf(members.active, "active member", "active members"))
  } else if (policies.draft > 0) parts.push(countOf(policies.draft, "draft policy", "draft policies"))
  else parts.push(policies.ended > 0 ? "no current policy" : "no policy yet")
  if (overdueCents > 0) parts.push(`${money(overdueCents)} overdue`)
  else if (owedCents > 0) parts.push(`${money(owedCents)} owed, none of it overdue`)
  else if (policies.ended + current > 0) parts.push("paid up")
  if (creditCents) parts.push(`${money(creditCents)} in credit`)
  const missing = staffLists.flatMap(({ outstanding }) => (outstanding?.state === "late" ? [outstanding.month] : []))
  if (missing.length > 0) parts.push(`list of ${formatMonths([...new Set(missing)].sort())} missing`)
  const sentence = parts.join(", ")
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}
