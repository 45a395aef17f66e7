// Random histories of premium facts, including superseded ones.
import { addDays, addMonths, type Day } from "../src/kernel/calendar.ts"
import { compareInstants, type DatedFact, type Instant } from "../src/kernel/dated-fact.ts"
import type { BirthFact, CoverFact, DependentFact, MemberFacts, SalaryFact } from "../src/members/member-dated-facts.ts"
import type { RateRow, RateTable } from "../src/policies/rates.ts"
import type {
  BilledFromFact,
  EndRuleFact,
  PeriodFact,
  PolicyFacts,
  PremiumFact,
  VatFact,
} from "../src/premiums/premium-facts.ts"
import { fc } from "./property.ts"

type Values<F> = Omit<F, keyof DatedFact>

/** Supersedes facts on those days and keeps the parts around them. */
export function writeFact<F extends DatedFact>(
  facts: F[],
  at: Instant,
  from: Day,
  until: Day | null,
  values: Values<F> | null,
  of: (fact: F) => boolean = () => true,
): void {
  for (const fact of facts.filter((fact) => fact.supersededAt === null && of(fact))) {
    const apart = (fact.until !== null && fact.until < from) || (until !== null && until < fact.from)
    if (apart) continue
    fact.supersededAt = at
    if (fact.from < from) facts.push({ ...fact, until: addDays(from, -1), recordedAt: at, supersededAt: null })
    if (until !== null && (fact.until === null || fact.until > until))
      facts.push({ ...fact, from: addDays(until, 1), recordedAt: at, supersededAt: null })
  }
  if (values) facts.push({ ...values, from, until, recordedAt: at, supersededAt: null } as F)
}

export interface History {
  policy: {
    periods: PeriodFact[]
    premiums: PremiumFact[]
    endRules: EndRuleFact[]
    billedFrom: BilledFromFact[]
    vat: VatFact[]
  } & PolicyFacts
  members: ({
    covers: CoverFact[]
    births: BirthFact[]
    dependents: DependentFact[]
    salaries: SalaryFact[]
  } & MemberFacts)[]
  instants: Instant[]
}

export const historyStart: Day = "2024-01-01"
/** Before the histories, so its anniversary is not 1 January. */
export const policyStart: Day = "2023-03-15"
export const historyMonths: Day[] = Array.from({ length: 28 }, (_, index) => addMonths(historyStart, index))
export const instantAtStep = (step: number): Instant =>
  `${addDays(historyStart, step * 9)}T08:00:00${step % 3 === 0 ? "" : `.${step % 3}`}Z`

const day = fc.integer({ min: 0, max: 27 * 31 }).map((days) => addDays(historyStart, days))
const month = fc.constantFrom(...historyMonths)
/** Often the 1st of a month or the day before, where rules change. */
const boundaryDay = fc.oneof(
  day,
  month,
  month.map((first) => addDays(first, -1)).filter((on) => on >= historyStart),
)
const rangeArbitrary = fc
  .tuple(boundaryDay, fc.option(fc.integer({ min: 0, max: 200 }), { nil: null }))
  .map(([from, days]) => ({ from, until: days === null ? null : addDays(from, days) }))
const personIndex = fc.nat({ max: 3 })
export const tiers = ["tier-1", "tier-2"]

/** Birthdays at rate limits are within the histories, or long before. */
const birthDays = fc.tuple(fc.constantFrom(1, 18, 30, 45, 70), boundaryDay).map(([age, on]) => addMonths(on, -12 * age))
const cents = fc.integer({ min: 0, max: 99_999 })

