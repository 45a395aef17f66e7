import { readFile } from "node:fs/promises"

/** What a whole file holds besides its first bytes: a mark, and in how many of its last bytes it must stand. */
const marks: Record<string, { mark: Buffer; last?: number }[]> = {
  // Linearised and amended PDFs hold end marks further up as well.
  pdf: [{ mark: Buffer.from("%%EOF"), last: 4_096 }],
  png: [{ mark: Buffer.from("IEND") }],
  // Telephones put films behind the end of their pictures.
  jpg: [{ mark: Buffer.from([0xff, 0xd9]) }],
  // The directory of the archive stands at its end, with a comment of at most 64 KB behind it.
  docx: [{ mark: Buffer.from("PK\x05\x06"), last: 65_557 }, { mark: Buffer.from("word/document") }],
}
marks.jpeg = marks.jpg!

/** Whether a file holds what every whole one of its kind does: one that was cut short on its way does not. */
export async function isWhole(path: string, extension: string): Promise<boolean> {
  const wanted = marks[extension]
  if (!wanted) return true
  const bytes = await readFile(path)
  return wanted.every(({ mark, last }) => (last ? bytes.subarray(-last) : bytes).includes(mark))
}
