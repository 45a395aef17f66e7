import { constants, inflateRawSync } from "node:zlib"
import { importLimits } from "@milkwood/domain/staff-lists/staff-list"
import { unreadable } from "../platform/files/unreadable.ts"

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const localEntry = 0x04034b50

interface Entry {
  name: string
  method: number
  packed: Buffer
  start: number
  end: number
}

/**
 * Looks through a workbook before a parser does: every entry is inflated here once, under a limit for all of them
 * together, since the sizes that a zip's headers give are lies; and XML with a DOCTYPE is refused, so that no entity
 * is ever expanded. The directory at the end and the headers in front of the entries must tell the same story, because
 * readers differ in which of them they follow.
 *
 * Answers the text of `xl/workbook.xml`. Throws `unreadable` with a sentence for the user.
 */
export function inspectWorkbook(bytes: Buffer): string {
  const entries = directory(bytes)
  let inflated = 0
  let workbook: string | undefined
  for (const entry of entries) {
    if (entry.method !== 0 && entry.method !== 8)
      throw unreadable("The workbook is packed in a way that is not read here.")
    const content = entry.method === 0 ? entry.packed : inflate(entry, importLimits.inflatedBytes - inflated)
    inflated += content.length
    if (inflated > importLimits.inflatedBytes) throw tooLarge()
    if (/\.(xml|rels|vml)$/i.test(entry.name) && hasDoctype(content)) {
      throw unreadable("The workbook holds a DOCTYPE, which no spreadsheet needs; it was not opened.")
    }
    if (/^xl\/worksheets\//i.test(entry.name)) refuseCellsBeyond(content)
    if (entry.name === "xl/workbook.xml") workbook = content.toString("utf8")
  }
  if (workbook === undefined) {
    throw unreadable("The file is not an Excel workbook. Save it as .xlsx or as CSV and choose it again.")
  }
  return workbook
}

/** The names of the sheets that the workbook shows; hidden ones are not imported. */
export function visibleSheets(workbook: string): string[] {
  const names: string[] = []
  for (const [tag] of workbook.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)) {
    const name = /\sname=(?:"([^"]*)"|'([^']*)')/.exec(tag)
    const hidden = /\sstate=["'](hidden|veryHidden)["']/.test(tag)
    if (name && !hidden) names.push(plainText(name[1] ?? name[2] ?? ""))
  }
  return names
}

function directory(bytes: Buffer): Entry[] {
  let end = -1
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 65_535); at -= 1) {
    if (bytes.readUInt32LE(at) === endOfDirectory) {
      end = at
      break
    }
  }
  if (end < 0) throw damaged()
  const count = bytes.readUInt16LE(end + 10)
  const start = bytes.readUInt32LE(end + 16)
  if (count > importLimits.zipEntries)
    throw unreadable(`The workbook holds more than ${importLimits.zipEntries} parts.`)
  const entries: Entry[] = []
  const names = new Set<string>()
  try {
    for (let at = start, index = 0; index < count; index += 1) {
      if (bytes.readUInt32LE(at) !== directoryEntry) throw damaged()
      const entry = entryAt(bytes, at)
      if (names.has(entry.name))
        throw unreadable("The workbook holds two parts of one name, so it is not clear which one counts.")
      names.add(entry.name)
      entries.push(entry)
      at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
  } catch (error) {
    if (error instanceof RangeError) throw damaged()
    throw error
  }
  // No bytes that only a streaming reader would see: entries follow each other, a descriptor of their sizes between.
  let expected = 0
  for (const entry of [...entries].sort((one, other) => one.start - other.start)) {
    if (entry.start < expected || entry.start > expected + 24) throw damaged()
    expected = entry.end
  }
  if (start < expected || start > expected + 24) throw damaged()
  return entries
}

function entryAt(bytes: Buffer, at: number): Entry {
  const packedSize = bytes.readUInt32LE(at + 20)
  const nameLength = bytes.readUInt16LE(at + 28)
  const start = bytes.readUInt32LE(at + 42)
  const name = bytes.toString("utf8", at + 46, at + 46 + nameLength)
  if (bytes.readUInt16LE(at + 8) & 1)
    throw unreadable("The workbook is protected with a password. Remove it and choose the file again.")
  if (bytes.readUInt32LE(start) !== localEntry) throw damaged()
  const localNameLength = bytes.readUInt16LE(start + 26)
  const localName = bytes.toString("utf8", start + 30, start + 30 + localNameLength)
  const method = bytes.readUInt16LE(at + 10)
  if (localName !== name || bytes.readUInt16LE(start + 8) !== method) throw damaged()
  const from = start + 30 + localNameLength + bytes.readUInt16LE(start + 28)
  if (from + packedSize > bytes.length) throw damaged()
  return { name, method, packed: bytes.subarray(from, from + packedSize), start, end: from + packedSize }
}

function inflate(entry: Entry, room: number): Buffer {
  try {
    return inflateRawSync(entry.packed, { maxOutputLength: Math.max(1, room), finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if (error instanceof RangeError || (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge()
    throw damaged()
  }
}

/** A parser makes an array as wide as the furthest address, whatever it says. */
function refuseCellsBeyond(content: Buffer): void {
  for (const [, address] of content.toString("latin1").matchAll(/<(?:\w+:)?(?:c|row)\s[^>]*?\br\s*=\s*["']([^"']*)/g)) {
    const parts = /^([A-Z]{0,3})(\d{1,7})$/.exec(address!)
    if (!parts || Number(parts[2]) > lastRow) throw impossible()
    if (columnOf(parts[1]!) > lastColumn) throw impossible()
    if (Number(parts[2]) > importLimits.rows + 100) throw tooLong()
  }
}

/** XFD1048576 is the last cell that a sheet can have. */
const lastRow = 1_048_576
const lastColumn = 16_384
const columnOf = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

function hasDoctype(content: Buffer): boolean {
  return (
    content.includes("<!DOCTYPE") || content.includes(Buffer.from("<!DOCTYPE", "utf16le")) || content.includes(utf16be)
  )
}

const utf16be = Buffer.from("<!DOCTYPE", "utf16le").swap16()

function plainText(xml: string): string {
  return xml
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&")
}

const damaged = () => unreadable("The workbook is damaged and cannot be opened. Save it again and choose the new file.")
const impossible = () =>
  unreadable(
    "The workbook claims cells that no sheet has, so it was not opened. Save it again and choose the new file.",
  )
const tooLong = () => unreadable(`The list has more than ${importLimits.rows.toLocaleString("en-ZA")} rows. Split it.`)
const tooLarge = () =>
  unreadable(
    `The workbook unpacks to more than ${importLimits.inflatedBytes / 1024 / 1024} MB. Split the list or save it as CSV.`,
  )
