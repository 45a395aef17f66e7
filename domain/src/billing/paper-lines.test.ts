import { expect, test } from "vitest"
import { fc } from "../../test/property.ts"
import type { Day } from "../kernel/calendar.ts"
import { formatMoney } from "../kernel/money.ts"
import type { CauseKind } from "./difference.ts"
import { causeSentence } from "./difference-words.ts"
import { billedParts, type LineToPrint, printedParts } from "./paper-lines.ts"

const wording = { dateFormat: "YYYY-MM-DD", timezone: "Africa/Johannesburg", currency: "ZAR" } as const

function createLateLine(
  kind: CauseKind,
  memberName: string,
  month: Day,
  cents: number,
  called = memberName,
): LineToPrint {
  const premium = kind === "premium" ? { cents: 37000, beforeCents: 35000 } : null
  const cause = { kind, on: "2026-08-01", recordedAt: "2026-09-20T08:00:00Z", premium, months: [{ month, cents }] }
  return {
    description: causeSentence(cause, memberName, wording),
    ...{ memberNumber: `M-${memberName.length}`, memberName: called, billedMonth: month },
    ...{ quantity: 1, unitCents: cents, totalCents: cents },
  }
}
const createPlainLine = (description: string): LineToPrint => ({
  ...{ description, memberNumber: "M-1", memberName: "Thandi Mokoena", billedMonth: "2026-09-01" },
  ...{ quantity: 1, unitCents: 35000, totalCents: 35000 },
})

test("an invoice prints each cause once, with a row of months and amounts per member", () => {
  const parts = printedParts(
    [
      createPlainLine("Thandi Mokoena - Gold"),
      createPlainLine("Karin Botha - Gold"),
      createLateLine("premium", "Thandi Mokoena", "2026-08-01", 2000),
      createLateLine("premium", "Thandi Mokoena", "2026-09-01", 2000),
      createLateLine("joined", "Karin Botha", "2026-09-01", 35000),
      createLateLine("premium", "Karin Botha", "2026-08-01", 2000),
      createLateLine("premium", "Karin Botha", "2026-09-01", 2500),
    ],
    "ZAR",
  )
  expect(parts.map(({ cause }) => cause)).toEqual([
    null,
    `The premium changed from ${formatMoney(35000, "ZAR")} to ${formatMoney(37000, "ZAR")} on 2026-08-01, recorded 2026-09-20`,
    "Joined on 2026-08-01, recorded 2026-09-20",
  ])
  expect(
    parts.map(({ rows }) => rows.map((row) => [row.description, row.quantity, row.unitCents, row.totalCents])),
  ).toEqual([
    [
      ["Thandi Mokoena - Gold", 1, 35000, 35000],
      ["Karin Botha - Gold", 1, 35000, 35000],
    ],
    [
      ["Thandi Mokoena, Aug–Sep 2026", 2, 2000, 4000],
      ["Karin Botha, Aug 2026", 1, 2000, 2000],
      ["Karin Botha, Sep 2026", 1, 2500, 2500],
    ],
    [["Karin Botha, Sep 2026", 1, 35000, 35000]],
  ])
})

test("an invoice prints consecutive months as a range, also across years", () => {
  const months: Day[] = ["2025-11-01", "2025-12-01", "2026-01-01", "2026-03-01"]
  const [part] = printedParts(
    months.map((month) => createLateLine("joined", "Thandi Mokoena", month, 100)),
    "ZAR",
  )
  expect(part!.rows.map(({ description }) => description)).toEqual(["Thandi Mokoena, Nov 2025–Jan 2026, Mar 2026"])
})

test("a renamed member keeps the line's name, and manual lines are unchanged", () => {
  const typed = { ...createPlainLine("Goodwill: September, R 1,00"), memberNumber: null, memberName: null }
  const parts = printedParts(
    [createLateLine("left", "Thandi Mokoena", "2026-09-01", -35000, "Thandi Nkosi"), typed],
    "ZAR",
  )
  expect(parts).toEqual([
    {
      cause: "Thandi Mokoena left on 2026-08-01, recorded 2026-09-20",
      rows: [expect.objectContaining({ description: "Sep 2026" })],
    },
    { cause: null, rows: [expect.objectContaining({ description: typed.description })] },
  ])
})

test("printed rows add up to the lines, and each amount is quantity times price", () => {
  const line = fc
    .record({
      kind: fc.constantFrom("premium", "joined", "left", "tier", "salary", "left out", "billed from"),
      name: fc.constantFrom("Thandi Mokoena", "Karin Botha", "Thandi Mokoena Nkosi"),
      month: fc.constantFrom("2025-12-01", "2026-01-01", "2026-09-01"),
      cents: fc.integer({ min: -50_000, max: 50_000 }),
      isPlain: fc.boolean(),
    })
    .map(({ kind, name, month, cents, isPlain }) =>
      isPlain ? createPlainLine(`${name} - Gold`) : createLateLine(kind as CauseKind, name, month, cents),
    )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const rows = printedParts(lines, "ZAR").flatMap((part) => part.rows)
      const sum = (all: readonly { quantity: number; totalCents: number }[]) =>
        all.reduce((so, one) => [so[0]! + one.quantity, so[1]! + one.totalCents], [0, 0])
      expect(sum(rows)).toEqual(sum(lines))
      for (const row of rows) expect(row.quantity * row.unitCents).toBe(row.totalCents)
    }),
  )
})

test("a summary groups an invoice by month and reason and counts each member once", () => {
  const lines = [
    createPlainLine("Thandi Mokoena - Gold"),
    { ...createPlainLine("Karin Botha - Gold"), memberNumber: "M-2" },
    createLateLine("premium", "Thandi Mokoena", "2026-08-01", 2000),
    createLateLine("premium", "Karin Botha", "2026-08-01", 2000),
    createLateLine("premium", "Karin Botha", "2026-07-01", 2500),
    createLateLine("joined", "Karin Botha", "2026-08-01", 35000),
    { ...createPlainLine("Certificates"), memberNumber: null, memberName: null, billedMonth: null, totalCents: 500 },
  ]
  const premium = `The premium changed from ${formatMoney(35000, "ZAR")} to ${formatMoney(37000, "ZAR")} on 2026-08-01, recorded 2026-09-20`
  expect(billedParts(lines, "2026-09-01", "ZAR")).toEqual([
    { month: "2026-09-01", reason: null, people: 2, netCents: 70000 },
    { month: "2026-07-01", reason: premium, people: 1, netCents: 2500 },
    { month: "2026-08-01", reason: premium, people: 2, netCents: 4000 },
    { month: "2026-08-01", reason: "Joined on 2026-08-01, recorded 2026-09-20", people: 1, netCents: 35000 },
    { month: null, reason: null, people: 0, netCents: 500 },
  ])
})

test("a summary merges the reasons of a month if there are many", () => {
  const causes: CauseKind[] = ["joined", "left", "premium", "tier", "salary"]
  const lines = causes.map((kind) => createLateLine(kind, "Karin Botha", "2026-08-01", 100))
  expect(billedParts(lines, "2026-09-01", "ZAR")).toEqual([
    { month: "2026-08-01", reason: "5 reasons, listed below", people: 1, netCents: 500 },
  ])
  expect(billedParts(lines.slice(1), "2026-09-01", "ZAR")).toHaveLength(4)
})
