import { type Cents, lineTotal, percentOf } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"

export interface InvoiceTotals {
  subtotalCents: Cents
  discountCents: Cents
  vatPercent: number
  vatCents: Cents
  totalCents: Cents
}

/**
 * The totals of an invoice (specification 2, section 9; product: "Money and time"): each line is quantity × unit
 * price, VAT is worked out once, on the subtotal, half away from zero; the total is subtotal plus VAT less discount.
 * The database checks every stored invoice by the same rule.
 */
export function invoiceTotals(
  lines: readonly { quantity: number; unitCents: Cents }[],
  vatPercent: number,
  discountCents: Cents = 0,
): InvoiceTotals {
  const subtotalCents = lines.reduce((sum, line) => sum + lineTotal(line.quantity, line.unitCents), 0)
  const vatCents = percentOf(subtotalCents, vatPercent)
  return { subtotalCents, discountCents, vatPercent, vatCents, totalCents: subtotalCents + vatCents - discountCents }
}

/** What an invoice posts: income net of discount, and VAT. The two add up to its total. */
export function postedParts({ subtotalCents, discountCents, vatCents }: InvoiceTotals): {
  netCents: Cents
  vatCents: Cents
} {
  return { netCents: subtotalCents - discountCents, vatCents }
}

export interface CreditParts {
  netCents: Cents
  vatCents: Cents
  totalCents: Cents
  /** Whether with this credit note all of the invoice is taken back. */
  whole: boolean
}

/**
 * Splits a credit of an invoice, VAT included, into net and VAT. The VAT of all credit notes together is always the
 * invoice's VAT in proportion to what was credited, so that crediting in any number of parts ends at exactly the
 * invoice's own VAT. `amountCents` null credits what is left. Refuses an amount of nothing, or above what is left.
 */
export function creditParts(
  invoice: { totalCents: Cents; vatCents: Cents },
  before: { totalCents: Cents; vatCents: Cents },
  amountCents: Cents | null,
): Decision<CreditParts, "NOTHING_TO_CREDIT" | "CREDIT_TOO_LARGE"> {
  const left = invoice.totalCents - before.totalCents
  const totalCents = amountCents ?? left
  if (totalCents <= 0) return refuse("NOTHING_TO_CREDIT")
  if (totalCents > left) return refuse("CREDIT_TOO_LARGE", undefined, { leftCents: left })
  const creditedVat = proportion(invoice.vatCents, before.totalCents + totalCents, invoice.totalCents)
  const vatCents = Math.min(Math.max(creditedVat - before.vatCents, 0), totalCents)
  return { netCents: totalCents - vatCents, vatCents, totalCents, whole: totalCents === left }
}

/** `part × of / whole`, rounded half up; exact, since the product is beyond what a number holds. All are ≥ 0. */
function proportion(part: Cents, of: Cents, whole: Cents): Cents {
  const doubled = BigInt(part) * BigInt(of) * 2n + BigInt(whole)
  return Number(doubled / (BigInt(whole) * 2n))
}
