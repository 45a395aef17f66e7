import { addMonths, type Day, firstOfMonth, minDay } from "../kernel/calendar.ts"
import { factsKnownAt, type Instant } from "../kernel/dated-fact.ts"
import type { Cents } from "../kernel/money.ts"
import { firstDifferingDay } from "../kernel/stretches.ts"
import type { MemberFacts } from "../members/member-dated-facts.ts"
import { calculateOwedPremium, type OwedPremium } from "../premiums/owed.ts"
import type { PolicyFacts } from "../premiums/premium-facts.ts"
import { uncoveredText } from "../premiums/rated-words.ts"

export interface ProposedPolicy {
  before: PolicyFacts
  after: PolicyFacts
}

/** A group of members with equal facts before and equal facts after. */
export interface ProposedMembers {
  before: MemberFacts
  after: MemberFacts
  members: number
  /** Billed total of all these members by month; only for months of `needsBilled`. */
  billed?: ReadonlyMap<Day, Cents>
}

/** Months in which the same number of members change by the same amount. `cents` is per member and month. */
export interface EffectPart {
  months: Day[]
  members: number
  cents: Cents
}

/** Cents without VAT and before discount. */
export interface Effect {
  /** First day of the next invoice's month. */
  month: Day
  /** Change of that invoice's amount. */
  cents: Cents
  parts: EffectPart[]
  /** Whether the following month changes by the same amount as `month`. */
  isMonthly: boolean
  /** Member months without a premium. */
  unrated: number
  /** Distinct reasons, such as "no date of birth", also of later months. */
  why: string[]
  /** If the next invoice does not change: the first later month that does. */
  later: { month: Day; cents: Cents } | null
}

/** Billed amounts do not count for months that cannot be billed, or before the policy's first billing month. */
const isBilledAmountCounted = (due: OwedPremium): boolean =>
  due.cents !== null && !("nothing" in due && due.nothing === "before billed here from")

/**
 * Change in owed less billed up to `month`. Billed amounts cancel out, unless they count only before or only after the
 * change.
 */
export function effectOf(
  policy: ProposedPolicy,
  groups: readonly ProposedMembers[],
  month: Day,
  knownAt: Instant,
): Effect {
  const changed = firstChangedDay(policy, groups, knownAt)
  const parts = new Map<string, EffectPart>()
  const why = new Set<string>()
  let [cents, unrated] = [0, 0]
  for (const group of groups)
    for (const of of monthsBetween(changed, month)) {
      const [was, is] = owedBeforeAndAfter(policy, group, of, knownAt)
      if (is.cents === null) {
        unrated += group.members
        if (is.uncovered) why.add(uncoveredText(is.uncovered))
      }
      const all = (dueMinusBilled(is, group, of) - dueMinusBilled(was, group, of)) as Cents
      if (all === 0) continue
      cents += all
      // Members of a group may have been billed different amounts, so their total is one part.
      const even = isBilledAmountCounted(was) === isBilledAmountCounted(is) || !group.billed?.get(of)
      addToPart(parts, of, even ? group.members : 1, even ? all / group.members : all)
    }
  const later = cents === 0 ? laterEffect() : null
  const isMonthly = differenceForMonth(month) === differenceForMonth(addMonths(month, 1))
  return { month, cents, parts: mergeParts([...parts.values()]), isMonthly, unrated, why: [...why], later }

  function differenceForMonth(of: Day): Cents {
    return groups.reduce((total, group) => {
      const [was, is] = owedBeforeAndAfter(policy, group, of, knownAt)
      return total + ((is.cents ?? 0) - (was.cents ?? 0)) * group.members
    }, 0)
  }

  function laterEffect(): Effect["later"] {
    if (changed === null) return null
    const next = addMonths(month, 1)
    for (const first of [firstOfMonth(changed), addMonths(firstOfMonth(changed), 1)]) {
      const of = first < next ? next : first
      const sum = groups.reduce((total, group) => {
        const [was, is] = owedBeforeAndAfter(policy, group, of, knownAt)
        if (is.cents === null && is.uncovered) why.add(uncoveredText(is.uncovered))
        return total + ((is.cents ?? 0) - (was.cents ?? 0)) * group.members
      }, 0)
      if (sum !== 0) return { month: of, cents: sum }
    }
    return null
  }
}

