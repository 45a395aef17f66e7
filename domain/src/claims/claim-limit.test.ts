import { describe, expect, test } from "vitest"
import { fc } from "../../test/property.ts"
import { type CoverYear, coverGaps, coverGapText } from "../benefits/benefit-terms.ts"
import type { GivenCover } from "../members/cover-of.ts"
import { calculateCoverLimit, isCountedAgainst, type LimitEvidence, type OtherClaim } from "./claim-limit.ts"

const createOtherClaim = (changes: Partial<OtherClaim> = {}): OtherClaim => ({
  number: "CLM-2026-000001",
  status: "paid",
  claimType: "medical",
  incidentOn: "2026-02-10",
  isSamePerson: true,
  isSameBenefit: true,
  isEarlier: true,
  amountCents: 300_000_00,
  ...changes,
})
const wholeCover: Omit<GivenCover, "salaryMultiple"> = {
  maxCoverCents: 500_000_00,
  coverPercentage: 100,
  incidentLimitCents: null,
  yearLimitCents: null,
  coverYear: "calendar",
}
const coverLimitOf = (changes: Partial<LimitEvidence> = {}) =>
  calculateCoverLimit(
    {
      incidentOn: "2026-10-20",
      claimAmountCents: null,
      requestedAmountCents: 300_000_00,
      given: wholeCover,
      policyStartOn: "2024-07-01",
      others: [],
      childCap: null,
      ...changes,
    },
    "ZAR",
  )
const withPlainSpaces = (sentences: string[]) => sentences.map((sentence) => sentence.replaceAll("\u00a0", " "))

test("an earlier claim reduces the maximum to the remainder", () => {
  const found = coverLimitOf({ others: [createOtherClaim()] })
  expect(found).toMatchObject({ limitCents: 200_000_00, proposedAmountCents: 200_000_00 })
  expect(withPlainSpaces(found.working)).toEqual([
    "R 500 000,00 maximum cover less R 300 000,00 for CLM-2026-000001 leaves R 200 000,00.",
  ])
})

test("earlier claims above the maximum leave no cover", () =>
  expect(coverLimitOf({ others: [createOtherClaim(), createOtherClaim({ amountCents: 300_000_00 })] })).toMatchObject({
    limitCents: 0,
    proposedAmountCents: 0,
  }))

test.each<[string, Partial<OtherClaim>, boolean]>([
  ["a claim of the same year", {}, true],
  ["a medical claim of another year", { incidentOn: "2025-12-31" }, false],
  ["a disability claim of another year", { claimType: "disability", incidentOn: "2020-12-31" }, true],
  ["a death claim of another year", { claimType: "death", incidentOn: "2020-12-31" }, true],
  ["a claim for another benefit", { isSameBenefit: false }, false],
  ["a claim for another person of the same membership", { isSamePerson: false }, false],
  ["a rejected claim", { status: "rejected" }, false],
  ["a withdrawn claim", { status: "withdrawn" }, false],
  ["a draft", { status: "draft" }, false],
  ["an earlier claim under way", { status: "submitted" }, true],
  ["a later claim under way", { status: "submitted", isEarlier: false }, false],
  ["a later claim that was approved first", { status: "approved", isEarlier: false }, true],
])("%s reduces the cover: %o %s", (_, changes, counts) =>
  expect(isCountedAgainst(createOtherClaim(changes), { incidentOn: "2026-10-20" })).toBe(counts))

describe("the cap on a child's life", () => {
  const childCap = { belowAge: 6, amountCents: 20_000_00, from: null, approvedCents: 0, inProgressCents: 0 }
  test("limits a larger cover", () => {
    const found = coverLimitOf({ childCap })
    const reason = "All policies together pay at most R 20 000,00 on the death of a child under 6."
    expect(found).toMatchObject({ limitCents: 20_000_00, proposedAmountCents: 20_000_00 })
    expect(found.childCap!.leftCents).toBe(20_000_00)
    expect(withPlainSpaces(found.working)).toEqual(["R 500 000,00 maximum cover.", reason])
  })
  test("is reduced by other claims for the child, down to 0", () => {
    const found = coverLimitOf({ childCap: { ...childCap, approvedCents: 12_000_00, inProgressCents: 3_000_00 } })
    expect(found.limitCents).toBe(5_000_00)
    expect(withPlainSpaces(found.working).at(-1)).toBe(
      "All policies together pay at most R 20 000,00 on the death of a child under 6; less R 15 000,00 of other claims for this child leaves R 5 000,00.",
    )
    expect(coverLimitOf({ childCap: { ...childCap, inProgressCents: 25_000_00 } }).limitCents).toBe(0)
  })
  test("leaves for approval what approved claims have not used", () => {
    const { childCap: left } = coverLimitOf({
      childCap: { ...childCap, approvedCents: 12_000_00, inProgressCents: 3_000_00 },
    })
    expect(left!.leftCents).toBe(8_000_00)
    expect(withPlainSpaces([left!.reason])).toEqual([
      "All policies together pay at most R 20 000,00 on the death of a child under 6; less R 12 000,00 approved for this child leaves R 8 000,00.",
    ])
    expect(coverLimitOf({ childCap: { ...childCap, approvedCents: 25_000_00 } }).childCap!.leftCents).toBe(0)
  })
  test("does not raise a smaller cover", () =>
    expect(coverLimitOf({ childCap, given: { ...wholeCover, maxCoverCents: 8_000_00 } }).limitCents).toBe(8_000_00))
})

