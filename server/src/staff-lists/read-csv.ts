import type { FindHeader } from "@milkwood/domain/kernel/header-words"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { findHeader } from "@milkwood/domain/staff-lists/staff-list-columns"
import Papa from "papaparse"
import { decodeText } from "../platform/files/decode-text.ts"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { PackedRow } from "./held-row.ts"
import { tooManyRowsError, tooWideError } from "./unreadable-lists.ts"

const delimiters = [",", ";", "\t", "|"] as const

const notTextMessage = "The file is not a text file. Save the list as CSV or .xlsx and choose it again."

/**
 * Chooses the delimiter whose header has the most known columns, then the most cells. Excel's `sep=;` line overrides
 * this.
 */
export function readCsv(bytes: Uint8Array, headerOf: FindHeader = findHeader): PackedRow[] {
  let text = decodeText(bytes, notTextMessage)
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) {
    throw unreadableFile("The file is a web page, not a list. Save it as CSV or .xlsx and choose it again.")
  }
  const said = /^sep=(.)\r?\n/i.exec(text)
  if (said) text = text.slice(said[0].length)
  const delimiter = said ? said[1]! : findBestDelimiter(text.slice(0, 64_000), headerOf)
  const rows: PackedRow[] = []
  let line = said ? 1 : 0
  Papa.parse<string[]>(text, {
    delimiter,
    step: ({ data }) => {
      line += 1
      if (line > staffListLimits.rows + staffListLimits.maxSurroundingRows) throw tooManyRowsError()
      if (data.length > staffListLimits.columns) throw tooWideError(line)
      rows.push(PackedRow.of(line, data))
    },
  })
  return rows
}

function findBestDelimiter(sample: string, headerOf: FindHeader): string {
  let best = { delimiter: ",", hits: -1, cells: 0 }
  for (const delimiter of delimiters) {
    const { data } = Papa.parse<string[]>(sample, { delimiter, preview: 60 })
    const { hits } = headerOf(data.map((cells) => ({ cells })))
    const cells = data.reduce((most, row) => Math.max(most, row.length), 0)
    if (hits > best.hits || (hits === best.hits && cells > best.cells)) best = { delimiter, hits, cells }
  }
  return best.delimiter
}
