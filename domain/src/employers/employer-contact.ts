import { type DeclaredField, declareField, type StoredValues } from "../kernel/declared-field.ts"

export const contactPurposes = ["invoices", "statements", "notices", "claims", "staff_lists"] as const
export type ContactPurpose = (typeof contactPurposes)[number]

export const contactPurposeNames: Record<ContactPurpose, string> = {
  invoices: "Invoices",
  statements: "Statements",
  notices: "Notices",
  claims: "Claims",
  staff_lists: "Staff lists",
}

/** What a contact of the purpose gets or answers. */
export const contactPurposeHints: Record<ContactPurpose, string> = {
  invoices: "Invoices, credit notes and receipts",
  statements: "Statements of account and premium reminders",
  notices: "Notices of non-payment and expiry, policy schedules",
  claims: "Questions about claims. Letters about claims are not sent to employers",
  staff_lists: "Questions about staff lists",
}

/** Plain fields of an employer's contact. The name is required and has its own rule in the form. */
export const employerContactFields = {
  name: declareField({
    ...{ kind: "line", label: "Full name", section: "contact", most: 120 },
    required: "Enter the name of the contact",
  }),
  position: declareField({ kind: "line", label: "Position", section: "contact", most: 120 }),
  email: declareField({ kind: "email", label: "Email", section: "contact" }),
  phone: declareField({ kind: "phone", label: "Telephone", section: "contact" }),
  cell: declareField({ kind: "phone", label: "Cell", section: "contact" }),
} as const satisfies Record<string, DeclaredField>

export type EmployerContactValues = StoredValues<typeof employerContactFields> & { purposes: ContactPurpose[] }

/** A contact with purposes needs an address for its mails. Problems by field. */
export function contactProblems({ email, purposes }: Pick<EmployerContactValues, "email" | "purposes">): {
  email?: string
} {
  return purposes.length > 0 && email === "" ? { email: "Enter an e-mail address, or remove the purposes" } : {}
}

/** In the order of `contactPurposes`, each once. */
export const orderPurposes = (purposes: readonly ContactPurpose[]): ContactPurpose[] =>
  contactPurposes.filter((purpose) => purposes.includes(purpose))
