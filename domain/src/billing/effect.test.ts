import { expect, test } from "vitest"
import type { MemberFacts } from "../members/member-dated-facts.ts"
import type { PolicyFacts } from "../premiums/premium-facts.ts"
import { effectOf } from "./effect.ts"
import { effectSentence } from "./effect-words.ts"

const recordedInstant = "2026-09-20T08:00:00Z"
const always = { from: "2026-01-01", until: null, recordedAt: "2026-01-01T08:00:00Z", supersededAt: null }
const policy: PolicyFacts = {
  periods: [{ ...always, kind: "active" }],
  premiums: [{ ...always, premiumCents: 350_00 }],
  endRules: [],
  billedFrom: [],
  vat: [],
}
const createCoveredMember = (from: string, until: string | null = null): MemberFacts => ({
  covers: [{ ...always, kind: "covered", tierId: "gold", from, until }],
})
const uncoveredMember: MemberFacts = { covers: [] }
const unchangedPolicy = { before: policy, after: policy }
const describeEffect = (...given: Parameters<typeof effectOf>) =>
  effectSentence(effectOf(...given), "ZAR").replaceAll("\u00a0", " ")

test("the effect of a backdated joiner shows count, amount and months", () => {
  const joins = { before: uncoveredMember, after: createCoveredMember("2026-08-01"), members: 1 }
  expect(describeEffect(unchangedPolicy, [joins], "2026-09-01", recordedInstant)).toBe(
    "Next invoice: R 700,00 more (once for August, R 350,00; then monthly from September, R 350,00; excl. VAT)",
  )
})

test("the effect of leavers shows credited months and the number of members", () => {
  const leave = {
    before: createCoveredMember("2026-01-01"),
    after: createCoveredMember("2026-01-01", "2026-08-31"),
    members: 30,
  }
  expect(describeEffect(unchangedPolicy, [leave], "2026-10-01", recordedInstant)).toBe(
    "Next invoice: R 21 000,00 less (once for September, 30 members, 30 × R 350,00; then monthly from October, 30 members, 30 × R 350,00; excl. VAT)",
  )
})

test('an effect names the later month that changes, or says "no change"', () => {
  const later = {
    before: createCoveredMember("2026-01-01"),
    after: createCoveredMember("2026-01-01", "2026-12-31"),
    members: 1,
  }
  expect(describeEffect(unchangedPolicy, [later], "2026-10-01", recordedInstant)).toBe(
    "Next invoice: no change. From January 2027: R 350,00 less a month, excl. VAT",
  )
  const none = { before: createCoveredMember("2026-01-01"), after: createCoveredMember("2026-01-01"), members: 1 }
  expect(describeEffect(unchangedPolicy, [none], "2026-10-01", recordedInstant)).toBe("Next invoice: no change")
})

test("setting a first premium bills only the months that it covers", () => {
  const raised = { ...policy, premiums: [{ ...always, from: "2026-10-01", premiumCents: 400_00 }] }
  const member = { before: createCoveredMember("2026-09-01"), after: createCoveredMember("2026-09-01"), members: 2 }
  expect(
    describeEffect(
      { before: { ...policy, premiums: [] }, after: raised },
      [{ ...member }],
      "2026-10-01",
      recordedInstant,
    ),
  ).toBe("Next invoice: R 800,00 more (October, 2 members, 2 × R 400,00; excl. VAT)")
})

test("amounts billed before the policy's first billing month are not credited", () => {
  const from = { ...policy, billedFrom: [{ ...always, month: "2026-09-01" }] }
  const member = {
    ...{ before: createCoveredMember("2026-08-01"), after: createCoveredMember("2026-08-01"), members: 1 },
    billed: new Map([["2026-08-01", 300_00]]),
  }
  expect(effectOf({ before: policy, after: from }, [member], "2026-09-01", recordedInstant)).toMatchObject({
    cents: -50_00,
    parts: [{ months: ["2026-08-01"], members: 1, cents: -50_00 }],
  })
})

test("members without a rate are listed with the missing information", () => {
  const row = { person: "member" as const, tierId: null, ageFrom: 18, ageUntil: null, cents: 412_00, perMille: null }
  const rates = { id: "rates", ageOn: "month" as const, sumAssured: null, rows: [row] }
  const byAge: PolicyFacts = { ...policy, premiums: [{ ...always, premiumCents: 0, rates }] }
  const joins = (from: string, bornOn: string | null) => [
    { before: uncoveredMember, after: { ...createCoveredMember(from), births: [{ ...always, bornOn }] }, members: 1 },
  ]
  const rated = { before: byAge, after: byAge }
  expect(describeEffect(rated, joins("2026-09-01", "1986-03-01"), "2026-09-01", recordedInstant)).toBe(
    "Next invoice: R 412,00 more for September, excl. VAT",
  )
  expect(describeEffect(rated, joins("2026-08-01", null), "2026-09-01", recordedInstant)).toBe(
    "Next invoice: no change. 2 member months cannot be billed: no date of birth",
  )
  expect(describeEffect(rated, joins("2026-12-01", null), "2026-09-01", recordedInstant)).toBe(
    "Next invoice: no change. Later months cannot be billed: no date of birth",
  )
  const unpaid = { ...policy, premiums: [] }
  expect(
    describeEffect({ before: unpaid, after: unpaid }, joins("2026-09-01", null), "2026-09-01", recordedInstant),
  ).toBe("Next invoice: no change. One member month cannot be billed: no premium")
})
