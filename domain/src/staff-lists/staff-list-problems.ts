import { memberField } from "../members/member-fields.ts"
import type { ListField } from "./staff-list-columns.ts"

/**
 * All row problems: each refuses the row or only warns. `value` is the cell's text, `other` what it was compared with.
 */
const problemTexts = {
  missing_first_name: { refuses: true, field: "firstName", sentence: () => "The first name is missing" },
  missing_last_name: { refuses: true, field: "lastName", sentence: () => "The last name is missing" },
  no_id: {
    refuses: true,
    field: "idNumber",
    sentence: () => "The ID number or passport number is missing",
  },
  short_id: {
    refuses: true,
    field: "idNumber",
    sentence: (p) =>
      /e\+/i.test(p.value ?? "")
        ? `The ID number ${quotedValue(p)} was shortened by a spreadsheet and its digits are lost: format the column as text and type it again`
        : `The ID number ${quotedValue(p)} does not have 13 digits`,
  },
  impossible_date: {
    refuses: true,
    field: "idNumber",
    sentence: (p) =>
      p.field === "dateOfBirth"
        ? `The date of birth ${quotedValue(p)} is not a valid past date; enter it as 1985-06-25`
        : `The ID number ${quotedValue(p)} does not start with a valid date of birth`,
  },
  citizenship: {
    refuses: true,
    field: "idNumber",
    sentence: (p) => `The eleventh digit of the ID number ${quotedValue(p)} must be 0, 1 or 2`,
  },
  check_digit: {
    refuses: true,
    field: "idNumber",
    sentence: (p) =>
      `The last digit of the ID number ${quotedValue(p)} does not match the others: a digit is probably mistyped`,
  },
  dob_conflict: {
    refuses: true,
    field: "dateOfBirth",
    sentence: (p) => `The date of birth ${quotedValue(p)} differs from ${p.other ?? "the one"} in the ID number`,
  },
  gender_conflict: {
    refuses: true,
    field: "gender",
    sentence: (p) => `The gender ${quotedValue(p)} differs from the ID number (${p.other ?? "otherwise"})`,
  },
  no_email: { refuses: true, field: "email", sentence: () => "The e-mail address is missing" },
  bad_email: { refuses: true, field: "email", sentence: (p) => `${quotedValue(p)} is not an e-mail address` },
  duplicate_in_file: {
    refuses: true,
    field: "idNumber",
    sentence: (p) => `This person is already in row ${p.other ?? "above"}; only the first row is used`,
  },
  employee_number_twice: {
    refuses: true,
    field: "employeeNumber",
    sentence: (p) => `The employee number ${quotedValue(p)} already belongs to ${p.other ?? "another member"}`,
  },
  unknown_tier: {
    refuses: true,
    field: "tier",
    sentence: (p) => `There is no benefit tier ${quotedValue(p)}; the tiers are ${p.other ?? "set up under Benefits"}`,
  },
  other_group: {
    refuses: true,
    field: "groupPolicy",
    sentence: (p) =>
      `The row belongs to ${quotedValue(p)}, but the list is imported into ${p.other ?? "another policy"}`,
  },
  bad_start_date: {
    refuses: true,
    field: "startOn",
    sentence: (p) => `The start date ${quotedValue(p)} is not a valid date; enter it as 2026-09-01`,
  },
  start_after_end: {
    refuses: true,
    field: "startOn",
    sentence: (p) => `The start date ${quotedValue(p)} is after the policy's last day, ${p.other ?? ""}`.trim(),
  },
  bad_salary: {
    refuses: true,
    field: "salary",
    sentence: (p) =>
      `The monthly salary ${quotedValue(p)} is not an amount between 0,01 and 10 000 000, such as 25000,00`,
  },
  too_long: {
    refuses: true,
    field: "firstName",
    sentence: (p) => `${p.other ?? "A cell"} is too long`,
  },
  id_zeros_restored: {
    refuses: false,
    field: "idNumber",
    sentence: (p) =>
      `The ID number ${quotedValue(p)} was missing its leading zeros; it was read as ${p.other ?? "13 digits"}`,
  },
  no_tier: {
    refuses: false,
    field: "tier",
    sentence: (p) => `The benefit tier is missing; ${p.other ?? "the first one"} is used`,
  },
  no_start_date: {
    refuses: false,
    field: "startOn",
    sentence: (p) => `The start date is missing; ${p.other ?? "the policy's"} is used`,
  },
  no_salary: {
    refuses: false,
    field: "salary",
    sentence: () => "The salary is missing; premiums depend on it, so months without a salary cannot be billed",
  },
  unknown_gender: {
    refuses: false,
    field: "gender",
    sentence: (p) => `The gender ${quotedValue(p)} is not recognised and is left out`,
  },
  unknown_employment: {
    refuses: false,
    field: "employmentStatus",
    sentence: (p) => `The employment status ${quotedValue(p)} is not recognised; complete it after the import`,
  },
  unknown_choice: {
    refuses: false,
    field: "gender",
    sentence: (p) => `The ${labelInText(p.field)} ${quotedValue(p)} is not recognised and is left out`,
  },
  bad_phone: {
    refuses: false,
    field: "phone",
    sentence: (p) => `The phone number ${quotedValue(p)} is not recognised; complete it after the import`,
  },
  start_kept: {
    refuses: false,
    field: "startOn",
    sentence: (p) =>
      `This member started on ${p.other ?? "another day"} and keeps that start date; the list has ${quotedValue(p)}`,
  },
  joined_since: {
    refuses: true,
    field: "idNumber",
    sentence: () => "This person was added to the policy after the list was checked; check the list again",
  },
  changed_since: {
    refuses: true,
    field: "idNumber",
    sentence: () => "This member was changed by someone else after the list was checked; check the list again",
  },
  in_other_policy: {
    refuses: false,
    field: "idNumber",
    sentence: (p) => `This person is also a member of policy ${p.other ?? "of another number"}`,
  },
} satisfies Record<string, { refuses: boolean; field: ListField; sentence: (problem: ProblemFacts) => string }>

export type ProblemCode = keyof typeof problemTexts
export const problemCodes = Object.keys(problemTexts) as [ProblemCode, ...ProblemCode[]]

interface ProblemFacts {
  field: ListField
  value?: string
  /** The compared date, row number or name. */
  other?: string
}

export interface RowProblem extends ProblemFacts {
  code: ProblemCode
}

/** `facts` may name another column than the problem's usual one. */
export function createProblem(code: ProblemCode, facts: Partial<ProblemFacts> = {}): RowProblem {
  const value = facts.value && facts.value.length > 80 ? `${facts.value.slice(0, 79)}…` : facts.value
  return { field: problemTexts[code].field, ...facts, ...(value === undefined ? {} : { value }), code }
}

export function refusesRow(code: ProblemCode): boolean {
  return problemTexts[code].refuses
}

/** Without full stop. */
export function problemSentence(found: RowProblem): string {
  return problemTexts[found.code].sentence(found)
}

function labelInText(field: ListField): string {
  const label = memberField(field)?.label ?? "value"
  return label.charAt(0).toLowerCase() + label.slice(1)
}

function quotedValue(found: ProblemFacts): string {
  return found.value ? `“${found.value}”` : "in this row"
}
