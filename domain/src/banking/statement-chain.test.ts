import { expect, test } from "vitest"
import { formatDay } from "../kernel/calendar.ts"
import { type ChainedStatement, chainFaults, describeChainFault, statedBalanceAt } from "./statement-chain.ts"
import { statementDaysOf } from "./statement-days.ts"

const dayText = (day: number) => `2026-${day > 31 ? "11" : "10"}-${String(day > 31 ? day - 31 : day).padStart(2, "0")}`

/** A statement of October (days above 31 are in November): the opening balance, then each day with its amounts. */
function createChainedStatement(
  number: string,
  openingCents: number | null,
  ...days: [day: number, ...amounts: number[]][]
) {
  let running = openingCents
  const made: ChainedStatement = {
    ...{ number, openingCents, fromOn: dayText(days[0]![0]), toOn: dayText(days.at(-1)![0]) },
    days: days.map(([day, ...amounts]) => {
      for (const cents of amounts) running = running === null ? null : running + cents
      return { day: dayText(day), amounts, closingCents: running, digest: amounts.join() }
    }),
  }
  return made
}
const chainStart = { coveredTo: "2026-09-30", closingCents: 1_000, number: null }
const first = createChainedStatement("A", 1_000, [1, 10, 20], [15, -5])

test.each<[string, ChainedStatement[], string[]]>([
  ["one over the month", [createChainedStatement("A", 1_000, [1, 10], [31, 5])], []],
  ["none", [], ["missing 01-31"]],
  ["one that ends early", [first], ["missing 16-31"]],
  ["the next one opens where it closed, days later", [first, createChainedStatement("B", 1_025, [20, 1], [31, 1])], []],
  ["in whatever order they were imported", [createChainedStatement("B", 1_025, [20, 1], [31, 1]), first], []],
  [
    "the next one opens elsewhere, days later",
    [first, createChainedStatement("B", 1_030, [20, 1], [31, 1])],
    ["gap 16-19 5"],
  ],
  [
    "the next one opens elsewhere, the day after",
    [first, createChainedStatement("B", 999, [16, 1], [31, 1])],
    ["gap 16-15 -26"],
  ],
  ["a later month's proves the last days", [first, createChainedStatement("B", 1_025, [32, 1])], []],
  ["a later month's opens elsewhere", [first, createChainedStatement("B", 1_026, [33, 1])], ["gap 16-31 1"]],
  [
    "a later gap is another month's",
    [createChainedStatement("A", 1_000, [1, 1], [31, 1]), createChainedStatement("B", 5, [33, 1])],
    [],
  ],
  [
    "the first one opens elsewhere than the account",
    [createChainedStatement("A", 900, [1, 1], [31, 1])],
    ["gap 01-30 -100"],
  ],
  [
    "without balances, day after day",
    [createChainedStatement("A", null, [1, 1], [15, 1]), createChainedStatement("B", null, [16, 1], [31, 1])],
    [],
  ],
  [
    "without balances, days between",
    [createChainedStatement("A", null, [1, 1], [15, 1]), createChainedStatement("B", null, [17, 1], [31, 1])],
    ["gap 16-16 null"],
  ],
  ["an overlap that agrees", [first, createChainedStatement("B", 1_030, [15, -5], [31, 1])], []],
  ["whole days that agree", [first, createChainedStatement("B", 1_000, [1, 10, 20], [15, -5], [31, 1])], []],
  [
    "an overlap with another balance",
    [first, createChainedStatement("B", 1_031, [15, -5], [31, 1])],
    ["balance 15-15"],
  ],
  [
    "an overlap with other lines",
    [first, createChainedStatement("B", 1_000, [1, 10, 19], [15, -4], [31, 1])],
    ["lines 01-01", "lines 15-15"],
  ],
  [
    "a line that the later one lacks",
    [
      createChainedStatement("A", 1_000, [1, 1], [9, 2], [20, 3]),
      createChainedStatement("B", 1_000, [1, 1], [20, 3], [31, 1]),
    ],
    ["lines 09-09", "balance 20-20"],
  ],
  [
    "a line that the earlier one lacks",
    [
      createChainedStatement("A", 1_000, [1, 1], [20, 3]),
      createChainedStatement("B", 1_000, [1, 1], [9, 2], [20, 3], [31, 1]),
    ],
    ["lines 09-09", "balance 20-20"],
  ],
  [
    "the earlier one was fetched before its last day was over",
    [first, createChainedStatement("B", 1_030, [15, -5, -7], [31, 1])],
    [],
  ],
  [
    "the same, with another balance before that day",
    [first, createChainedStatement("B", 1_000, [15, -5, -7], [31, 1])],
    ["balance 15-15"],
  ],
  [
    "the later one begins in the middle of a known day",
    [
      createChainedStatement("A", 1_000, [1, 10, 20], [15, -5]),
      createChainedStatement("B", 1_010, [1, 20], [15, -5], [31, 1]),
    ],
    [],
  ],
  [
    "the same, with another balance",
    [
      createChainedStatement("A", 1_000, [1, 10, 20], [15, -5]),
      createChainedStatement("B", 1_011, [1, 20], [15, -5], [31, 1]),
    ],
    ["balance 01-01", "balance 15-15"],
  ],
  [
    "the later one takes up in the middle of the last day",
    [first, createChainedStatement("B", 1_025, [15, 7], [31, 1])],
    [],
  ],
  [
    "the same, with a line of both",
    [createChainedStatement("A", 1_000, [1, 10], [15, 3, 4]), createChainedStatement("B", 1_013, [15, 4, 9], [31, 1])],
    [],
  ],
  [
    "the same, with lines between them missing",
    [first, createChainedStatement("B", 1_026, [15, 7], [31, 1])],
    ["lines 15-15"],
  ],
  [
    "one within another",
    [createChainedStatement("A", 1_000, [1, 10], [15, 3, 4], [31, 1]), createChainedStatement("B", 1_010, [15, 3])],
    [],
  ],
])("chain of statements: %s", (_case, statements, expected) => {
  const faults = chainFaults(statements, { from: dayText(1), to: dayText(31), start: chainStart })
  const said = faults.map(
    (of) => `${of.kind} ${of.from.slice(8)}-${of.to.slice(8)}${of.kind === "gap" ? ` ${of.cents}` : ""}`,
  )
  expect(said).toEqual(expected)
})

