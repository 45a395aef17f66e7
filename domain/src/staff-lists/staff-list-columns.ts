import { type FindHeader, HeaderWords } from "../kernel/header-words.ts"
import { type MemberFieldName, memberFieldNames, memberFields } from "../members/member-fields.ts"

/** Columns that are not plain member fields. */
const specialFields = {
  groupPolicy: {
    label: "Group policy",
    staffList:
      "grouppolicy policygroup group policy scheme schemename policynumber policyno groupname company employergroup",
  },
  tier: {
    label: "Benefit tier",
    staffList: "benefittier tier plan planname option benefitoption benefitplan level coverlevel",
  },
  startOn: {
    label: "Start date",
    staffList:
      "startdate start joindate datejoined joiningdate dateofjoining joined coverstart coverstartdate commencementdate effectivedate inceptiondate begindatum",
  },
  // A column with annual salaries must not be mapped: they would be rated as monthly.
  salary: {
    label: "Monthly salary",
    staffList:
      "monthlysalary salarypermonth salarymonthly basicsalary basicmonthlysalary grosssalary grossmonthlysalary pensionablesalary risksalary remuneration monthlyremuneration salary salaris maandsalaris maandelikssalaris",
  },
}

export type ListField = MemberFieldName | keyof typeof specialFields

/** From the specification (Bulk import: First Name, Last Name, ID Number, Email, Group Policy). */
export const requiredListFields = ["firstName", "lastName", "idNumber", "email", "groupPolicy"] as const

const declaredFields: Readonly<Record<ListField, { label: string; staffList: string }>> = {
  ...memberFields,
  ...specialFields,
}
const isRequired = (field: ListField) => (requiredListFields as readonly string[]).includes(field)
const allFields = [...memberFieldNames, ...(Object.keys(specialFields) as (keyof typeof specialFields)[])]

/** Required columns first. */
export const listFields: readonly [ListField, ...ListField[]] = [
  ...requiredListFields,
  ...allFields.filter((field) => !isRequired(field)),
]

const mapFields = <Value>(value: (of: { label: string; staffList: string }) => Value) =>
  Object.fromEntries(listFields.map((field) => [field, value(declaredFields[field])])) as Record<ListField, Value>

/** Such as "Date of Birth". */
const headerTextOf = (label: string) => label.replace(/\b(?!of\b)[a-z]/g, (letter) => letter.toUpperCase())

/** Headers of the product's template. */
export const listFieldLabels = mapFields(({ label }) => headerTextOf(label))

/** If several fields have a header as synonym, the first field gets it. */
const synonyms = mapFields(({ staffList }) => staffList.split(" "))

const header = new HeaderWords(synonyms)

/**
 * Column index (from 0) per field. `groupPolicyChosen`: no column names the group, and every row belongs to the policy
 * chosen at upload.
 */
export type ColumnMapping = Partial<Record<ListField, number>> & { groupPolicyChosen?: boolean }

/** A group's last used header per field. */
export type RememberedMapping = Partial<Record<ListField, string>>

/** Prefers the headers that the group used last, then the usual synonyms. A column maps to at most one field. */
export function suggestMapping(headers: readonly string[], remembered: RememberedMapping = {}): ColumnMapping {
  return header.suggest(headers, remembered)
}

/** Remembers headers instead of positions, because the next file may order its columns differently. */
export function rememberMapping(headers: readonly string[], mapping: ColumnMapping): RememberedMapping {
  const remembered: RememberedMapping = {}
  for (const field of listFields) {
    const header = headers[mapping[field] ?? -1]
    if (header) remembered[field] = header
  }
  return remembered
}

/** Unmapped required fields. A passport column replaces the ID number; `groupPolicyChosen` replaces the group. */
export function missingColumns(mapping: ColumnMapping): ListField[] {
  return requiredListFields.filter((field) => {
    if (mapping[field] !== undefined) return false
    if (field === "idNumber") return mapping.passportNumber === undefined
    if (field === "groupPolicy") return mapping.groupPolicyChosen !== true
    return true
  })
}

/** Finds the header row, which may be below titles and notes. */
export const findHeader: FindHeader = (rows) => header.find(rows)
