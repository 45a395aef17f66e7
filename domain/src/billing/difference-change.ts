import { addDays, type Day, lastOfMonth } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Relationship } from "../members/member.ts"
import {
  type CoverFact,
  type DependentFact,
  type EndRuleFact,
  type Fact,
  factOn,
  holdsOn,
  type PeriodFact,
  type PremiumFact,
  type SalaryFact,
} from "../premiums/premium-facts.ts"

/** What was known at a moment of what decides about a month. */
export interface Stated {
  covers: readonly CoverFact[]
  periods: readonly PeriodFact[]
  /** The month from which the policy is billed here. */
  billedFrom: Day | null
  premium: PremiumFact | undefined
  endRule: EndRuleFact | undefined
  /** The member's date of birth. */
  bornOn: Day | null
  dependents: readonly DependentFact[]
  salary: SalaryFact | undefined
}

/** What somebody recorded that changed what a month owes. */
export interface Change {
  kind:
    | "joined"
    /** An end was taken back, or moved: cover goes on after the day. */
    | "goes on"
    | "left"
    /** Cover starts later than it did, or not at all. */
    | "starts later"
    | "suspended"
    | "reinstated"
    | "policy started"
    | "policy goes on"
    | "policy ended"
    | "policy suspended"
    | "policy reinstated"
    | "premium"
    /** A rate table, in place of another or of a premium. */
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

/** A member's tier since and before a change, by id; the names are those that sentences use. */
export interface TierChange {
  id: string
  beforeId: string
  name?: string
  beforeName?: string
}

const nothing: Stated = {
  ...{ covers: [], periods: [], billedFrom: null, premium: undefined, endRule: undefined },
  ...{ bornOn: null, dependents: [], salary: undefined },
}

/**
 * What changed about a month from one knowledge to the next, which follows it. Of several things that one act changed, as
 * the end of a policy ends its members, the first that accounts for the rest: the policy, the member, the premium, the rule, what a rate table reads.
 */
export function changeBetween(before: Stated | null, after: Stated, month: Day): Change {
  const was = before ?? nothing
  const plain = (kind: Change["kind"], on: Day | null): Change => ({ kind, on, premium: null })
  const early = ({ billedFrom }: Stated) => billedFrom !== null && month < billedFrom
  if (early(was) !== early(after)) return plain("billed from", after.billedFrom)

  const ofPolicy = turnOf(was.periods, after.periods, month, "active")
  if (ofPolicy) return plain(policyKinds[ofPolicy.turn], ofPolicy.on)
  const ofMember = turnOf(was.covers, after.covers, month, "covered")
  if (ofMember) return plain(memberKinds[ofMember.turn], ofMember.on)
  if (was.premium?.rates?.id !== after.premium?.rates?.id) return plain("rates", after.premium?.from ?? null)
  if (was.premium?.premiumCents !== after.premium?.premiumCents) {
    const [cents, beforeCents] = [after.premium?.premiumCents ?? 0, was.premium?.premiumCents ?? 0]
    return { kind: "premium", on: after.premium?.from ?? null, premium: { cents, beforeCents } }
  }
  if (was.endRule?.rule !== after.endRule?.rule) return plain("end rule", after.endRule?.from ?? null)
  const household = after.premium?.rates ? householdChange(was, after, month) : null
  if (household) return household
  // The 1st is covered as before: something changed on a later day of the month.
  const policyTurn = turnWithin(was.periods, after.periods, month, "active")
  if (policyTurn) return plain(policyKinds[policyTurn.turn], policyTurn.on)
  const turn = turnWithin(was.covers, after.covers, month, "covered")
  return turn
    ? plain(memberKinds[turn.turn], turn.on)
    : plain("left", lastDayBefore(after.covers, addDays(lastOfMonth(month), 1)))
}

/** What changed of what a rate table reads: the tier, the dependents, the date of birth, the salary. */
function householdChange(was: Stated, after: Stated, month: Day): Change | null {
  const change = (kind: Change["kind"], on: Day | null, person?: Relationship): Change => ({
    ...{ kind, on, premium: null },
    ...(person && { person }),
  })
  const alike = (one: CoverFact, other: CoverFact) => one.tierId === other.tierId
  const [beforeId, id] = [factOn(was.covers, month)?.tierId, factOn(after.covers, month)?.tierId]
  if (beforeId && id && beforeId !== id)
    return { ...change("tier", runFrom(after.covers, month, alike)), tier: { id, beforeId } }
  const on = ({ dependents }: Stated) => dependents.filter((one) => holdsOn(one, month))
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

type Turn = "began" | "returned" | "goes on" | "ended" | "later" | "suspended" | "reinstated"

const memberKinds: Record<Turn, Change["kind"]> = {
  began: "joined",
  returned: "reinstated",
  "goes on": "goes on",
  ended: "left",
  later: "starts later",
  suspended: "suspended",
  reinstated: "reinstated",
}

const policyKinds: Record<Turn, Change["kind"]> = {
  began: "policy started",
  returned: "policy reinstated",
  "goes on": "policy goes on",
  ended: "policy ended",
  later: "policy ended",
  suspended: "policy suspended",
  reinstated: "policy reinstated",
}

/** What changed about a month's 1st, and on which day that happened; null where it stands as it did. */
function turnOf<F extends Fact & { kind: string }>(
  before: readonly F[],
  after: readonly F[],
  month: Day,
  good: F["kind"],
): { turn: Turn; on: Day | null } | null {
  const [was, is] = [factOn(before, month), factOn(after, month)]
  if (was?.kind === is?.kind) return null
  const alike = (one: F, other: F) => one.kind === other.kind
  if (is && was) {
    return { turn: is.kind === good ? "reinstated" : "suspended", on: runFrom(after, month, alike) }
  }
  if (is) {
    const [from, ended] = [runFrom(after, month), lastDayBefore(before, month)]
    if (ended === null) return { turn: "began", on: from }
    return from !== null && from <= ended ? { turn: "goes on", on: ended } : { turn: "returned", on: from }
  }
  const ended = lastDayBefore(after, month)
  if (ended !== null) return { turn: "ended", on: ended }
  const starts = after.map(({ from }) => from).sort()
  return { turn: "later", on: starts[0] ?? null }
}

/** The change of the first day of a month that is covered otherwise than it was; null where there is none. */
function turnWithin<F extends Fact & { kind: string }>(
  before: readonly F[],
  after: readonly F[],
  month: Day,
  good: F["kind"],
): ReturnType<typeof turnOf> {
  for (let day = month; day <= lastOfMonth(month); day = addDays(day, 1)) {
    const turn = turnOf(before, after, day, good)
    if (turn) return turn
  }
  return null
}

/** The last day of the stretches that ended before a day; null where none did. */
function lastDayBefore(facts: readonly Fact[], day: Day): Day | null {
  const ends = facts.flatMap(({ until }) => (until !== null && until < day ? [until] : []))
  return ends.sort().at(-1) ?? null
}

/** The first day of the run of stretches without a gap that holds a day, of those that are alike. */
function runFrom<F extends Fact>(
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
