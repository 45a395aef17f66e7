import type { ReactNode } from "react"
import { DayText } from "../ui/day.tsx"
import { MoneyText } from "../ui/money.tsx"

type Look = { label: string; show?: (value: unknown) => ReactNode }

const money = (label: string): Look => ({ label, show: (value) => <MoneyText cents={Number(value)} /> })
const day = (label: string): Look => ({ label, show: (value) => <DayText day={String(value)} /> })

const shownLines = 10

/** Shortens the history entry of a refilled long invoice. */
function lines(value: unknown): string {
  const all = Array.isArray(value) ? value.map(String) : []
  const more = all.length - shownLines
  return [...all.slice(0, shownLines), ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}

export const invoiceFields: Record<string, Look> = {
  kind: { label: "Billed", show: (value) => (value === "other" ? "other charges" : "premium for the period") },
  invoiceOn: day("Invoice date"),
  dueOn: day("Due date"),
  periodStartOn: day("Period start"),
  periodEndOn: day("Period end"),
  subtotalCents: money("Subtotal"),
  discountCents: money("Discount"),
  discountPercent: { label: "Discount (%)", show: (value) => `${String(value).replace(".", ",")} %` },
  discountReason: { label: "Reason for the discount" },
  vatPercent: { label: "VAT rate", show: (value) => `${String(value)} %` },
  vatCents: money("VAT"),
  totalCents: money("Total amount"),
  notes: { label: "Notes" },
  lines: { label: "Lines", show: lines },
}