test("a month's chain begins with the previous statement and ignores earlier ones", () => {
  const before = { ...createChainedStatement("A", 77, [1, 10]), fromOn: "2026-09-20", toOn: "2026-09-30" }
  const statements = [
    { ...before, days: [{ ...before.days[0]!, day: "2026-09-30" }] },
    createChainedStatement("B", 87, [31, 1]),
  ]
  expect(chainFaults(statements, { from: dayText(1), to: dayText(31), start: null })).toEqual([])
})

test("describes each fault in a sentence with both statements and the amount", () => {
  const words = (...statements: ChainedStatement[]) =>
    chainFaults(statements, { from: dayText(1), to: dayText(31), start: chainStart }).map((fault) =>
      describeChainFault(fault, (day) => formatDay(day, "YYYY-MM-DD"), "ZAR").replaceAll("\u00a0", " "),
    )
  expect(words()).toEqual(["No statement from 2026-10-01 to 2026-10-31."])
  expect(words(first, createChainedStatement("B", 1_030, [17, 1], [31, 1]))).toEqual([
    "The opening balance of B differs from the closing balance of A by R 0,05. No statement for 2026-10-16.",
  ])
  expect(words(createChainedStatement("A", 900, [1, 1], [31, 1]))).toEqual([
    "The opening balance of A differs from the opening balance of the account by -R 1,00.",
  ])
  expect(words(first, createChainedStatement("B", 1_031, [15, -5], [31, 1]))).toEqual([
    "A and B overlap and state different balances for 2026-10-15.",
  ])
})

test("a day's balance is the balance of the last line on or before that day", () => {
  const statements = [first, createChainedStatement("B", 1_030, [15, -5, -7], [31, 1])]
  expect(statedBalanceAt(statements, dayText(1))).toEqual({ cents: 1_030, lastLineOn: dayText(1), number: "A" })
  expect(statedBalanceAt(statements, dayText(14))).toEqual({ cents: 1_030, lastLineOn: dayText(1), number: "A" })
  // Statement B continues after A's last line of that day.
  expect(statedBalanceAt(statements, dayText(15))).toEqual({ cents: 1_018, lastLineOn: dayText(15), number: "B" })
  expect(statedBalanceAt(statements, dayText(33))).toEqual({ cents: 1_019, lastLineOn: dayText(31), number: "B" })
  expect(statedBalanceAt(statements, "2026-09-30")).toBeNull()
  expect(statedBalanceAt([createChainedStatement("A", null, [1, 1])], dayText(2))).toMatchObject({ cents: null })
})

test("a day's balance is the file's, or else the opening balance plus lines", () => {
  const line = (day: number, amountCents: number, balanceCents: number | null) => ({
    ...{ line: 1, day: dayText(day), amountCents, balanceCents, text: `EFT ${amountCents}`, reference: "" },
  })
  const closings = (openingCents: number | null, ...lines: ReturnType<typeof line>[]) =>
    statementDaysOf({ openingCents, lines }).map(({ day, amounts, closingCents }) => [day, amounts, closingCents])
  expect(closings(100, line(1, 5, null), line(1, 6, null), line(3, 7, null), line(4, 0, null))).toEqual([
    [dayText(1), [5, 6], 111],
    [dayText(3), [7], 118],
  ])
  expect(closings(null, line(1, 5, null), line(3, 7, 500), line(3, 1, null))).toEqual([
    [dayText(1), [5], 493],
    [dayText(3), [7, 1], 501],
  ])
  expect(closings(null, line(1, 5, null))).toEqual([[dayText(1), [5], null]])
})
