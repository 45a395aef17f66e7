import { type Day, daysBetween, formatMonth } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { OpenInvoice } from "../receipts/receipt.ts"
import { allocateOldestFirst } from "../receipts/receipt-shape.ts"
import { isMonth, type NamedMonth } from "./line-months.ts"
import { isAnonymous, type LineWords, lettersOf, type NameMatch, type ReferenceTypo } from "./line-words.ts"
import { scoreCandidate } from "./match-rank.ts"
import { weights } from "./match-weights.ts"
import type { Candidate, OfferedAllocation, OfferedPart, Reason } from "./matching.ts"

/** The most that a bank or payer may have deducted: cents, and share of the amount. */
const maxDeduction = { cents: 150_00, share: 0.03 }
/** Units to which a payer may have rounded up. */
const roundingUnitsCents = [1_00, 10_00, 100_00]
const maxCombinedInvoices = 10

export interface ScoredLine {
  day: Day
  amountCents: Cents
  words: LineWords
}

export interface OpenMonth extends OpenInvoice {
  month?: Day
}

export interface PolicyEvidence {
  policyId: string
  policyNumber: string
  groupId: string
  groupName: string
  open: readonly OpenMonth[]
  references: readonly { kind: "invoice" | "policy"; number: string; slip: ReferenceTypo; isOpen: boolean }[]
  named: NameMatch
  /** Another employer whose full name is in the line, while this employer's is not. */
  namesAnother: string | null
  alsoNames?: string | null
  /** The line has the beginning of the employer's name, or a first word unique among employers. */
  isNamedShort?: boolean
  /** The line has the words of a confirmed payer among other words. */
  isUsualPayer?: boolean
  /** One of the policy's open invoices and one of another policy's are the only pair that adds up to the amount. */
  isOfPair?: boolean
  learnt: { confirmed: number; declined: number } | null
  usual: readonly { amountCents: Cents; times: number }[]
  /** No other policy has this amount open, as one invoice or in total. */
  isOnlyAmount: boolean
}

