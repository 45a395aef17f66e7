import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseBankAmount, parseBankDay, parseDecimal } from "./bank-cells.ts"
import { findTable, readBankCsv, rememberedColumnsFor } from "./bank-csv.ts"
import { planImport, selectStatement } from "./import-statement.ts"
import { type StoredLine, separateNewLines } from "./known-lines.ts"
import {
  closingOf,
  firstBalanceFault,
  joinStatements,
  openingOf,
  type ReadLine,
  type ReadStatement,
} from "./statement.ts"

test.each<[string, number | null]>([
  ["-50.00", -50_00],
  ["R-50.00", -50_00],
  ["R 1,150.00", 1_150_00],
  ["R15 000.00", 15_000_00],
  ["1 234,56", 1_234_56],
  ["1.234,56", 1_234_56],
  ["(123.45)", -123_45],
  ["123.45-", -123_45],
  ["123.45 Dr", -123_45],
  ["123.45Cr", 123_45],
  ["ZAR 99.99", 99_99],
  ["+00012.50", 12_50],
  ["150,00", 150_00],
  ["15,000", 15_000_00],
  ["-0.00", 0],
  ["1.005", null],
  ["broken", null],
  ["", null],
])("parses the amount %s", (written, cents) => expect(parseBankAmount(written, "ZAR")).toBe(cents))

test.each<[string, number | null]>([
  ["-3.77000", -3_77],
  ["120", 120_00],
  ["12,5", 12_50],
  ["0.001", null],
  ["$120", null],
])("parses the decimal %s", (written, cents) => expect(parseDecimal(written)).toBe(cents))

test.each<[string, string | null]>([
  ["2026/02/16", "2026-02-16"],
  ["20260216", "2026-02-16"],
  ["03/04/2025", "2025-04-03"],
  ["23Jul2026", "2026-07-23"],
  ["16-Feb-26", "2026-02-16"],
  ["03 Apr 2025", "2025-04-03"],
  ["'01 January 2018'", "2018-01-01"],
  ["2026-02-16 14:05:09", "2026-02-16"],
  ["30/02/2026", null],
  ["bad-date", null],
])("parses the day %s", (written, day) => expect(parseBankDay(written)).toBe(day))

const createLine = (over: Partial<ReadLine> = {}): ReadLine => ({
  ...{ line: 1, day: "2026-10-21", amountCents: -10_00, text: "Cafe", reference: "", balanceCents: null },
  ...over,
})
const createStatement = (lines: ReadLine[], over: Partial<ReadStatement> = {}): ReadStatement => ({
  ...{ account: null, currency: null, openingCents: null, closingCents: null, lines, faults: [] },
  ...over,
})

describe("balances", () => {
  const lines = [
    createLine({ line: 1, balanceCents: 90_00 }),
    createLine({ line: 2, balanceCents: 80_00 }),
    createLine({ line: 3, balanceCents: 75_00 }),
    createLine({ line: 4, balanceCents: 60_00 }),
  ]
  test("are faulty only at the first line that does not follow from the previous one", () => {
    expect(firstBalanceFault(createStatement(lines), "ZAR")).toMatchObject({ line: 3 })
    expect(firstBalanceFault(createStatement(lines.slice(0, 2)), "ZAR")).toBe(null)
    expect(firstBalanceFault(createStatement(lines.slice(0, 2), { openingCents: 101_00 }), "ZAR")).toMatchObject({
      line: 1,
    })
    expect(firstBalanceFault(createStatement(lines.slice(0, 2), { closingCents: 81_00 }), "ZAR")).toMatchObject({
      line: null,
    })
  })
  test("are derived for the opening and the closing if the file omits them", () => {
    expect(openingOf(createStatement(lines))).toBe(100_00)
    expect(openingOf(createStatement([createLine(), createLine({ balanceCents: 80_00 })]))).toBe(100_00)
    expect(closingOf(createStatement([createLine({ balanceCents: 90_00 }), createLine()]))).toBe(80_00)
    expect(closingOf(createStatement([createLine(), createLine()], { openingCents: 100_00 }))).toBe(80_00)
    expect(closingOf(createStatement([createLine()]))).toBe(null)
  })
  test("are chained over several statements of one account", () => {
    const first = createStatement([createLine()], { openingCents: 100_00, closingCents: 90_00 })
    const next = createStatement([createLine()], { openingCents: 90_00, closingCents: 80_00 })
    expect(joinStatements([first, next], "ZAR")).toMatchObject({
      openingCents: 100_00,
      closingCents: 80_00,
      faults: [],
    })
    expect(joinStatements([first, { ...next, openingCents: 95_00 }], "ZAR").faults).toHaveLength(1)
  })
})

