import { type CoverGap, type CoverYear, coverGapText, type InsuredKind } from "../benefits/benefit-terms.ts"
import { type PremiumStanding, premiumStateNames } from "../billing/premium-standing.ts"
import { type Day, type DayFormat, formatDay } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

/** Cover of a claim: as stored at submission, or as known now. */
export interface StoredCover {
  /** Null for claims submitted before it was stored. */
  productType: string | null
  tier: string | null
  gap: CoverGap | null
  /** 0 means no maximum. */
  maxCoverCents: Cents
  /** 0 means 100; null with a gap. */
  coverPercentage: number | null
  incidentLimitCents: Cents | null
  yearLimitCents: Cents | null
  coverYear: CoverYear | null
}

/** Kinds of records that a claim is judged by. `member` and `dependent`: whether they had cover on the incident day. */
export type CoverSource = "product type" | "tier" | "benefit" | "salary" | "member" | "dependent"

export interface RecordedBy {
  /** Null if the reader may not see the audit entry. */
  by: string | null
  /** Instant with any offset. */
  at: string
}

export type CoverRecords = Partial<Record<CoverSource, RecordedBy>>

/** Whether a person was known to be covered on the incident day when the claim's facts were stored. */
export interface KnownCover {
  wasCovered: boolean
  /** The last day of cover before the incident day, as known now. */
  endedOn: Day | null
}

export interface CoverChangeEvidence {
  stored: StoredCover
  current: StoredCover
  /** `submitted` is null for claims submitted before it was stored. */
  standing: { submitted: PremiumStanding["state"] | null; now: PremiumStanding["state"] }
  insured: InsuredKind
  /** The covers on the incident day as known now, and before. */
  member: KnownCover & { kind: "covered" | "suspended" | null }
  /** Null if the member is insured. */
  dependent: (KnownCover & { name: string; isCovered: boolean }) | null
}

export interface CoverDifference {
  fact: string
  submitted: string
  now: string
  /** Kinds of records that the fact depends on; empty for premiums, which depend on many records. */
  sources: readonly CoverSource[]
}

export interface CoverChange extends Omit<CoverDifference, "sources"> {
  /** Null if unknown. */
  recordedBy: string | null
  recordedAt: string | null
}

const allSources: readonly CoverSource[] = ["product type", "tier", "benefit", "salary", "member", "dependent"]

/** The facts that differ between submission and now, as label and texts. */
export function coverDifferencesOf(
  { stored, current, standing, insured, member, dependent }: CoverChangeEvidence,
  format: DayFormat,
  currency: Currency,
): CoverDifference[] {
  const limit = (cents: Cents | null) => (cents === null ? "None" : formatMoney(cents, currency))
  const facts: [string, readonly CoverSource[], (cover: StoredCover) => string | null][] = [
    ["Product type", ["product type"], ({ productType }) => productType],
    ["Benefit tier", ["tier"], ({ tier }) => tier],
    ["Cover", allSources, ({ gap }) => (gap === null ? "Covered" : coverGapText(gap, insured))],
    ["Maximum cover", allSources, (cover) => (cover.gap === null ? maximumText(cover.maxCoverCents, currency) : null)],
    ["Cover percentage", allSources, (cover) => (cover.gap === null ? `${cover.coverPercentage || 100} %` : null)],
    ["Limit per incident", allSources, (cover) => (cover.gap === null ? limit(cover.incidentLimitCents) : null)],
    ["Limit per year", allSources, (cover) => (cover.gap === null ? limit(cover.yearLimitCents) : null)],
  ]
  const kindNow = dependent?.isCovered ? "covered" : null
  const compared = [
    { fact: "Membership", sources: ["member"] as const, ...coverTexts(member, member.kind, format) },
    ...(dependent
      ? [
          {
            fact: `Cover of ${dependent.name}`,
            sources: ["dependent"] as const,
            ...coverTexts(dependent, kindNow, format),
          },
        ]
      : []),
    ...facts.map(([fact, sources, textOf]) => ({ fact, sources, submitted: textOf(stored), now: textOf(current) })),
    {
      fact: "Premiums up to the incident date",
      sources: [],
      submitted: standing.submitted && premiumStateNames[standing.submitted],
      now: premiumStateNames[standing.now],
    },
  ]
  return compared.filter(
    (one): one is CoverDifference => one.submitted !== null && one.now !== null && one.submitted !== one.now,
  )
}

function coverTexts({ wasCovered, endedOn }: KnownCover, kind: "covered" | "suspended" | null, format: DayFormat) {
  const ended = endedOn ? `Ended on ${formatDay(endedOn, format)}` : "Not covered"
  return {
    submitted: wasCovered ? "Covered" : null,
    now: kind === null ? ended : kind === "covered" ? "Covered" : "Suspended",
  }
}

/** Adds the latest record that changed each fact. */
export const withRecords = (differences: readonly CoverDifference[], records: CoverRecords): CoverChange[] =>
  differences.map(({ sources, ...difference }) => {
    const latest = sources
      .flatMap((source) => records[source] ?? [])
      .toSorted((a, b) => Temporal.Instant.compare(b.at, a.at))[0]
    return {
      ...difference,
      recordedBy: latest?.by ?? null,
      recordedAt: latest ? Temporal.Instant.from(latest.at).toString() : null,
    }
  })

const maximumText = (cents: Cents, currency: Currency): string =>
  cents > 0 ? formatMoney(cents, currency) : "No maximum"
