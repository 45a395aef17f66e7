import { type Day, validDay } from "./calendar.ts"

/**
 * `short_id`: not 13 digits. `impossible_date`: the first six are not a day up to today. `citizenship`: the 11th is not
 * 0 (citizen), 1 (permanent resident) or 2 (refugee). `check_digit`: wrong last digit.
 */
export type ZaIdProblem = "short_id" | "impossible_date" | "citizenship" | "check_digit"

export type ZaIdNumber = {
  ok: true
  /** 13 digits without spaces. */
  idNumber: string
  dateOfBirth: Day
  gender: "male" | "female"
  citizen: boolean
}

/**
 * Parses YYMMDD SSSS C A Z and returns the first problem. The number has no century: 2000s if that is not after
 * `today`, otherwise 1900s. For people over 99, a known date of birth decides.
 */
export function checkZaIdNumber(
  text: string,
  today: Day,
  knownDateOfBirth?: Day | null,
): ZaIdNumber | { ok: false; reason: ZaIdProblem } {
  const idNumber = text.replace(/\s/g, "")
  if (!/^[0-9]{13}$/.test(idNumber)) return { ok: false, reason: "short_id" }
  const dateOfBirth = birthDayOf(idNumber, today, knownDateOfBirth)
  if (!dateOfBirth) return { ok: false, reason: "impossible_date" }
  if (!"012".includes(idNumber[10]!)) return { ok: false, reason: "citizenship" }
  if (!isLuhnValid(idNumber)) return { ok: false, reason: "check_digit" }
  return {
    ok: true,
    idNumber,
    dateOfBirth,
    gender: Number(idNumber.slice(6, 10)) >= 5000 ? "male" : "female",
    citizen: idNumber[10] === "0",
  }
}

export const zaIdProblems: Record<ZaIdProblem | "dob_conflict" | "gender_conflict", string> = {
  short_id: "An ID number has 13 digits",
  impossible_date: "The first six digits of the ID number are not a date of birth",
  citizenship: "The eleventh digit of the ID number must be 0, 1 or 2",
  check_digit: "The last digit of the ID number does not match the others: a digit is probably mistyped",
  dob_conflict: "The date of birth differs from the one in the ID number",
  gender_conflict: "The gender differs from the one in the ID number",
}

/** Gender "other" and missing values never conflict. */
export function findZaIdConflict(
  id: Pick<ZaIdNumber, "dateOfBirth" | "gender">,
  typed: { dateOfBirth?: Day | null; gender?: "male" | "female" | "other" | null },
): "dob_conflict" | "gender_conflict" | null {
  if (typed.dateOfBirth && typed.dateOfBirth !== id.dateOfBirth) return "dob_conflict"
  if (typed.gender && typed.gender !== "other" && typed.gender !== id.gender) return "gender_conflict"
  return null
}

function birthDayOf(idNumber: string, today: Day, known?: Day | null): Day | null {
  const [year, month, date] = [idNumber.slice(0, 2), idNumber.slice(2, 4), idNumber.slice(4, 6)] as const
  const born = ["20", "19"].map((century) => validDay(century + year, month, date))
  const possible = born.filter((day): day is Day => day !== null && day <= today)
  return possible.find((day) => day === known) ?? possible[0] ?? null
}

/** The last digit is the check digit. Leading zeros make no difference. */
export function isLuhnValid(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
