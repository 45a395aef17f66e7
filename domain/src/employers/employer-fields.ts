import { type DeclaredField, declareField } from "../kernel/declared-field.ts"

interface EmployerField extends DeclaredField {
  section: "details"
}

/**
 * An employer's plain fields. API shapes, the form, the employer's page and the history derive from them. Database
 * columns are the keys in snake case. The name is unique and has its own rule.
 */
export const employerFields = {
  registrationNumber: declareField({
    ...{ kind: "line", label: "Registration number", section: "details", most: 40 },
    hint: "Of the company, such as 2014/123456/07. Shown on invoices",
  }),
  vatNumber: declareField({
    ...{ kind: "line", label: "VAT number", section: "details", most: 40 },
    hint: "Shown on invoices of policies without a VAT number of their own",
  }),
  phone: declareField({ kind: "phone", label: "Telephone", section: "details" }),
  address: declareField({
    ...{ kind: "text", label: "Address", section: "details", most: 500 },
    hint: "Shown on invoices of policies without an address of their own",
  }),
  postalAddress: declareField({ kind: "text", label: "Postal address", section: "details", most: 500 }),
} as const satisfies Record<string, EmployerField>