test("the percentage applies to the claimed amount, or else to the requested one", () => {
  const given = { ...wholeCover, coverPercentage: 80 }
  const claimed = coverLimitOf({ given, claimAmountCents: 120_000_00, requestedAmountCents: 110_000_00 })
  expect(claimed).toMatchObject({ limitCents: 96_000_00, proposedAmountCents: 96_000_00 })
  expect(withPlainSpaces(claimed.working)[0]).toBe("R 120 000,00 claimed × 80 % = R 96 000,00.")
  const requested = coverLimitOf({ given, claimAmountCents: 0, requestedAmountCents: 100_000_00 })
  expect(requested).toMatchObject({ limitCents: 80_000_00, proposedAmountCents: 80_000_00 })
})

test("a percentage of 0 means 100, and a maximum of 0 means no maximum", () => {
  const given = { ...wholeCover, maxCoverCents: 0, coverPercentage: 0 }
  expect(coverLimitOf({ given, others: [createOtherClaim()] })).toEqual({
    limitCents: null,
    childCap: null,
    proposedAmountCents: 300_000_00,
    working: ["No maximum cover is set."],
  })
})

test("the cover limit is the lower of the percentage and the remaining maximum", () =>
  expect(coverLimitOf({ given: { ...wholeCover, coverPercentage: 50 }, others: [createOtherClaim()] })).toMatchObject({
    limitCents: 150_000_00,
  }))

test.each(coverGaps)("a gap of cover (%s) leaves nothing and says why", (gap) => {
  const found = coverLimitOf({ given: { gap, insured: "child" } })
  expect(found).toMatchObject({ limitCents: 0, proposedAmountCents: 0 })
  expect(found.working).toEqual([coverGapText(gap, "child")])
})

test("a limit per incident counts only claims of the same day", () => {
  const given = { ...wholeCover, incidentLimitCents: 250_000_00 }
  const others = [
    createOtherClaim({ amountCents: 100_000_00, incidentOn: "2026-10-20" }),
    createOtherClaim({ number: "CLM-2026-000002", amountCents: 100_000_00, incidentOn: "2026-10-19" }),
  ]
  const found = coverLimitOf({ given, others })
  expect(found).toMatchObject({ limitCents: 150_000_00, proposedAmountCents: 150_000_00 })
  expect(withPlainSpaces(found.working)).toEqual([
    "R 500 000,00 maximum cover less R 200 000,00 for CLM-2026-000001, CLM-2026-000002 leaves R 300 000,00.",
    "R 250 000,00 limit per incident less R 100 000,00 for CLM-2026-000001 leaves R 150 000,00.",
  ])
})

test.each<[CoverYear, string, number]>([
  ["calendar", "2026-01-01", 100_000_00],
  ["calendar", "2025-12-31", 200_000_00],
  ["policy", "2026-07-01", 100_000_00],
  ["policy", "2026-06-30", 200_000_00],
])("a limit per %s year and another death claim of %s leave %d", (coverYear, incidentOn, left) => {
  const given = { ...wholeCover, maxCoverCents: 0, yearLimitCents: 200_000_00, coverYear }
  const others = [createOtherClaim({ claimType: "death", amountCents: 100_000_00, incidentOn })]
  expect(coverLimitOf({ given, others }).limitCents).toBe(left)
})

const otherClaims = fc.array(
  fc.record({
    number: fc.constantFrom("CLM-2026-000001", "CLM-2026-000002", "CLM-2026-000003"),
    status: fc.constantFrom<OtherClaim["status"]>("submitted", "approved", "rejected", "paid"),
    claimType: fc.constantFrom<OtherClaim["claimType"]>("death", "medical"),
    incidentOn: fc.constantFrom("2025-12-31", "2026-01-01", "2026-10-20"),
    isSamePerson: fc.boolean(),
    isSameBenefit: fc.boolean(),
    isEarlier: fc.boolean(),
    amountCents: fc.nat(1_000),
  }),
  { maxLength: 6 },
)
const limit = fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: null })

test("paying the proposed amount never exceeds a limit", () =>
  fc.assert(
    fc.property(
      otherClaims,
      fc.record({
        max: fc.nat(3_000),
        incident: limit,
        year: limit,
        percentage: fc.nat(100),
        requested: fc.nat(3_000),
      }),
      (others, { max, incident, year, percentage, requested }) => {
        const given: typeof wholeCover = {
          maxCoverCents: max,
          coverPercentage: percentage,
          incidentLimitCents: incident,
          yearLimitCents: year,
          coverYear: "calendar",
        }
        const found = coverLimitOf({ given, others, requestedAmountCents: requested })
        const counted = others.filter(
          (one) =>
            one.isSamePerson &&
            one.isSameBenefit &&
            one.status !== "rejected" &&
            (one.isEarlier || one.status === "approved" || one.status === "paid"),
        )
        const paid = (of: (one: OtherClaim) => boolean) =>
          counted.filter(of).reduce((sum, { amountCents }) => sum + amountCents, 0)
        const proposed = found.proposedAmountCents
        expect(proposed).toBeGreaterThanOrEqual(0)
        expect(proposed).toBeLessThanOrEqual(requested)
        const fits = (cents: number | null, used: number) =>
          cents === null || expect(proposed).toBeLessThanOrEqual(Math.max(0, cents - used))
        fits(
          max || null,
          paid((one) => one.claimType === "death" || one.incidentOn.startsWith("2026")),
        )
        fits(
          incident,
          paid((one) => one.incidentOn === "2026-10-20"),
        )
        fits(
          year,
          paid((one) => one.incidentOn.startsWith("2026")),
        )
      },
    ),
  ))
