import type { ReactNode } from "react"
import { DayText } from "../ui/day.tsx"
import { MoneyText } from "../ui/money.tsx"

type FieldLook = { label: string; show?: (value: unknown) => ReactNode }

const moneyField = (label: string): FieldLook => ({ label, show: (value) => <MoneyText cents={Number(value)} /> })
const dayField = (label: string): FieldLook => ({ label, show: (value) => <DayText day={String(value)} /> })

const maxListedLines = 10

/** Shortens the history entry of a refilled long invoice. */
function listedLinesText(value: unknown): string {
  const all = Array.isArray(value) ? value.map(String) : []
  const more = all.length - maxListedLines
  return [...all.slice(0, maxListedLines), ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}

export const invoiceFields: Record<string, FieldLook> = {
  kind: { label: "Billed", show: (value) => (value === "other" ? "other charges" : "premium for the period") },
  invoiceOn: dayField("Invoice date"),
  dueOn: dayField("Due date"),
  periodStartOn: dayField("Period start"),
  periodEndOn: dayField("Period end"),
  subtotalCents: moneyField("Subtotal"),
  discountCents: moneyField("Discount"),
  discountPercent: { label: "Discount (%)", show: (value) => `${String(value).replace(".", ",")} %` },
  discountReason: { label: "Reason for the discount" },
  vatPercent: { label: "VAT rate", show: (value) => `${String(value)} %` },
  vatCents: moneyField("VAT"),
  totalCents: moneyField("Total amount"),
  notes: { label: "Notes" },
  lines: { label: "Lines", show: listedLinesText },
}
