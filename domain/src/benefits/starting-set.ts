import type { Cents } from "../kernel/money.ts"
import type { CoverAmount, DependentCover, DependentKind } from "./benefit-terms.ts"
import type { ClaimType } from "./claim-type.ts"
import { standardVatPercent } from "./vat.ts"

export const startingSetNames = ["life", "funeral", "disability", "medical"] as const
export type StartingSetName = (typeof startingSetNames)[number]

export interface StartingBenefit {
  name: string
  description: string
  claimTypes: ClaimType[]
  /** The member's cover, and that of dependents; null: as the member, empty: member only. */
  cover: CoverAmount & { dependents: DependentCover[] | null }
}

/** A proposed product type with its benefits, edited before it is saved. */
export interface StartingSet {
  name: string
  description: string
  isFuneral: boolean
  /** 0 is exempt: long-term insurance (VAT Act 89 of 1991, section 12(a)). */
  vatPercent: number
  tiers: string[]
  benefits: StartingBenefit[]
}

const fullPercentage = { percentage: 100, incidentLimitCents: null, yearLimitCents: null }
const amount = (amountCents: Cents, limits: Partial<CoverAmount> = {}): CoverAmount => ({
  amountCents,
  salaryMultiple: null,
  ...fullPercentage,
  ...limits,
})
const salaries = (salaryMultiple: number): CoverAmount => ({ amountCents: 0, salaryMultiple, ...fullPercentage })
const dependent = (
  insured: DependentKind,
  amountCents: Cents,
  ageFrom = 0,
  ageTo: number | null = null,
): DependentCover => ({ insured, ageFrom, ageTo, ...amount(amountCents) })

/** Common South African group cover. Children's funeral cover is below the caps of `initialChildCaps`. */
export const startingSets: Record<StartingSetName, StartingSet> = {
  life: {
    name: "Group life",
    description: "Lump sum on the death of an employee or spouse",
    isFuneral: false,
    vatPercent: 0,
    tiers: ["Standard"],
    benefits: [
      {
        name: "Death benefit",
        description: "Three annual salaries on the member's death, and a lump sum on the death of the spouse",
        claimTypes: ["death"],
        cover: { ...salaries(36), dependents: [dependent("spouse", 100_000_00)] },
      },
    ],
  },
  funeral: {
    name: "Group funeral",
    description: "Funeral cover for employees and their families",
    isFuneral: true,
    vatPercent: 0,
    tiers: ["Standard"],
    benefits: [
      {
        name: "Funeral benefit",
        description: "Lump sum for the funeral of the member or an insured dependent",
        claimTypes: ["death"],
        cover: {
          ...amount(30_000_00),
          dependents: [
            dependent("spouse", 30_000_00),
            dependent("child", 7_500_00, 0, 5),
            dependent("child", 15_000_00, 6, 13),
            dependent("child", 30_000_00, 14, 25),
            dependent("parent", 10_000_00),
          ],
        },
      },
    ],
  },
  disability: {
    name: "Group disability",
    description: "Lump sum when an employee becomes permanently disabled",
    isFuneral: false,
    vatPercent: 0,
    tiers: ["Standard"],
    benefits: [
      {
        name: "Capital disability",
        description: "Two annual salaries on permanent disability",
        claimTypes: ["disability"],
        cover: { ...salaries(24), dependents: [] },
      },
    ],
  },
  medical: {
    name: "Group medical",
    description: "Hospital, day-to-day and maternity cover",
    isFuneral: false,
    vatPercent: standardVatPercent,
    tiers: ["Standard"],
    benefits: [
      {
        name: "Hospital cover",
        description: "Hospital admissions, up to a maximum per person and year",
        claimTypes: ["medical"],
        cover: { ...amount(500_000_00), dependents: null },
      },
      {
        name: "Day-to-day care",
        description: "Doctors, medicines and dentists; the insurer pays 80 %",
        claimTypes: ["medical"],
        cover: { ...amount(15_000_00, { percentage: 80, incidentLimitCents: 2_500_00 }), dependents: null },
      },
      {
        name: "Maternity",
        description: "Delivery and care of mother and child",
        claimTypes: ["maternity"],
        cover: { ...amount(40_000_00), dependents: [dependent("spouse", 40_000_00)] },
      },
    ],
  },
}
