import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { findHeader } from "@milkwood/domain/staff-lists/staff-list-columns"
import Papa from "papaparse"
import { unreadable } from "../platform/files/unreadable.ts"
import { HeldRow } from "./held-row.ts"
import { tooManyRows, tooWide } from "./unreadable-lists.ts"

const delimiters = [",", ";", "\t", "|"] as const

/**
 * The text of a file in UTF-8 or UTF-16 (with a mark or without) or Windows-1252, which is what Excel in South Africa
 * writes when asked for plain CSV. Throws `unreadable` for what is not text.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  const sample = bytes.subarray(0, 4_000)
  const nulls = { even: 0, odd: 0 }
  for (let at = 0; at < sample.length; at += 1) if (sample[at] === 0) nulls[at % 2 === 0 ? "even" : "odd"] += 1
  // Latin letters in UTF-16 have a zero for every second byte, on one side only.
  if (nulls.odd > sample.length / 5 && nulls.even === 0) return new TextDecoder("utf-16le").decode(bytes)
  if (nulls.even > sample.length / 5 && nulls.odd === 0) return new TextDecoder("utf-16be").decode(bytes)
  if (nulls.even + nulls.odd > 0)
    throw unreadable("The file is not text. Save the list as CSV or as .xlsx and choose it again.")
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/**
 * Reads CSV with whichever of the usual delimiters makes the best table: the one under which a header is found with
 * the most known columns, then the one with the most cells. `sep=;` in the first line, as Excel writes it, decides.
 */
export function readCsv(bytes: Uint8Array): HeldRow[] {
  let text = decodeText(bytes)
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) {
    throw unreadable("The file is a web page, not a list. Save it as CSV or .xlsx and choose it again.")
  }
  const said = /^sep=(.)\r?\n/i.exec(text)
  if (said) text = text.slice(said[0].length)
  const delimiter = said ? said[1]! : bestDelimiter(text.slice(0, 64_000))
  const rows: HeldRow[] = []
  let line = said ? 1 : 0
  Papa.parse<string[]>(text, {
    delimiter,
    step: ({ data }) => {
      line += 1
      if (line > staffListLimits.rows + staffListLimits.rowsAround) throw tooManyRows()
      if (data.length > staffListLimits.columns) throw tooWide(line)
      rows.push(HeldRow.of(line, data))
    },
  })
  return rows
}

function bestDelimiter(sample: string): string {
  let best = { delimiter: ",", hits: -1, cells: 0 }
  for (const delimiter of delimiters) {
    const { data } = Papa.parse<string[]>(sample, { delimiter, preview: 60 })
    const { hits } = findHeader(data.map((cells) => ({ cells })))
    const cells = data.reduce((most, row) => Math.max(most, row.length), 0)
    if (hits > best.hits || (hits === best.hits && cells > best.cells)) best = { delimiter, hits, cells }
  }
  return best.delimiter
}
