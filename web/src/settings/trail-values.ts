import { type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { humanizeFieldName } from "../ui/timeline.tsx"

const centsSuffix = /Cents$/

/** "totalCents" becomes "Total"; the value is shown as money. */
export const fieldLabel = (field: string): string => humanizeFieldName(field.replace(centsSuffix, ""))

export function valueText(field: string, value: unknown, currency: Currency): string {
  if (value === null || value === undefined || value === "") return "–"
  if (typeof value === "boolean") return value ? "Yes" : "No"
  if (typeof value === "number" && centsSuffix.test(field)) return formatMoney(value, currency)
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
