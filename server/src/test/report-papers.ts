import { read as readWorkbook, type WorkSheet } from "@e965/xlsx"
import type { Column, ListWords } from "@milkwood/domain/kernel/list"
import Papa from "papaparse"
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { expect } from "vitest"

/* Checks report files, read with other libraries, against the rows on screen. Formats are specified here independently
   of the code that writes the files. */

type Row = Record<string, unknown>
export interface ShownReport {
  list: ListWords
  rows: readonly Row[]
  sums: Record<string, number>
  subtotalBy?: string | undefined
}

export const subtotalCellOf = ({
  list,
  subtotals,
}: {
  list: ListWords
  subtotals?: readonly string[]
}): string | undefined => subtotals?.find((name) => name === list.order.replace("-", ""))

function expectedCell({ kind, names, none }: Column, value: unknown): string | number {
  if (value === null || value === undefined) return none ?? ""
  if (kind === "money") return (value as number) / 100
  if (kind === "month") return (value as string).slice(0, 7)
  return names?.[value as string] ?? (value as string | number)
}

const expectedCells = ({ list, rows }: ShownReport): (string | number)[][] =>
  rows.map((row) => Object.entries(list.columns).map(([name, column]) => expectedCell(column, row[name])))

export function expectCsv(bytes: Buffer, shown: ShownReport): void {
  const text = bytes.toString("utf8")
  expect(text.startsWith("\uFEFF")).toBe(true)
  const { data, errors } = Papa.parse<string[]>(text.slice(1).trimEnd(), { newline: "\r\n", delimiter: "," })
  expect(errors).toEqual([])
  const [head, ...lines] = data
  expect(head).toEqual(Object.values(shown.list.columns).map(({ title }) => title))
  // A formula is escaped with an apostrophe; negative amounts stay numbers.
  const written = (value: string | number) =>
    typeof value === "string" && /^[=+\-@]/.test(value) ? `'${value}` : String(value)
  expect(lines).toEqual(expectedCells(shown).map((line) => line.map(written)))
}

/** Excel serial number of a day, or of the first day of a month. */
const excelSerialOf = (date: string): number => Date.parse(date) / 86_400_000 + 25_569
const excelDateFormats: Partial<Record<Column["kind"], string>> = { day: "yyyy\\-mm\\-dd", month: "mmm\\ yyyy" }

const excelFormatOf = ({ kind, tenths }: Column) =>
  kind === "money" ? "#,##0.00" : (excelDateFormats[kind] ?? (tenths ? "#,##0.0" : "#,##0"))

export function expectWorkbook(bytes: Buffer, shown: ShownReport): void {
  const { Sheets } = readWorkbook(bytes, { cellFormula: true, cellDates: false, cellNF: true })
  const [sheet, ...more] = Object.values(Sheets) as [WorkSheet, ...WorkSheet[]]
  expect(more).toEqual([])
  const cells = expectedCells(shown)
  const { sums: summed = [] } = shown.list
  const last = cells.length + 1
  const known = new Set<string>()
  const cell = (place: string) => {
    known.add(place)
    return sheet[place] as { t: string; v: unknown; z?: string; f?: string } | undefined
  }
  Object.entries(shown.list.columns).forEach(([name, column], at) => {
    const letter = String.fromCharCode(65 + at)
    expect(cell(`${letter}1`)).toMatchObject({ t: "s", v: column.title })
    for (const [nth, line] of cells.entries()) {
      const place = `${letter}${nth + 2}`
      const value = line[at]!
      const found = cell(place)
      if (value === "") expect(found, place).toBeUndefined()
      else if (typeof value === "number")
        expect(found, place).toMatchObject({ t: "n", v: value, z: excelFormatOf(column) })
      else if (!(column.kind in excelDateFormats) || value === column.none)
        expect(found, place).toMatchObject({ t: "s", v: value })
      else expect(found, place).toMatchObject({ t: "n", v: excelSerialOf(value), z: excelFormatOf(column) })
    }
    const { of = name, ratio } = column
    const total = cell(`${letter}${last + 1}`)
    if (cells.length > 0 && ratio) {
      const names = Object.keys(shown.list.columns)
      const [part, whole] = [ratio.part, ratio.whole].map(
        (one) => `${String.fromCharCode(65 + names.indexOf(one))}${last + 1}`,
      )
      expect(total?.f, column.title).toBe(`IF(${whole}>0,ROUND(${part}*100/${whole},1),"")`)
      expect(total, column.title).toMatchObject({ v: ratioOf(column, shown.sums), z: excelFormatOf(column) })
      return
    }
    if (cells.length === 0 || !summed.includes(of)) return
    expect(total?.f, column.title).toBe(`SUM(${letter}2:${letter}${last})`)
    expect(total?.v, column.title).toBe(shown.sums[of]! / (column.kind === "money" ? 100 : 1))
  })
  expect(Object.keys(sheet).filter((place) => !place.startsWith("!") && !known.has(place))).toEqual([])
  if (cells.length > 0) expect(sheet["!autofilter"]?.ref).toMatch(new RegExp(`^A1:[A-Z]${last}$`))
}

