import { type Day, daysBetween } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { OpenInvoice } from "../receipts/receipt.ts"
import { allocateOldestFirst } from "../receipts/receipt-shape.ts"
import type { LineWords, Named, Slip } from "./line-words.ts"
import type { Candidate, OfferedAllocation, OfferedPart, Reason } from "./matching.ts"

/** Everything that speaks for a candidate or against it, in points. To be tuned here alone. */
export const weights = {
  invoice: { none: 60, short: 45, swapped: 25 },
  /** An invoice that is paid already still names its policy. */
  paidInvoice: { none: 30, short: 20, swapped: 8 },
  policy: { none: 50, short: 40, swapped: 22 },
  receipt: { none: 60, short: 45, swapped: 25 },
  named: { whole: 35, begun: 24 },
  /** The line has the whole name of somebody else. */
  namesAnother: -30,
  learnt: { once: 38, more: 6, atMost: 3 },
  declined: -30,
  amount: {
    /** What the invoices named in the line come to. */
    named: 40,
    /** The invoice that is named but for two digits. */
    turned: 38,
    one: 30,
    several: 26,
    all: 30,
    group: 28,
    usual: 16,
    /** A little less than is open: a charge taken off, perhaps. */
    less: 8,
    /** The next round amount after the invoices that the line names. */
    rounded: 8,
    other: -12,
    /** Nobody else has it open. */
    only: 8,
  },
  /** A receipt or payment that is there, of the same amount. */
  same: 34,
  /** The line speaks of a return. */
  returned: 25,
  /** The bank's own word for a charge or interest. */
  bankWord: 36,
  /** The number of another account of the organisation. */
  ownAccount: 60,
  day: { same: 6, near: 4, apart: -10 },
} as const

/** Below this nothing is offered. */
export const leastScore = 15
/** So many candidates are offered of a line. */
export const mostCandidates = 6
/** What a bank or a payer may have taken off: up to this, and this share of the amount. */
const takenOff = { cents: 150_00, share: 0.03 }
/** Whole rands, tens and hundreds: what a payer may have rounded up to. */
const roundedTo = [1_00, 10_00, 100_00]
/** So many open invoices of a policy are tried in every combination. */
const mostCombined = 10

export interface ScoredLine {
  day: Day
  amountCents: Cents
  words: LineWords
}

/** What is known of a policy that a line may pay. */
export interface PolicyEvidence {
  policyId: string
  policyNumber: string
  groupId: string
  groupName: string
  /** The oldest due first. */
  open: readonly OpenInvoice[]
  /** What is in the line of it: its own number, invoices of it. */
  references: readonly { kind: "invoice" | "policy"; number: string; slip: Slip; isOpen: boolean }[]
  named: Named
  /** Another group whose whole name is in the line, where this one's does not. */
  namesAnother: string | null
  /** What people said of the payer's text. */
  learnt: { confirmed: number; declined: number } | null
  /** Amounts that it paid before, with how often. */
  usual: readonly { amountCents: Cents; times: number }[]
  /** Whether no other policy has this amount open, in one invoice or all. */
  isOnlyAmount: boolean
}

