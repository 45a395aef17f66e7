import { type Vat, vatClassOf } from "../benefits/vat.ts"
import { type Cents, lineTotal, percentOf } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"

export interface InvoiceTotals {
  subtotalCents: Cents
  discountCents: Cents
  /** The rate on the invoice date, for lines without a month. */
  vatPercent: number
  vatCents: Cents
  totalCents: Cents
}

/** The reason is empty without a discount. */
export interface Discount {
  discountCents: Cents
  /** Null if given in cents. */
  discountPercent: number | null
  discountReason: string
}

/** The discount in cents, rounded once if given in per cent; a discount of 0 has no reason. */
export function discountOf(subtotalCents: Cents, given: Discount): Discount {
  const { discountPercent, discountReason } = given
  const discountCents = discountPercent === null ? given.discountCents : percentOf(subtotalCents, discountPercent)
  if (discountCents === 0) return { discountCents, discountPercent: null, discountReason: "" }
  return { discountCents, discountPercent, discountReason }
}

/** "Discount" or "Discount (2,5%)". */
export const discountText = (percent: number | null): string =>
  percent === null ? "Discount" : `Discount (${String(percent).replace(".", ",")}%)`

/** Without `vat`, the invoice's rate applies. */
interface AmountLine {
  quantity: number
  unitCents: Cents
  vat?: Vat | undefined
}

export interface VatPart extends Vat {
  netCents: Cents
  vatCents: Cents
}

/**
 * VAT per class and rate, in line order, rounded once on the sum of the lines, half away from zero. `vatPercent` is for
 * lines without a rate.
 */
export function vatParts(lines: readonly AmountLine[], vatPercent: number): VatPart[] {
  const parts = new Map<string, Vat & { netCents: Cents }>()
  for (const { quantity, unitCents, vat } of lines) {
    const { class: named, percent } = vat ?? { class: vatClassOf(vatPercent), percent: vatPercent }
    const key = `${named} ${percent}`
    const netCents = (parts.get(key)?.netCents ?? 0) + lineTotal(quantity, unitCents)
    parts.set(key, { class: named, percent, netCents })
  }
  return [...parts.values()].map((part) => ({ ...part, vatCents: percentOf(part.netCents, part.percent) }))
}

/**
 * Line = quantity × unit price; VAT is rounded once per rate; total = subtotal + VAT − discount (specification 2,
 * section 9). The database checks stored invoices by the same rule.
 */
export function invoiceTotals(
  lines: readonly AmountLine[],
  vatPercent: number,
  discountCents: Cents = 0,
): InvoiceTotals {
  const subtotalCents = lines.reduce((sum, line) => sum + lineTotal(line.quantity, line.unitCents), 0)
  const vatCents = vatParts(lines, vatPercent).reduce((sum, part) => sum + part.vatCents, 0)
  return { subtotalCents, discountCents, vatPercent, vatCents, totalCents: subtotalCents + vatCents - discountCents }
}

export interface CreditParts {
  netCents: Cents
  vatCents: Cents
  totalCents: Cents
  /** Whether nothing of the invoice is left to write off. */
  whole: boolean
}

/**
 * Splits an amount to write off, including VAT, into net and VAT (`calculateCredit` splits credit notes). VAT is
 * proportional to the cumulative amount, so partial amounts add up to exactly the invoice's VAT. `amountCents` null
 * writes off the rest. Refuses zero, or more than the rest.
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

/** `part × of / whole`, rounded half up, all ≥ 0. BigInt, as the product exceeds safe integers. */
function proportion(part: Cents, of: Cents, whole: Cents): Cents {
  const doubled = BigInt(part) * BigInt(of) * 2n + BigInt(whole)
  return Number(doubled / (BigInt(whole) * 2n))
}
