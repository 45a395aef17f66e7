import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { builtInFormat, formatDayNumber, formatNumber, isDateFormat } from "./cell-text.ts"
import { PackedRow } from "./held-row.ts"
import type { Sheet } from "./read-staff-list.ts"
import {
  damagedWorkbookError,
  impossibleCellsError,
  notAWorkbookError,
  tooManyCellsError,
  tooManyRowsError,
  tooWideError,
} from "./unreadable-lists.ts"
import { openParts, type PartHandlers, type WorkbookParts } from "./workbook-parts.ts"

const workbookPart = "xl/workbook.xml"

interface WorkbookContext {
  epoch1904: boolean
  strings: string[]
  /** whether each cell style is a date */
  isDate: boolean[]
}

/** Visible sheets only. Throws `Unreadable` for other or malicious files. */
export async function* readXlsx(bytes: Buffer): AsyncGenerator<Sheet> {
  if (bytes.subarray(0, 4).toString("latin1") !== "PK\u0003\u0004") throw notAWorkbookError()
  const parts = await openParts(bytes)
  if (!parts.has(workbookPart)) throw notAWorkbookError()
  const { sheets, epoch1904 } = await readSheetNames(parts)
  const related = await readRelations(parts)
  const book: WorkbookContext = {
    epoch1904,
    strings: await readSharedStrings(parts, related.byType("sharedStrings")),
    isDate: await readDateStyles(parts, related.byType("styles")),
  }
  const cells = { left: staffListLimits.cells as number }
  for (const { name, relation } of sheets) {
    const part = related.worksheet(relation)
    if (!part) continue
    const rows: PackedRow[] = []
    await parts.read(part, sheetHandlers(book, rows, cells))
    yield { name, rows }
  }
}

async function readSheetNames(
  parts: WorkbookParts,
): Promise<{ sheets: { name: string; relation: string }[]; epoch1904: boolean }> {
  const sheets: { name: string; relation: string }[] = []
  let epoch1904 = false
  await parts.read(workbookPart, {
    open(tag, attributes) {
      if (tag === "workbookPr") epoch1904 = attributes.date1904 === "1" || attributes.date1904 === "true"
      if (tag !== "sheet" || (attributes.state ?? "visible") !== "visible") return
      const relation = Object.entries(attributes).find(([name]) => name.endsWith(":id"))
      sheets.push({ name: attributes.name ?? "", relation: relation?.[1] ?? "" })
    },
  })
  return { sheets, epoch1904 }
}

interface WorkbookRelations {
  worksheet(id: string): string | undefined
  byType(type: string): string | undefined
}

async function readRelations(parts: WorkbookParts): Promise<WorkbookRelations> {
  const found: { id: string; type: string; part: string }[] = []
  await parts.read("xl/_rels/workbook.xml.rels", {
    open(tag, { Id = "", Type = "", Target = "" }) {
      if (tag !== "Relationship") return
      const part = Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf("/") + 1), part })
    },
  })
  return {
    worksheet: (wanted) => found.find(({ id, type }) => id === wanted && type === "worksheet")?.part,
    byType: (wanted) => found.find(({ type, part }) => type === wanted && parts.has(part))?.part,
  }
}

/** Collects `t` elements without the phonetic guides (`rPh`) of East Asian names. */
function createTextCollector(): PartHandlers & { collected(): string } {
  let text = ""
  let inText = false
  let inAid = false
  return {
    open(tag) {
      if (tag === "t" || tag === "v") inText = !inAid
      else if (tag === "rPh") inAid = true
    },
    text(part) {
      if (inText) text += part
    },
    close(tag) {
      if (tag === "t" || tag === "v") inText = false
      else if (tag === "rPh") inAid = false
    },
    collected() {
      const whole = text
      text = ""
      return whole
    },
  }
}

async function readSharedStrings(parts: WorkbookParts, part: string | undefined): Promise<string[]> {
  const strings: string[] = []
  if (!part) return strings
  const texts = createTextCollector()
  await parts.read(part, {
    open: texts.open!,
    text: texts.text!,
    close(tag) {
      texts.close!(tag)
      if (tag === "si") strings.push(decodeEscapes(texts.collected()))
    },
  })
  return strings
}

