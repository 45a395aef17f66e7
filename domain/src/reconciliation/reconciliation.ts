import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

/** How a month of an employer stands (specification 2, section 4). */
export const reconciliationStatuses = ["Matched", "Shortage", "Excess", "Missing"] as const
export type ReconciliationStatus = (typeof reconciliationStatuses)[number]

/** What was expected of an employer for a month, and what came. Units: cents. */
export interface Reconciled {
  expectedCents: Cents
  receivedCents: Cents
}

/**
 * Missing: something was expected, and nothing came. Shortage: less came than was expected. Excess: more did, or
 * something where nothing was. The list says the same in SQL (reconciliation-list.queries.ts); a test compares.
 */
export function reconciliationStatus({ expectedCents, receivedCents }: Reconciled): ReconciliationStatus {
  if (receivedCents === expectedCents) return "Matched"
  if (receivedCents > expectedCents) return "Excess"
  return receivedCents === 0 ? "Missing" : "Shortage"
}

export const partKinds = [
  "joiners",
  "leavers",
  "old_premium",
  "not_listed",
  "not_billed",
  "other_amount",
  "arrears",
  "paid_twice",
  "charge",
  "not_paid",
  "unexplained",
] as const
export type PartKind = (typeof partKinds)[number]

export const partNames: Record<PartKind, string> = {
  joiners: "Joiners the employer does not deduct for yet",
  leavers: "Leavers still paid for",
  old_premium: "Paid at the old premium",
  not_listed: "On the invoice, not on the employer's list",
  not_billed: "On the employer's list, not on the invoice",
  other_amount: "Different amount on the employer's list",
  arrears: "Arrears of earlier months",
  paid_twice: "Paid twice",
  charge: "Charge deducted by the bank",
  not_paid: "Not paid",
  unexplained: "Not explained",
}

/** What may be behind a part of a difference: what it would add to what was received, below zero what it would take. */
export interface Clue {
  kind: Exclude<PartKind, "charge" | "not_paid" | "unexplained">
  cents: Cents
  /** Who or what it is: "4 members joined". */
  words: string
}

export interface Part {
  kind: PartKind
  cents: Cents
  words: string
}

/** So little that is missing is what banks take for a payment. */
const largestChargeCents = 150_00

const sum = (clues: readonly Clue[]) => clues.reduce<Cents>((all, { cents }) => all + cents, 0)

/**
 * Why less or more came than was expected, as parts that come to the difference (received less expected), to the cent.
 * Of the clues those are taken that explain most: all of it before some of it, few before many; a clue is taken whole or
 * not at all, and none that overshoots. What is left is a charge where it is as little as one, and otherwise stands
 * unexplained. Source: money.md, "The month table".
 */
export function explain(
  { expectedCents, receivedCents }: Reconciled,
  clues: readonly Clue[],
  currency: Currency,
): Part[] {
  const difference = receivedCents - expectedCents
  if (difference === 0) return []
  if (receivedCents === 0) return [{ kind: "not_paid", cents: difference, words: "Nothing came for this month" }]
  const usable = clues.filter(({ cents }) => cents !== 0).slice(0, 10)
  let best: Clue[] = []
  for (let chosen = 1; chosen < 1 << usable.length; chosen++) {
    const some = usable.filter((_, at) => chosen & (1 << at))
    const left = difference - sum(some)
    const before = difference - sum(best)
    // Past the difference, or further from it, explains nothing.
    if (left !== 0 && Math.sign(left) !== Math.sign(difference)) continue
    const closer = Math.abs(left) - Math.abs(before)
    if (closer < 0 || (closer === 0 && some.length < best.length)) best = some
  }
  const left = difference - sum(best)
  const rest: Part[] =
    left === 0
      ? []
      : left < 0 && -left <= largestChargeCents
        ? [{ kind: "charge", cents: left, words: `${formatMoney(-left, currency)} is what a bank takes for a payment` }]
        : [{ kind: "unexplained", cents: left, words: "" }]
  return [...best, ...rest]
}

/** What is to be done about a difference. */
export const resolutions = ["write_off", "carry_forward", "keep_as_credit", "refund"] as const
export type Resolution = (typeof resolutions)[number]

export const resolutionNames: Record<Resolution, string> = {
  write_off: "Write off",
  carry_forward: "Carry forward",
  keep_as_credit: "Keep as credit",
  refund: "Refund",
}

/** What each does, for whoever chooses. */
export const resolutionWords: Record<Resolution, string> = {
  write_off: "What is open on the month's invoices is given up. Above the limit a second person confirms it.",
  carry_forward:
    "It is settled with a later payment. Until then it stays as it is; collection still asks for what is open.",
  keep_as_credit: "What was overpaid stays with the policy, for its next invoices.",
  refund: "What was overpaid goes back to the employer, by a refund of the policy's credit, which is made next.",
}

/** What may be done about a difference: nothing where there is none. */
export function resolutionsOf(row: Reconciled, mayWrite: boolean): Resolution[] {
  const status = reconciliationStatus(row)
  if (!mayWrite || status === "Matched") return []
  return status === "Excess" ? ["keep_as_credit", "refund", "carry_forward"] : ["carry_forward", "write_off"]
}
