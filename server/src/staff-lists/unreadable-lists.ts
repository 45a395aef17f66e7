import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { type UnreadableFile, unreadableFile } from "../platform/files/unreadable.ts"

const formatAmount = (number: number) => number.toLocaleString("en-ZA")

export const tooWideError = (line: number): UnreadableFile =>
  unreadableFile(`Line ${line} has more than ${staffListLimits.columns} columns.`)

export const tooManyRowsError = (): UnreadableFile =>
  unreadableFile(`The list has more than ${formatAmount(staffListLimits.rows)} rows. Split it.`)

export const tooManyCellsError = (): UnreadableFile =>
  unreadableFile(`The list has more than ${formatAmount(staffListLimits.cells)} cells. Split it.`)

export const notAWorkbookError = (): UnreadableFile =>
  unreadableFile("The file is not an Excel workbook. Save it as .xlsx or as CSV and choose it again.")

export const lockedWorkbookError = (): UnreadableFile =>
  unreadableFile("The workbook is password-protected. Remove the password and choose the file again.")

export const damagedWorkbookError = (): UnreadableFile =>
  unreadableFile("The workbook is damaged and cannot be opened. Save it again and choose the new file.")

export const impossibleCellsError = (): UnreadableFile =>
  unreadableFile(
    "The workbook refers to cells that no sheet can have, so it was not opened. Save it again and choose the new file.",
  )
