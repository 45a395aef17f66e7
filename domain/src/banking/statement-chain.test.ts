import { expect, test } from "vitest"
import { formatDay } from "../kernel/calendar.ts"
import { balanceAt, type ChainedStatement, chainFaults, faultWords } from "./statement-chain.ts"
import { daysOf } from "./statement-days.ts"

const on = (day: number) => `2026-${day > 31 ? "11" : "10"}-${String(day > 31 ? day - 31 : day).padStart(2, "0")}`

/** A statement of October (days above 31 are in November): the opening balance, then each day with its amounts. */
function statement(number: string, openingCents: number | null, ...days: [day: number, ...amounts: number[]][]) {
  let running = openingCents
  const made: ChainedStatement = {
    ...{ number, openingCents, fromOn: on(days[0]![0]), toOn: on(days.at(-1)![0]) },
    days: days.map(([day, ...amounts]) => {
      for (const cents of amounts) running = running === null ? null : running + cents
      return { day: on(day), amounts, closingCents: running, digest: amounts.join() }
    }),
  }
  return made
}
const begun = { coveredTo: "2026-09-30", closingCents: 1_000, number: null }
const first = statement("A", 1_000, [1, 10, 20], [15, -5])

test.each<[string, ChainedStatement[], string[]]>([
  ["one over the month", [statement("A", 1_000, [1, 10], [31, 5])], []],
  ["none", [], ["missing 01-31"]],
  ["one that ends early", [first], ["missing 16-31"]],
  ["the next one opens where it closed, days later", [first, statement("B", 1_025, [20, 1], [31, 1])], []],
  ["in whatever order they were imported", [statement("B", 1_025, [20, 1], [31, 1]), first], []],
  ["the next one opens elsewhere, days later", [first, statement("B", 1_030, [20, 1], [31, 1])], ["gap 16-19 5"]],
  ["the next one opens elsewhere, the day after", [first, statement("B", 999, [16, 1], [31, 1])], ["gap 16-15 -26"]],
  ["a later month's proves the last days", [first, statement("B", 1_025, [32, 1])], []],
  ["a later month's opens elsewhere", [first, statement("B", 1_026, [33, 1])], ["gap 16-31 1"]],
  ["a later gap is another month's", [statement("A", 1_000, [1, 1], [31, 1]), statement("B", 5, [33, 1])], []],
  ["the first one opens elsewhere than the account", [statement("A", 900, [1, 1], [31, 1])], ["gap 01-30 -100"]],
  [
    "without balances, day after day",
    [statement("A", null, [1, 1], [15, 1]), statement("B", null, [16, 1], [31, 1])],
    [],
  ],
  [
    "without balances, days between",
    [statement("A", null, [1, 1], [15, 1]), statement("B", null, [17, 1], [31, 1])],
    ["gap 16-16 null"],
  ],
  ["an overlap that agrees", [first, statement("B", 1_030, [15, -5], [31, 1])], []],
  ["whole days that agree", [first, statement("B", 1_000, [1, 10, 20], [15, -5], [31, 1])], []],
  ["an overlap with another balance", [first, statement("B", 1_031, [15, -5], [31, 1])], ["balance 15-15"]],
  [
    "an overlap with other lines",
    [first, statement("B", 1_000, [1, 10, 19], [15, -4], [31, 1])],
    ["lines 01-01", "lines 15-15"],
  ],
  [
    "a line that the later one lacks",
    [statement("A", 1_000, [1, 1], [9, 2], [20, 3]), statement("B", 1_000, [1, 1], [20, 3], [31, 1])],
    ["lines 09-09", "balance 20-20"],
  ],
  [
    "a line that the earlier one lacks",
    [statement("A", 1_000, [1, 1], [20, 3]), statement("B", 1_000, [1, 1], [9, 2], [20, 3], [31, 1])],
    ["lines 09-09", "balance 20-20"],
  ],
  [
    "the earlier one was fetched before its last day was over",
    [first, statement("B", 1_030, [15, -5, -7], [31, 1])],
    [],
  ],
  [
    "the same, with another balance before that day",
    [first, statement("B", 1_000, [15, -5, -7], [31, 1])],
    ["balance 15-15"],
  ],
  [
    "the later one begins in the middle of a known day",
    [statement("A", 1_000, [1, 10, 20], [15, -5]), statement("B", 1_010, [1, 20], [15, -5], [31, 1])],
    [],
  ],
  [
    "the same, with another balance",
    [statement("A", 1_000, [1, 10, 20], [15, -5]), statement("B", 1_011, [1, 20], [15, -5], [31, 1])],
    ["balance 01-01", "balance 15-15"],
  ],
  ["the later one takes up in the middle of the last day", [first, statement("B", 1_025, [15, 7], [31, 1])], []],
  [
    "the same, with a line of both",
    [statement("A", 1_000, [1, 10], [15, 3, 4]), statement("B", 1_013, [15, 4, 9], [31, 1])],
    [],
  ],
  ["the same, with lines between them missing", [first, statement("B", 1_026, [15, 7], [31, 1])], ["lines 15-15"]],
  ["one within another", [statement("A", 1_000, [1, 10], [15, 3, 4], [31, 1]), statement("B", 1_010, [15, 3])], []],
])("chain of statements: %s", (_case, statements, expected) => {
  const faults = chainFaults(statements, { from: on(1), to: on(31), start: begun })
  const said = faults.map(
    (of) => `${of.kind} ${of.from.slice(8)}-${of.to.slice(8)}${of.kind === "gap" ? ` ${of.cents}` : ""}`,
  )
  expect(said).toEqual(expected)
})

