import { type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { humanizeFieldName } from "../ui/timeline.tsx"

const inCents = /Cents$/

/** "totalCents" becomes "Total", whose value is shown as money. */
export const fieldWords = (field: string): string => humanizeFieldName(field.replace(inCents, ""))

export function valueWords(field: string, value: unknown, currency: Currency): string {
  if (value === null || value === undefined || value === "") return "–"
  if (typeof value === "boolean") return value ? "Yes" : "No"
  if (typeof value === "number" && inCents.test(field)) return formatMoney(value, currency)
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