export const times = (count: number) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`)
export const written: Record<Slip, string> = {
  none: "is in the line",
  short: "is in the line, with digits left out",
  swapped: "is in the line, with two digits swapped",
}

/** What a policy would be paid by a line, and what speaks for it and against it. */
export function scorePolicy(line: ScoredLine, policy: PolicyEvidence, currency: Currency): Candidate {
  const reasons = [...byReference(policy), ...byPayer(line, policy)]
  const { invoiceIds, reason, isRest } = byAmount(line, policy, currency)
  reasons.push(reason, ...byDay(line, policy, invoiceIds))
  const part = partOf(line.amountCents, policy, invoiceIds, isRest)
  const scored = weigh({ key: `policy:${policy.policyId}`, kind: "policy", parts: [part] }, reasons)
  return { ...scored, isSure: isSure(line, policy, reason) }
}

function byReference({ references }: PolicyEvidence): Reason[] {
  const strongest = new Map<string, Reason>()
  for (const { kind, number, slip, isOpen } of references) {
    const weight = kind === "policy" ? weights.policy[slip] : (isOpen ? weights.invoice : weights.paidInvoice)[slip]
    const paid = kind === "invoice" && !isOpen ? "; it is paid already" : ""
    const reason = { about: "reference" as const, weight, sentence: `${number} ${written[slip]}${paid}` }
    if (weight > (strongest.get(kind)?.weight ?? 0)) strongest.set(kind, reason)
  }
  // A second reference supports the first; it does not weigh as much again.
  return [...strongest.values()]
    .sort((a, b) => b.weight - a.weight)
    .map((reason, at) => (at === 0 ? reason : { ...reason, weight: Math.round(reason.weight / 3) }))
}

function byPayer({ words }: ScoredLine, { named, namesAnother, learnt, groupName }: PolicyEvidence): Reason[] {
  const reasons: Reason[] = []
  if (named) {
    const sentence = named === "whole" ? `${groupName} is in the line` : `The line has the beginning of ${groupName}`
    reasons.push({ about: "payer", weight: weights.named[named], sentence })
  }
  if (learnt && learnt.confirmed > 0) {
    const more = Math.min(learnt.confirmed, weights.learnt.atMost) - 1
    const weight = weights.learnt.once + more * weights.learnt.more
    const sentence = `“${words.payer}” was confirmed for it ${times(learnt.confirmed)}`
    // Both are about who pays: the stronger counts whole, the other supports it.
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
    reasons.push({ about: "payer", weight, sentence: `“${words.payer}” was declined for it ${times(learnt.declined)}` })
  }
  return reasons
}

/** What the amount says, which invoices it would pay first, and whether what is left then pays others. */
function byAmount(
  { amountCents }: ScoredLine,
  policy: PolicyEvidence,
  currency: Currency,
): { invoiceIds: string[]; reason: Reason; isRest: boolean } {
  const { open, references, usual, isOnlyAmount } = policy
  const money = (cents: Cents) => formatMoney(cents, currency)
  const says = (weight: number, sentence: string, invoices: readonly OpenInvoice[] = [], isRest = true) => ({
    invoiceIds: invoices.map(({ id }) => id),
    reason: { about: "amount" as const, weight, sentence },
    isRest,
  })
  const said = new Set(references.filter(({ slip }) => slip !== "swapped").map(({ number }) => number))
  const named = open.filter(({ number }) => said.has(number))
  if (named.length > 0 && sumOf(named) === amountCents) {
    return says(
      weights.amount.named,
      `${numbers(named)} ${named.length === 1 ? "is" : "are"} open with this amount`,
      named,
    )
  }
  const only = isOnlyAmount ? weights.amount.only : 0
  const turned = new Set(references.map(({ number }) => number))
  const meant = open.find(({ number, outstandingCents }) => turned.has(number) && outstandingCents === amountCents)
  if (meant) return says(weights.amount.turned, `${meant.number} is open with this amount`, [meant])
  const one = open.find(({ outstandingCents }) => outstandingCents === amountCents)
  if (one) return says(weights.amount.one + only, `${one.number} is open with this amount`, [one])
  const all = sumOf(open)
  if (open.length > 1 && all === amountCents) {
    return says(weights.amount.all + only, `All that is open: ${numbers(open)}`, open)
  }
  // Of a policy that nothing else speaks for, some invoices or other may come to any amount.
  const isMeant = policy.named !== null || policy.learnt !== null || said.size > 0
  const several = isMeant ? combination(amountCents, open) : null
  if (several) return says(weights.amount.several, `${numbers(several)} come to this amount`, several)
  const paid = usual.find((before) => before.amountCents === amountCents)
  if (paid) return says(weights.amount.usual, `It paid ${money(amountCents)} before, ${times(paid.times)}`, named)
  const short = [...named, ...open].find(({ outstandingCents }) => {
    const less = outstandingCents - amountCents
    return less > 0 && less <= Math.min(takenOff.cents, outstandingCents * takenOff.share)
  })
  if (short) {
    const less = money(short.outstandingCents - amountCents)
    return says(weights.amount.less, `${less} less than ${short.number}: a charge may have been taken off`, [short])
  }
  const more = amountCents - sumOf(named)
  if (named.length > 0 && more > 0 && roundedTo.some((unit) => amountCents % unit === 0 && more < unit)) {
    return says(weights.amount.rounded, `${numbers(named)}, rounded up by ${money(more)}`, named, false)
  }
  const outstanding = open.length === 0 ? "Nothing is open" : `${money(all)} is open`
  return says(weights.amount.other, `${outstanding}, not this amount`, named)
}

/** Open invoices that come to an amount: the fewest, of those the oldest. Null where none do. */
function combination(amountCents: Cents, open: readonly OpenInvoice[]): OpenInvoice[] | null {
  const few = open.slice(0, mostCombined).filter(({ outstandingCents }) => outstandingCents < amountCents)
  if (few.length < 2 || amountCents > sumOf(few)) return null
  for (let set = 1; set < 1 << few.length; set++) {
    const lowest = 31 - Math.clz32(set & -set)
    sums[set] = sums[set & (set - 1)]! + few[lowest]!.outstandingCents
  }
  let best = 0
  for (let set = 1; set < 1 << few.length; set++) {
    if (sums[set] === amountCents && (best === 0 || bits(set) < bits(best))) best = set
  }
  return best === 0 ? null : few.filter((_, at) => best & (1 << at))
}

/** What each choice of invoices comes to, a bit an invoice; written anew by each look. */
const sums = new Float64Array(1 << mostCombined)

const sumOf = (invoices: readonly OpenInvoice[]): Cents =>
  invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0)

const bits = (set: number): number => set.toString(2).replaceAll("0", "").length

const numbers = (invoices: readonly OpenInvoice[]): string =>
  invoices.length <= 3
    ? invoices.map(({ number }) => number).join(", ")
    : `${invoices[0]!.number} and ${invoices.length - 1} more invoices`

function byDay({ day }: ScoredLine, { open }: PolicyEvidence, invoiceIds: readonly string[]): Reason[] {
  const first = open.find(({ id }) => invoiceIds.includes(id))
  if (!first) return []
  const late = daysBetween(first.dueOn, day)
  if (Math.abs(late) <= 10)
    return [{ about: "day", weight: weights.day.near, sentence: `${first.number} is due about this day` }]
  if (late < -62)
    return [{ about: "day", weight: weights.day.apart, sentence: `${first.number} is due ${-late} days later` }]
  return []
}

/** The part of a line that a policy would be paid: these invoices first, then the oldest where `isRest`. */
export function partOf(
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
 * Whether a line may post by itself for a policy, as far as the policy alone says it; `rank` asks the others. The amount
 * must be open to the cent as well: what a reference or a payer says is not enough for money that nobody looks at.
 */
function isSure({ words }: ScoredLine, { references, learnt, named }: PolicyEvidence, amount: Reason): boolean {
  if (learnt !== null && learnt.declined > 0) return false
  const fits = amount.weight >= weights.amount.several
  const exact = references.some(({ slip }) => slip === "none")
  // A payer's name that is nobody's speaks against a reference, unless this payer was confirmed before.
  const payer = named === "whole" || (learnt?.confirmed ?? 0) > 0 || words.payer === ""
  if (exact && amount.weight === weights.amount.named) return payer
  return fits && (learnt?.confirmed ?? 0) >= 3
}

/**
 * One payment for several policies: those whose invoices the line names, or all of a group that it names, where what is
 * open of them comes to the amount. Null where it does not.
 */
export function scoreSplit(line: ScoredLine, policies: readonly PolicyEvidence[]): Candidate | null {
  const { amountCents } = line
  if (policies.length < 2) return null
  const named = policies.map((policy) => {
    const numbers = new Set(policy.references.filter(({ slip }) => slip !== "swapped").map(({ number }) => number))
    const own = policy.open.filter(({ number }) => numbers.has(number))
    const isNamed = own.length > 0 || numbers.has(policy.policyNumber)
    return { policy, invoices: own.length > 0 ? own : policy.open, isNamed }
  })
  const meant = named.filter(({ isNamed }) => isNamed)
  const bySaid = meant.length > 1 ? (comesTo(amountCents, meant) ?? comesTo(amountCents, meant.map(firstOnly))) : null
  if (bySaid) {
    const said = meant.flatMap(({ policy }) => policy.references.slice(0, 1).map(({ number }) => number))
    return split(line, bySaid, [
      { about: "reference", weight: weights.invoice.none, sentence: `${said.join(" and ")} are in the line` },
      { about: "amount", weight: weights.amount.named, sentence: "Together they come to this amount" },
      ...byPayer(line, meant[0]!.policy),
    ])
  }
  for (const groupId of new Set(policies.map((policy) => policy.groupId))) {
    const all = named.filter(({ policy }) => policy.groupId === groupId && policy.open.length > 0)
    const { policy } = all[0] ?? {}
    if (!policy || all.length < 2) continue
    const whole = all.map(({ policy }) => ({ policy, invoices: policy.open }))
    const ofGroup = comesTo(amountCents, whole) ?? comesTo(amountCents, whole.map(firstOnly))
    if (!ofGroup) continue
    return split(line, ofGroup, [
      {
        about: "amount",
        weight: weights.amount.group,
        sentence: `All policies of ${policy.groupName} come to this amount`,
      },
      ...byPayer(line, policy),
    ])
  }
  return null
}

interface Share {
  policy: PolicyEvidence
  invoices: readonly OpenInvoice[]
}

const firstOnly = ({ policy, invoices }: Share): Share => ({ policy, invoices: invoices.slice(0, 1) })

function comesTo(amountCents: Cents, shares: readonly Share[]): readonly Share[] | null {
  const sum = shares.flatMap(({ invoices }) => invoices).reduce((cents, one) => cents + one.outstandingCents, 0)
  return sum === amountCents && shares.every(({ invoices }) => invoices.length > 0) ? shares : null
}

function split(line: ScoredLine, shares: readonly Share[], reasons: readonly Reason[]): Candidate {
  const parts = shares.map(({ policy, invoices }) => {
    const cents = invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0)
    const ids = invoices.map(({ id }) => id)
    return partOf(cents, policy, ids)
  })
  const key = `split:${parts
    .map(({ label }) => label)
    .sort()
    .join("+")}`.slice(0, 200)
  const first = shares[0]!
  return weigh({ key, kind: "policy", parts }, [...reasons, ...byDay(line, first.policy, [first.invoices[0]!.id])])
}

/** A candidate with its reasons, the strongest first. */
export function weigh(of: Pick<Candidate, "key" | "kind" | "parts">, reasons: readonly Reason[]): Candidate {
  const sorted = [...reasons].sort((a, b) => b.weight - a.weight)
  const score = sorted.reduce((sum, { weight }) => sum + weight, 0)
  return { ...of, reason: null, score, reasons: sorted, lost: null, isSure: false }
}

/**
 * The candidates of a line, the likeliest first, each of the others with why it lost. What people declined for this line
 * is left out. Only the first may be sure, and only where no other has a reference or a payer of its own.
 */
export function rank(
  candidates: readonly Candidate[],
  {
    declined = new Set(),
    least = leastScore,
    most = mostCandidates,
  }: { declined?: ReadonlySet<string>; least?: number; most?: number } = {},
): Candidate[] {
  const left = candidates.filter(({ key, score }) => score >= least && !declined.has(key))
  left.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  const [first, ...others] = left
  if (!first) return []
  const contested = others.some((other) => other.reasons.some(speaksForItself) && other.score * 2 > first.score)
  return [
    { ...first, isSure: first.isSure && !contested && declined.size === 0 },
    ...others.slice(0, most - 1).map((other) => ({ ...other, isSure: false, lost: lostTo(first, other) })),
  ]
}

const speaksForItself = ({ about, weight }: Reason): boolean =>
  weight > 0 && (about === "reference" || about === "payer" || about === "amount")

/** Why a candidate stands below the first: that in which it is furthest behind. */
function lostTo(first: Candidate, other: Candidate): string {
  const about = (of: Candidate, kind: Reason["about"]) =>
    of.reasons.filter((reason) => reason.about === kind).reduce((sum, { weight }) => sum + weight, 0)
  const behind = (["reference", "payer", "amount", "day"] as const)
    .map((kind) => ({ kind, by: about(first, kind) - about(other, kind) }))
    .sort((a, b) => b.by - a.by)[0]!
  if (behind.by <= 0) return "As likely as the first: nothing tells them apart"
  const against = other.reasons.find((reason) => reason.about === behind.kind && reason.weight < 0)
  const ahead = first.reasons.find((reason) => reason.about === behind.kind && reason.weight > 0)
  const by = first.score - other.score
  if (against) return `${by} points behind: ${against.sentence}`
  return `${by} points behind: of the first, ${ahead ? lowered(ahead.sentence) : "more speaks for it"}`
}

const lowered = (sentence: string): string =>
  /^(The|A|All|Its|It|Nothing) /.test(sentence) ? sentence[0]!.toLowerCase() + sentence.slice(1) : sentence
