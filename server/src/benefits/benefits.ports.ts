import type { SQL } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { port } from "../platform/ports.ts"

// Records that prevent the deletion of a benefit, tier or product type, each as a select of `label`.

type LabelsOf = (id: string) => SQL

export const policiesOfProductType = port<LabelsOf>()
export const ratesWithTier = port<LabelsOf>()
export const membersWithTier = port<LabelsOf>()
export const staffListsWithTier = port<LabelsOf>()
export const invoicesWithTier = port<LabelsOf>()
export const claimsForBenefit = port<LabelsOf>()
export const claimsAtTier = port<LabelsOf>()

export const claimsUnderProductBenefit = port<LabelsOf>()
/** Claims that are drafts or open, for incidents from a day under a product benefit: a select of `label, status`. */
export const claimsAffectedByTerms = port<(productBenefitId: string, from: string) => SQL>()

/** Policies of a product type whose waiting period, today or from a later day, is too long for a funeral product. */
export const policiesWithLongWaiting =
  port<
    (cx: Pick<Cx, "tx" | "today">, productTypeId: string) => Promise<{ number: string; waitingPeriodMonths: number }[]>
  >()
