import { addDays, type Day, lastOfMonth } from "../kernel/calendar.ts"
import { type DatedFact, factOn, isInForceOn } from "../kernel/dated-fact.ts"
import type { Cents } from "../kernel/money.ts"
import type { Relationship } from "../members/member.ts"
import type { CoverFact, DependentFact, SalaryFact } from "../members/member-dated-facts.ts"
import type { EndRuleFact, PeriodFact, PremiumFact } from "../premiums/premium-facts.ts"

/** The facts known at an instant that decide a month's premium. */
export interface KnownFacts {
  covers: readonly CoverFact[]
  periods: readonly PeriodFact[]
  billedFrom: Day | null
  premium: PremiumFact | undefined
  endRule: EndRuleFact | undefined
  bornOn: Day | null
  dependents: readonly DependentFact[]
  salary: SalaryFact | undefined
}

export interface PremiumChange {
  kind:
    | "joined"
    /** A planned end was withdrawn or moved; cover continues after `on`. */
    | "goes on"
    | "left"
    /** Cover starts later, or never. */
    | "starts later"
    | "suspended"
    | "reinstated"
    | "policy started"
    | "policy goes on"
    | "policy ended"
    | "policy suspended"
    | "policy reinstated"
    | "premium"
    /** A new rate table. */
    | "rates"
    | "tier"
    | "dependent joined"
    | "dependent left"
    | "dependent changed"
    | "date of birth"
    | "salary"
    | "end rule"
    | "billed from"
  on: Day | null
  premium: { cents: Cents; beforeCents: Cents } | null
  person?: Relationship
  tier?: TierChange
}

export interface TierChange {
  id: string
  beforeId: string
  name?: string
  beforeName?: string
}

const emptyFacts: KnownFacts = {
  ...{ covers: [], periods: [], billedFrom: null, premium: undefined, endRule: undefined },
  ...{ bornOn: null, dependents: [], salary: undefined },
}

/**
 * The first difference between two successive states, checked in the order policy, member, premium, end rule,
 * household. One action can change several: ending a policy also ends its members.
 */
export function findChangeBetween(before: KnownFacts | null, after: KnownFacts, month: Day): PremiumChange {
  const was = before ?? emptyFacts
  const plain = (kind: PremiumChange["kind"], on: Day | null): PremiumChange => ({ kind, on, premium: null })
  const early = ({ billedFrom }: KnownFacts) => billedFrom !== null && month < billedFrom
  if (early(was) !== early(after)) return plain("billed from", after.billedFrom)

  const ofPolicy = findChangeOnDay(was.periods, after.periods, month, "active")
  if (ofPolicy) return plain(changeKindByPolicyTurn[ofPolicy.turn], ofPolicy.on)
  const ofMember = findChangeOnDay(was.covers, after.covers, month, "covered")
  if (ofMember) return plain(changeKindByMemberTurn[ofMember.turn], ofMember.on)
  if (was.premium?.rates?.id !== after.premium?.rates?.id) return plain("rates", after.premium?.from ?? null)
  if (was.premium?.premiumCents !== after.premium?.premiumCents) {
    const [cents, beforeCents] = [after.premium?.premiumCents ?? 0, was.premium?.premiumCents ?? 0]
    return { kind: "premium", on: after.premium?.from ?? null, premium: { cents, beforeCents } }
  }
  if (was.endRule?.rule !== after.endRule?.rule) return plain("end rule", after.endRule?.from ?? null)
  const household = after.premium?.rates ? findHouseholdChange(was, after, month) : null
  if (household) return household
  // Cover on the 1st is unchanged, so the change is on a later day of the month.
  const policyTurn = findFirstChangeInMonth(was.periods, after.periods, month, "active")
  if (policyTurn) return plain(changeKindByPolicyTurn[policyTurn.turn], policyTurn.on)
  const turn = findFirstChangeInMonth(was.covers, after.covers, month, "covered")
  return turn
    ? plain(changeKindByMemberTurn[turn.turn], turn.on)
    : plain("left", lastDayBefore(after.covers, addDays(lastOfMonth(month), 1)))
}

