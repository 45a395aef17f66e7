import { type Cents, shareOf } from "../kernel/money.ts"
import { lettersOf } from "./line-words.ts"
import { scoreCandidate } from "./match-rank.ts"
import {
  createPolicyPart,
  dayReasons,
  type OpenMonth,
  type PolicyEvidence,
  payerReasons,
  type ScoredLine,
} from "./match-score.ts"
import { weights } from "./match-weights.ts"
import type { Candidate, Reason } from "./matching.ts"

/**
 * Suggests one payment for several policies: those of the named invoices, or all of a named employer whose open amounts
 * add up to the line. Null if the sum differs.
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
  const bySaid =
    meant.length > 1
      ? (sharesIfExact(amountCents, meant) ?? sharesIfExact(amountCents, meant.map(withFirstInvoiceOnly)))
      : null
  if (bySaid) {
    const said = meant.flatMap(({ policy }) => policy.references.slice(0, 1).map(({ number }) => number))
    return split(line, bySaid, [
      { about: "reference", weight: weights.invoice.none, sentence: `${said.join(" and ")} are in the line` },
      { about: "amount", weight: weights.amount.named, sentence: "Together they add up to this amount" },
      ...payerReasons(line, meant[0]!.policy),
    ])
  }
  for (const groupId of new Set(policies.map((policy) => policy.groupId))) {
    const all = named.filter(({ policy }) => policy.groupId === groupId && policy.open.length > 0)
    const { policy } = all[0] ?? {}
    if (!policy || all.length < 2) continue
    const whole = all.map(({ policy }) => ({ policy, invoices: policy.open }))
    const ofGroup = sharesIfExact(amountCents, whole) ?? sharesIfExact(amountCents, whole.map(withFirstInvoiceOnly))
    if (!ofGroup) continue
    return split(line, ofGroup, [
      {
        about: "amount",
        weight: weights.amount.group,
        sentence: `All policies of ${policy.groupName} add up to this amount`,
      },
      ...payerReasons(line, policy),
    ])
  }
  return splitByEmployers(line, policies) ?? splitPair(line, policies)
}

const maxTriedPolicies = 5
const maxOpenInvoices = 5

/**
 * Employers that the line names or whose payer is confirmed, if their open invoices add up to the line. Otherwise
 * divides the line between the named employers in proportion to their open amounts.
 */
function splitByEmployers(line: ScoredLine, policies: readonly PolicyEvidence[]): Candidate | null {
  const isKnown = ({ learnt }: PolicyEvidence) => (learnt?.confirmed ?? 0) > 0 && learnt?.declined === 0
  const named = namedPolicies(policies)
  const groups = new Set(named.map(({ groupId }) => groupId))
  const others = policies.filter((policy) => !groups.has(policy.groupId) && isKnown(policy))
  const meant = [...named, ...others].filter(({ open }) => open.length > 0)
  const shares =
    meant.length > maxTriedPolicies
      ? null
      : findExactShares(line.amountCents, meant, (found) => {
          const ofGroups = new Set(found.map(({ policy }) => policy.groupId))
          return ofGroups.size > 1 && [...groups].every((groupId) => ofGroups.has(groupId))
        })
  if (!shares) return groups.size > 1 ? splitInProportion(line, named) : null
  const together = shares.map(({ policy }) => policy.groupName).join(" and ")
  return split(line, shares, [
    { about: "amount", weight: weights.amount.group, sentence: `Open invoices of ${together} add up to this amount` },
    ...payerReasons(line, shares[0]!.policy),
  ])
}

function namedPolicies(policies: readonly PolicyEvidence[]): PolicyEvidence[] {
  const named = policies.filter(({ named, isNamedShort }) => named === "whole" || isNamedShort)
  const names = new Set(named.map(({ groupName }) => lettersOf(groupName)))
  const isInside = (name: string) => [...names].some((other) => other !== name && other.includes(name))
  return named.filter(({ groupName }) => !isInside(lettersOf(groupName)))
}

const openCents = ({ open }: PolicyEvidence): Cents =>
  open.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0)

