import type { Day } from "../kernel/calendar.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { checkZaIdNumber, findZaIdConflict, zaIdProblems } from "../kernel/za-id-number.ts"
import type { Gender } from "./member.ts"

export interface Identity {
  idNumber: string | null
  passportNumber: string | null
  dateOfBirth: Day | null
  gender: Gender | null
}

/**
 * Applies the rules of ID numbers. A valid ID number fills in an empty date of birth and gender; a contradiction is
 * INVALID with the wrong fields. `required` demands an ID or passport number.
 */
export function completeIdentity<T extends Identity>(person: T, today: Day, required: boolean): Decision<T, "INVALID"> {
  const wrong = (fields: FieldError[]) => refuse("INVALID", fields[0]!.message, { fields })
  if (!person.idNumber) {
    if (required && !person.passportNumber) {
      return wrong([{ path: "idNumber", message: "Enter an ID number, or a passport number if there is none" }])
    }
    if (person.dateOfBirth && person.dateOfBirth > today) {
      return wrong([{ path: "dateOfBirth", message: "The date of birth cannot be in the future" }])
    }
    return person
  }
  const read = checkZaIdNumber(person.idNumber, today, person.dateOfBirth)
  if (!read.ok) return wrong([{ path: "idNumber", message: zaIdProblems[read.reason] }])
  const conflict = findZaIdConflict(read, person)
  if (conflict) {
    const path = conflict === "dob_conflict" ? "dateOfBirth" : "gender"
    return wrong([{ path, message: zaIdProblems[conflict] }])
  }
  return {
    ...person,
    idNumber: read.idNumber,
    dateOfBirth: person.dateOfBirth ?? read.dateOfBirth,
    gender: person.gender ?? read.gender,
  }
}

type BriefIdentity = Pick<Identity, "idNumber" | "dateOfBirth">

/**
 * The identity of a beneficiary or payee, completed from an ID number, with its problems by field. `required` demands an
 * ID number or a date of birth.
 */
export function completeBriefIdentity(
  { idNumber, dateOfBirth }: BriefIdentity,
  today: Day,
  required: boolean,
): BriefIdentity & { problems: FieldError[] } {
  if (required && !idNumber && !dateOfBirth) {
    const problems = [{ path: "idNumber", message: "Enter an ID number or a date of birth" }]
    return { idNumber, dateOfBirth, problems }
  }
  const person = completeIdentity({ idNumber, dateOfBirth, passportNumber: null, gender: null }, today, false)
  if (isRefusal(person)) return { idNumber, dateOfBirth, problems: (person.data as { fields: FieldError[] }).fields }
  return { idNumber: person.idNumber, dateOfBirth: person.dateOfBirth, problems: [] }
}