function findHouseholdChange(was: KnownFacts, after: KnownFacts, month: Day): PremiumChange | null {
  const change = (kind: PremiumChange["kind"], on: Day | null, person?: Relationship): PremiumChange => ({
    ...{ kind, on, premium: null },
    ...(person && { person }),
  })
  const alike = (one: CoverFact, other: CoverFact) => one.tierId === other.tierId
  const [beforeId, id] = [factOn(was.covers, month)?.tierId, factOn(after.covers, month)?.tierId]
  if (beforeId && id && beforeId !== id)
    return { ...change("tier", findRunFrom(after.covers, month, alike)), tier: { id, beforeId } }
  const on = ({ dependents }: KnownFacts) => dependents.filter((one) => isInForceOn(one, month))
  const [before, now] = [on(was), on(after)]
  const same = (one: DependentFact, list: readonly DependentFact[]) =>
    list.find(({ dependentId }) => dependentId === one.dependentId)
  for (const one of now) {
    const there = same(one, before)
    if (!there) return change("dependent joined", one.from, one.relationship)
    if (there.relationship !== one.relationship || there.bornOn !== one.bornOn)
      return change("dependent changed", null, one.relationship)
  }
  const gone = before.find((one) => !same(one, now))
  if (gone) {
    const left = after.dependents.filter(({ dependentId }) => dependentId === gone.dependentId)
    return change("dependent left", lastDayBefore(left, month), gone.relationship)
  }
  if (was.bornOn !== after.bornOn) return change("date of birth", null)
  if (was.salary?.monthlyCents !== after.salary?.monthlyCents) return change("salary", after.salary?.from ?? null)
  return null
}

type CoverTurn = "began" | "returned" | "goes on" | "ended" | "later" | "suspended" | "reinstated"

const changeKindByMemberTurn: Record<CoverTurn, PremiumChange["kind"]> = {
  began: "joined",
  returned: "reinstated",
  "goes on": "goes on",
  ended: "left",
  later: "starts later",
  suspended: "suspended",
  reinstated: "reinstated",
}

const changeKindByPolicyTurn: Record<CoverTurn, PremiumChange["kind"]> = {
  began: "policy started",
  returned: "policy reinstated",
  "goes on": "policy goes on",
  ended: "policy ended",
  later: "policy ended",
  suspended: "policy suspended",
  reinstated: "policy reinstated",
}

/** How the state on the month's 1st changed, and since which day; null if it did not. */
function findChangeOnDay<F extends DatedFact & { kind: string }>(
  before: readonly F[],
  after: readonly F[],
  month: Day,
  good: F["kind"],
): { turn: CoverTurn; on: Day | null } | null {
  const [was, is] = [factOn(before, month), factOn(after, month)]
  if (was?.kind === is?.kind) return null
  const alike = (one: F, other: F) => one.kind === other.kind
  if (is && was) {
    return { turn: is.kind === good ? "reinstated" : "suspended", on: findRunFrom(after, month, alike) }
  }
  if (is) {
    const [from, ended] = [findRunFrom(after, month), lastDayBefore(before, month)]
    if (ended === null) return { turn: "began", on: from }
    return from !== null && from <= ended ? { turn: "goes on", on: ended } : { turn: "returned", on: from }
  }
  const ended = lastDayBefore(after, month)
  if (ended !== null) return { turn: "ended", on: ended }
  const starts = after.map(({ from }) => from).sort()
  return { turn: "later", on: starts[0] ?? null }
}

/** How the state changed on the first day in the month that differs. */
function findFirstChangeInMonth<F extends DatedFact & { kind: string }>(
  before: readonly F[],
  after: readonly F[],
  month: Day,
  good: F["kind"],
): ReturnType<typeof findChangeOnDay> {
  for (let day = month; day <= lastOfMonth(month); day = addDays(day, 1)) {
    const turn = findChangeOnDay(before, after, day, good)
    if (turn) return turn
  }
  return null
}

function lastDayBefore(facts: readonly DatedFact[], day: Day): Day | null {
  const ends = facts.flatMap(({ until }) => (until !== null && until < day ? [until] : []))
  return ends.sort().at(-1) ?? null
}

/** First day of the unbroken run of `alike` periods up to the one that contains `day`. */
function findRunFrom<F extends DatedFact>(
  facts: readonly F[],
  day: Day,
  alike: (one: F, other: F) => boolean = () => true,
): Day | null {
  const there = factOn(facts, day)
  if (!there) return null
  let { from } = there
  for (;;) {
    const before = facts.find(({ until }) => until !== null && addDays(until, 1) === from)
    if (!before || !alike(before, there)) return from
    from = before.from
  }
}
