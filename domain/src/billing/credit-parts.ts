import type { Vat } from "../benefits/vat.ts"
import { type Cents, percentOf, shareOf } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"

/**
 * A correction takes back wrong billing and reduces the billed amount. A concession is goodwill: the amount stays
 * billed and is never billed again.
 */
export const creditKinds = ["correction", "concession"] as const

export type CreditKind = (typeof creditKinds)[number]

export const creditKindNames: Record<CreditKind, string> = { correction: "Correction", concession: "Concession" }

export interface CreditableLine {
  id: string
  totalCents: Cents
  /** Corrected so far, without VAT and before discount. */
  correctedCents: Cents
  /** Credited by corrections and concessions. */
  creditedVatCents: Cents
  vat: Vat
}

/** Credited amounts include both kinds; `creditedNetCents` is after discount. */
export interface CreditableInvoice {
  subtotalCents: Cents
  discountCents: Cents
  vatCents: Cents
  totalCents: Cents
  creditedNetCents: Cents
  creditedVatCents: Cents
  /** Written-off amounts are no longer payable, but still billed. */
  writtenOffNetCents: Cents
  writtenOffVatCents: Cents
  lines: readonly CreditableLine[]
}

/**
 * `amountCents` includes VAT; null = everything left. Line amounts are without VAT and before discount, and negative
 * for a negative line (an adjustment).
 */
export type CreditRequest =
  | { kind: CreditKind; amountCents: Cents | null }
  | { kind: "correction"; lines: readonly { invoiceLineId: string; netCents: Cents }[] }

export interface CreditLine {
  invoiceLineId: string
  netCents: Cents
  vatCents: Cents
}

/** Lines sum to `netCents + discountCents` and to `vatCents`. */
export interface Credit {
  netCents: Cents
  vatCents: Cents
  totalCents: Cents
  /** The lines' share of discount and concessions, which is not paid back. */
  discountCents: Cents
  lines: CreditLine[]
  /** Every line is now corrected; the period can be invoiced again. */
  whole: boolean
}

/**
 * Splits a credit in proportion to what is left (net, VAT per rate, lines), so partial credits end exactly at the
 * invoice total. Refuses NOTHING_TO_CREDIT for 0 and CREDIT_TOO_LARGE above what is left.
 */
export function calculateCredit(
  invoice: CreditableInvoice,
  asked: CreditRequest,
): Decision<Credit, "NOTHING_TO_CREDIT" | "CREDIT_TOO_LARGE"> {
  const left = {
    netCents: invoice.subtotalCents - invoice.discountCents - invoice.creditedNetCents,
    vatCents: invoice.vatCents - invoice.creditedVatCents,
    lineCents: sum(invoice.lines.map(uncreditedCentsOf)),
    writtenOffCents: invoice.writtenOffNetCents + invoice.writtenOffVatCents,
  }
  return "lines" in asked
    ? calculateLineCredit(invoice, asked.lines, left)
    : calculateAmountCredit(invoice, asked, left)
}

const reverseWriteOffFirst = "The rest of this invoice was written off. Reverse the write-off before you credit it."

interface CreditableRest {
  netCents: Cents
  vatCents: Cents
  lineCents: Cents
  writtenOffCents: Cents
}

function calculateAmountCredit(
  invoice: CreditableInvoice,
  { kind, amountCents }: { kind: CreditKind; amountCents: Cents | null },
  left: CreditableRest,
): Decision<Credit, "NOTHING_TO_CREDIT" | "CREDIT_TOO_LARGE"> {
  const leftCents = left.netCents + left.vatCents - left.writtenOffCents
  const totalCents = amountCents ?? leftCents
  if (totalCents <= 0 || leftCents <= 0)
    return refuse("NOTHING_TO_CREDIT", left.writtenOffCents > 0 ? reverseWriteOffFirst : undefined)
  if (totalCents > leftCents)
    return refuse("CREDIT_TOO_LARGE", left.writtenOffCents > 0 ? reverseWriteOffFirst : undefined, { leftCents })
  const vatCents = shareOf(left.vatCents - invoice.writtenOffVatCents, totalCents, leftCents)
  const netCents = totalCents - vatCents
  // Scaled, because the lines still include the discount and earlier concessions.
  const ofLines =
    kind === "concession"
      ? netCents
      : left.netCents > 0
        ? shareOf(left.lineCents, netCents, left.netCents)
        : shareOf(left.lineCents, totalCents, leftCents)
  const whole = kind === "correction" && totalCents === leftCents && left.writtenOffCents === 0
  const rests = invoice.lines.map(uncreditedCentsOf)
  const nets = whole ? rests : distributeCents(ofLines, rests)
  const vats = shareVat(invoice, vatCents, left)
  const lines = invoice.lines.map(({ id }, index) => ({
    invoiceLineId: id,
    netCents: nets[index]!,
    vatCents: vats[index]!,
  }))
  return { netCents, vatCents, totalCents, discountCents: ofLines - netCents, lines: lines.filter(isNonZero), whole }
}

