import { expect, test } from "vitest"
import { agesText, findRateProblems, type RateRow, type RateTable, raiseRates } from "./rates.ts"
import { parsePastedRates } from "./rates-paste.ts"

const tiers = [
  { id: "g", name: "Gold" },
  { id: "s", name: "Silver" },
]
const createRateRow = (over: Partial<RateRow>): RateRow => ({
  ...{ person: "member", tierId: null, ageFrom: null, ageUntil: null, cents: null, perMille: null },
  ...over,
})
const createRateTable = (rows: RateRow[], over: Partial<RateTable> = {}): RateTable => ({
  ...{ ageOn: "month", sumAssured: null, rows },
  ...over,
})

test("pasted spreadsheet rows are parsed, headings are skipped, and unreadable lines are named", () => {
  const pasted = [
    "Who\tTier\tFrom\tTo\tAmount",
    "Member\tgold\t35\t44\tR 412,00",
    "spouse\t\t\t\t180",
    "children\tEvery tier\t0\t17\t45.50",
    "cousin\t\t\t\t10",
    "member\tBronze\t\t\t10",
    "member\tSilver\t\t\t\t0,85",
    "",
  ].join("\r\n")
  expect(parsePastedRates(pasted, tiers, "ZAR")).toEqual({
    rows: [
      createRateRow({ tierId: "g", ageFrom: 35, ageUntil: 44, cents: 412_00 }),
      createRateRow({ person: "spouse", cents: 180_00 }),
      createRateRow({ person: "child", ageFrom: 0, ageUntil: 17, cents: 45_50 }),
      createRateRow({ tierId: "s", perMille: 0.85 }),
    ],
    unread: [5, 6],
  })
})

test("raising a table rounds to cents and four decimals, half away from zero", () => {
  const sum = { kind: "fixed" as const, cents: 100 }
  const up = raiseRates(
    createRateTable([createRateRow({ cents: 333 }), createRateRow({ tierId: "g", perMille: 0.8501 })], {
      sumAssured: sum,
    }),
    6.5,
  )
  expect(up.rows.map(({ cents, perMille }) => cents ?? perMille)).toEqual([355, 0.9054])
  expect(up.sumAssured).toEqual(sum)
})

test.each([
  [[createRateRow({ person: "spouse", cents: 1 })], null, "Enter a rate for members"],
  [[createRateRow({ cents: 1 }), createRateRow({ cents: 2 })], 1, "Row 1 already has a rate for some of these people"],
  [[createRateRow({ perMille: 1 })], 0, "Enter the sum assured for this rate per mille"],
  [[createRateRow({})], 0, "Enter either an amount or a rate per mille"],
  [[createRateRow({ cents: 1, ageFrom: 40, ageUntil: 30 })], 0, "The last age is below the first age"],
  [
    [
      createRateRow({ cents: 1 }),
      createRateRow({ person: "family", cents: 1 }),
      createRateRow({ person: "child", cents: 1 }),
    ],
    1,
    "Enter either one family rate, or a rate for each dependent",
  ],
] as const)("the rates %j are wrong in row %s: %s", (rows, at, message) => {
  expect(findRateProblems(createRateTable([...rows]))).toContainEqual({ row: at, message })
})

test("accepts adjacent age bands, separate tiers and a row for all tiers together", () => {
  const rows = [
    createRateRow({ ageUntil: 34, cents: 1 }),
    createRateRow({ ageFrom: 35, cents: 2 }),
    createRateRow({ tierId: "g", cents: 3 }),
    createRateRow({ person: "spouse", cents: 0 }),
  ]
  expect(findRateProblems(createRateTable(rows))).toEqual([])
  expect(rows.map(agesText)).toEqual(["up to 34", "35 and over", null, null])
})
