import * as XLSX from "@e965/xlsx"

/** Whole numbers without exponent: an ID number must not become 8.5E+12. */
export function formatNumber(number: number): string {
  return Number.isInteger(number) ? number.toFixed(0) : String(number)
}

export function isDateFormat(format: string): boolean {
  return XLSX.SSF.is_date(format)
}

/** A built-in number format, which workbooks use without defining it: 14 is a date. */
export function builtInFormat(id: number): string {
  return (XLSX.SSF.get_table() as Record<number, string>)[id] ?? "General"
}

/** The day of a serial number in the workbook's date system; the number itself if it is not a day. */
export function formatDayNumber(number: number, epoch1904: boolean): string {
  const date = XLSX.SSF.parse_date_code(number, { date1904: epoch1904 }) as { y: number; m: number; d: number } | null
  if (!date) return formatNumber(number)
  return [String(date.y).padStart(4, "0"), String(date.m).padStart(2, "0"), String(date.d).padStart(2, "0")].join("-")
}
