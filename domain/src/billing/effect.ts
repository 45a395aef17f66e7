import { addMonths, type Day, firstOfMonth, minDay } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { firstDayApart } from "../kernel/stretches.ts"
import { type Owed, owed } from "../premiums/owed.ts"
import { type Instant, knownBy, type MemberFacts, type PolicyFacts } from "../premiums/premium-facts.ts"
import { uncoveredWords } from "../premiums/rated-words.ts"

/** What somebody proposes: the facts of a policy as they stand, and as they would. */
export interface ProposedPolicy {
  before: PolicyFacts
  after: PolicyFacts
}

/** Members whom a proposal leaves alike: their facts as they stand, and as they would. */
export interface ProposedMembers {
  before: MemberFacts
  after: MemberFacts
  /** How many they are. */
  members: number
  /** What they were billed together, by month; asked for only where `needsBilled` says so. */
  billed?: ReadonlyMap<Day, Cents>
}

/** Months of as many members that change by the same amount, which is that of one month of one member. */
export interface EffectPart {
  months: Day[]
  members: number
  cents: Cents
}

/** What a proposal does to what is to be billed. Cents without VAT and before discount. */
export interface Effect {
  /** The month that the next invoice bills, by its first day; with it go the differences of all months before. */
  month: Day
  /** What that invoice becomes more, or less. */
  cents: Cents
  parts: EffectPart[]
  /** Whether the month after it changes by as much as the month that the next invoice bills. */
  isMonthly: boolean
  /** Months of members that the next invoice would bill and that no premium would cover. */
  unrated: number
  /** Why a rate table has no rate for them, then or in the months after, each reason once: "no date of birth". */
  why: string[]
  /** Where the next invoice stays as it is: the first month after it that does not, and by how much. */
  later: { month: Day; cents: Cents } | null
}

/** Whether what was billed for a month counts: not where it cannot be billed, nor before the policy is billed here. */
const counts = (due: Owed): boolean =>
  due.cents !== null && !("nothing" in due && due.nothing === "before billed here from")

/**
 * What a proposal does to the next invoice, which bills `month`: what is owed less what was billed, after and before.
 * What was billed is the same in both and cancels out, but in months that only one of them counts.
 */
export function effectOf(
  policy: ProposedPolicy,
  groups: readonly ProposedMembers[],
  month: Day,
  knownAt: Instant,
): Effect {
  const changed = changesFrom(policy, groups, knownAt)
  const parts = new Map<string, EffectPart>()
  const why = new Set<string>()
  let [cents, unrated] = [0, 0]
  for (const group of groups)
    for (const of of monthsBetween(changed, month)) {
      const [was, is] = bothOwed(policy, group, of, knownAt)
      if (is.cents === null) {
        unrated += group.members
        if (is.uncovered) why.add(uncoveredWords(is.uncovered))
      }
      const all = (dueLess(is, group, of) - dueLess(was, group, of)) as Cents
      if (all === 0) continue
      cents += all
      // Of members who were billed differently, the amount is told for all of them at once.
      const even = counts(was) === counts(is) || !group.billed?.get(of)
      add(parts, of, even ? group.members : 1, even ? all / group.members : all)
    }
  const later = cents === 0 ? laterOf() : null
  const isMonthly = sumOf(month) === sumOf(addMonths(month, 1))
  return { month, cents, parts: joined([...parts.values()]), isMonthly, unrated, why: [...why], later }

  function sumOf(of: Day): Cents {
    return groups.reduce((total, group) => {
      const [was, is] = bothOwed(policy, group, of, knownAt)
      return total + ((is.cents ?? 0) - (was.cents ?? 0)) * group.members
    }, 0)
  }

  function laterOf(): Effect["later"] {
    if (changed === null) return null
    const next = addMonths(month, 1)
    for (const first of [firstOfMonth(changed), addMonths(firstOfMonth(changed), 1)]) {
      const of = first < next ? next : first
      const sum = groups.reduce((total, group) => {
        const [was, is] = bothOwed(policy, group, of, knownAt)
        if (is.cents === null && is.uncovered) why.add(uncoveredWords(is.uncovered))
        return total + ((is.cents ?? 0) - (was.cents ?? 0)) * group.members
      }, 0)
      if (sum !== 0) return { month: of, cents: sum }
    }
    return null
  }
}

