import { type Cents, formatRand } from "@milkwood/domain/kernel/money"

/**
 * An amount in cents, shown as `R 1 234,50`. Nothing for null.
 *
 *     <MoneyText cents={invoice.totalCents} />
 */
export function MoneyText({ cents, fallback = "–" }: { cents: Cents | null | undefined; fallback?: string }) {
  return <span className="tabular amount">{cents == null ? fallback : formatRand(cents)}</span>
}