test("a month begins with the statement before it and ignores earlier ones", () => {
  const before = { ...statement("A", 77, [1, 10]), fromOn: "2026-09-20", toOn: "2026-09-30" }
  const statements = [{ ...before, days: [{ ...before.days[0]!, day: "2026-09-30" }] }, statement("B", 87, [31, 1])]
  expect(chainFaults(statements, { from: on(1), to: on(31), start: null })).toEqual([])
})

test("describes each fault in a sentence with both statements and the amount", () => {
  const words = (...statements: ChainedStatement[]) =>
    chainFaults(statements, { from: on(1), to: on(31), start: begun }).map((fault) =>
      faultWords(fault, (day) => formatDay(day, "YYYY-MM-DD"), "ZAR").replaceAll("\u00a0", " "),
    )
  expect(words()).toEqual(["No statement from 2026-10-01 to 2026-10-31."])
  expect(words(first, statement("B", 1_030, [17, 1], [31, 1]))).toEqual([
    "The opening balance of B differs from the closing balance of A by R 0,05. No statement for 2026-10-16.",
  ])
  expect(words(statement("A", 900, [1, 1], [31, 1]))).toEqual([
    "The opening balance of A differs from the opening balance of the account by -R 1,00.",
  ])
  expect(words(first, statement("B", 1_031, [15, -5], [31, 1]))).toEqual([
    "A and B overlap and state different balances for 2026-10-15.",
  ])
})

test("uses the last line on or before a day for its balance", () => {
  const statements = [first, statement("B", 1_030, [15, -5, -7], [31, 1])]
  expect(balanceAt(statements, on(1))).toEqual({ cents: 1_030, lastLineOn: on(1), number: "A" })
  expect(balanceAt(statements, on(14))).toEqual({ cents: 1_030, lastLineOn: on(1), number: "A" })
  // The later statement covers the whole day.
  expect(balanceAt(statements, on(15))).toEqual({ cents: 1_018, lastLineOn: on(15), number: "B" })
  expect(balanceAt(statements, on(33))).toEqual({ cents: 1_019, lastLineOn: on(31), number: "B" })
  expect(balanceAt(statements, "2026-09-30")).toBeNull()
  expect(balanceAt([statement("A", null, [1, 1])], on(2))).toMatchObject({ cents: null })
})

test("uses the file's balance for a day, or else the opening balance plus lines", () => {
  const line = (day: number, amountCents: number, balanceCents: number | null) => ({
    ...{ line: 1, day: on(day), amountCents, balanceCents, text: `EFT ${amountCents}`, reference: "" },
  })
  const closings = (openingCents: number | null, ...lines: ReturnType<typeof line>[]) =>
    daysOf({ openingCents, lines }).map(({ day, amounts, closingCents }) => [day, amounts, closingCents])
  expect(closings(100, line(1, 5, null), line(1, 6, null), line(3, 7, null), line(4, 0, null))).toEqual([
    [on(1), [5, 6], 111],
    [on(3), [7], 118],
  ])
  expect(closings(null, line(1, 5, null), line(3, 7, 500), line(3, 1, null))).toEqual([
    [on(1), [5], 493],
    [on(3), [7, 1], 501],
  ])
  expect(closings(null, line(1, 5, null))).toEqual([[on(1), [5], null]])
})
