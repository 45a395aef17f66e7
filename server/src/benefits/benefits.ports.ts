import type { SQL } from "drizzle-orm"
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
