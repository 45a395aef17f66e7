import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { ReconciledAmounts } from "./reconciliation.ts"

export const partKinds = [
  "not_listed",
  "not_billed",
  "other_amount",
  "credit_not_taken",
  "vat",
  "besides",
  "written_off",
  "promise",
  "joiners",
  "leavers",
  "old_premium",
  "earlier_months",
  "arrears",
  "paid_twice",
  "dispute",
  "not_due",
  "charge",
  "not_paid",
  "unexplained",
] as const
export type PartKind = (typeof partKinds)[number]

export const partNames: Record<PartKind, string> = {
  not_listed: "On the invoice, not on the employer's list",
  not_billed: "On the employer's list, not on the invoice",
  other_amount: "Different amount on the employer's list",
  credit_not_taken: "Credit on the invoice, not used by the employer",
  vat: "VAT",
  besides: "Discount, credit notes and lines without a member",
  written_off: "Written off",
  promise: "Promised",
  joiners: "Joiner not deducted by the employer yet",
  leavers: "Leaver still deducted by the employer",
  old_premium: "Paid at the old premium",
  earlier_months: "Earlier months on the invoice, not paid",
  arrears: "Arrears from earlier months",
  paid_twice: "Paid twice",
  dispute: "Disputed",
  not_due: "Not due yet",
  charge: "Charge deducted by the bank",
  not_paid: "Not paid",
  unexplained: "Unexplained",
}

/** One reason of a difference, in cents; negative = less received than expected. The parts add up to the difference. */
export interface Part {
  kind: PartKind
  cents: Cents
  words: string
}

/** A possible, unconfirmed reason. `each`: the clue consists of equal amounts, of which some can be used. */
export interface Clue {
  kind:
    | "joiners"
    | "leavers"
    | "old_premium"
    | "earlier_months"
    | "credit_not_taken"
    | "besides"
    | "arrears"
    | "paid_twice"
  cents: Cents
  words: string
  each?: { cents: Cents; count: number }
}

/** A policy with an open invoice of the month, in cents. */
export interface OpenPolicy {
  policyNumber: string
  openCents: Cents
  /** The open part that is not yet due, and its first due day. */
  notDueCents: Cents
  dueOn: Day | null
  promise: { cents: Cents; on: Day; isBroken: boolean } | null
  dispute: { note: string; madeOn: Day } | null
}

export interface Evidence {
  /** Recorded reasons, of either sign: remittance rows, their VAT, write-offs. */
  facts: readonly Part[]
  policies: readonly OpenPolicy[]
  clues: readonly Clue[]
}

/** Usual maximum of a bank's charge for a payment. */
const maxBankChargeCents = 150_00

/** Limit, because every combination is tried. */
const maxClues = 12

const sumOfCents = (parts: readonly { cents: Cents }[]) => parts.reduce<Cents>((all, { cents }) => all + cents, 0)

/**
 * Explains received − expected as parts that add up to it exactly, in cents. Order: facts, promises, best fitting
 * clues, disputes, amounts not due. Each explains at most what is left. A small rest is a bank charge; a larger one is
 * unexplained. Source: docs/reconciliation.md.
 */
export function explain(
  { expectedCents, receivedCents }: Pick<ReconciledAmounts, "expectedCents" | "receivedCents">,
  { facts, policies, clues }: Evidence,
  currency: Currency,
): Part[] {
  const difference = receivedCents - expectedCents
  if (difference === 0) return []
  const parts: Part[] = facts.filter(({ cents }) => cents !== 0)
  const left = () => difference - sumOfCents(parts)
  const short = () => Math.max(-left(), 0)
  const take = (kind: PartKind, cents: Cents, words: string): Cents => {
    if (cents > 0) parts.push({ kind, cents: -cents, words })
    return cents
  }
  const open = policies.map((policy) => ({ ...policy, leftCents: policy.openCents }))
  for (const one of open) {
    if (!one.promise) continue
    const { cents, on, isBroken } = one.promise
    const words = `${formatMoney(cents, currency)} by ${on}, ${one.policyNumber}${isBroken ? " (promise broken)" : ""}`
    one.leftCents -= take("promise", Math.min(cents, one.leftCents, short()), words)
  }
  // Clues explain nothing without a payment.
  parts.push(...findFittingClues(left(), receivedCents === 0 ? [] : clues))
  for (const one of open) {
    if (!one.dispute) continue
    const { note, madeOn } = one.dispute
    one.leftCents -= take("dispute", Math.min(one.leftCents, short()), `“${note}”, ${madeOn}, ${one.policyNumber}`)
  }
  for (const { notDueCents, leftCents, dueOn, policyNumber } of open)
    take("not_due", Math.min(notDueCents, leftCents, short()), `Due ${dueOn}, ${policyNumber}`)
  const rest = left()
  if (rest === 0) return parts
  if (receivedCents === 0 && rest < 0) {
    take("not_paid", -rest, "Nothing was received for this month")
  } else if (rest < 0 && -rest <= maxBankChargeCents) {
    take("charge", -rest, `${formatMoney(-rest, currency)} is a typical bank charge`)
  } else parts.push({ kind: "unexplained", cents: rest, words: "" })
  return parts
}

/** The clues that explain most without exceeding the difference; on a tie the fewest. */
function findFittingClues(difference: Cents, clues: readonly Clue[]): Part[] {
  if (difference === 0) return []
  const isUsable = ({ cents }: Clue) => cents !== 0
  const usable = clues.filter(isUsable).slice(0, maxClues)
  let best: Clue[] = []
  for (let chosen = 1; chosen < 1 << usable.length; chosen++) {
    const some = usable.filter((_, at) => chosen & (1 << at))
    const left = difference - sumOfCents(some)
    const before = difference - sumOfCents(best)
    if (left !== 0 && Math.sign(left) !== Math.sign(difference)) continue
    const closer = Math.abs(left) - Math.abs(before)
    if (closer < 0 || (closer === 0 && some.length < best.length)) best = some
  }
  const parts: Part[] = best.map(({ kind, cents, words }) => ({ kind, cents, words }))
  // A clue can explain the rest in part: some of its equal amounts, or part of the arrears.
  for (const clue of usable) {
    const left = difference - sumOfCents(parts)
    if (best.includes(clue) || Math.sign(clue.cents) !== Math.sign(left)) continue
    if (clue.kind === "arrears") {
      parts.push({ kind: clue.kind, cents: Math.min(left, clue.cents), words: clue.words })
    } else if (clue.each) {
      const some = Math.min(Math.floor(left / clue.each.cents), clue.each.count)
      if (some > 0)
        parts.push({ kind: clue.kind, cents: some * clue.each.cents, words: `${some} of ${clue.each.count} members` })
    }
  }
  return parts
}