async function readDateStyles(parts: WorkbookParts, part: string | undefined): Promise<boolean[]> {
  const isDate: boolean[] = []
  if (!part) return isDate
  const own = new Map<string, string>()
  let inCellStyles = false
  await parts.read(part, {
    open(tag, { numFmtId = "0", formatCode = "" }) {
      if (tag === "numFmt") own.set(numFmtId, formatCode)
      else if (tag === "cellXfs") inCellStyles = true
      else if (tag === "xf" && inCellStyles)
        isDate.push(isDateFormat(own.get(numFmtId) ?? builtInFormat(Number(numFmtId))))
    },
    close(tag) {
      if (tag === "cellXfs") inCellStyles = false
    },
  })
  return isDate
}

/** The cost depends on the existing cells and rows, not on their addresses. */
function sheetHandlers(book: WorkbookContext, rows: PackedRow[], allowed: { left: number }): PartHandlers {
  const value = createTextCollector()
  const days = new Map<number, string>()
  let line = 0
  let cells: string[] = []
  let column = -1
  let cell: Record<string, string> | undefined

  const enter = (address: string | undefined) => {
    if (address === undefined) {
      column += 1
      return
    }
    const { column: at, line: on } = cellPositionOf(address)
    if (at <= column || on !== line) throw damagedWorkbookError()
    column = at
  }
  const keep = (text: string) => {
    if (text === "") return
    if (column >= staffListLimits.columns) throw tooWideError(line)
    while (cells.length < column) cells.push("")
    cells.push(text.length > staffListLimits.cellCharacters ? text.slice(0, staffListLimits.cellCharacters) : text)
  }
  return {
    open(tag, attributes) {
      if (tag === "row") {
        const next = attributes.r === undefined ? line + 1 : cellPositionOf(attributes.r).line
        if (next <= line) throw damagedWorkbookError()
        line = next
        cells = []
        column = -1
      } else if (tag === "c") {
        cell = attributes
        enter(attributes.r)
        allowed.left -= 1
        if (allowed.left < 0) throw tooManyCellsError()
      } else if (cell) value.open!(tag, attributes)
    },
    text(part) {
      if (cell) value.text!(part)
    },
    close(tag) {
      if (tag === "c" && cell) {
        keep(cellText(cell, value.collected(), book, days))
        cell = undefined
      } else if (tag === "row") {
        if (cells.length === 0) return
        if (line > staffListLimits.rows + staffListLimits.maxSurroundingRows) throw tooManyRowsError()
        rows.push(PackedRow.of(line, cells))
      } else if (cell) value.close!(tag)
    },
  }
}

const last = { column: 16_384, line: 1_048_576 }

/** `address` is a cell (`B7`) or a row (`7`); columns count from 0. */
function cellPositionOf(address: string): { column: number; line: number } {
  let column = 0
  let at = 0
  for (; at < address.length && at < 4; at += 1) {
    const letter = address.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  const digits = address.slice(at)
  const line = /^\d{1,7}$/.test(digits) ? Number(digits) : Number.POSITIVE_INFINITY
  if (line < 1 || line > last.line || column > last.column) throw impossibleCellsError()
  return { column: column - 1, line }
}

function cellText(
  { t: type = "n", s: style }: Record<string, string>,
  value: string,
  book: WorkbookContext,
  days: Map<number, string>,
): string {
  if (value === "" || type === "e") return ""
  if (type === "s") return book.strings[Number(value)] ?? ""
  if (type === "str" || type === "inlineStr") return decodeEscapes(value)
  if (type === "b") return String(value === "1" || value === "true")
  if (type === "d") return value.slice(0, 10)
  const number = Number(value)
  if (Number.isNaN(number)) throw damagedWorkbookError()
  if (!style || !book.isDate[Number(style)]) return formatNumber(number)
  const known = days.get(number)
  if (known !== undefined) return known
  const day = formatDayNumber(number, book.epoch1904)
  days.set(number, day)
  return day
}

/** Characters that XML cannot contain are written as `_x000D_`. */
function decodeEscapes(text: string): string {
  if (!text.includes("_x")) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
