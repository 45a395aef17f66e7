import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { expect, test } from "vitest"
import { testOrganisation } from "../../test/app.ts"
import { readPdfPictures } from "../../test/pdf-pictures.ts"
import { createPlainPng } from "../../test/plain-png.ts"
import { addPage, type Logo, letterhead } from "./letter.ts"
import { a4, Sheet } from "./pdf-sheet.ts"

async function drawLetterhead(name: string, logo: Logo | null) {
  const sheet = new Sheet({ title: "A", author: "B", createdAt: "2026-11-02T08:00:00Z" })
  addPage(sheet)
  const rest = letterhead(sheet, { ...testOrganisation, name, logo }, "Tax invoice, copy", "INV-2026-000001")
  const bytes = await sheet.finish()
  const page = await (await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise).getPage(1)
  const { items } = await page.getTextContent()
  const texts = items.flatMap((item) =>
    "str" in item && item.str.trim() !== ""
      ? [{ text: item.str, left: item.transform[4] as number, top: a4.height - item.transform[5] - item.height }]
      : [],
  )
  return { rest, texts, pictures: await readPdfPictures(bytes) }
}

const longName =
  "The Western Cape Fishing, Canning and Cold Storage Employees' Group Assurance Administrators Incorporated"

test.each([
  { is: "wide", width: 640, height: 80 },
  { is: "tall", width: 40, height: 192 },
  { is: "square", width: 192, height: 192 },
])("a long organisation name does not overlap a $is logo", async ({ width, height }) => {
  const { texts, pictures, rest } = await drawLetterhead(longName, {
    image: createPlainPng(width, height),
    width,
    height,
  })
  const [logo] = pictures
  expect(logo!.width).toBeLessThanOrEqual(160)
  expect(logo!.height).toBeLessThanOrEqual(48)
  expect(logo!.width / logo!.height).toBeCloseTo(width / height, 2)
  expect(texts.length).toBeGreaterThan(4)
  for (const { text, left, top } of texts)
    expect(left > logo!.left + logo!.width || top > logo!.top + logo!.height, text).toBe(true)
  for (const { text, top } of texts) expect(top, text).toBeLessThan(rest)
})

test("without a logo, the organisation's name is beside the title", async () => {
  const { texts, pictures } = await drawLetterhead("Milkwood", null)
  expect(pictures).toEqual([])
  const topOf = (text: string) => texts.find((one) => one.text === text)!.top
  expect(Math.abs(topOf("Milkwood") - topOf("Tax invoice, copy"))).toBeLessThan(6)
})
