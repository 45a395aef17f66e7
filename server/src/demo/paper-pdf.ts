import { a4, muted, type Sheet } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

/** A document submitted with a claim. */
export interface Paper {
  from: string
  title: string
  createdAt: string
  lines: [label: string, text: string][]
}

const left = 64

const paper: PdfTemplate<Paper> = {
  about: ({ title, from, createdAt }) => ({ title, author: from, createdAt }),
  draw(sheet: Sheet, { from, title, lines }) {
    sheet.addPage()
    sheet.text(from, left, 64, { size: 13, weight: "bold" })
    sheet.text(title, left, 108, { size: 20, weight: "bold" })
    for (const [place, [label, text]] of lines.entries()) {
      const y = 164 + place * 44
      sheet.text(label, left, y, { size: 9, color: muted })
      sheet.text(text, left, y + 14, { size: 11 })
    }
    sheet.text("Page 1 of 1", left, a4.height - 64, {
      size: 8,
      color: muted,
      width: a4.width - 2 * left,
      align: "right",
    })
  },
}

export default paper
