import { expect, test } from "vitest"
import { Sheet } from "../platform/pdf/pdf-sheet.ts"
import { testOrganisation } from "../test/app.ts"
import { readPdfPages } from "../test/pdf-text.ts"
import template, { type LetterDocument } from "./letter-pdf.ts"

async function pagesOf(rows: number, last: string) {
  const document: LetterDocument = {
    organisation: { ...testOrganisation, logo: null },
    dateFormat: "YYYY-MM-DD",
    createdAt: "2026-11-02T08:00:00Z",
    on: "2026-11-02",
    wording: {
      title: "Policy schedule",
      addressee: ["Thandi Mokoena"],
      reference: "GP-2026-000001",
      blocks: [
        { rows: Array.from({ length: rows }, (_, row) => ({ label: `Benefit ${row}`, value: "R 1", isTotal: false })) },
        { text: last },
        { text: "Yours sincerely\nMilkwood" },
      ],
    },
  }
  const sheet = new Sheet(template.about(document))
  await template.draw(sheet, document)
  return readPdfPages(await sheet.finish())
}

const words = (count: number) => Array.from({ length: count }, (_, word) => `word${word}`).join(" ")

test.each([
  { lines: "one line", last: "Please check these details.", kept: "Please check these details." },
  { lines: "three lines", last: words(30), kept: "word0 " },
  { lines: "many lines", last: words(90), kept: "word80 " },
])("closing lines are on the page of the last paragraph of $lines", async ({ last, kept }) => {
  let breaks = 0
  for (let rows = 18; rows < 32; rows++) {
    const pages = await pagesOf(rows, last)
    const page = pages.findIndex((text) => text.includes("Yours sincerely"))
    expect(pages[page], `${rows} rows`).toContain(kept)
    expect(pages[page], `${rows} rows`).toContain("sincerely Milkwood")
    if (page === 1 && !pages[1]!.includes("Benefit")) breaks++
  }
  expect(breaks).toBeGreaterThan(0)
})
