import { type CoverGap, type CoverYear, coverGapText, type InsuredKind } from "../benefits/benefit-terms.ts"
import { type PremiumStanding, premiumStateNames } from "../billing/premium-standing.ts"
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

export interface CoverChangeEvidence {
  stored: StoredCover
  current: StoredCover
  /** `submitted` is null for claims submitted before it was stored. */
  standing: { submitted: PremiumStanding["state"] | null; now: PremiumStanding["state"] }
  insured: InsuredKind
}

export interface CoverChange {
  fact: string
  submitted: string
  now: string
}

/** The facts that differ between submission and now, as label and texts. */
export function coverChangesOf(
  { stored, current, standing, insured }: CoverChangeEvidence,
  currency: Currency,
): CoverChange[] {
  const limit = (cents: Cents | null) => (cents === null ? "None" : formatMoney(cents, currency))
  const facts: [string, (cover: StoredCover) => string | null][] = [
    ["Product type", ({ productType }) => productType],
    ["Benefit tier", ({ tier }) => tier],
    ["Cover", ({ gap }) => (gap === null ? "Covered" : coverGapText(gap, insured))],
    ["Maximum cover", (cover) => (cover.gap === null ? maximumText(cover.maxCoverCents, currency) : null)],
    ["Cover percentage", (cover) => (cover.gap === null ? `${cover.coverPercentage || 100} %` : null)],
    ["Limit per incident", (cover) => (cover.gap === null ? limit(cover.incidentLimitCents) : null)],
    ["Limit per year", (cover) => (cover.gap === null ? limit(cover.yearLimitCents) : null)],
  ]
  const changes = facts.map(([fact, textOf]) => ({ fact, submitted: textOf(stored), now: textOf(current) }))
  const premiums = {
    fact: "Premiums up to the incident date",
    submitted: standing.submitted && premiumStateNames[standing.submitted],
    now: premiumStateNames[standing.now],
  }
  return [...changes, premiums].filter(
    (change): change is CoverChange =>
      change.submitted !== null && change.now !== null && change.submitted !== change.now,
  )
}

const maximumText = (cents: Cents, currency: Currency): string =>
  cents > 0 ? formatMoney(cents, currency) : "No maximum"
