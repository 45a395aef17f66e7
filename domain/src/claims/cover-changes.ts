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

/** What was recorded after the claim's facts were stored. */
export interface CoverRecords {
  /** Whether they were known to be covered on the incident day; `endedOn` is their last day of cover before it. */
  member: { wasCovered: boolean; endedOn: Day | null }
  dependent: { wasCovered: boolean; endedOn: Day | null }
  recorded: Partial<Record<CoverSource, RecordedBy>>
}

export interface CoverChangeEvidence {
  stored: StoredCover
  current: StoredCover
  /** `submitted` is null for claims submitted before it was stored. */
  standing: { submitted: PremiumStanding["state"] | null; now: PremiumStanding["state"] }
  insured: InsuredKind
  /** The covers on the incident day as known now; `dependent` is null if the member is insured. */
  covers: { member: "covered" | "suspended" | null; dependent: { name: string; isCovered: boolean } | null }
  records: CoverRecords
}

export interface CoverChange {
  fact: string
  submitted: string
  now: string
  /** Null if unknown, as for premiums, which depend on many records. */
  recordedBy: string | null
  recordedAt: string | null
}

const termSources: CoverSource[] = ["product type", "tier", "benefit", "salary", "member", "dependent"]

/** The facts that differ between submission and now, as label and texts, with the latest record that changed each. */
export function coverChangesOf(
  { stored, current, standing, insured, covers, records }: CoverChangeEvidence,
  format: DayFormat,
  currency: Currency,
): CoverChange[] {
  const limit = (cents: Cents | null) => (cents === null ? "None" : formatMoney(cents, currency))
  const facts: [string, CoverSource[], (cover: StoredCover) => string | null][] = [
    ["Product type", ["product type"], ({ productType }) => productType],
    ["Benefit tier", ["tier"], ({ tier }) => tier],
    ["Cover", termSources, ({ gap }) => (gap === null ? "Covered" : coverGapText(gap, insured))],
    ["Maximum cover", termSources, (cover) => (cover.gap === null ? maximumText(cover.maxCoverCents, currency) : null)],
    ["Cover percentage", termSources, (cover) => (cover.gap === null ? `${cover.coverPercentage || 100} %` : null)],
    ["Limit per incident", termSources, (cover) => (cover.gap === null ? limit(cover.incidentLimitCents) : null)],
    ["Limit per year", termSources, (cover) => (cover.gap === null ? limit(cover.yearLimitCents) : null)],
  ]
  const endText = (endedOn: Day | null) => (endedOn ? `Ended on ${formatDay(endedOn, format)}` : "Not covered")
  const { member, dependent } = covers
  const changes: { fact: string; submitted: string | null; now: string | null; sources: CoverSource[] }[] = [
    {
      fact: "Membership",
      submitted: records.member.wasCovered ? "Covered" : null,
      now: member === "covered" ? "Covered" : member === "suspended" ? "Suspended" : endText(records.member.endedOn),
      sources: ["member"],
    },
    ...facts.map(([fact, sources, textOf]) => ({ fact, sources, submitted: textOf(stored), now: textOf(current) })),
    {
      fact: "Premiums up to the incident date",
      submitted: standing.submitted && premiumStateNames[standing.submitted],
      now: premiumStateNames[standing.now],
      sources: [],
    },
  ]
  if (dependent) {
    changes.splice(1, 0, {
      fact: `Cover of ${dependent.name}`,
      submitted: records.dependent.wasCovered ? "Covered" : null,
      now: dependent.isCovered ? "Covered" : endText(records.dependent.endedOn),
      sources: ["dependent"],
    })
  }
  return changes.flatMap(({ fact, submitted, now, sources }) => {
    if (submitted === null || now === null || submitted === now) return []
    const record = sources
      .flatMap((source) => records.recorded[source] ?? [])
      .toSorted((a, b) => Temporal.Instant.compare(b.at, a.at))[0]
    return [
      {
        fact,
        submitted,
        now,
        recordedBy: record?.by ?? null,
        recordedAt: record ? Temporal.Instant.from(record.at).toString() : null,
      },
    ]
  })
}

const maximumText = (cents: Cents, currency: Currency): string =>
  cents > 0 ? formatMoney(cents, currency) : "No maximum"