/** Months up to `month` of which only one side counts what was billed; of those it must be known. */
export function needsBilled(
  policy: ProposedPolicy,
  groups: readonly ProposedMembers[],
  month: Day,
  knownAt: Instant,
): Day[] {
  const months = new Set<Day>()
  const changed = changesFrom(policy, groups, knownAt)
  for (const group of groups)
    for (const of of monthsBetween(changed, month)) {
      const [was, is] = bothOwed(policy, group, of, knownAt)
      if (counts(was) !== counts(is)) months.add(of)
    }
  return [...months].sort()
}

const bothOwed = (policy: ProposedPolicy, { before, after }: ProposedMembers, month: Day, knownAt: Instant) =>
  [owed(policy.before, before, month, knownAt), owed(policy.after, after, month, knownAt)] as const

function dueLess(due: Owed, { members, billed }: ProposedMembers, month: Day): Cents {
  return counts(due) ? (due.cents ?? 0) * members - (billed?.get(month) ?? 0) : 0
}

const none: readonly never[] = []

/** Of whose days something else may be said; of nobody where the dependents are left as they are. */
const dependentsOf = (was: MemberFacts, is: MemberFacts): string[] =>
  was.dependents === is.dependents
    ? []
    : [...new Set([...(was.dependents ?? none), ...(is.dependents ?? none)].map(({ dependentId }) => dependentId))]

/** The first day on which the proposal says anything else than what stands; null where it changes nothing. */
function changesFrom(policy: ProposedPolicy, groups: readonly ProposedMembers[], knownAt: Instant): Day | null {
  const apart = <F extends { from: Day; until: Day | null; recordedAt: Instant; supersededAt: Instant | null }>(
    before: readonly F[],
    after: readonly F[],
    say: (of: F) => string,
  ) => (before === after ? null : firstDayApart(knownBy(before, knownAt), knownBy(after, knownAt), say))
  const { before, after } = policy
  const [wasFrom, isFrom] = [before, after].map(({ billedFrom }) => knownBy(billedFrom, knownAt)[0]?.month ?? null)
  const starts = before.periods.map(({ from }) => from).sort()[0] ?? null
  const days = [
    apart(before.periods, after.periods, ({ kind }) => kind),
    apart(before.premiums, after.premiums, ({ premiumCents, rates }) => `${premiumCents} ${rates?.id}`),
    apart(before.endRules, after.endRules, ({ rule }) => rule),
    ...(wasFrom === isFrom ? [] : [wasFrom ?? starts, isFrom ?? starts]),
    ...groups.flatMap(({ before: was, after: is }) => [
      apart(was.covers, is.covers, ({ kind, tierId }) => `${kind} ${tierId}`),
      apart(was.salaries ?? none, is.salaries ?? none, ({ monthlyCents }) => `${monthlyCents}`),
      ...dependentsOf(was, is).map((id) =>
        apart(
          (was.dependents ?? none).filter(({ dependentId }) => dependentId === id),
          (is.dependents ?? none).filter(({ dependentId }) => dependentId === id),
          ({ relationship, bornOn }) => `${relationship} ${bornOn}`,
        ),
      ),
    ]),
  ].filter((day) => day !== null && day !== undefined)
  return days.length === 0 ? null : minDay(days[0]!, ...days.slice(1))
}

function monthsBetween(from: Day | null, until: Day): Day[] {
  if (from === null) return []
  const months: Day[] = []
  for (let month = firstOfMonth(from); month <= until; month = addMonths(month, 1)) months.push(month)
  return months
}

function add(parts: Map<string, EffectPart>, month: Day, members: number, cents: Cents): void {
  const key = `${month} ${cents}`
  const there = parts.get(key)
  if (there) there.members += members
  else parts.set(key, { months: [month], members, cents })
}

/** Months of as many members and the same amount stand together. */
function joined(parts: EffectPart[]): EffectPart[] {
  const inOrder = parts.sort((a, b) =>
    a.months[0]! < b.months[0]! ? -1 : a.months[0]! > b.months[0]! ? 1 : b.cents - a.cents,
  )
  const runs: EffectPart[] = []
  for (const part of inOrder) {
    const run = runs.find(({ members, cents }) => members === part.members && cents === part.cents)
    if (run) run.months.push(...part.months)
    else runs.push({ ...part })
  }
  return runs
}
