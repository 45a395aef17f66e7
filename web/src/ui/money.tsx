import { type Cents, formatMoney } from "@milkwood/domain/kernel/money"
import { useDisplay } from "./display.tsx"

/**
 * Shows cents as `R 1 234,50`; a dash for null.
 *
 *     <MoneyText cents={invoice.totalCents} />
 */
export function MoneyText({ cents, fallback = "–" }: { cents: Cents | null | undefined; fallback?: string }) {
  const { currency } = useDisplay()
  return <span className="tabular amount">{cents == null ? fallback : formatMoney(cents, currency)}</span>
}
