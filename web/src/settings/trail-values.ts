/** A value of an entry, as it was recorded. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–"
  if (typeof value === "boolean") return value ? "Yes" : "No"
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