/** The months up to `month` for which `effectOf` needs billed amounts. */
export function needsBilled(
  policy: ProposedPolicy,
  groups: readonly ProposedMembers[],
  month: Day,
  knownAt: Instant,
): Day[] {
  const months = new Set<Day>()
  const changed = firstChangedDay(policy, groups, knownAt)
  for (const group of groups)
    for (const of of monthsBetween(changed, month)) {
      const [was, is] = owedBeforeAndAfter(policy, group, of, knownAt)
      if (isBilledAmountCounted(was) !== isBilledAmountCounted(is)) months.add(of)
    }
  return [...months].sort()
}

const owedBeforeAndAfter = (policy: ProposedPolicy, { before, after }: ProposedMembers, month: Day, knownAt: Instant) =>
  [
    calculateOwedPremium(policy.before, before, month, knownAt),
    calculateOwedPremium(policy.after, after, month, knownAt),
  ] as const

function dueMinusBilled(due: OwedPremium, { members, billed }: ProposedMembers, month: Day): Cents {
  return isBilledAmountCounted(due) ? (due.cents ?? 0) * members - (billed?.get(month) ?? 0) : 0
}

const noItems: readonly never[] = []

const changedDependentIds = (was: MemberFacts, is: MemberFacts): string[] =>
  was.dependents === is.dependents
    ? []
    : [
        ...new Set(
          [...(was.dependents ?? noItems), ...(is.dependents ?? noItems)].map(({ dependentId }) => dependentId),
        ),
      ]

/** First day on which the facts before and after the change differ. */
function firstChangedDay(policy: ProposedPolicy, groups: readonly ProposedMembers[], knownAt: Instant): Day | null {
  const apart = <F extends { from: Day; until: Day | null; recordedAt: Instant; supersededAt: Instant | null }>(
    before: readonly F[],
    after: readonly F[],
    say: (of: F) => string,
  ) => (before === after ? null : firstDifferingDay(factsKnownAt(before, knownAt), factsKnownAt(after, knownAt), say))
  const { before, after } = policy
  const [wasFrom, isFrom] = [before, after].map(({ billedFrom }) => factsKnownAt(billedFrom, knownAt)[0]?.month ?? null)
  const starts = before.periods.map(({ from }) => from).sort()[0] ?? null
  const days = [
    apart(before.periods, after.periods, ({ kind }) => kind),
    apart(before.premiums, after.premiums, ({ premiumCents, rates }) => `${premiumCents} ${rates?.id}`),
    apart(before.endRules, after.endRules, ({ rule }) => rule),
    ...(wasFrom === isFrom ? [] : [wasFrom ?? starts, isFrom ?? starts]),
    ...groups.flatMap(({ before: was, after: is }) => [
      apart(was.covers, is.covers, ({ kind, tierId }) => `${kind} ${tierId}`),
      apart(was.salaries ?? noItems, is.salaries ?? noItems, ({ monthlyCents }) => `${monthlyCents}`),
      ...changedDependentIds(was, is).map((id) =>
        apart(
          (was.dependents ?? noItems).filter(({ dependentId }) => dependentId === id),
          (is.dependents ?? noItems).filter(({ dependentId }) => dependentId === id),
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

function addToPart(parts: Map<string, EffectPart>, month: Day, members: number, cents: Cents): void {
  const key = `${month} ${cents}`
  const there = parts.get(key)
  if (there) there.members += members
  else parts.set(key, { months: [month], members, cents })
}

function mergeParts(parts: EffectPart[]): EffectPart[] {
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
