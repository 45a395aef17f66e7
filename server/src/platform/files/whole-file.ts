import { readFile } from "node:fs/promises"

interface EndMark {
  any: Buffer[]
  /** The mark must be within this many trailing bytes. */
  last?: number
}

const anyTextMark = (...texts: (string | Buffer)[]): EndMark => ({
  any: texts.map((text) => Buffer.from(text as string)),
})
/** A zip directory is at the end, followed by a comment of at most 64 KB. */
const archive: EndMark = { ...anyTextMark("PK\x05\x06"), last: 65_557 }
const zipEntryMark = (...names: string[]): EndMark => ({
  any: names.map((name) => Buffer.from(`${name}\0`, "utf16le")),
})

const endMarksByExtension: Record<string, EndMark[]> = {
  // Linearised and amended PDFs also have earlier end marks.
  pdf: [{ ...anyTextMark("%%EOF"), last: 4_096 }],
  png: [anyTextMark("IEND")],
  // Phones append video after the end of a picture.
  jpg: [anyTextMark(Buffer.from([0xff, 0xd9]))],
  docx: [archive, anyTextMark("word/document")],
  xlsx: [archive, anyTextMark("xl/workbook")],
  doc: [zipEntryMark("WordDocument")],
  xls: [zipEntryMark("Workbook", "Book", "WORKBOOK", "BOOK")],
}
endMarksByExtension.jpeg = endMarksByExtension.jpg!

/** Whether a file is complete; a truncated one lacks its end marks. */
export async function isCompleteFile(path: string, extension: string): Promise<boolean> {
  const wanted = endMarksByExtension[extension]
  if (!wanted) return true
  const bytes = await readFile(path)
  return wanted.every(({ any, last }) => any.some((mark) => (last ? bytes.subarray(-last) : bytes).includes(mark)))
}
