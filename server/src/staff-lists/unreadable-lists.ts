import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { type Unreadable, unreadable } from "../platform/files/unreadable.ts"

const amount = (number: number) => number.toLocaleString("en-ZA")

export const tooWide = (line: number): Unreadable =>
  unreadable(`Line ${line} has more than ${staffListLimits.columns} columns.`)

export const tooManyRows = (): Unreadable =>
  unreadable(`The list has more than ${amount(staffListLimits.rows)} rows. Split it.`)

export const tooManyCells = (): Unreadable =>
  unreadable(`The list has more than ${amount(staffListLimits.cells)} cells. Split it.`)

export const notAWorkbook = (): Unreadable =>
  unreadable("The file is not an Excel workbook. Save it as .xlsx or as CSV and choose it again.")

export const locked = (): Unreadable =>
  unreadable("The workbook is password-protected. Remove the password and choose the file again.")

export const damaged = (): Unreadable =>
  unreadable("The workbook is damaged and cannot be opened. Save it again and choose the new file.")

export const impossibleCells = (): Unreadable =>
  unreadable(
    "The workbook refers to cells that no sheet can have, so it was not opened. Save it again and choose the new file.",
  )
