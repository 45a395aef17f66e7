import { maxCandidates, minScore, weights } from "./match-weights.ts"
import type { Candidate, Reason } from "./matching.ts"

export function scoreCandidate(of: Pick<Candidate, "key" | "kind" | "parts">, reasons: readonly Reason[]): Candidate {
  const sorted = [...reasons].sort((a, b) => b.weight - a.weight)
  const score = sorted.reduce((sum, { weight }) => sum + weight, 0)
  return { ...of, reason: null, score, reasons: sorted, lost: null, isSure: false }
}

/**
 * Ranks candidates, without the declined ones. Only the first may be sure, and only if no other candidate has its own
 * reference or payer in the line.
 */
export function rank(
  candidates: readonly Candidate[],
  {
    declined = new Set(),
    least = minScore,
    most = maxCandidates,
  }: { declined?: ReadonlySet<string>; least?: number; most?: number } = {},
): Candidate[] {
  const left = candidates.filter(({ key, score }) => score >= least && !declined.has(key))
  left.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  putRecordedFirst(left)
  const [first, ...others] = left
  if (!first) return []
  const contested = others.some((other) => isCloseContest(first, other))
  return [
    { ...first, isSure: first.isSure && !contested && declined.size === 0 },
    ...others.slice(0, most - 1).map((other) => ({ ...other, isSure: false, lost: explainLowerRank(first, other) })),
  ]
}

/**
 * Ranks a recorded receipt before a new one, so that money is not counted twice. An open invoice's number in the line
 * overrides this.
 */
function putRecordedFirst(sorted: Candidate[]): void {
  const [first] = sorted
  if (first?.kind !== "policy" || hasNumber(first)) return
  const place = sorted.findIndex(isSamePayment)
  if (place > 0) sorted.unshift(...sorted.splice(place, 1))
}

const hasNumber = ({ reasons }: Candidate): boolean =>
  reasons.some(({ about, weight }) => about === "reference" && weight >= weights.invoice.none)

const isSamePayment = ({ kind, reasons }: Candidate): boolean =>
  (kind === "receipt" || kind === "deposit") &&
  reasons.some(({ about, weight }) => about === "amount" && weight === weights.same) &&
  reasons.some(({ about, weight }) => weight > 0 && (about === "payer" || about === "reference")) &&
  reasons.every(({ about, weight }) => about !== "day" || weight >= 0)

/**
 * An exact number is contested by another number and by a recorded receipt or payment, but not by another policy with
 * the same amount or payer.
 */
function isCloseContest(first: Candidate, other: Candidate): boolean {
  if (hasNumber(first) && other.kind === "policy" && other.parts.length === 1) {
    return other.reasons.some(({ about, weight }) => about === "reference" && weight > weights.invoice.swapped)
  }
  return other.reasons.some(isSufficientReason) && other.score * 2 > first.score
}

const isSufficientReason = ({ about, weight }: Reason): boolean =>
  weight > 0 && (about === "reference" || about === "payer" || about === "amount")

function explainLowerRank(first: Candidate, other: Candidate): string {
  if (other.kind === "policy" && other.score > first.score) {
    return `Less likely: ${first.parts[0]!.label} with this amount is already recorded`
  }
  const about = (of: Candidate, kind: Reason["about"]) =>
    of.reasons.filter((reason) => reason.about === kind).reduce((sum, { weight }) => sum + weight, 0)
  const behind = (["reference", "payer", "amount", "day"] as const)
    .map((kind) => ({ kind, by: about(first, kind) - about(other, kind) }))
    .sort((a, b) => b.by - a.by)[0]!
  if (behind.by <= 0) return "As likely as the first suggestion"
  const against = other.reasons.find((reason) => reason.about === behind.kind && reason.weight < 0)
  const ahead = first.reasons.find((reason) => reason.about === behind.kind && reason.weight > 0)
  if (against) return `Less likely: ${lowercaseFirst(against.sentence)}`
  return ahead
    ? `Less likely: the first suggestion has stronger evidence (${lowercaseFirst(ahead.sentence)})`
    : "The first suggestion has stronger evidence"
}

const lowercaseFirst = (sentence: string): string =>
  /^(The|A|All|Its|It|Nothing) /.test(sentence) ? sentence[0]!.toLowerCase() + sentence.slice(1) : sentence