/** Rate rows never overlap, but some people have no rate. */
const rowsOf = (person: RateRow["person"], perMille: boolean) =>
  fc
    .record({
      tiers: fc.constantFrom<(string | null)[]>([null], ["tier-1", "tier-2"], ["tier-1"], ["tier-2", null]),
      bands: fc.constantFrom<[number | null, number | null][]>(
        [[null, null]],
        [
          [null, 17],
          [18, 44],
          [45, null],
        ],
        [
          [18, 29],
          [31, 70],
        ],
      ),
      amounts: fc.array(perMille ? fc.oneof(cents, fc.double({ min: 0.0001, max: 40, noNaN: true })) : cents, {
        minLength: 6,
        maxLength: 6,
      }),
    })
    .map(({ tiers: of, bands, amounts }) =>
      of.flatMap((tierId, at) =>
        bands.map(([ageFrom, ageUntil], band): RateRow => {
          const amount = amounts[at * 3 + band]!
          const whole = Number.isInteger(amount)
          return {
            ...{ person, tierId, ageFrom, ageUntil },
            cents: whole ? amount : null,
            perMille: whole ? null : Math.max(1, Math.round(amount * 10_000)) / 10_000,
          }
        }),
      ),
    )
export const table: fc.Arbitrary<RateTable> = fc
  .record({
    ageOn: fc.constantFrom("month" as const, "anniversary" as const),
    sumAssured: fc.oneof(
      fc.record({ kind: fc.constant("fixed" as const), cents: fc.integer({ min: 1, max: 100_000_000 }) }),
      fc.constant(50_000_033).map((cents) => ({ kind: "tier" as const, sums: [{ tierId: "tier-1", cents }] })),
      fc.integer({ min: 1, max: 6_000 }).map((hundredths) => ({ kind: "salary" as const, multiple: hundredths / 100 })),
    ),
    members: rowsOf("member", true),
    others: fc.oneof(
      fc.constant([]),
      rowsOf("family", false),
      rowsOf("spouse", false),
      fc.tuple(rowsOf("spouse", false), rowsOf("child", false), rowsOf("parent", false)).map((all) => all.flat()),
    ),
  })
  .map(({ ageOn, sumAssured, members, others }) => ({ ageOn, sumAssured, rows: [...members, ...others] }))

export const stepArbitraries = {
  join: fc.record({
    step: fc.constant("join" as const),
    who: personIndex,
    on: boundaryDay,
    tier: fc.constantFrom(...tiers),
  }),
  leave: fc.record({ step: fc.constant("leave" as const), who: personIndex, on: boundaryDay }),
  suspend: fc.record({ step: fc.constant("suspend" as const), who: personIndex, days: rangeArbitrary }),
  reinstate: fc.record({ step: fc.constant("reinstate" as const), who: personIndex, days: rangeArbitrary }),
  tier: fc.record({
    step: fc.constant("tier" as const),
    who: personIndex,
    on: boundaryDay,
    tier: fc.constantFrom(...tiers),
  }),
  premium: fc.record({
    step: fc.constant("premium" as const),
    days: rangeArbitrary,
    cents: fc.integer({ min: 1, max: 99_999 }),
  }),
  policySuspended: fc.record({ step: fc.constant("policySuspended" as const), days: rangeArbitrary }),
  policyReinstated: fc.record({ step: fc.constant("policyReinstated" as const), days: rangeArbitrary }),
  policyEnds: fc.record({ step: fc.constant("policyEnds" as const), on: boundaryDay }),
  endRule: fc.record({
    step: fc.constant("endRule" as const),
    days: rangeArbitrary,
    rule: fc.constantFrom("whole month" as const, "by days" as const),
  }),
  billedFrom: fc.record({
    step: fc.constant("billedFrom" as const),
    month: fc.constantFrom(...historyMonths.slice(0, 6)),
  }),
  rates: fc.record({ step: fc.constant("rates" as const), days: rangeArbitrary, table }),
  born: fc.record({
    step: fc.constant("born" as const),
    who: personIndex,
    on: fc.option(birthDays, { nil: null, freq: 6 }),
  }),
  dependent: fc.record({
    step: fc.constant("dependent" as const),
    who: personIndex,
    which: fc.nat({ max: 2 }),
    relationship: fc.constantFrom("spouse" as const, "child" as const, "parent" as const, "other" as const),
    bornOn: fc.option(birthDays, { nil: null, freq: 6 }),
    days: rangeArbitrary,
  }),
  dependentEnds: fc.record({
    step: fc.constant("dependentEnds" as const),
    who: personIndex,
    which: fc.nat({ max: 2 }),
    on: boundaryDay,
  }),
  salary: fc.record({
    step: fc.constant("salary" as const),
    who: personIndex,
    on: boundaryDay,
    cents: fc.integer({ min: 1, max: 9_999_999 }),
  }),
  undo: fc.record({ step: fc.constant("undo" as const), who: personIndex }),
  vat: fc.record({
    step: fc.constant("vat" as const),
    from: fc.option(boundaryDay, { nil: null }),
    percent: fc.constantFrom(0, 14, 15, 15.5),
  }),
}

