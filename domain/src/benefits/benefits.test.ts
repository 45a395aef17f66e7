import { describe, expect, it } from "vitest"
import { fc } from "../../test/property.ts"
import { roles } from "../platform/permission.ts"
import { benefitActionsOf } from "./benefit.ts"
import { namedFields, productBenefitFields, productTypeFields } from "./benefit-shape.ts"
import { describeUsage, refuseIfUsed } from "./usage-shape.ts"
import { type DatedVat, vatAt, vatText } from "./vat.ts"
import { vatRates } from "./vat-shape.ts"

const vatPercentAt = (rates: readonly DatedVat[], on: string) => vatAt(rates, on).percent

describe("VAT rates", () => {
  const rates = [
    { from: null, percent: 14 },
    { from: "2018-04-01", percent: 15 },
    { from: "2027-04-01", percent: 15.5 },
  ]
  it.each([
    ["1999-01-01", 14],
    ["2018-03-31", 14],
    ["2018-04-01", 15],
    ["2027-03-31", 15],
    ["2027-04-01", 15.5],
    ["2099-01-01", 15.5],
  ])("VAT on %s is %d %%", (on, percent) => expect(vatPercentAt(rates, on)).toBe(percent))

  it("the default VAT rate is 15 %", () => {
    expect(vatPercentAt([], "2026-11-20")).toBe(15)
    expect(productTypeFields.parse({ name: "Group life" }).vatRates).toEqual([{ from: null, percent: 15 }])
  })
  it("do not depend on their order", () =>
    fc.assert(
      fc.property(
        fc.shuffledSubarray(rates, { minLength: 3 }),
        fc.constantFrom("2010-01-01", "2020-01-01"),
        (some, on) => vatPercentAt(some, on) === vatPercentAt(rates, on),
      ),
    ))
  it.each([
    [{ class: "standard", percent: 15.5 }, "15,5%"],
    [{ class: "zero", percent: 0 }, "Zero-rated"],
    [{ class: "exempt", percent: 0 }, "Exempt"],
  ] as const)("the rate %o appears on documents as %s", (vat, words) => expect(vatText(vat)).toBe(words))

  it("the undated rate is first, and the others are sorted by day", () =>
    expect(vatRates.parse([...rates].reverse())).toEqual(rates))

  it.each([
    [[], "Enter exactly one initial VAT rate"],
    [[{ from: "2026-01-01", percent: 15 }], "Enter exactly one initial VAT rate"],
    [
      [
        { from: null, percent: 15 },
        { from: null, percent: 0 },
      ],
      "Enter exactly one initial VAT rate",
    ],
    [
      [
        { from: null, percent: 15 },
        { from: "2026-01-01", percent: 1 },
        { from: "2026-01-01", percent: 2 },
      ],
      "Enter a different start date for each VAT rate",
    ],
    [[{ from: null, percent: -1 }], "Enter a VAT rate of at least 0 %"],
    [[{ from: null, percent: 101 }], "Enter a VAT rate of at most 100 %"],
    [[{ from: null, percent: 15.555 }], "Enter a VAT rate with at most two decimals"],
  ])("refuses the rates %j", (wrong, message) => {
    const read = vatRates.safeParse(wrong)
    expect(read.error?.issues.map((issue) => issue.message)).toContain(message)
  })
})

describe("benefit form fields", () => {
  it("require a name, and trim it", () => {
    expect(namedFields.parse({ name: "  Funeral " })).toEqual({ name: "Funeral", description: "" })
    expect(namedFields.safeParse({ name: "   " }).error?.issues[0]?.message).toBe("Name is required")
  })
  it("treat blank amounts as 0", () => {
    const id = "7b1f3f5e-90a4-4b2b-8f0e-5a3f3b1c2d4e"
    expect(productBenefitFields.parse({ productTypeId: id, benefitId: id, tierId: id })).toMatchObject({
      costCents: 0,
      coverAmountCents: 0,
      coverPercentage: 0,
    })
    for (const wrong of [
      { coverPercentage: 101 },
      { coverPercentage: 1.5 },
      { costCents: -1 },
      { coverAmountCents: 0.5 },
    ]) {
      expect(productBenefitFields.safeParse({ productTypeId: id, benefitId: id, tierId: id, ...wrong }).success).toBe(
        false,
      )
    }
  })
  it("name the missing choice", () => {
    const messages = productBenefitFields
      .safeParse({ productTypeId: "", benefitId: "", tierId: "" })
      .error?.issues.map((issue) => issue.message)
    expect(messages).toEqual(["Choose a product type", "Choose a benefit", "Choose a benefit tier"])
  })
})

describe("permission to edit benefits", () => {
  const table = { admin: true, manager: true, underwriter: true, group_admin: false, policy_holder: false }
  it.each(roles)("%s", (role) => expect(benefitActionsOf(role)).toEqual(table[role] ? ["edit", "delete"] : []))
  it("an account without a role cannot", () => expect(benefitActionsOf(null)).toEqual([]))
})

describe("deleting a record in use", () => {
  const used = [
    { kind: "policy" as const, count: 2, examples: ["GP-2026-000001", "GP-2026-000002"] },
    { kind: "configuration" as const, count: 1, examples: ["Funeral, Gold"] },
    { kind: "claim" as const, count: 5, examples: ["CLM-1", "CLM-2", "CLM-3"] },
  ]
  it("names the uses", () =>
    expect(describeUsage(used)).toBe(
      "2 policies (GP-2026-000001, GP-2026-000002), 1 product benefit (Funeral, Gold) and 5 claims (CLM-1, CLM-2, CLM-3, …)",
    ))
  it("is refused with the records that use it", () => {
    const refusal = refuseIfUsed("Gold plan", [{ kind: "member", count: 0, examples: [] }, used[1]!])
    expect(refusal).toEqual({
      refused: "IN_USE",
      message: "Gold plan cannot be deleted: it is used by 1 product benefit (Funeral, Gold).",
      data: { by: [used[1]] },
    })
  })
  it("is allowed when no record uses it", () =>
    expect(refuseIfUsed("Gold plan", [{ kind: "member", count: 0, examples: [] }])).toBeNull())
})
