import { expect, test } from "vitest"
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
const coverLimitOf = (changes: Partial<LimitEvidence> = {}) =>
  calculateCoverLimit(
    {
      incidentOn: "2026-10-20",
      claimAmountCents: null,
      requestedAmountCents: 300_000_00,
      given: { maxCoverCents: 500_000_00, coverPercentage: 100 },
      others: [],
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

test("the percentage applies to the claimed amount, or else to the requested one", () => {
  const given = { maxCoverCents: 500_000_00, coverPercentage: 80 }
  const claimed = coverLimitOf({ given, claimAmountCents: 120_000_00, requestedAmountCents: 110_000_00 })
  expect(claimed).toMatchObject({ limitCents: 96_000_00, proposedAmountCents: 96_000_00 })
  expect(withPlainSpaces(claimed.working)[0]).toBe("R 120 000,00 claimed × 80 % = R 96 000,00.")
  const requested = coverLimitOf({ given, claimAmountCents: 0, requestedAmountCents: 100_000_00 })
  expect(requested).toMatchObject({ limitCents: 80_000_00, proposedAmountCents: 80_000_00 })
})

test("a percentage of 0 means 100, and a maximum of 0 means no maximum", () => {
  const given = { maxCoverCents: 0, coverPercentage: 0 }
  expect(coverLimitOf({ given, others: [createOtherClaim()] })).toEqual({
    limitCents: null,
    proposedAmountCents: 300_000_00,
    working: ["No maximum cover is set."],
  })
})

test("the cover limit is the lower of the percentage and the remaining maximum", () =>
  expect(
    coverLimitOf({ given: { maxCoverCents: 500_000_00, coverPercentage: 50 }, others: [createOtherClaim()] }),
  ).toMatchObject({
    limitCents: 150_000_00,
  }))

test("a benefit outside the product has no cover", () =>
  expect(coverLimitOf({ given: null })).toMatchObject({ limitCents: 0, proposedAmountCents: 0 }))
