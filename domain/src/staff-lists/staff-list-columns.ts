import { type FindHeader, HeaderWords } from "../kernel/header-words.ts"
import { type MemberFieldName, memberFieldNames, memberFields } from "../members/member-fields.ts"

/** The columns of a staff list that are no plain field of a member: their labels, and what they are called. */
const special = {
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
  // A salary of a year stays unmapped: nobody should be rated by twelve times of it.
  salary: {
    label: "Monthly salary",
    staffList:
      "monthlysalary salarypermonth salarymonthly basicsalary basicmonthlysalary grosssalary grossmonthlysalary pensionablesalary risksalary remuneration monthlyremuneration salary salaris maandsalaris maandelikssalaris",
  },
}

/** A column of a staff list: a field of the member, or a special one. */
export type ListField = MemberFieldName | keyof typeof special

/** Those of the specification (Bulk import: First Name, Last Name, ID Number, Email, Group Policy). */
export const requiredListFields = ["firstName", "lastName", "idNumber", "email", "groupPolicy"] as const

const declared: Readonly<Record<ListField, { label: string; staffList: string }>> = { ...memberFields, ...special }
const isRequired = (field: ListField) => (requiredListFields as readonly string[]).includes(field)
const allFields = [...memberFieldNames, ...(Object.keys(special) as (keyof typeof special)[])]

/** The columns of a staff list, the required ones first. */
export const listFields: readonly [ListField, ...ListField[]] = [
  ...requiredListFields,
  ...allFields.filter((field) => !isRequired(field)),
]

const ofFields = <Value>(value: (of: { label: string; staffList: string }) => Value) =>
  Object.fromEntries(listFields.map((field) => [field, value(declared[field])])) as Record<ListField, Value>

/** A label as a header of our own file: "Date of Birth". */
const headerOf = (label: string) => label.replace(/\b(?!of\b)[a-z]/g, (letter) => letter.toUpperCase())

/** The headers of our own file. */
export const listFieldLabels = ofFields(({ label }) => headerOf(label))

/** What files call the columns; the first field to claim a header wins. */
const synonyms = ofFields(({ staffList }) => staffList.split(" "))

const header = new HeaderWords(synonyms)

/**
 * Which column stands for a field: the index of the file's column from 0; for the group also `"chosen"`, when no
 * column names it and every row belongs to the policy that was chosen at the upload.
 */
export type ColumnMapping = Partial<Record<ListField, number>> & { groupPolicyChosen?: boolean }

/** A group's remembered mapping: the header that was used for each field. */
export type RememberedMapping = Partial<Record<ListField, string>>

/**
 * The mapping to propose for these headers: what the group used last time where that header is there again, then the
 * usual synonyms. A column stands for one field at most.
 */
export function suggestMapping(headers: readonly string[], remembered: RememberedMapping = {}): ColumnMapping {
  return header.suggest(headers, remembered)
}

/** What to remember of a mapping: headers, since the next file may have its columns in another order. */
export function rememberMapping(headers: readonly string[], mapping: ColumnMapping): RememberedMapping {
  const remembered: RememberedMapping = {}
  for (const field of listFields) {
    const header = headers[mapping[field] ?? -1]
    if (header) remembered[field] = header
  }
  return remembered
}

/**
 * The required fields that a mapping leaves out. A passport column stands in for the ID number's; the group counts as
 * given when it was said that every row belongs to the chosen policy.
 */
export function missingColumns(mapping: ColumnMapping): ListField[] {
  return requiredListFields.filter((field) => {
    if (mapping[field] !== undefined) return false
    if (field === "idNumber") return mapping.passportNumber === undefined
    if (field === "groupPolicy") return mapping.groupPolicyChosen !== true
    return true
  })
}

/** Finds the header of a staff list below titles and notes; see `HeaderWords.find`. */
export const findHeader: FindHeader = (rows) => header.find(rows)
