import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { CreditFlow } from "./credit-flow.ts"
import type { BillCredit } from "./run-bill.ts"

export interface BilledLine {
  id: string
  invoiceId: string
  memberId: string
  month: Day
  /** VAT class and rate of the line. */
  rate: string
  /** Cents of the line not yet corrected; negative for an adjustment. */
  restCents: Cents
  /** Uncorrected cents of all the invoice's lines at this rate, including lines without a member. */
  restOfRateCents: Cents
  /** Uncorrected cents of the whole invoice. */
  restOfInvoiceCents: Cents
}

/** Amounts for negative lines are negative. */
export interface CreditOfInvoice {
  invoiceId: string
  lines: { invoiceLineId: string; netCents: Cents }[]
  sentences: string[]
}

/**
 * Splits credits over the lines that billed those months, never above the rest of a line, rate or invoice.
 *
 * Each credit first uses its own lines, in the given order (newest invoice first). If a negative adjustment leaves the
 * invoice too little, the adjustment is reversed too, and its amount is credited on the older invoice. Given all lines
 * of a policy, the maximum flow covers every credit up to the billed amount. `shortCents` is the uncovered rest.
 */
export function splitCredits(
  credits: readonly BillCredit[],
  billed: readonly BilledLine[],
): { invoices: CreditOfInvoice[]; shortCents: Cents } {
  const flow = new CreditFlow()
  const [source, sink] = [flow.node(), flow.node()]
  const monthOf = memoizeByKey(() => flow.node())
  const invoiceOf = memoizeByKey(({ restOfInvoiceCents }: BilledLine) => {
    const node = flow.node()
    return { node, out: flow.arc(node, sink, Math.max(restOfInvoiceCents, 0)) }
  })
  const rateOf = memoizeByKey((line: BilledLine) => {
    const node = flow.node()
    const invoice = invoiceOf(line.invoiceId, line)
    return { node, out: [flow.arc(node, invoice.node, ...flowBounds(line.restOfRateCents)), invoice.out] }
  })
  const lines = billed.map((line) => {
    const rate = rateOf(`${line.invoiceId} ${line.rate}`, line)
    const arc = flow.arc(monthOf(monthKey(line), null), rate.node, ...flowBounds(line.restCents))
    return { line, arc, startCents: arc.leftCents, path: [arc, ...rate.out] }
  })
  const linesOf = groupByKey(lines, ({ line }) => monthKey(line))
  const asked = credits.map((credit) => {
    const key = monthKey(credit)
    const arc = flow.arc(source, monthOf(key, null), credit.cents)
    for (const { path } of linesOf.get(key) ?? []) flow.push([arc, ...path], arc.leftCents)
    return arc
  })
  if (asked.some(({ leftCents }) => leftCents > 0)) flow.fill(source, sink)

  const sentencesOf = groupByKey(credits, monthKey)
  // Newest invoice first.
  const invoices = [...groupByKey(lines, ({ line }) => line.invoiceId)].map(([invoiceId, all]): CreditOfInvoice => {
    const taken = all.flatMap(({ line, arc, startCents }) => {
      const netCents = startCents - arc.leftCents
      return netCents === 0 ? [] : [{ line, netCents }]
    })
    const reasons = taken.flatMap(({ line }) => sentencesOf.get(monthKey(line)) ?? [])
    return {
      invoiceId,
      lines: taken.map(({ line, netCents }) => ({ invoiceLineId: line.id, netCents })),
      sentences: [...new Set(reasons.flatMap(({ sentences }) => sentences))],
    }
  })
  return {
    invoices: invoices.filter((of) => of.lines.length > 0),
    shortCents: asked.reduce((sum, { leftCents }) => sum + leftCents, 0),
  }
}

function groupByKey<One>(all: readonly One[], keyOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>()
  for (const one of all) {
    const key = keyOf(one)
    const there = groups.get(key)
    if (there) there.push(one)
    else groups.set(key, [one])
  }
  return groups
}

function memoizeByKey<From, Made>(make: (from: From) => Made): (key: string, from: From) => Made {
  const made = new Map<string, Made>()
  return (key, from) => {
    if (!made.has(key)) made.set(key, make(from))
    return made.get(key)!
  }
}

const monthKey = ({ memberId, month }: { memberId: string; month: Day }) => `${memberId} ${month}`

const flowBounds = (cents: Cents): [forward: Cents, backward: Cents] => [Math.max(cents, 0), Math.max(-cents, 0)]
