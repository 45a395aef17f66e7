import fc from "fast-check"
import Papa from "papaparse"
import { expect, test } from "vitest"
import { toCsv } from "./csv.ts"

const csvCell = (value: string | number) =>
  toCsv([{ title: "T", value: () => value }], [{}])
    .toString()
    .split("\r\n")[1]

test.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM",
  " =1+1",
  "\u00a0=1+1",
  "\u3000＝1",
  "\ufeff@x",
])("escapes %j, so that a spreadsheet does not run it as a formula", (text) =>
  expect(csvCell(text)?.replaceAll('"', "")).toBe(`'${text}`))

test.each(["Sipho", " Sipho", "O'Neil = x", "2026-11-02"])("writes %j unchanged", (text) =>
  expect(csvCell(text)?.replaceAll('"', "")).toBe(text))

test("writes a negative number without an escape", () => expect(csvCell(-12.5)).toBe("-12.5"))

test("another library reads every cell back unchanged, except for the formula escape", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab=+-@ ,;\"'\r\n\t\u00e9\ufeff") })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, fc.integer()), { minLength: 1 }), (rows) => {
      const columns = [0, 1, 2].map((at) => ({ title: `${at}`, value: (row: (string | number)[]) => row[at]! }))
      const written = toCsv(columns, rows).toString().slice(1)
      const { data } = Papa.parse<string[]>(written, { newline: "\r\n" })
      const read = data.slice(1, -1).map((cells) => cells.map((each) => (/^'/.test(each) ? each.slice(1) : each)))
      expect(read).toEqual(rows.map((cells) => cells.map((each) => String(each).replace(/^'/, ""))))
    }),
  )
})
