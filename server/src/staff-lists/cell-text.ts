import * as XLSX from "@e965/xlsx"

/** A number as text. Whole ones are written out: an ID number must not become 8.5E+12. */
export function numberText(number: number): string {
  return Number.isInteger(number) ? number.toFixed(0) : String(number)
}

/** Whether a cell's format shows its number as a date or a time. */
export function isDateFormat(format: string): boolean {
  return XLSX.SSF.is_date(format)
}

/** The format of one of the numbers that every workbook knows without saying: 14 is a date. */
export function knownFormat(id: number): string {
  return (XLSX.SSF.get_table() as Record<number, string>)[id] ?? "General"
}

/** The day that a number stands for in the workbook's own count of days; the number itself where it is none. */
export function dayText(number: number, epoch1904: boolean): string {
  const date = XLSX.SSF.parse_date_code(number, { date1904: epoch1904 }) as { y: number; m: number; d: number } | null
  if (!date) return numberText(number)
  return [String(date.y).padStart(4, "0"), String(date.m).padStart(2, "0"), String(date.d).padStart(2, "0")].join("-")
}