function calculateLineCredit(
  invoice: CreditableInvoice,
  asked: readonly { invoiceLineId: string; netCents: Cents }[],
  left: CreditableRest,
): Decision<Credit, "NOTHING_TO_CREDIT" | "CREDIT_TOO_LARGE"> {
  const rest = new Map(invoice.lines.map((line) => [line.id, uncreditedCentsOf(line)]))
  const taken = new Map<string, Cents>()
  for (const { invoiceLineId, netCents } of asked) {
    const cents = (taken.get(invoiceLineId) ?? 0) + netCents
    const there = rest.get(invoiceLineId) ?? 0
    if (netCents === 0 || (netCents < 0 && there >= 0)) return refuse("NOTHING_TO_CREDIT")
    if (there < 0 ? cents > 0 || cents < there : cents > there)
      return refuse("CREDIT_TOO_LARGE", undefined, { leftCents: Math.max(there, 0) })
    taken.set(invoiceLineId, cents)
  }
  const ofLines = sum([...taken.values()])
  if (taken.size === 0 || ofLines < 0) return refuse("NOTHING_TO_CREDIT")
  if (ofLines > left.lineCents) return refuse("CREDIT_TOO_LARGE", undefined, { leftCents: Math.max(left.lineCents, 0) })
  const whole =
    ofLines === left.lineCents && invoice.lines.every((line) => uncreditedCentsOf(line) === (taken.get(line.id) ?? 0))
  // Lines with a net sum of 0 can still have VAT or complete the correction.
  const netCents = whole ? left.netCents : ofLines === 0 ? 0 : shareOf(left.netCents, ofLines, left.lineCents)
  const vats = new Map<string, Cents>()
  for (const rate of groupByVatRate(invoice.lines)) {
    const cents = sum(rate.map(({ id }) => taken.get(id) ?? 0))
    const of = sum(rate.map(uncreditedCentsOf))
    const vatOfRate = whole
      ? uncreditedVatOf(rate)
      : cents === 0 || of === 0
        ? 0
        : shareOf(uncreditedVatOf(rate), cents, of)
    const parts = distributeCents(
      vatOfRate,
      rate.map(({ id }) => taken.get(id) ?? 0),
    )
    for (const [index, { id }] of rate.entries()) vats.set(id, parts[index]!)
  }
  const lines = [...taken].map(([invoiceLineId, cents]) => ({
    invoiceLineId,
    netCents: cents,
    vatCents: vats.get(invoiceLineId)!,
  }))
  const vatCents = sum(lines.map((line) => line.vatCents))
  const totalCents = netCents + vatCents
  const leftCents = left.netCents + left.vatCents - left.writtenOffCents
  if (totalCents < 0) return refuse("NOTHING_TO_CREDIT")
  if (totalCents > leftCents)
    return refuse("CREDIT_TOO_LARGE", left.writtenOffCents > 0 ? reverseWriteOffFirst : undefined, { leftCents })
  return { netCents, vatCents, totalCents, discountCents: ofLines - netCents, lines, whole }
}

const uncreditedCentsOf = ({ totalCents, correctedCents }: CreditableLine): Cents => totalCents - correctedCents

function uncreditedVatOf(rate: readonly CreditableLine[]): Cents {
  const { percent } = rate[0]!.vat
  return (
    percentOf(sum(rate.map(({ totalCents }) => totalCents)), percent) - sum(rate.map((line) => line.creditedVatCents))
  )
}

/** Shares VAT among rates, then among lines, by what is left. */
function shareVat(invoice: CreditableInvoice, vatCents: Cents, left: CreditableRest): Cents[] {
  const rates = groupByVatRate(invoice.lines)
  const ofRates = left.vatCents === 0 ? rates.map(() => 0) : distributeCents(vatCents, rates.map(uncreditedVatOf))
  const found = new Map<string, Cents>()
  for (const [place, rate] of rates.entries()) {
    const parts = distributeCents(ofRates[place]!, rate.map(uncreditedCentsOf))
    for (const [index, { id }] of rate.entries()) found.set(id, parts[index]!)
  }
  return invoice.lines.map(({ id }) => found.get(id)!)
}

function groupByVatRate(lines: readonly CreditableLine[]): CreditableLine[][] {
  const rates = new Map<string, CreditableLine[]>()
  for (const line of lines) {
    const key = `${line.vat.class} ${line.vat.percent}`
    const there = rates.get(key)
    if (there) there.push(line)
    else rates.set(key, [line])
  }
  return [...rates.values()]
}

/** Splits an amount in proportion to weights, exactly. If the weights sum to 0, the first part gets everything. */
export function distributeCents(amount: Cents, weights: readonly Cents[]): Cents[] {
  const whole = sum(weights)
  if (whole === 0) return weights.map((_, index) => (index === 0 ? amount : 0))
  let upTo = 0
  let given = 0
  return weights.map((weight) => {
    upTo += weight
    const part = shareOf(amount, upTo, whole) - given
    given += part
    return part
  })
}

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, cents) => total + cents, 0)
const isNonZero = ({ netCents, vatCents }: CreditLine) => netCents !== 0 || vatCents !== 0
