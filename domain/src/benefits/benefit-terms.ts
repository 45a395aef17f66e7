import type { Cents } from "../kernel/money.ts"

/** The kinds of insured person: the member, or a dependent by relationship. */
export const insuredKinds = ["member", "spouse", "child", "parent", "other"] as const
export type InsuredKind = (typeof insuredKinds)[number]

export const dependentKinds = ["spouse", "child", "parent", "other"] as const satisfies readonly InsuredKind[]
export type DependentKind = (typeof dependentKinds)[number]

export const insuredKindNames: Record<InsuredKind, string> = {
  member: "Member",
  spouse: "Spouse",
  child: "Child",
  parent: "Parent",
  other: "Other dependent",
}

/** The year of a yearly limit: from 1 January, or from the anniversary of the policy's start. */
export const coverYears = ["calendar", "policy"] as const
export type CoverYear = (typeof coverYears)[number]

/** The cover of one kind of person by a benefit. */
export interface CoverAmount {
  /** Maximum in cents; 0 means no maximum. Always 0 with a salary multiple. */
  amountCents: Cents
  /** Maximum as a multiple of the monthly salary on the incident day, with two decimals. */
  salaryMultiple: number | null
  /** Whole percentage of a claimed amount; 0 means not set, which is 100. */
  percentage: number
  /** Limit in cents of all claims for one incident day. */
  incidentLimitCents: Cents | null
  /** Limit in cents of all claims for incidents of one year. */
  yearLimitCents: Cents | null
}

export interface DependentCover extends CoverAmount {
  insured: DependentKind
  /** Ages in whole years on the incident day, inclusive; without `ageTo` there is no highest age. */
  ageFrom: number
  ageTo: number | null
}

/** Cover of a product benefit for incidents on certain days; the amounts of the terms themselves are the member's. */
export interface BenefitTerms extends CoverAmount {
  coverYear: CoverYear
  /** Null: every dependent has the member's cover. Empty: only the member is insured. */
  dependents: readonly DependentCover[] | null
}

/** Why a benefit pays nothing for a person. */
export const coverGaps = ["product", "not born", "person", "birth date", "age", "salary"] as const
export type CoverGap = (typeof coverGaps)[number]

const isAllAges = ({ ageFrom, ageTo }: Pick<DependentCover, "ageFrom" | "ageTo">): boolean =>
  ageFrom === 0 && ageTo === null

/**
 * The cover of a kind of person at an age in whole years on the incident day; null is unknown, below 0 is not yet born.
 * The SQL function `cover_of` has the same rule.
 */
export function coverAmountOf(
  terms: BenefitTerms,
  insured: InsuredKind,
  age: number | null,
): CoverAmount | Exclude<CoverGap, "product" | "salary"> {
  if (insured === "member") return terms
  if (age !== null && age < 0) return "not born"
  if (terms.dependents === null) return terms
  const ofKind = terms.dependents.filter((cover) => cover.insured === insured)
  if (ofKind.length === 0) return "person"
  const found = ofKind.find(
    (cover) =>
      isAllAges(cover) || (age !== null && cover.ageFrom <= age && (cover.ageTo === null || age <= cover.ageTo)),
  )
  if (found) return found
  return age === null ? "birth date" : "age"
}

/** A sentence that may follow an amount of 0. */
export function coverGapText(gap: CoverGap, insured: InsuredKind): string {
  const person = insuredKindNames[insured].toLowerCase()
  return {
    product: "The product type does not include this benefit for the member's tier.",
    "not born": "The insured person was not born on the incident date.",
    person: `The benefit does not insure this relationship: ${person}.`,
    "birth date": `The benefit's cover of a ${person} depends on age, and the date of birth is missing.`,
    age: `The benefit does not insure a ${person} of this age on the incident date.`,
    salary: "The cover is a multiple of the salary, and no salary is recorded for the incident date.",
  }[gap]
}

/** A salary multiple in cents, rounded to the cent; multiples have two decimals. */
export const salaryMultipleCents = (monthlyCents: Cents, multiple: number): Cents =>
  Math.round((monthlyCents * Math.round(multiple * 100)) / 100)

/** A text for lists and histories, such as "Spouse; child up to 20". */
export function dependentsText(dependents: BenefitTerms["dependents"]): string {
  if (dependents === null) return "All dependents, as the member"
  if (dependents.length === 0) return "Member only"
  return dependents.map(dependentCoverName).join("; ")
}

function dependentCoverName({ insured, ageFrom, ageTo }: Pick<DependentCover, "insured" | "ageFrom" | "ageTo">) {
  const name = insuredKindNames[insured]
  if (ageTo === null) return ageFrom === 0 ? name : `${name} from ${ageFrom}`
  return ageFrom === 0 ? `${name} up to ${ageTo}` : `${name} ${ageFrom} to ${ageTo}`
}