/** Divides a line in proportion to the open amounts, or equally if none is open; the user must check the parts. */
function splitInProportion(line: ScoredLine, policies: readonly PolicyEvidence[]): Candidate | null {
  const byGroup = new Map<string, PolicyEvidence[]>()
  for (const policy of policies) byGroup.set(policy.groupId, [...(byGroup.get(policy.groupId) ?? []), policy])
  const one = [...byGroup.values()].map((own) => own.reduce((a, b) => (openCents(b) > openCents(a) ? b : a)))
  const open = one.reduce((sum, policy) => sum + openCents(policy), 0)
  let left = line.amountCents
  const parts = one.map((policy, at) => {
    const part =
      open > 0 ? shareOf(line.amountCents, openCents(policy), open) : shareOf(line.amountCents, 1, one.length)
    const cents = at === one.length - 1 ? left : part
    left -= cents
    return createPolicyPart(cents, policy, [])
  })
  if (parts.length > maxTriedPolicies || parts.some(({ amountCents }) => amountCents <= 0)) return null
  const names = one.map(({ groupName }) => groupName).join(" and ")
  const key = splitKey(parts)
  return scoreCandidate({ key, kind: "policy", parts }, [
    { about: "payer", weight: weights.namesSeveral, sentence: `The line names ${names}` },
    {
      about: "amount",
      weight: weights.amount.shared,
      sentence: "No invoices add up to this amount, so it is split in proportion to the open amounts. Check the parts",
    },
  ])
}

function splitPair(line: ScoredLine, policies: readonly PolicyEvidence[]): Candidate | null {
  const pair = policies.filter(({ isOfPair }) => isOfPair)
  const shares = pair.length === 2 ? findExactShares(line.amountCents, pair, ({ length }) => length === 2) : null
  if (!shares) return null
  const numbers = shares.flatMap(({ invoices }) => invoices.map(({ number }) => number)).join(" and ")
  const sentence = `Of all open invoices, only ${numbers} add up to this amount`
  return split(line, shares, [{ about: "amount", weight: weights.amount.pair, sentence }])
}

function findExactShares(
  amountCents: Cents,
  policies: readonly PolicyEvidence[],
  fits: (shares: readonly Share[]) => boolean,
): Share[] | null {
  const search = (at: number, left: Cents, taken: Share[]): Share[] | null => {
    if (left === 0 && fits(taken)) return taken
    const policy = policies[at]
    if (!policy || left <= 0) return null
    const single = policy.open.slice(0, maxOpenInvoices).map((invoice) => [invoice])
    for (const invoices of policy.open.length > 1 ? [...single, policy.open] : single) {
      const cents = invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0)
      const found = search(at + 1, left - cents, [...taken, { policy, invoices }])
      if (found) return found
    }
    return search(at + 1, left, taken)
  }
  return search(0, amountCents, [])
}

interface Share {
  policy: PolicyEvidence
  invoices: readonly OpenMonth[]
}

const withFirstInvoiceOnly = ({ policy, invoices }: Share): Share => ({ policy, invoices: invoices.slice(0, 1) })

function sharesIfExact(amountCents: Cents, shares: readonly Share[]): readonly Share[] | null {
  const sum = shares.flatMap(({ invoices }) => invoices).reduce((cents, one) => cents + one.outstandingCents, 0)
  return sum === amountCents && shares.every(({ invoices }) => invoices.length > 0) ? shares : null
}

function split(line: ScoredLine, shares: readonly Share[], reasons: readonly Reason[]): Candidate {
  const parts = shares.map(({ policy, invoices }) => {
    const cents = invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0)
    const ids = invoices.map(({ id }) => id)
    return createPolicyPart(cents, policy, ids)
  })
  const key = splitKey(parts)
  const first = shares[0]!
  return scoreCandidate({ key, kind: "policy", parts }, [
    ...reasons,
    ...dayReasons(line, first.policy, [first.invoices[0]!.id]),
  ])
}

const splitKey = (parts: readonly { label: string }[]): string =>
  `split:${parts
    .map(({ label }) => label)
    .sort()
    .join("+")}`.slice(0, 200)
