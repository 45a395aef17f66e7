import { type Vat, vatClassOf } from "../benefits/vat.ts"
import { type Cents, lineTotal, percentOf } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"

export interface InvoiceTotals {
  subtotalCents: Cents
  discountCents: Cents
  /** The rate of the invoice's own day, which lines that bill no month have. */
  vatPercent: number
  vatCents: Cents
  totalCents: Cents
}

/** What an invoice is reduced by, and why; the reason is empty where there is none. */
export interface Discount {
  discountCents: Cents
  /** Of the subtotal, where it was given so. */
  discountPercent: number | null
  discountReason: string
}

/** The discount of a subtotal: its cents, or what its percentage comes to, rounded once; one of nothing has no reason. */
export function discountOf(subtotalCents: Cents, given: Discount): Discount {
  const { discountPercent, discountReason } = given
  const discountCents = discountPercent === null ? given.discountCents : percentOf(subtotalCents, discountPercent)
  if (discountCents === 0) return { discountCents, discountPercent: null, discountReason: "" }
  return { discountCents, discountPercent, discountReason }
}

/** "Discount", and its percentage where it was given so: "Discount (2,5%)". */
export const discountWords = (percent: number | null): string =>
  percent === null ? "Discount" : `Discount (${String(percent).replace(".", ",")}%)`

/** A line as totals are worked out from it; without a VAT of its own it has that of the invoice. */
interface Counted {
  quantity: number
  unitCents: Cents
  vat?: Vat | undefined
}

/** What a document says of one rate: the sum of its lines, and their VAT. */
export interface VatPart extends Vat {
  netCents: Cents
  vatCents: Cents
}

/**
 * The VAT of a document, a part for each class and rate in the order of its lines: rounded once, on the sum of the rate's
 * lines, half away from zero. `vatPercent` is the rate of lines that have none.
 */
export function vatParts(lines: readonly Counted[], vatPercent: number): VatPart[] {
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
 * The totals of an invoice (specification 2, section 9; product: "Money and time"): each line is quantity × unit
 * price, VAT is worked out once for each rate, on the sum of its lines; the total is subtotal plus VAT less discount.
 * The database checks every stored invoice by the same rule.
 */
export function invoiceTotals(lines: readonly Counted[], vatPercent: number, discountCents: Cents = 0): InvoiceTotals {
  const subtotalCents = lines.reduce((sum, line) => sum + lineTotal(line.quantity, line.unitCents), 0)
  const vatCents = vatParts(lines, vatPercent).reduce((sum, part) => sum + part.vatCents, 0)
  return { subtotalCents, discountCents, vatPercent, vatCents, totalCents: subtotalCents + vatCents - discountCents }
}

export interface CreditParts {
  netCents: Cents
  vatCents: Cents
  totalCents: Cents
  /** Whether with it nothing is left of the invoice. */
  whole: boolean
}

/**
 * Splits what is given up of an invoice, VAT included, into net and VAT; credit notes are split by `creditOf`. The VAT of all credit notes together is always the
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