export type Step = (typeof stepArbitraries)[keyof typeof stepArbitraries] extends infer A
  ? A extends fc.Arbitrary<infer S>
    ? S
    : never
  : never
const anyStep = () => fc.oneof(...Object.values(stepArbitraries))
const anySteps = fc.array(anyStep(), { minLength: 1, maxLength: 24 })

/** A rated member with dependent and salary in each tier, then any steps. */
const ratedSteps = fc
  .tuple(
    stepArbitraries.rates.map((rates) => ({ ...rates, days: { from: historyStart, until: null } })),
    fc.tuple(stepArbitraries.join, stepArbitraries.join).map(([one, other]) => [
      { ...one, who: 0, on: historyStart, tier: tiers[0]! },
      { ...other, who: 1, on: historyStart, tier: tiers[1]! },
    ]),
    fc.array(
      fc.oneof(stepArbitraries.dependent, stepArbitraries.salary).map((step) => ({ ...step, who: step.who % 2 })),
      { minLength: 1, maxLength: 4 },
    ),
    fc.array(
      fc.oneof(
        stepArbitraries.rates,
        stepArbitraries.born,
        stepArbitraries.dependent,
        stepArbitraries.dependentEnds,
        stepArbitraries.salary,
        stepArbitraries.undo,
        anyStep(),
      ),
      {
        maxLength: 16,
      },
    ),
  )
  .map(([rates, joins, families, rest]): Step[] => [rates, ...joins, ...families, ...rest])

export const someSteps = fc.oneof(anySteps, ratedSteps)

export function newHistory(): History {
  const at = instantAtStep(0)
  const always = { from: historyStart, until: null, recordedAt: at, supersededAt: null }
  return {
    policy: {
      startOn: policyStart,
      periods: [{ ...always, kind: "active" }],
      premiums: [{ ...always, premiumCents: 350_00 }],
      endRules: [],
      billedFrom: [],
      vat: [{ from: null, class: "standard", percent: 15, recordedAt: at, supersededAt: null }],
    },
    members: Array.from({ length: 4 }, (_, who) => ({
      covers: [],
      births: [{ bornOn: addMonths("2025-05-17", -12 * (15 + 15 * who)), recordedAt: at, supersededAt: null }],
      dependents: [],
      salaries: [],
    })),
    instants: [at],
  }
}

