import { describe, expect, test } from "vitest"
import { type Check, type CheckKey, checkKeys, moneyChecks, monthActionsOf, signOff } from "./checklist.ts"
import { gapsOf } from "./statement-cover.ts"

const october = "2026-10-01"
const checks = (...open: CheckKey[]): Check[] =>
  checkKeys.map((key) => ({ key, isDone: !open.includes(key), figures: [], notes: [] }))

describe("a checklist is signed off", () => {
  test("when everything is done, without reasons", () => {
    const signed = signOff(october, checks(), { billed: "Was left out" })
    expect(signed).toMatchObject({ month: october, checks: checkKeys.map((key) => ({ key, reason: null })) })
  })

  test.each(moneyChecks.map((key) => [key]))("never while %s differs, whatever reason is given", (key) =>
    expect(signOff(october, checks(key), { [key]: "It will be found" })).toMatchObject({ refused: "MONEY_DIFFERS" }))

  test.each(
    checkKeys.filter((key) => !moneyChecks.includes(key)).map((key) => [key]),
  )("without %s with a reason alone", (key) => {
    for (const reasons of [{}, { [key]: "  " }])
      expect(signOff(october, checks(key), reasons)).toMatchObject({ refused: "REASONS_NEEDED" })
    const signed = signOff(october, checks(key), { [key]: " Comes in November " })
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
] as const)("%s may close: %o, and open again: %o", (role, close, reopen) => {
  expect(monthActionsOf({ isNext: true, isLastClosed: false }, role)).toEqual(close)
  expect(monthActionsOf({ isNext: false, isLastClosed: true }, role)).toEqual(reopen)
  expect(monthActionsOf({ isNext: false, isLastClosed: false }, role)).toEqual([])
})

const statement = (from: number, to: number, meets = false) => ({
  fromOn: `2026-10-${String(from).padStart(2, "0")}`,
  toOn: `2026-10-${String(to).padStart(2, "0")}`,
  meets,
})
test.each([
  ["one over all", [statement(1, 31)], []],
  ["none", [], ["01-31"]],
  ["one after the other", [statement(1, 15), statement(16, 31)], []],
  ["in whatever order, overlapping", [statement(10, 31), statement(1, 12)], []],
  ["days between them", [statement(1, 9), statement(12, 31)], ["10-11"]],
  ["days between them on which nothing was booked", [statement(1, 9), statement(12, 31, true)], []],
  ["a day at the end", [statement(1, 30)], ["31-31"]],
  ["the first days", [statement(3, 31)], ["01-02"]],
  ["the first days, with nothing on them", [statement(3, 31, true)], []],
  ["two gaps", [statement(2, 9), statement(11, 20)], ["01-01", "10-10", "21-31"]],
])("statements: %s", (_name, statements, expected) => {
  const gaps = gapsOf(statements, october, "2026-10-31")
  expect(gaps.map(({ from, to }) => `${from.slice(8)}-${to.slice(8)}`)).toEqual(expected)
})

test("the weekend at the end is covered by a statement of the next month that opens where this one closed", () => {
  const next = { fromOn: "2026-11-02", toOn: "2026-11-06" }
  const upTo = statement(1, 30)
  expect(gapsOf([upTo, { ...next, meets: true }], october, "2026-10-31")).toEqual([])
  expect(gapsOf([upTo, { ...next, meets: false }], october, "2026-10-31")).toEqual([
    { from: "2026-10-31", to: "2026-10-31" },
  ])
})
