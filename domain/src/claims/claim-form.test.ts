import { expect, test } from "vitest"
import { createClaim } from "./claim.samples.ts"
import { contentOf } from "./claim.ts"
import { claimContent, claimSteps, stepErrors } from "./claim-form.ts"

const content = contentOf(createClaim())

test("the claim form has the five steps of the specification, in order", () =>
  expect(claimSteps.map(({ title }) => title)).toEqual([
    "Member Selection",
    "Claim Details",
    "Incident Details",
    "Documents",
    "Review & Submit",
  ]))

test.each([
  ["member", { memberId: undefined }, "Member is required"],
  ["details", { benefitId: null }, "Benefit is required"],
  ["details", { claimType: null }, "Claim type is required"],
  ["details", { requestedAmountCents: null }, "Requested amount is required"],
  ["details", { requestedAmountCents: 0 }, "Requested amount must be above 0"],
  ["incident", { incidentOn: null }, "Incident date is required"],
  ["incident", { description: "  " }, "Description is required"],
] as const)("step %s without %o reports: %s", (step, changes, message) =>
  expect(stepErrors(step, { ...content, ...changes }).map((error) => error.message)).toEqual([message]))

test("a complete claim passes every step; Documents and Review always pass", () => {
  for (const { key } of claimSteps) expect(stepErrors(key, content)).toEqual([])
  expect(stepErrors("documents", {})).toEqual([])
  expect(stepErrors("review", {})).toEqual([])
})

test.each([
  "status",
  "approvedAmountCents",
  "paymentOn",
  "groupId",
  "capturedBy",
])("a user cannot set a claim's %s", (field) =>
  expect(claimContent.safeParse({ ...content, [field]: "approved" }).success).toBe(false))

test("a draft needs only its member, and impossible values are refused", () => {
  const bare = { ...content, benefitId: null, claimType: null, incidentOn: null, requestedAmountCents: null }
  expect(claimContent.safeParse(bare).success).toBe(true)
  for (const wrong of [{ requestedAmountCents: -1 }, { requestedAmountCents: 1.5 }, { incidentOn: "2026-02-29" }]) {
    expect(claimContent.safeParse({ ...content, ...wrong }).success).toBe(false)
  }
})
