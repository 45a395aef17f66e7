import * as XLSX from "@e965/xlsx"
import { importLimits } from "@milkwood/domain/staff-lists/staff-list"
import { unreadable } from "../platform/files/unreadable.ts"

const boundSheet = 0x85
const dimensions = 0x200

/**
 * Looks through the records of an .xls before the parser does: no more sheets than a list has, and none that claims to
 * reach further than the format can (65,536 rows, 256 columns). Throws `Unreadable`.
 */
export function inspectXls(bytes: Buffer): void {
  const container = XLSX.CFB.read(bytes, { type: "buffer" })
  const stream = XLSX.CFB.find(container, "/Workbook") ?? XLSX.CFB.find(container, "/Book")
  // Whatever else the container holds, the parser says what it is: a password, or nothing that it knows.
  if (!stream) return
  const content = Buffer.from(stream.content as Uint8Array)
  let sheets = 0
  for (let at = 0; at + 4 <= content.length; ) {
    const kind = content.readUInt16LE(at)
    const length = content.readUInt16LE(at + 2)
    if (kind === boundSheet) sheets += 1
    if (kind === dimensions && length >= 14 && at + 4 + length <= content.length) {
      const rows = content.readUInt32LE(at + 8)
      const columns = content.readUInt16LE(at + 14)
      if (rows > 65_536 || columns > 256) throw impossible()
    }
    if (sheets > importLimits.sheets) throw unreadable(`The workbook holds more than ${importLimits.sheets} sheets.`)
    at += 4 + length
  }
}

const impossible = () =>
  unreadable(
    "The workbook claims cells that no sheet has, so it was not opened. Save it again and choose the new file.",
  )
