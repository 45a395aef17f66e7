import { read, type WorkBook } from "@e965/xlsx"
import readExcel from "read-excel-file/node"
import { expect, test } from "vitest"
import type { FileColumn } from "./file-column.ts"
import { streamXlsx } from "./xlsx.ts"

interface Row {
  name: string | null
  at: string | null
  rand: number | null
  people: number | null
}
const columns: FileColumn<Row>[] = [
  { title: "Name", kind: "text", value: (row) => row.name },
  { title: "Day", kind: "day", value: (row) => row.at },
  { title: "Amount", kind: "money", value: (row) => row.rand },
  { title: "People", kind: "count", value: (row) => row.people },
]
const row = (change: Partial<Row>): Row => ({ name: "Sipho", at: "2026-11-02", rand: 10.5, people: 3, ...change })

async function* batchesOf(rows: Row[], size = 2): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

async function bytesOf(rows: Row[], rowsPerSheet?: number): Promise<Buffer> {
  return collectBytes(streamXlsx("Members & more", columns, batchesOf(rows), rowsPerSheet))
}

async function collectBytes(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

const readWorkbook = async (rows: Row[], perSheet?: number): Promise<WorkBook> =>
  read(await bytesOf(rows, perSheet), { cellNF: true, cellText: true })

test("amounts, counts and days are formatted numbers and dates; a missing value is an empty cell", async () => {
  const book = await readWorkbook([row({}), row({ rand: -1234567.89, at: null, name: null, people: null })])
  expect(book.SheetNames).toEqual(["Members & more"])
  const sheet = book.Sheets["Members & more"]!
  expect(sheet.A1).toMatchObject({ t: "s", v: "Name" })
  expect(sheet.B2).toMatchObject({ t: "n", v: 46328, z: "yyyy\\-mm\\-dd", w: "2026-11-02" })
  expect(sheet.C2).toMatchObject({ t: "n", v: 10.5, z: "#,##0.00" })
  expect(sheet.C3).toMatchObject({ v: -1234567.89, w: "-1,234,567.89" })
  expect(sheet.D2).toMatchObject({ t: "n", v: 3 })
  for (const empty of ["A3", "B3", "D3"]) expect(sheet[empty]?.v).toBeUndefined()
})

test("a month exports as the date of its first day; other text remains text", async () => {
  const months: FileColumn<string>[] = [{ title: "Month", kind: "month", value: (month) => month }]
  async function* monthBatches() {
    yield ["2026-03", "None"]
  }
  const sheet = read(await collectBytes(streamXlsx("a", months, monthBatches())), { cellNF: true, cellText: true })
    .Sheets.a!
  expect(sheet.A2).toMatchObject({ t: "n", v: 46082, z: "mmm\\ yyyy", w: "Mar 2026" })
  expect(sheet.A3).toMatchObject({ t: "s", v: "None" })
})

test.each([
  ["EUR", "[$€-2]\\ #,##0.00", "€ 10.50"],
  ["USD", "[$$-409]\\ #,##0.00", "$ 10.50"],
] as const)("amounts in %s show the currency symbol, also in totals", async (currency, z, w) => {
  const [, , amount] = columns
  const pieces = streamXlsx("a", [{ ...amount!, currency }], batchesOf([row({}), row({})]), undefined, () => [21])
  const sheet = read(await collectBytes(pieces), { cellNF: true, cellText: true }).Sheets.a!
  expect(sheet.A2).toMatchObject({ t: "n", v: 10.5, z, w })
  expect(sheet.A4).toMatchObject({ v: 21, z })
})

test("another Excel library reads the same values", async () => {
  const [sheet] = await readExcel(await bytesOf([row({})]))
  expect(sheet!.data).toEqual([
    ["Name", "Day", "Amount", "People"],
    ["Sipho", new Date("2026-11-02T00:00:00Z"), 10.5, 3],
  ])
})

test.each([
  "=1+1",
  "+1",
  "@SUM(A1)",
  "<b>&\"'",
  " blank ",
  "0821234567",
  "Šárka 😀",
  "a\nb",
])("%j is stored unchanged as text", async (name) => {
  const cell = (await readWorkbook([row({ name })])).Sheets["Members & more"]!.A2
  expect(cell).toMatchObject({ t: "s", v: name })
  expect(cell.f).toBeUndefined()
})

test("omits control characters, half surrogates and text beyond 32,767 characters", async () => {
  const cell = (await readWorkbook([row({ name: `a\0\u0008\ud800b${"x".repeat(40_000)}` })])).Sheets["Members & more"]!
    .A2
  expect(cell.v).toBe(`ab${"x".repeat(32_767 - 5)}`)
})

test("a day before Excel's first valid date remains text", async () => {
  const sheet = (await readWorkbook([row({ at: "1899-12-31" }), row({ at: "1900-03-01" })])).Sheets["Members & more"]!
  expect(sheet.B2).toMatchObject({ t: "s", v: "1899-12-31" })
  expect(sheet.B3).toMatchObject({ t: "n", v: 61 })
})

test("rows beyond one sheet continue in the next sheet, with headers", async () => {
  const names = ["a", "b", "c", "d", "e"]
  const book = await readWorkbook(
    names.map((name) => row({ name })),
    3,
  )
  expect(book.SheetNames).toEqual(["Members & more", "Members & more 2", "Members & more 3"])
  const found = book.SheetNames.map((name) => [1, 2, 3].map((at) => book.Sheets[name]![`A${at}`]?.v))
  expect(found).toEqual([
    ["Name", "a", "b"],
    ["Name", "c", "d"],
    ["Name", "e", undefined],
  ])
})

test("an empty list exports its headers", async () => {
  expect((await readWorkbook([])).Sheets["Members & more"]!["!ref"]).toBe("A1:D1")
})

test("a read error fails the export, at the first batch or later", async () => {
  async function* failingRows(after: number): AsyncGenerator<Row[]> {
    for (let at = 0; at < after; at += 1) yield [row({})]
    throw new Error("the database went away")
  }
  for (const after of [0, 1, 1000]) {
    await expect(collectBytes(streamXlsx("a", columns, failingRows(after)))).rejects.toThrow("the database went away")
  }
})

test("100,000 rows are never in memory at once", async () => {
  async function* manyRows(): AsyncGenerator<Row[]> {
    for (let at = 0; at < 200; at += 1) {
      yield Array.from({ length: 500 }, (_, index) => row({ name: `Member ${at}-${index} of a long name` }))
    }
  }
  let [sent, most] = [0, 0]
  const before = process.memoryUsage().rss
  for await (const piece of streamXlsx("members", columns, manyRows())) {
    sent += piece.length
    most = Math.max(most, process.memoryUsage().rss)
    await new Promise(setImmediate)
  }
  expect(sent).toBeGreaterThan(200_000)
  expect((most - before) / 1e6).toBeLessThan(120)
})

test.each([
  ["=cmd()|' /C calc'!A0", "=cmd()|'  C calc'!A0"],
  ["Claims 1/2: [a]?*\\", "Claims 1 2   a"],
  ["'quoted'", "quoted"],
  ["///", "Report"],
])("the name of a sheet for %s is valid in every reader", async (name, taken) => {
  const bytes = await collectBytes(streamXlsx(name, columns, batchesOf([row({})])))
  expect(read(bytes).SheetNames).toEqual([taken])
})
