import type { Day } from "../kernel/calendar.ts"
import { daysBetween } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type NotOursReason, notOursNames } from "./bank-placement.ts"
import type { NameMatch, ReferenceTypo } from "./line-words.ts"
import { scoreCandidate } from "./match-rank.ts"
import { countWords, type ScoredLine, typoPhrases } from "./match-score.ts"
import { weights } from "./match-weights.ts"
import type { Candidate, OfferedPart, PartKind, Reason } from "./matching.ts"

/** A recorded receipt, deposit or payment that may match a line. Amounts are positive cents. */
export interface RecordEvidence {
  as: Exclude<PartKind, "policy">
  id: string
  number: string
  name: string
  on: Day
  amountCents: Cents
  named: NameMatch
  said: { number: string; slip: ReferenceTypo } | null
}

export const isReturn = (as: PartKind): boolean => as === "returned" || as === "returnedDeposit" || as === "cameBack"

const amountReasonTexts: Record<RecordEvidence["as"], string> = {
  receipt: "Already recorded, with the same amount",
  deposit: "Its recorded receipts add up to this amount",
  payout: "Still processing, with the same amount",
  batch: "Its payments add up to this amount",
  returned: "The same amount as the receipt",
  returnedDeposit: "Its receipts add up to this amount",
  cameBack: "The same amount as the payment",
}

export const mentionsReturn = (words: ReadonlySet<string>): boolean =>
  [
    "RETURN",
    "RETURNED",
    "RETURNS",
    "UNPAID",
    "UNPAIDS",
    "RD",
    "REJECT",
    "REJECTED",
    "DISHONOURED",
    "REVERSAL",
    "REVERSED",
    "FAILED",
    "INSUFFICIENT",
  ].some((word) => words.has(word))

export function scoreRecord(line: ScoredLine, record: RecordEvidence, currency: Currency): Candidate {
  const { as, id, number, name, named, said } = record
  const lineCents = Math.abs(line.amountCents)
  const reasons: Reason[] = []
  if (said) {
    const isNumber = said.number === number
    const sentence = isNumber
      ? `${number} ${typoPhrases[said.slip]}`
      : `Its reference ${said.number} ${typoPhrases.none}`
    reasons.push({ about: "reference", weight: weights.receipt[said.slip], sentence })
  }
  if (named) {
    const sentence = named === "whole" ? `${name} is in the line` : `The name partly matches ${name}`
    reasons.push({ about: "payer", weight: weights.named[named], sentence })
  }
  const left = formatMoney(record.amountCents, currency)
  reasons.push(
    record.amountCents === lineCents
      ? { about: "amount", weight: weights.same, sentence: amountReasonTexts[as] }
      : { about: "amount", weight: weights.amount.other, sentence: `${left} of it is still unmatched` },
  )
  if (isReturn(as) && mentionsReturn(line.words.words)) {
    reasons.push({ about: "reference", weight: weights.returned, sentence: "The line mentions a return" })
  }
  reasons.push(...daysApartReasons(line.day, record.on))
  const cents = Math.min(lineCents, record.amountCents) * Math.sign(line.amountCents)
  const part: OfferedPart = { as, id, amountCents: cents, label: number, name, allocations: null }
  return scoreCandidate({ key: `${as}:${id}`, kind: as, parts: [part] }, reasons)
}

function daysApartReasons(day: Day, other: Day): Reason[] {
  const days = Math.abs(daysBetween(day, other))
  if (days === 0) return [{ about: "day", weight: weights.day.same, sentence: "The same day" }]
  const weight = days <= 5 ? weights.day.near : days <= 31 ? 0 : weights.day.apart
  return [{ about: "day", weight, sentence: days === 1 ? "A day apart" : `${days} days apart` }]
}

const chargeWords = ["FEE", "FEES", "CHARGE", "CHARGES", "COMMISSION"]
const interest = ["INTEREST", "RENTE"]

/**
 * Scores whether a line is not ours: from the learned payer and the bank's words for charges and interest.
 * `isOwnAccount`: the line names another account of the organisation.
 */
export function scoreNotOurs(
  { words, amountCents }: ScoredLine,
  learnt: readonly { reason: NotOursReason; confirmed: number; declined: number }[],
  isOwnAccount: boolean,
): Candidate[] {
  const reasons = new Map<NotOursReason, Reason[]>()
  const add = (reason: NotOursReason, why: Reason) => reasons.set(reason, [...(reasons.get(reason) ?? []), why])
  const called = (names: readonly string[]) => names.find((name) => words.words.has(name))
  const charge = called(chargeWords)
  if (charge && amountCents < 0)
    add("charge", { about: "reference", weight: weights.bankWord, sentence: `${charge} is in the line` })
  const credit = called(interest)
  if (credit) add("interest", { about: "reference", weight: weights.bankWord, sentence: `${credit} is in the line` })
  if (isOwnAccount) {
    add("transfer", {
      about: "reference",
      weight: weights.ownAccount,
      sentence: "The line names one of our other accounts",
    })
  }
  for (const { reason, confirmed, declined } of learnt) {
    // A line placed as "unknown" is not learned: the payer's next line needs its own decision.
    if (reason === "unknown") continue
    if (confirmed > 0) {
      const weight = weights.learnt.once + (Math.min(confirmed, weights.learnt.atMost) - 1) * weights.learnt.more
      const sentence = `“${words.payer}” was marked as ${notOursNames[reason].toLowerCase()} ${countWords(confirmed)}`
      add(reason, { about: "payer", weight, sentence })
    }
    if (declined > 0) {
      const sentence = `“${words.payer}” was declined for this suggestion ${countWords(declined)}`
      add(reason, { about: "payer", weight: weights.declined * Math.min(declined, 2), sentence })
    }
  }
  return [...reasons].map(([reason, why]) => ({
    ...scoreCandidate({ key: `notOurs:${reason}`, kind: "notOurs", parts: [] }, why),
    reason,
  }))
}
