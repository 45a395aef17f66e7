import { expect, test } from "vitest"
import { Sheet } from "./pdf-sheet.ts"

function drawn(texts: readonly string[]): Promise<Buffer> {
  const sheet = new Sheet({ title: "A", author: "B", createdAt: "2026-11-02T08:00:00Z" })
  sheet.addPage()
  texts.forEach((text, index) => {
    sheet.text(text, 48, 48 + index * 14, { weight: index % 2 ? "bold" : "regular" })
  })
  return sheet.finish()
}

test("a document is the same whatever was drawn before it: fonts are shared, their subsets are not", async () => {
  const letter = ["Thandi Mokoena", "R 1 234,50", "Šimko, Ωmega", "a\u0323\u0301 above, 😀"]
  const first = await drawn(letter)
  const other = await drawn(["Zuid-Afrika WAVE To", "Müller & Söhne", "Καλημέρα"])
  expect((await drawn(letter)).equals(first)).toBe(true)
  expect((await drawn([...letter].reverse())).equals(first)).toBe(false)
  expect((await drawn(["Zuid-Afrika WAVE To", "Müller & Söhne", "Καλημέρα"])).equals(other)).toBe(true)
})