export const countWords = (count: number) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`)
export const typoPhrases: Record<ReferenceTypo, string> = {
  none: "is in the line",
  short: "is in the line, with digits left out",
  swapped: "is in the line, with two digits swapped",
}

export function scorePolicy(line: ScoredLine, policy: PolicyEvidence, currency: Currency): Candidate {
  const reasons = [...referenceReasons(policy), ...payerReasons(line, policy)]
  const months = namedMonthsOf(line, policy)
  const amount = findAmountMatch(line, policy, months, currency)
  const { invoiceIds, isRest } = amount
  reasons.push(amount.reason, ...dayReasons(line, policy, invoiceIds), ...monthReasons(policy, invoiceIds, months))
  const part = createPolicyPart(line.amountCents, policy, invoiceIds, isRest)
  const scored = scoreCandidate({ key: `policy:${policy.policyId}`, kind: "policy", parts: [part] }, reasons)
  return { ...scored, isSure: isCertain(line, policy, amount, months) }
}

function namedMonthsOf({ words }: ScoredLine, { groupName }: PolicyEvidence): readonly NamedMonth[] {
  if (words.months.length === 0) return words.months
  const name = lettersOf(groupName)
  return words.months.filter(({ word }) => !name.includes(word))
}

const isNamed = (months: readonly NamedMonth[], { month }: OpenMonth): boolean =>
  month !== undefined && months.some((named) => isMonth(named, month))

function referenceReasons({ references }: PolicyEvidence): Reason[] {
  const strongest = new Map<string, Reason>()
  for (const { kind, number, slip, isOpen } of references) {
    const weight = kind === "policy" ? weights.policy[slip] : (isOpen ? weights.invoice : weights.paidInvoice)[slip]
    const paid = kind === "invoice" && !isOpen ? "; already paid" : ""
    const reason = { about: "reference" as const, weight, sentence: `${number} ${typoPhrases[slip]}${paid}` }
    if (weight > (strongest.get(kind)?.weight ?? 0)) strongest.set(kind, reason)
  }
  // A second reference only supports the first, so it has less weight.
  return [...strongest.values()]
    .sort((a, b) => b.weight - a.weight)
    .map((reason, at) => (at === 0 ? reason : { ...reason, weight: Math.round(reason.weight / 3) }))
}

export function payerReasons(
  { words }: ScoredLine,
  { named, namesAnother, learnt, groupName }: PolicyEvidence,
): Reason[] {
  const reasons: Reason[] = []
  if (named) {
    const sentence = named === "whole" ? `${groupName} is in the line` : `The name partly matches ${groupName}`
    reasons.push({ about: "payer", weight: weights.named[named], sentence })
  }
  if (learnt && learnt.confirmed > 0) {
    const more = Math.min(learnt.confirmed, weights.learnt.atMost) - 1
    const weight = weights.learnt.once + more * weights.learnt.more
    const sentence = `“${words.payer}” was confirmed for this policy ${countWords(learnt.confirmed)}`
    // Both reasons are about the payer: the stronger has its full weight, the other a third.
    const before = reasons[0]
    if (before && before.weight <= weight) reasons[0] = { ...before, weight: Math.round(before.weight / 3) }
    reasons.push({
      about: "payer",
      weight: before && before.weight > weight ? Math.round(weight / 3) : weight,
      sentence,
    })
  }
  if (namesAnother && !learnt?.confirmed) {
    reasons.push({ about: "payer", weight: weights.namesAnother, sentence: `The line names ${namesAnother}` })
  }
  if (learnt && learnt.declined > 0) {
    const weight = weights.declined * Math.min(learnt.declined, 2)
    reasons.push({
      about: "payer",
      weight,
      sentence: `“${words.payer}” was declined for this policy ${countWords(learnt.declined)}`,
    })
  }
  return reasons
}

type AmountMatchKind = "named" | "turned" | "one" | "all" | "other"

interface AmountMatch {
  is: AmountMatchKind
  isShared: boolean
  invoiceIds: string[]
  reason: Reason
  isRest: boolean
}

function findAmountMatch(
  { amountCents }: ScoredLine,
  policy: PolicyEvidence,
  months: readonly NamedMonth[],
  currency: Currency,
): AmountMatch {
  const { open, references, usual, isOnlyAmount } = policy
  const money = (cents: Cents) => formatMoney(cents, currency)
  const same = open.filter(({ outstandingCents }) => outstandingCents === amountCents)
  const says = (
    weight: number,
    sentence: string,
    invoices: readonly OpenInvoice[] = [],
    { is = "other" as AmountMatchKind, isShared = false, isRest = true } = {},
  ): AmountMatch => ({
    ...{ is, isShared, isRest },
    invoiceIds: invoices.map(({ id }) => id),
    reason: { about: "amount", weight, sentence },
  })
  const said = new Set(references.filter(({ slip }) => slip !== "swapped").map(({ number }) => number))
  const named = open.filter(({ number }) => said.has(number))
  if (named.length > 0 && sumOf(named) === amountCents) {
    return says(
      weights.amount.named,
      `${numbersText(named)} ${named.length === 1 ? "has" : "together have"} exactly this amount outstanding`,
      named,
      { is: "named" },
    )
  }
  const only = isOnlyAmount ? weights.amount.only : 0
  const turned = new Set(references.map(({ number }) => number))
  const meant = same.find(({ number }) => turned.has(number))
  if (meant)
    return says(weights.amount.turned, `${meant.number} has exactly this amount outstanding`, [meant], { is: "turned" })
  const ofMonth = same.filter((invoice) => isNamed(months, invoice))
  const one = ofMonth[0] ?? same[0]
  if (one) {
    const isShared = ofMonth.length === 1 ? false : same.length > 1
    const others = isShared ? `, and so ${same.length === 2 ? "has another" : `have ${same.length - 1} others`}` : ""
    return says(weights.amount.one + only, `${one.number} has exactly this amount outstanding${others}`, [one], {
      is: "one",
      isShared,
    })
  }
  const all = sumOf(open)
  if (open.length > 1 && all === amountCents) {
    return says(weights.amount.all + only, `The total owed: ${numbersText(open)}`, open, { is: "all" })
  }
  // Only with other evidence: some combination of invoices could match any amount by chance.
  const isMeant = policy.named !== null || policy.learnt !== null || said.size > 0
  const several = isMeant ? combination(amountCents, open) : null
  if (several) return says(weights.amount.several, `${numbersText(several)} add up to this amount`, several)
  const paid = usual.find((before) => before.amountCents === amountCents)
  if (paid) return says(weights.amount.usual, `Paid ${money(amountCents)} ${countWords(paid.times)} before`, named)
  const short = [...named, ...open].find(({ outstandingCents }) => {
    const less = outstandingCents - amountCents
    return less > 0 && less <= Math.min(maxDeduction.cents, outstandingCents * maxDeduction.share)
  })
  if (short) {
    const less = money(short.outstandingCents - amountCents)
    return says(weights.amount.less, `${less} less than ${short.number}: a bank charge may have been deducted`, [short])
  }
  const more = amountCents - sumOf(named)
  if (named.length > 0 && more > 0 && roundingUnitsCents.some((unit) => amountCents % unit === 0 && more < unit)) {
    return says(weights.amount.rounded, `${numbersText(named)}, rounded up by ${money(more)}`, named, { isRest: false })
  }
  const outstanding = open.length === 0 ? "Nothing is open" : `${money(all)} is open`
  return says(weights.amount.other, `${outstanding}, not this amount`, named)
}

/** The fewest and then oldest open invoices that add up to an amount; null if none do. */
function combination(amountCents: Cents, open: readonly OpenInvoice[]): OpenInvoice[] | null {
  const few = open.slice(0, maxCombinedInvoices).filter(({ outstandingCents }) => outstandingCents < amountCents)
  if (few.length < 2 || amountCents > sumOf(few)) return null
  for (let set = 1; set < 1 << few.length; set++) {
    const lowest = 31 - Math.clz32(set & -set)
    sums[set] = sums[set & (set - 1)]! + few[lowest]!.outstandingCents
  }
  let best = 0
  for (let set = 1; set < 1 << few.length; set++) {
    if (sums[set] === amountCents && (best === 0 || countBits(set) < countBits(best))) best = set
  }
  return best === 0 ? null : few.filter((_, at) => best & (1 << at))
}

const sums = new Float64Array(1 << maxCombinedInvoices)

const sumOf = (invoices: readonly OpenInvoice[]): Cents =>
  invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0)

const countBits = (set: number): number => set.toString(2).replaceAll("0", "").length

const numbersText = (invoices: readonly OpenInvoice[]): string =>
  invoices.length <= 3
    ? invoices.map(({ number }) => number).join(", ")
    : `${invoices[0]!.number} and ${invoices.length - 1} more invoices`

export function dayReasons({ day }: ScoredLine, { open }: PolicyEvidence, invoiceIds: readonly string[]): Reason[] {
  const first = open.find(({ id }) => invoiceIds.includes(id))
  if (!first) return []
  const late = daysBetween(first.dueOn, day)
  if (Math.abs(late) <= 10)
    return [{ about: "day", weight: weights.day.near, sentence: `${first.number} is due around this date` }]
  if (late < -62)
    return [{ about: "day", weight: weights.day.apart, sentence: `${first.number} is due ${-late} days later` }]
  return []
}

function monthReasons(
  { open }: PolicyEvidence,
  invoiceIds: readonly string[],
  months: readonly NamedMonth[],
): Reason[] {
  const paid = open.filter(({ id, month }) => month !== undefined && invoiceIds.includes(id))
  if (months.length === 0 || paid.length === 0) return []
  const words = [...new Set(months.map(({ word }) => word))].join(" and ")
  const others = paid.filter((invoice) => !isNamed(months, invoice))
  if (others.length === 0) {
    return [{ about: "day", weight: weights.month.same, sentence: `The line names ${words}` }]
  }
  const of = others[0]!
  return [
    {
      about: "day",
      weight: weights.month.other,
      sentence: `The line names ${words}, but ${of.number} is for ${formatMonth(of.month!)}`,
    },
  ]
}

export function createPolicyPart(
  amountCents: Cents,
  policy: PolicyEvidence,
  first: readonly string[],
  isRest = true,
): OfferedPart {
  const chosen = first.length > 0 ? policy.open.filter(({ id }) => first.includes(id)) : []
  const paid = allocateOldestFirst(amountCents, chosen)
  const left = paid.reduce((cents, one) => cents - one.amountCents, amountCents)
  if (left > 0 && isRest) {
    const rest = chosen.length > 0 ? policy.open.filter((one) => !chosen.includes(one)) : policy.open
    paid.push(...allocateOldestFirst(left, rest))
  }
  const allocations = paid.map(({ invoiceId, amountCents }): OfferedAllocation => {
    const { number, dueOn, outstandingCents } = policy.open.find(({ id }) => id === invoiceId)!
    return { invoiceId, amountCents, invoiceNumber: number, dueOn, outstandingCents }
  })
  return {
    as: "policy",
    id: policy.policyId,
    amountCents,
    label: policy.policyNumber,
    name: policy.groupName,
    allocations,
  }
}

/**
 * Whether a policy alone may be posted automatically. Requires exact invoice numbers from a known or anonymous payer,
 * or an amount of a payer confirmed three times. The invoices must be unique and fully paid, with no other month named.
 */
function isCertain(
  { words }: ScoredLine,
  { open, references, learnt, named, alsoNames, isUsualPayer }: PolicyEvidence,
  { is, isShared, invoiceIds }: AmountMatch,
  months: readonly NamedMonth[],
): boolean {
  if ((learnt !== null && learnt.declined > 0) || alsoNames) return false
  const paid = open.filter(({ id }) => invoiceIds.includes(id))
  const ofMonths = paid.filter(({ month }) => month !== undefined)
  const isOfMonths =
    ofMonths.every((invoice) => months.length === 0 || isNamed(months, invoice)) &&
    months.every((one) => ofMonths.length < paid.length || ofMonths.some(({ month }) => isMonth(one, month!)))
  if (!isOfMonths) return false
  const confirmed = learnt?.confirmed ?? 0
  if (is === "named") {
    const exact = new Set(
      references.filter(({ kind, slip }) => kind === "invoice" && slip === "none").map((one) => one.number),
    )
    const isExact = exact.size === paid.length && paid.every(({ number }) => exact.has(number))
    if (isExact) return named !== null || confirmed > 0 || isUsualPayer === true || isAnonymous(words.payer)
  }
  return (is === "one" || is === "all" || is === "named") && !isShared && confirmed >= 3
}
