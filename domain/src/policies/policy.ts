import { labelsOf, type StoredValues } from "../kernel/declared-field.ts"
import { type PolicyFields, policyFields } from "./policy-fields.ts"
import type { PolicyCoverage, PolicyInformation, PolicyTerms } from "./policy-shape.ts"

export const policyStatuses = ["Draft", "Active", "Suspended", "Terminated", "Expired"] as const

export type PolicyStatus = (typeof policyStatuses)[number]

/** A policy that ends within this many days is due for renewal. */
export const expiringWithinDays = 60

/** The sections edited one at a time (specification 1, policy detail). */
export const policySections = ["information", "coverage", "terms", "contact"] as const

export type PolicySection = (typeof policySections)[number]

export const sectionTitles: Record<PolicySection, string> = {
  information: "Policy Information",
  coverage: "Coverage Details",
  terms: "Billing terms",
  contact: "Main Contact",
}

export interface Policy
  extends StoredValues<PolicyFields>,
    Omit<PolicyInformation, keyof PolicyFields>,
    Omit<PolicyCoverage, keyof PolicyFields>,
    PolicyTerms {
  staffListDay: number | null
  /** The day on which an active policy began to expect staff lists. */
  staffListsFromOn: string | null
  id: string
  groupId: string
  number: string
  status: PolicyStatus
  statusReason: string | null
  terminatedOn: string | null
  activatedAt: string | null
  /** The rates that replace the single premium: today's, or a draft's only ones. */
  rateTableId: string | null
  version: number
}

export const policyLabels: Record<string, string> = {
  ...labelsOf(policyFields),
  groupName: "Group name",
  productTypeId: "Product type",
  productType: "Product type",
  productTypeFromOn: "New product type applies from",
  owningFundFromOn: "New owner applies from",
  premiumFromOn: "New premium applies from",
  startOn: "Start date",
  endOn: "End date",
  premiumCents: "Premium",
  rates: "Rates",
  ratesFromOn: "New rates apply from",
  sumAssuredCents: "Sum assured",
  sumAssuredFromOn: "New sum assured applies from",
  waitingPeriodMonths: "Waiting period",
  waitingPeriodFromOn: "New waiting period applies from",
  billedFromOn: "First month to bill in Milkwood",
  endRule: "Leavers: premium for their last month",
  endRuleFromOn: "New rule applies from",
  laterChanges: "Later changes",
  dueDays: "Days to pay",
  staffListDay: "Staff list due by day of month",
  contactName: "Contact name",
  contactEmail: "Contact e-mail",
  document: "Document",
}
