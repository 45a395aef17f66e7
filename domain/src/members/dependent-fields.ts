import { type DeclaredField, declareField } from "../kernel/declared-field.ts"
import { memberFields } from "./member-fields.ts"

/**
 * A dependent's plain fields. API shapes, the form, the comparison with the stored dependents, the history and the
 * person file derive from them. Database columns are the keys in snake case. The days of cover have their own rules.
 */
export const dependentFields = {
  firstName: declareField({
    kind: "line",
    label: "First name",
    section: "dependent",
    most: 120,
    required: "Enter the first name",
  }),
  lastName: declareField({
    kind: "line",
    label: "Last name",
    section: "dependent",
    most: 120,
    required: "Enter the last name",
  }),
  relationship: declareField({
    kind: "choice",
    label: "Relationship",
    section: "dependent",
    required: "Choose the relationship",
    names: { spouse: "Spouse", child: "Child", parent: "Parent", other: "Other" },
  }),
  idNumber: declareField({ kind: "identity", label: "ID number", section: "dependent" }),
  dateOfBirth: declareField({ kind: "day", label: "Date of birth", section: "dependent" }),
  gender: declareField({ kind: "choice", label: "Gender", section: "dependent", names: memberFields.gender.names }),
} as const satisfies Record<string, DeclaredField>

export type DependentFields = typeof dependentFields
export type DependentFieldName = keyof DependentFields
export const dependentFieldNames = Object.keys(dependentFields) as DependentFieldName[]
