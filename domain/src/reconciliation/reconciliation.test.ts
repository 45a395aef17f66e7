import { expect, test } from "vitest"
import { reconciliationStatus, resolutionsOf } from "./reconciliation.ts"

test.each([
  [100, 100, 0, "Matched"],
  [100, 60, 0, "Shortage"],
  [100, 60, 39, "Shortage"],
  [100, 60, 40, "Not due"],
  [100, 0, 0, "Missing"],
  [100, 0, 40, "Missing"],
  [100, 0, 100, "Not due"],
  [100, 140, 0, "Excess"],
  [0, 40, 0, "Excess"],
  [0, 0, 0, "Matched"],
] as const)("a month with %i expected, %i received, %i of it not due is %s", (expectedCents, receivedCents, notDueCents, status) => {
  expect(reconciliationStatus({ expectedCents, receivedCents, notDueCents })).toBe(status)
})

test("the resolutions offered depend on the sign, the user's rights and the due day", () => {
  const month = { expectedCents: 100, notDueCents: 0 }
  expect(resolutionsOf({ expectedCents: 100, receivedCents: 0, notDueCents: 100 }, true)).toEqual([])
  expect(resolutionsOf({ ...month, receivedCents: 100 }, true)).toEqual([])
  expect(resolutionsOf({ ...month, receivedCents: 40 }, true)).toEqual(["carry_forward", "write_off"])
  expect(resolutionsOf({ ...month, receivedCents: 140 }, true)).toContain("refund")
  expect(resolutionsOf({ ...month, receivedCents: 140 }, false)).toEqual([])
})