describe("duplicate detection of bank lines", () => {
  const kept = (lines: ReadLine[]): StoredLine[] => lines
  const fresh = (lines: ReadLine[], before: StoredLine[]) => separateNewLines(lines, before).fresh

  test("compares day, amount and texts, ignoring letter case", () => {
    expect(fresh([createLine({ text: "CAFE" })], kept([createLine()]))).toEqual([])
    for (const other of [{ day: "2026-10-22" }, { amountCents: -11_00 }, { text: "Bar" }, { reference: "7" }]) {
      expect(fresh([createLine(other)], kept([createLine()])), JSON.stringify(other)).toHaveLength(1)
    }
  })
  test("counts two equal payments of one day twice, with and without balances", () => {
    const two = [createLine({ balanceCents: 900_00 }), createLine({ line: 2, balanceCents: 890_00 })]
    expect(fresh(two, [])).toMatchObject([{ ordinal: 1 }, { ordinal: 2 }])
    expect(fresh([createLine(), createLine({ line: 2 })], [])).toMatchObject([{ ordinal: 1 }, { ordinal: 2 }])
    expect(fresh([createLine(), createLine({ line: 2 })], kept([createLine()]))).toMatchObject([{ ordinal: 2 }])
    expect(fresh(two, kept([two[0]!]))).toMatchObject([{ line: 2, ordinal: 2 }])
    expect(fresh(two.slice(1), kept([two[0]!]))).toMatchObject([{ line: 2, ordinal: 2 }])
    expect(fresh(two, kept(two))).toEqual([])
  })
  test("works across formats with and without balances", () => {
    const said = [createLine({ balanceCents: 900_00 }), createLine({ line: 2, balanceCents: 890_00 })]
    expect(fresh(said, kept([createLine(), createLine()]))).toEqual([])
    expect(fresh([createLine(), createLine({ line: 2 }), createLine({ line: 3 })], kept(said))).toMatchObject([
      { line: 3, ordinal: 3 },
    ])
  })
  test("imports every line exactly once from files that overlap in any way", () => {
    const day = fc.integer({ min: 1, max: 4 }).map((date) => `2026-10-0${date}`)
    const truth = fc.array(
      fc.record({ day, amountCents: fc.constantFrom(-5_00, 7_00), text: fc.constantFrom("a", "b") }),
      {
        maxLength: 24,
      },
    )
    // Banks split their files between days, not within a day.
    const cuts = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })), { maxLength: 5 })
    fc.assert(
      fc.property(truth, cuts, fc.boolean(), (rows, cuts, withBalances) => {
        let balance = 0
        const lines = [...rows]
          .sort((a, b) => (a.day < b.day ? -1 : 1))
          .map((row, at) => {
            balance += row.amountCents
            return createLine({ ...row, line: at + 1, balanceCents: withBalances ? balance : null })
          })
        const there: (StoredLine & { ordinal: number })[] = []
        for (const [one, other] of [...cuts, [1, 4]]) {
          const [from, to] = [Math.min(one!, other!), Math.max(one!, other!)]
          const file = lines.filter(({ day }) => day >= `2026-10-0${from}` && day <= `2026-10-0${to}`)
          there.push(...separateNewLines(file, there).fresh)
        }
        const key = ({ day, amountCents, text, balanceCents }: StoredLine) =>
          [day, amountCents, text, balanceCents].join()
        expect(there.map(key).sort()).toEqual(lines.map(key).sort())
        const places = there.map((each) => [each.day, each.amountCents, each.text, each.ordinal].join())
        expect(new Set(places).size).toBe(places.length)
      }),
    )
  })
})

