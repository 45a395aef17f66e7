import type { DeclaredField } from "../kernel/declared-field.ts"
import type { PolicySection } from "./policy.ts"

interface PolicyField extends DeclaredField {
  section: PolicySection
}

const field = <const F extends PolicyField>(declared: F): F => declared

/**
 * A policy's plain fields. API shapes, forms, the sections of the page and the history derive from them. Database
 * columns are the keys in snake case. Product type, dates, premium and terms have their own rules.
 */
export const policyFields = {
  description: field({ kind: "text", label: "Description", section: "information", most: 2_000 }),
  owningFund: field({
    kind: "line",
    label: "Owned by retirement fund",
    section: "information",
    most: 140,
    isOptionalInApi: true,
    hint: "Leave this empty if the employer owns the policy. The fund is paid for a member's death.",
  }),
  coverageType: field({
    kind: "choice",
    label: "Coverage type",
    section: "coverage",
    placeholder: "Choose a coverage type",
    names: { life: "Life", health: "Health", disability: "Disability", comprehensive: "Comprehensive" },
  }),
  contactName: field({ kind: "line", label: "Full name", section: "contact", most: 200 }),
  contactEmail: field({
    kind: "email",
    label: "Email",
    section: "contact",
    hint: "Invoices are sent to this address",
  }),
  contactPhone: field({ kind: "phone", label: "Telephone", section: "contact" }),
  contactCell: field({ kind: "phone", label: "Cell phone", section: "contact" }),
  contactPosition: field({ kind: "line", label: "Position", section: "contact", most: 120 }),
  companyVatNumber: field({ kind: "line", label: "Company VAT number", section: "contact", most: 40 }),
  companyAddress: field({
    kind: "text",
    label: "Company address",
    section: "contact",
    most: 500,
    hint: "Shown on invoices",
  }),
  contactNotes: field({ kind: "text", label: "Notes", section: "contact", most: 2_000 }),
} as const satisfies Record<string, PolicyField>

export type PolicyFields = typeof policyFields

export const policyField = (name: string): PolicyField | undefined =>
  (policyFields as Readonly<Record<string, PolicyField>>)[name]