async function pdfLinesOf(bytes: Buffer) {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages: string[][] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const lines = new Map<number, { x: number; text: string }[]>()
    for (const item of items) {
      if (!("str" in item) || item.str.trim() === "") continue
      const [, , , , x, y] = item.transform as number[]
      const key = Math.round(y! * 2)
      lines.set(key, [...(lines.get(key) ?? []), { x: x!, text: item.str }])
    }
    pages.push(
      [...lines]
        .sort(([one], [other]) => other - one)
        .map(([, parts]) =>
          withoutSpaces(
            parts
              .sort((one, other) => one.x - other.x)
              .map(({ text }) => text)
              .join(""),
          ),
        ),
    )
  }
  const { info } = await pdf.getMetadata()
  return { pages, title: (info as { Title?: string }).Title }
}

function ratioOf({ ratio }: Column, sums: Record<string, number>): number | null {
  const [part, whole] = [sums[ratio!.part]!, sums[ratio!.whole]!]
  return whole > 0 ? Number(((part * 100) / whole).toFixed(1)) : null
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, "")
const escapePattern = (text: string): string => withoutSpaces(text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** The PDF form of a value: "1 234,50"; a long name ends with an ellipsis. */
function printedPattern(column: Column, value: unknown): string {
  const { kind, tenths } = column
  if (value === null || value === undefined) return escapePattern(column.none ?? "")
  if (kind === "money") {
    const cents = value as number
    const digits = String(Math.abs(cents)).padStart(3, "0")
    return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`
  }
  if (kind === "count") return escapePattern((tenths ? (value as number).toFixed(1) : String(value)).replace(".", ","))
  if (kind === "month") {
    const name = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" }).format(Date.parse(value as string))
    return escapePattern(`${name} ${(value as string).slice(0, 4)}`)
  }
  const whole = withoutSpaces(String(expectedCell(column, value)))
  return kind === "reference" || kind === "day" ? escapePattern(whole) : truncatedPattern(whole)
}

const truncatedPattern = (whole: string): string =>
  [...whole].reduceRight((rest, letter) => `(?:${escapePattern(letter)}${rest}|…)`, "")

/** The first page names the columns that did not fit, which are the last ones. */
function columnsPrinted(first: readonly string[], list: ListWords): [string, Column][] {
  const columns = Object.entries(list.columns).filter(([, { hidden }]) => !hidden)
  const notice = /(\d+)columns?do(?:es)?notfitonthispage:(.*?)\.TheExcelfilehasallcolumns\./.exec(first.join(""))
  if (!notice) return columns
  const kept = columns.slice(0, -Number(notice[1]))
  const named = columns
    .slice(kept.length)
    .map(([, { title, kind }]) => withoutSpaces(kind === "money" ? `${title} (R)` : title))
  expect(notice[2]).toBe(named.join(","))
  return kept
}

function expectedLines({ list, rows, sums, subtotalBy }: ShownReport, columns: [string, Column][]): string[] {
  const { sums: summed = [] } = list
  const totalsOf = (words: string, added: Record<string, number>): string[] => {
    const cells = columns.map(([name, column]) => {
      const { of = name } = column
      if (column.ratio) return printedPattern(column, ratioOf(column, added))
      return summed.includes(of) ? printedPattern(column, added[of]) : ""
    })
    if (cells.every((cell) => cell === "")) return []
    return [`${cells[0] === "" ? words : ""}${cells.join("")}`]
  }
  const lines: string[] = []
  let run: Row[] = []
  const end = () => {
    const [row] = run
    if (subtotalBy && run.length > 1) {
      const added = Object.fromEntries(
        summed.map((name) => [name, run.reduce((sum, one) => sum + Number(one[name] ?? 0), 0)]),
      )
      const column = list.columns[subtotalBy]!
      const value =
        column.kind === "month"
          ? printedPattern(column, row![subtotalBy])
          : String(expectedCell(column, row![subtotalBy]))
      lines.push(...totalsOf(truncatedPattern(withoutSpaces(`Subtotal ${value}`)), added))
    }
    run = []
  }
  for (const row of rows) {
    if (subtotalBy && run.length > 0 && run[0]![subtotalBy] !== row[subtotalBy]) end()
    run.push(row)
    lines.push(columns.map(([name, column]) => printedPattern(column, row[name])).join(""))
  }
  end()
  return rows.length > 0 ? [...lines, ...totalsOf("Total", sums)] : lines
}

export interface ReportPaperContext {
  organisation: string
  title: string
  words: string
  madeBy: string
  chart?: { label: string; column: Column; value: number }[]
}

function expectChart(first: readonly string[], bars: NonNullable<ReportPaperContext["chart"]>): void {
  for (const { label, column, value } of bars) {
    const figure = column.kind === "money" ? `R${printedPattern(column, value)}` : printedPattern(column, value)
    expect(
      first.some((line) => new RegExp(`^${truncatedPattern(withoutSpaces(label))}${figure}$`).test(line)),
      label,
    ).toBe(true)
  }
}

export async function expectPaper(bytes: Buffer, shown: ShownReport, about: ReportPaperContext): Promise<void> {
  const { pages, title } = await pdfLinesOf(bytes)
  expect(title).toBe(about.title)
  const [first] = pages as [string[], ...string[][]]
  expect(first.slice(0, 2)).toEqual([withoutSpaces(about.organisation), withoutSpaces(about.title)])
  const { length } = shown.rows
  const noun = length === 1 ? shown.list.noun.one : shown.list.noun.many
  const top = first.slice(0, 8).join("")
  expect(top).toContain(withoutSpaces(about.words))
  expect(top).toContain(withoutSpaces(`Generated by ${about.madeBy} on `))
  expect(top).toContain(withoutSpaces(`· ${length} ${noun}`))
  for (const [nth, page] of pages.entries())
    expect(page.at(-1)).toBe(withoutSpaces(`${about.organisation} · ${about.title} Page ${nth + 1} of ${pages.length}`))

  if (about.chart) expectChart(first, about.chart)
  const columns = columnsPrinted(first, shown.list)
  for (const [, column] of columns)
    if (column.ratio && length > 0) {
      const ratio = ratioOf(column, shown.sums)
      expect(first.slice(0, 12).join("")).toContain(ratio === null ? "–" : `${ratio.toFixed(1).replace(".", ",")}%`)
    }
  const wanted = expectedLines(shown, columns)
  if (length === 0) return expect(first.join("")).toContain(withoutSpaces(`No ${shown.list.noun.many} found.`))

  let at = 0
  for (const [nth, page] of pages.entries()) {
    const lines = page.slice(0, -1)
    let line = lines.findIndex((text) => new RegExp(`^${wanted[at]}$`).test(text))
    expect(
      line,
      `page ${nth + 1} has row ${at + 1}: ${wanted[at]} in ${JSON.stringify(lines.slice(0, 12))}`,
    ).toBeGreaterThan(0)
    const heads = lines.slice(0, line).join("")
    for (const [, { title }] of columns)
      for (const word of title.split(" ")) expect(heads).toContain(withoutSpaces(word))
    for (; line < lines.length; line++, at++) expect(lines[line]).toMatch(new RegExp(`^${wanted[at]}$`))
  }
  expect(at).toBe(wanted.length)
}
