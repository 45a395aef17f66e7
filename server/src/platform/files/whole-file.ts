import { readFile } from "node:fs/promises"

interface Mark {
  any: Buffer[]
  /** The mark must be within this many trailing bytes. */
  last?: number
}

const said = (...texts: (string | Buffer)[]): Mark => ({ any: texts.map((text) => Buffer.from(text as string)) })
/** A zip directory is at the end, followed by a comment of at most 64 KB. */
const archive: Mark = { ...said("PK\x05\x06"), last: 65_557 }
const part = (...names: string[]): Mark => ({ any: names.map((name) => Buffer.from(`${name}\0`, "utf16le")) })

const marks: Record<string, Mark[]> = {
  // Linearised and amended PDFs also have earlier end marks.
  pdf: [{ ...said("%%EOF"), last: 4_096 }],
  png: [said("IEND")],
  // Phones append video after the end of a picture.
  jpg: [said(Buffer.from([0xff, 0xd9]))],
  docx: [archive, said("word/document")],
  xlsx: [archive, said("xl/workbook")],
  doc: [part("WordDocument")],
  xls: [part("Workbook", "Book", "WORKBOOK", "BOOK")],
}
marks.jpeg = marks.jpg!

/** Whether a file is complete; a truncated one lacks its end marks. */
export async function isWhole(path: string, extension: string): Promise<boolean> {
  const wanted = marks[extension]
  if (!wanted) return true
  const bytes = await readFile(path)
  return wanted.every(({ any, last }) => any.some((mark) => (last ? bytes.subarray(-last) : bytes).includes(mark)))
}
