import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { expect, test } from "vitest"
import { Sheet } from "../platform/pdf/pdf-sheet.ts"
import { testOrganisation } from "../test/app.ts"
import { readPdfPictures } from "../test/pdf-pictures.ts"
import { createPlainPng } from "../test/plain-png.ts"
import type { ReportHead, ReportLine } from "./report-document.ts"
import template from "./report-pdf.ts"

const createColumn = (title: string, isNumber = true) => ({ title, isNumber, isWhole: isNumber })
const createHead = (more: Partial<ReportHead>): ReportHead => ({
  organisation: { name: "Milkwood" } as ReportHead["organisation"],
  ...{ title: "Wide report", words: "", madeBy: "Thandi", madeAt: "2026-11-02T08:00:00Z", timezone: "UTC" },
  ...{
    dateFormat: "YYYY-MM-DD",
    currency: "ZAR",
    columns: [],
    count: 0,
    sample: [],
    totals: null,
    subtotals: 0,
    figures: [],
  },
  ...{ noun: "rows", chart: null },
  ...more,
})

async function renderReport(of: ReportHead, lines: ReportLine[]) {
  const sheet = new Sheet(template.about(of))
  const drawing = template.begin(sheet, of)
  drawing.part(lines)
  drawing.end()
  return getDocument({ data: new Uint8Array(await sheet.finish()), verbosity: 0 }).promise
}

test.each([
  "portrait",
  "landscape",
])("a long title on a %s page does not overlap the logo at the right", async (way) => {
  const logo = { image: createPlainPng(192, 192), width: 192, height: 192 }
  const columns = Array.from({ length: way === "portrait" ? 2 : 8 }, (_, nth) => createColumn(`Column ${nth}`))
  const of = createHead({
    ...{ organisation: { ...testOrganisation, name: "Karoo ".repeat(20).trim(), logo }, columns },
    title: "Premiums of all employers by product type, tier, month and reason of every adjustment since 2019 and 2020",
    words: "From 2026-01-01 to 2026-11-02",
  })
  const pdf = await renderReport(of, [])
  const page = await pdf.getPage(1)
  const [logoDrawn, ...more] = await readPdfPictures(await pdf.getData())
  expect(more).toEqual([])
  const { width, height } = page.getViewport({ scale: 1 })
  expect(logoDrawn).toMatchObject({ width: 48, height: 48, top: 14 })
  expect(logoDrawn!.left + 48).toBeCloseTo(width - 36, 1)
  const { items } = await page.getTextContent()
  const texts = items.flatMap((item) => ("str" in item && item.str.trim() ? [item] : []))
  const seen = texts.filter(({ transform }) => height - transform[5] - 10 < 62)
  expect(seen.length).toBeGreaterThan(1)
  for (const { str, transform, width: wide } of seen) expect(transform[4] + wide, str).toBeLessThan(logoDrawn!.left)
})

async function horizontalPositionOf(of: ReportHead, text: string): Promise<number> {
  const { items } = await (await (await renderReport(of, [])).getPage(1)).getTextContent()
  const found = items.find((item) => "str" in item && item.str.replace(/\s+/g, " ") === text)
  return (found as { transform: number[] }).transform[4]!
}

async function readPagesOf(of: ReportHead, lines: ReportLine[]): Promise<string[]> {
  const pdf = await renderReport(of, lines)
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(
      items
        .map((item) => ("str" in item ? item.str : ""))
        .join(" ")
        .replace(/\s+/g, " "),
    )
  }
  return pages
}

test("a report page omits columns that do not fit and names them in a note", async () => {
  const amounts = Array.from({ length: 16 }, (_, nth) => `Amount${nth + 1}`)
  const columns = [createColumn("Group", false), ...amounts.map((title) => createColumn(title))]
  const row = ["Karoo", ...amounts.map((_, nth) => `${nth + 1}1 222 333,44`)]
  const [page, ...more] = await readPagesOf(createHead({ columns, count: 1, sample: [row] }), [row])
  expect(more).toEqual([])
  const notice = /(\d+) columns do not fit on this page: ([^.]*)\. The Excel file has all columns\./.exec(page!)!
  const leftOut = notice[2]!.split(", ")
  expect(leftOut).toHaveLength(Number(notice[1]))
  expect(leftOut).toEqual(amounts.slice(-leftOut.length))
  const body = page!.replace(notice[0], "")
  for (const [nth, title] of amounts.entries()) {
    const isKept = !leftOut.includes(title)
    expect(new RegExp(`\\b${title}\\b`).test(body), title).toBe(isKept)
    expect(body.includes(` ${nth + 1}1 222 333,44`), title).toBe(isKept)
  }
})

test("a report page has no note if all columns fit", async () => {
  const [page] = await readPagesOf(
    createHead({ columns: [createColumn("Group", false)], count: 1, sample: [["Karoo"]] }),
    [["Karoo"]],
  )
  expect(page).not.toContain("not fit")
})

test("each page repeats the column titles, and subtotals count as lines", async () => {
  const columns = [createColumn("Group", false), createColumn("Amount")]
  const lines: ReportLine[] = []
  for (let group = 1; group <= 40; group++)
    lines.push([`Group ${group}`, "1,00"], [`Group ${group}`, "2,00"], {
      subtotal: `Group ${group}`,
      cells: ["", "3,00"],
    })
  const rows = lines.filter((line): line is string[] => Array.isArray(line))
  const of = createHead({ columns, count: rows.length, sample: rows, subtotals: 40, totals: ["", "120,00"] })
  const pages = await readPagesOf(of, lines)
  expect(pages.length).toBeGreaterThan(1)
  for (const [nth, page] of pages.entries()) {
    expect(page).toContain("Group Amount")
    expect(page).toContain(`Page ${nth + 1} of ${pages.length}`)
  }
  const text = pages.join(" ")
  for (let group = 1; group <= 40; group++) expect(text).toContain(`Subtotal Group ${group} 3,00`)
  expect(pages.at(-1)).toMatch(/Total 120,00/)
})

test("a chart draws the first bars, scaled to the largest, with the total number", async () => {
  const figure = (nth: number) => (nth < 12 ? nth : 1_000_000)
  const points = Array.from({ length: 14 }, (_, nth) => ({
    ...{ label: `Day ${nth + 1}`, values: [figure(nth)], shown: [`R ${figure(nth)}`] },
  }))
  const of = createHead({ columns: [createColumn("Day", false)], chart: { names: ["Money in"], points } })
  const [page] = await readPagesOf(of, [])
  expect(page).toContain("Day 12 R 11")
  expect(page).not.toContain("Day 13")
  expect(page).toContain("The chart shows the first 12 of 14; the table has all of them.")
  // The figure is to the right of its bar.
  expect(await horizontalPositionOf(of, "R 11")).toBeGreaterThan(400)
})