/** `isBilled`: whether a member was billed by then. */
export function applyStep(
  history: History,
  step: Step,
  at: Instant,
  isBilled: (who: number) => boolean = () => false,
): void {
  const { policy } = history
  history.instants.push(at)
  const member = "who" in step ? history.members[step.who]! : undefined
  const covers = member?.covers ?? []
  const live = <F extends DatedFact>(facts: readonly F[]) => facts.filter(({ supersededAt }) => supersededAt === null)
  switch (step.step) {
    case "join":
      writeFact(covers, at, step.on, null, { kind: "covered", tierId: step.tier })
      break
    case "leave":
      writeFact(covers, at, addDays(step.on, 1), null, null)
      break
    case "suspend":
    case "reinstate": {
      const kind = step.step === "suspend" ? "suspended" : "covered"
      for (const cover of live(covers))
        forEachOverlap(cover, step.days, (from, until) =>
          writeFact(covers, at, from, until, { kind, tierId: cover.tierId }),
        )
      break
    }
    case "tier":
      for (const cover of live(covers))
        forEachOverlap(cover, { from: step.on, until: null }, (from, until) =>
          writeFact(covers, at, from, until, { kind: cover.kind, tierId: step.tier }),
        )
      break
    case "premium":
      writeFact(policy.premiums, at, step.days.from, step.days.until, { premiumCents: step.cents })
      break
    case "rates":
      writeFact(policy.premiums, at, step.days.from, step.days.until, {
        premiumCents: 0,
        rates: { ...step.table, id: `rates of ${at}` },
      })
      break
    case "born":
      for (const birth of member!.births) birth.supersededAt ??= at
      member!.births.push({ bornOn: step.on, recordedAt: at, supersededAt: null })
      break
    case "dependent": {
      const { relationship, bornOn, days, which } = step
      const dependentId = `dependent-${which}`
      writeFact(
        member!.dependents,
        at,
        days.from,
        days.until,
        { dependentId, relationship, bornOn },
        (fact) => fact.dependentId === dependentId,
      )
      break
    }
    case "dependentEnds":
      writeFact(
        member!.dependents,
        at,
        addDays(step.on, 1),
        null,
        null,
        (fact) => fact.dependentId === `dependent-${step.which}`,
      )
      break
    case "salary":
      writeFact(member!.salaries, at, step.on, null, { monthlyCents: step.cents })
      break
    case "policySuspended":
    case "policyReinstated": {
      const kind = step.step === "policySuspended" ? "suspended" : "active"
      writeFact(policy.periods, at, step.days.from, step.days.until, { kind })
      break
    }
    case "policyEnds":
      writeFact(policy.periods, at, addDays(step.on, 1), null, null)
      break
    case "endRule":
      writeFact(policy.endRules, at, step.days.from, step.days.until, { rule: step.rule })
      break
    case "billedFrom":
      for (const fact of policy.billedFrom) fact.supersededAt ??= at
      policy.billedFrom.push({ month: step.month, recordedAt: at, supersededAt: null })
      break
    case "undo":
      undoLastStep(member!, at, isBilled(step.who))
      break
    case "vat":
      for (const fact of policy.vat) if (fact.from === step.from) fact.supersededAt ??= at
      policy.vat.push({
        from: step.from,
        percent: step.percent,
        class: step.percent === 0 ? "exempt" : "standard",
        recordedAt: at,
        supersededAt: null,
      })
  }
}

function undoLastStep(member: History["members"][number], at: Instant, isBilled: boolean): void {
  const instants = [...member.covers, ...member.salaries].flatMap(({ recordedAt, supersededAt }) =>
    supersededAt === null ? [recordedAt] : [recordedAt, supersededAt],
  )
  const last = instants.sort(compareInstants).at(-1)
  if (last === undefined) return
  const brought = !member.covers.some(({ recordedAt }) => recordedAt !== last) && member.covers.length > 0
  if (brought) {
    if (isBilled) return
    for (const facts of [member.covers, member.salaries, member.dependents]) facts.length = 0
    return
  }
  restoreFacts(member.covers, last, at)
  restoreFacts(member.salaries, last, at)
}

function restoreFacts<F extends DatedFact>(facts: F[], recordedAt: Instant, at: Instant): void {
  const before = facts.filter((fact) => fact.supersededAt === recordedAt)
  for (const fact of facts) if (fact.recordedAt === recordedAt) fact.supersededAt ??= at
  facts.push(...before.map((fact) => ({ ...fact, recordedAt: at, supersededAt: null })))
}

function forEachOverlap(
  fact: DatedFact,
  days: { from: Day; until: Day | null },
  then: (from: Day, until: Day | null) => void,
): void {
  const from = fact.from > days.from ? fact.from : days.from
  const until =
    fact.until === null ? days.until : days.until === null || fact.until < days.until ? fact.until : days.until
  if (until === null || from <= until) then(from, until)
}

/**
 * Undoes the last change of a member's cover and salary, as undoing a staff list does. Superseded facts are recorded
 * again. New members disappear unless billed.
 */
export function createHistory(some: readonly Step[]): History {
  const history = newHistory()
  for (const [index, step] of some.entries()) applyStep(history, step, instantAtStep(index + 1))
  return history
}
