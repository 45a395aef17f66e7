import { crc32 } from "node:zlib"
import * as XLSX from "@e965/xlsx"

export function createZip(
  entries: { name: string; content: Buffer; method?: number; size?: number; crc?: number }[],
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, method = 0, size = content.length, crc = crc32(content) } of entries) {
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(content.length, 18)
    local.writeUInt32LE(crc, 14)
    local.writeUInt32LE(size, 22)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(method, 10)
    central.writeUInt32LE(content.length, 20)
    central.writeUInt32LE(crc, 16)
    central.writeUInt32LE(size, 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt32LE(offset, 42)
    parts.push(local, Buffer.from(name), content)
    directory.push(central, Buffer.from(name))
    offset += 30 + name.length + content.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

/** 1.5 KB: one person, and a cell at any address. */
export function createWideXlsx(address: string): Buffer {
  const office = "http://schemas.openxmlformats.org"
  const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
  const line = /\d+$/.exec(address)![0]
  const far = text(address, "far")
  const rows = [
    `<row r="1">${text("A1", "First Name")}${text("B1", "Last Name")}</row>`,
    `<row r="2">${text("A2", "Anna")}${text("B2", "Nkosi")}${line === "2" ? far : ""}</row>`,
    line === "2" ? "" : `<row r="${line}">${far}</row>`,
  ]
  const parts = {
    "[Content_Types].xml": `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${office}/spreadsheetml/2006/main" xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="Staff" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${office}/spreadsheetml/2006/main"><sheetData>${rows.join("")}</sheetData></worksheet>`,
  }
  return createZip(Object.entries(parts).map(([name, content]) => ({ name, content: Buffer.from(content) })))
}

/** 4 KB: one person, and a cell in the format's last row. */
export function createFarXls(column = "IV"): Buffer {
  const sheet = XLSX.utils.aoa_to_sheet([
    ["First Name", "Last Name"],
    ["Anna", "Nkosi"],
  ])
  XLSX.utils.sheet_add_aoa(sheet, [[4_711.5]], { origin: `${column}3` })
  const bytes = createXls([sheet])
  // Written in row 3 and then moved, because the writer would iterate over all rows between.
  const number = Buffer.from([0x03, 0x02, 0x0e, 0x00, 2, 0, XLSX.utils.decode_col(column), 0])
  bytes.writeUInt16LE(65_535, bytes.indexOf(number) + 4)
  return bytes
}

/** One person; the sheet declares any number of rows, columns or sheets. */
export function createForgedXls(claims: { rows?: number; columns?: number; sheets?: number }): Buffer {
  const list = () =>
    XLSX.utils.aoa_to_sheet([
      ["First Name", "Last Name"],
      ["Anna", "Nkosi"],
    ])
  const bytes = createXls(Array.from({ length: claims.sheets ?? 1 }, list))
  const at = bytes.indexOf(Buffer.from([0x00, 0x02, 0x0e, 0x00]))
  if (claims.rows) bytes.writeUInt32LE(claims.rows, at + 8)
  if (claims.columns) bytes.writeUInt16LE(claims.columns, at + 14)
  return bytes
}

function createXls(sheets: XLSX.WorkSheet[]): Buffer {
  const book = XLSX.utils.book_new()
  for (const [index, sheet] of sheets.entries()) XLSX.utils.book_append_sheet(book, sheet, `Staff ${index + 1}`)
  return XLSX.write(book, { type: "buffer", bookType: "biff8" }) as Buffer
}