describe("a CSV of an unknown bank", () => {
  const rows = [
    ["Boekdatum", "Omschrijving", "Af", "Bij"],
    ["04-03-2026", "Huur", "100", ""],
    ["05-03-2026", "Premie", "", "250.50"],
  ]
  const columns = { day: 0, text: 1, moneyOut: 2, moneyIn: 3, dayOrder: "DMY" } as const
  test("needs its columns once and is recognised by its header the next time", () => {
    expect(readBankCsv(rows, "ZAR")).toBe(null)
    expect(readBankCsv(rows, "ZAR", columns)?.[0]?.lines).toMatchObject([
      { day: "2026-03-04", amountCents: -100_00, text: "Huur" },
      { day: "2026-03-05", amountCents: 250_50, text: "Premie" },
    ])
    const table = findTable(rows)
    expect(rememberedColumnsFor(table, { header: rows[0]!, columns })).toEqual(columns)
    expect(rememberedColumnsFor(table, { header: ["Datum", ...rows[0]!.slice(1)], columns })).toBe(null)
  })
  test("has its dates read month first on request", () => {
    expect(readBankCsv(rows, "ZAR", { ...columns, dayOrder: "MDY" })?.[0]?.lines[0]?.day).toBe("2026-04-03")
  })
  test("uses the user's columns even for a known bank's header", () => {
    const named = [
      ["Date", "Description", "Amount", "Details"],
      ["20261001", "ACB CREDIT", "5", "Soweto Retail"],
    ]
    const owner = { accountNumber: "1", openedOn: null, columns: null }
    const content = { format: "csv" as const, rows: named }
    expect(selectStatement(content, owner, null, "ZAR")).toMatchObject({
      ...{ own: null, statement: { lines: [{ text: "ACB CREDIT Soweto Retail" }] } },
    })
    const said = { header: named[0]!, columns: { day: 0, text: 3, amount: 2, dayOrder: "DMY" as const } }
    expect(selectStatement(content, { ...owner, columns: said }, null, "ZAR")).toMatchObject({
      ...{ own: said, statement: { lines: [{ text: "Soweto Retail" }] } },
    })
  })
  test("is rejected if the columns are not sufficient", () => {
    expect(readBankCsv(rows, "ZAR", { day: 0, text: 1, dayOrder: "DMY" })).toBe(null)
  })
})

const standardBank = [
  ["Account Number", "012 345 678"],
  ["Branch", "Sandton"],
  [
    "Date",
    "Value Date",
    "Statement Number",
    "Description",
    "Amount",
    "Balance",
    "Type",
    "Originator Reference",
    "Customer Reference",
  ],
  ["2026/10/01", "2026/10/01", "9", "OPEN BALANCE", "", "+1000.00", "", "", ""],
  ["2026/10/01", "2026/10/01", "9", "CREDIT TRANSFER", "250.00", "+1250.00", "CR", "", "INV-2026-000012"],
  ["2026/10/02", "2026/10/02", "9", "SERVICE FEE", "-50.00", "+1200.00", "DR", "", ""],
  ["2026/10/02", "2026/10/02", "9", "CLOSE BALANCE", "", "+1200.00", "", "", ""],
]
const absa = [
  ["Date", "Description", "Amount", "Balance"],
  ["20261001", "ACB CREDIT", "200.00", "1200.00"],
  ["20261002", "NOTIFIC FEE", "0.00", "1200.00"],
  ["20261003", "MONTHLY FEE", "-50.00", "1150.00"],
]
const absaNewestFirst = [absa[0]!, ...absa.slice(1).reverse()]

