import { readFile } from "node:fs/promises"

interface Mark {
  /** One of these. */
  any: Buffer[]
  /** In how many of its last bytes it must stand. */
  last?: number
}

const said = (...texts: (string | Buffer)[]): Mark => ({ any: texts.map((text) => Buffer.from(text as string)) })
/** The directory of an archive stands at its end, with a comment of at most 64 KB behind it. */
const archive: Mark = { ...said("PK\x05\x06"), last: 65_557 }
/** A part of an old Office file, by its name in the file's directory. */
const part = (...names: string[]): Mark => ({ any: names.map((name) => Buffer.from(`${name}\0`, "utf16le")) })

/** What a whole file of its kind holds besides its first bytes. */
const marks: Record<string, Mark[]> = {
  // Linearised and amended PDFs hold end marks further up as well.
  pdf: [{ ...said("%%EOF"), last: 4_096 }],
  png: [said("IEND")],
  // Telephones put films behind the end of their pictures.
  jpg: [said(Buffer.from([0xff, 0xd9]))],
  docx: [archive, said("word/document")],
  xlsx: [archive, said("xl/workbook")],
  doc: [part("WordDocument")],
  xls: [part("Workbook", "Book", "WORKBOOK", "BOOK")],
}
marks.jpeg = marks.jpg!

/** Whether a file holds what every whole one of its kind does: one that was cut short on its way does not. */
export async function isWhole(path: string, extension: string): Promise<boolean> {
  const wanted = marks[extension]
  if (!wanted) return true
  const bytes = await readFile(path)
  return wanted.every(({ any, last }) => any.some((mark) => (last ? bytes.subarray(-last) : bytes).includes(mark)))
}
