import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { expect, test } from "vitest"
import { Sheet } from "./pdf-sheet.ts"

function drawTexts(texts: readonly string[]): Promise<Buffer> {
  const sheet = new Sheet({ title: "A", author: "B", createdAt: "2026-11-02T08:00:00Z" })
  sheet.addPage()
  texts.forEach((text, index) => {
    sheet.text(text, 48, 48 + index * 14, { weight: index % 2 ? "bold" : "regular" })
  })
  return sheet.finish()
}

test("a PDF is byte-identical whatever the process drew before", async () => {
  const letter = ["Thandi Mokoena", "R 1 234,50", "Šimko, Ωmega", "a\u0323\u0301 above, 😀"]
  const first = await drawTexts(letter)
  const other = await drawTexts(["Zuid-Afrika WAVE To", "Müller & Söhne", "Καλημέρα"])
  expect((await drawTexts(letter)).equals(first)).toBe(true)
  expect((await drawTexts([...letter].reverse())).equals(first)).toBe(false)
  expect((await drawTexts(["Zuid-Afrika WAVE To", "Müller & Söhne", "Καλημέρα"])).equals(other)).toBe(true)
})

test("a PDF's text is readable whatever the process drew before", async () => {
  await drawTexts(["Due: 2026", "Due; ä ; : ï"])
  const { promise } = getDocument({ data: new Uint8Array(await drawTexts(["Due now."])), verbosity: 0 })
  const { items } = await (await (await promise).getPage(1)).getTextContent()
  expect(items.map((item) => ("str" in item ? item.str : "")).join("")).toBe("Due now.")
})

test("hyphens are narrower than digits, and all digits are equally wide", () => {
  const sheet = new Sheet({ title: "A", author: "B", createdAt: "2026-11-02T08:00:00Z" })
  sheet.addPage()
  for (const weight of ["regular", "bold"] as const) {
    const width = (text: string) => sheet.measure(text, { weight, size: 10 })
    // In Inter's own tables a hyphen has 942 (regular) and 953 (bold) units of 2048, a tabular figure 1328 and 1325.
    expect(width("-")).toBeCloseTo({ regular: 4.6, bold: 4.65 }[weight], 1)
    expect(width("INV-2026-000076") - width("INV2026000076")).toBeCloseTo(2 * width("-"), 0)
    expect(width("1")).toBe(width("8"))
  }
})
