import { describe, expect, test } from "vitest"
import { type Check, type CheckKey, checkKeys, moneyCheckKeys, monthActionsOf, signOff } from "./checklist.ts"

const october = "2026-10-01"
const createChecks = (...open: CheckKey[]): Check[] =>
  checkKeys.map((key) => ({ key, isDone: !open.includes(key), figures: [], notes: [] }))

describe("signing off a checklist", () => {
  test("needs no reasons when every check is done", () => {
    const signed = signOff(october, createChecks(), { billed: "Was left out" })
    expect(signed).toMatchObject({ month: october, checks: checkKeys.map((key) => ({ key, reason: null })) })
  })

  test.each(moneyCheckKeys.map((key) => [key]))("is refused while %s differs, even with a reason", (key) =>
    expect(signOff(october, createChecks(key), { [key]: "It will be found" })).toMatchObject({
      refused: "MONEY_DIFFERS",
    }))

  test("requires a reason for a bank check that cannot be verified", () => {
    const unproved = createChecks("bank").map((check) => ({ ...check, isUnproved: !check.isDone }))
    expect(signOff(october, unproved, {})).toMatchObject({ refused: "REASONS_NEEDED" })
    const signed = signOff(october, unproved, { bank: "The first statement comes in November" })
    expect(signed).toMatchObject({ month: october })
  })

  test.each(
    checkKeys.filter((key) => !moneyCheckKeys.includes(key)).map((key) => [key]),
  )("requires a reason if %s is open", (key) => {
    for (const reasons of [{}, { [key]: "  " }])
      expect(signOff(october, createChecks(key), reasons)).toMatchObject({ refused: "REASONS_NEEDED" })
    const signed = signOff(october, createChecks(key), { [key]: " Comes in November " })
    expect(signed).toMatchObject({
      checks: checkKeys.map((one) => ({ key: one, reason: one === key ? "Comes in November" : null })),
    })
  })
})

test.each([
  ["admin", ["close"], ["reopen"]],
  ["manager", ["close"], []],
  ["underwriter", [], []],
  ["group_admin", [], []],
  ["policy_holder", [], []],
  [null, [], []],
] as const)("the role %s may close with %o and reopen with %o", (role, close, reopen) => {
  expect(monthActionsOf({ isNext: true, isLastClosed: false }, role)).toEqual(close)
  expect(monthActionsOf({ isNext: false, isLastClosed: true }, role)).toEqual(reopen)
  expect(monthActionsOf({ isNext: false, isLastClosed: false }, role)).toEqual([])
})