describe("bank statement formats", () => {
  test("reads Standard Bank's details above the table and skips carried balances", () => {
    expect(readBankCsv(standardBank, "ZAR")).toMatchObject([
      {
        account: "012 345 678",
        faults: [],
        lines: [
          { amountCents: 250_00, reference: "INV-2026-000012", balanceCents: 1_250_00 },
          { amountCents: -50_00, balanceCents: 1_200_00 },
        ],
      },
    ])
  })
  test.each([
    ["oldest", absa],
    ["newest", absaNewestFirst],
  ])("sorts a file with the %s first into chronological order", (_, rows) => {
    const [statement] = readBankCsv(rows, "ZAR")!
    expect(statement!.lines.map(({ day }) => day)).toEqual(["2026-10-01", "2026-10-02", "2026-10-03"])
    expect(statement!.faults).toEqual([])
  })
  test("sorts lines of one day, newest first, by their balances", () => {
    const rows = [
      ["Date", "Description", "Amount", "Balance"],
      ["20261001", "second", "-50.00", "1150.00"],
      ["20261001", "first", "200.00", "1200.00"],
    ]
    expect(readBankCsv(rows, "ZAR")).toMatchObject([{ faults: [], lines: [{ text: "first" }, { text: "second" }] }])
  })
  test("a file with several accounts yields the requested one", () => {
    const rows = [
      ["Account", "Date", "Description", "Amount"],
      ["111222333", "2026-10-01", "Ours", "5"],
      ["999888777", "2026-10-01", "Theirs", "7"],
    ]
    const owner = { accountNumber: "111222333", columns: null, openedOn: null }
    const read = selectStatement({ format: "csv", rows }, owner, null, "ZAR")
    expect(read).toMatchObject({ statement: { lines: [{ text: "Ours" }] } })
    expect(
      selectStatement({ format: "csv", rows }, { ...owner, accountNumber: "555666777" }, null, "ZAR"),
    ).toMatchObject({
      refused: "NOT_READ",
      message: "The file is for account 111222333, 999888777, not for 555666777. Nothing was imported.",
    })
  })
  test("refuses another currency and accepts different spellings of an account number", () => {
    const owner = { accountNumber: "62000000000", columns: null, openedOn: null }
    const content = (account: string, currency: string) => ({
      format: "ofx" as const,
      statements: [createStatement([createLine()], { account, currency })],
    })
    expect(selectStatement(content("250655/00 6200 000 0000", "ZAR"), owner, null, "ZAR")).toHaveProperty("statement")
    expect(selectStatement(content("62000000000", "EUR"), owner, null, "ZAR")).toMatchObject({ refused: "NOT_READ" })
  })
})

describe("an import", () => {
  const [statement] = readBankCsv(absa, "ZAR")!
  test("opens the account on the first line's day with the balance before that line", () => {
    expect(planImport(statement!, { openedOn: null }, [])).toMatchObject({
      ...{ fromOn: "2026-10-01", toOn: "2026-10-03", openingCents: 1_000_00, closingCents: 1_150_00, empty: 1 },
      opens: { on: "2026-10-01", cents: 1_000_00 },
    })
    expect(planImport(createStatement([createLine()]), { openedOn: null }, []).opens).toMatchObject({ cents: null })
    expect(planImport(createStatement([createLine()]), { openedOn: null }, [], 5_00).opens).toMatchObject({
      cents: 5_00,
    })
  })
  test("leaves out lines that the opening balance already includes", () => {
    const plan = planImport(statement!, { openedOn: "2026-10-03" }, [])
    expect(plan).toMatchObject({ earlier: 2, opens: null, fresh: [{ text: "MONTHLY FEE" }] })
  })
})
