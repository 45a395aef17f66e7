import type { Day, DayOrder } from "../kernel/calendar.ts"
import type { StoredValue } from "../kernel/declared-field.ts"
import { isEmail } from "../kernel/email.ts"
import type { Cents, Currency } from "../kernel/money.ts"
import { isPhone } from "../kernel/phone.ts"
import { checkZaIdNumber, findZaIdConflict } from "../kernel/za-id-number.ts"
import type { Gender } from "../members/member.ts"
import { type MemberFieldName, type MemberFields, memberField, memberFieldNames } from "../members/member-fields.ts"
import { defaultStart } from "../members/member-start.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import type { RowStatus } from "./staff-list.ts"
import {
  cleanCell,
  guessDayOrder,
  readChoice,
  readDay,
  readPhone,
  readSalary,
  restoreLeadingZeros,
} from "./staff-list-cells.ts"
import { type ColumnMapping, type ListField, listFieldLabels, listFields } from "./staff-list-columns.ts"
import { createProblem, type ProblemCode, type RowProblem, refusesRow } from "./staff-list-problems.ts"

/** `line` counts from 1 in the file or sheet. */
export interface SheetRow {
  line: number
  cells: string[]
}

export interface ListContext {
  today: Day
  policy: {
    number: string
    description: string | null
    groupName: string
    status: PolicyStatus
    startOn: Day | null
    endOn: Day | null
    /** Rates use a sum assured that follows the salary. */
    bySalary: boolean
  }
  /** Ordered; the first tier is the default. */
  tiers: { id: string; name: string }[]
}

type ListedFields = { [K in MemberFieldName]: StoredValue<MemberFields[K]> | null }

/** A field is null if the row does not contain it. */
export interface ListedPerson extends ListedFields {
  firstName: string
  lastName: string
  email: string
  /** Null = the first tier. */
  tierId: string | null
  /** Null = `defaultStart`. */
  startOn: Day | null
  /** Per month. */
  salaryCents: Cents | null
}

export interface CheckedRow {
  /** Number of the data row, from 1. */
  row: number
  line: number
  status: RowStatus
  problems: RowProblem[]
  person: ListedPerson
}

/** First cell of a total row. */
export const totalRowPattern = /^(grand |sub)?\s*(totals?|totaal|sum|count|number of (members|employees|staff))\b/i

/**
 * Drops blank rows and repeated headers. Totals and remarks below the last row with an ID number, passport or e-mail
 * are returned in `left`, for display.
 */
export function personRowsOf(
  rows: readonly SheetRow[],
  header: readonly string[],
  mapping: ColumnMapping,
): { people: SheetRow[]; left: SheetRow[] } {
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== "") && !isSameCells(cells, header))
  const telling = [mapping.idNumber, mapping.passportNumber, mapping.email].filter((column) => column !== undefined)
  const last = filled.findLastIndex((row) => telling.some((column) => row.cells[column]?.trim()))
  const isPerson = (row: SheetRow, index: number) => {
    if (index <= last) return true
    const cells = row.cells.map((cell) => cell.trim()).filter(Boolean)
    return cells.length > 2 && !totalRowPattern.test(cells[0]!)
  }
  return {
    people: filled.filter(isPerson),
    left: filled.filter((row, index) => !isPerson(row, index)),
  }
}

/**
 * Checks required columns and ID numbers (specification). Of two rows for one person, uses the first valid one. A row
 * without phone or employment status is accepted; its member is marked "to complete".
 */
export function* checkRows(
  rows: readonly SheetRow[],
  mapping: ColumnMapping,
  given: ListContext,
  currency: Currency,
): Generator<CheckedRow> {
  const column = (field: ListField) => mapping[field] ?? -1
  // Reads both columns in one pass, because each access to `cells` parses the row again.
  const births: string[] = []
  const starts: string[] = []
  for (const { cells } of rows) {
    births.push(cells[column("dateOfBirth")] ?? "")
    starts.push(cells[column("startOn")] ?? "")
  }
  const context: RowContext = {
    ...given,
    groupNames: new Set(
      [given.policy.groupName, given.policy.number, given.policy.description ?? ""].filter(Boolean).map(nameKey),
    ),
    tierByName: new Map(given.tiers.map((tier) => [nameKey(tier.name), tier.id])),
    birthOrder: guessDayOrder(births),
    startOrder: guessDayOrder(starts),
    // Cached: lists have few different dates, and parsing them is the slowest step.
    days: new Map(),
  }
  const seen = new Map<string, number>()
  const numbered = new Map<string, number>()
  for (const [index, { line, cells }] of rows.entries()) {
    const row = index + 1
    const read = {} as Record<ListField, string>
    for (const field of listFields) read[field] = cleanCell(cells[column(field)] ?? "")
    const { person, problems } = checkPerson(read, context, currency)
    if (!problems.some(({ code }) => refusesRow(code))) {
      const key = person.idNumber ?? `passport ${person.passportNumber?.toUpperCase()}`
      const first = seen.get(key)
      if (first === undefined) seen.set(key, line)
      else
        problems.push(
          createProblem("duplicate_in_file", { value: read.idNumber || read.passportNumber, other: String(first) }),
        )
      const number = person.employeeNumber?.toLowerCase()
      const other = number && numbered.get(number)
      if (other)
        problems.push(createProblem("employee_number_twice", { value: read.employeeNumber, other: `row ${other}` }))
      else if (number && first === undefined) numbered.set(number, line)
    }
    yield { row, line, status: rowStatusOf(problems), problems, person }
  }
}

export function rowStatusOf(problems: readonly RowProblem[]): RowStatus {
  if (problems.some(({ code }) => refusesRow(code))) return "error"
  return problems.length > 0 ? "warning" : "ready"
}

interface RowContext extends ListContext {
  groupNames: Set<string>
  tierByName: Map<string, string>
  birthOrder: DayOrder
  startOrder: DayOrder
  days: Map<string, Day | null>
}

type Read = Record<ListField, string>

function checkPerson(
  read: Read,
  context: RowContext,
  currency: Currency,
): { person: ListedPerson; problems: RowProblem[] } {
  const problems: RowProblem[] = []
  if (!read.firstName) problems.push(createProblem("missing_first_name"))
  if (!read.lastName) problems.push(createProblem("missing_last_name"))
  const plain = readPlainFields(read, problems)
  const identity = checkIdentity(read, plain.gender, context, problems)
  if (!read.email) problems.push(createProblem("no_email"))
  else if (!isEmail(read.email)) problems.push(createProblem("bad_email", { value: read.email }))
  if (read.groupPolicy && !context.groupNames.has(nameKey(read.groupPolicy))) {
    problems.push(
      createProblem("other_group", {
        value: read.groupPolicy,
        other: `${context.policy.groupName} (${context.policy.number})`,
      }),
    )
  }
  for (const field of memberFieldNames) {
    const { most } = memberField(field)!
    if (most !== undefined && read[field].length > most)
      problems.push(
        createProblem("too_long", { field, other: `${listFieldLabels[field]} (at most ${most} characters)` }),
      )
  }
  return {
    person: {
      ...plain,
      ...identity,
      firstName: read.firstName,
      lastName: read.lastName,
      email: read.email,
      tierId: checkTier(read, context, problems),
      startOn: checkStart(read, context, problems),
      salaryCents: checkSalary(read, context, problems, currency),
    },
    problems,
  }
}

const unknownChoices: Partial<Record<MemberFieldName, ProblemCode>> = {
  gender: "unknown_gender",
  employmentStatus: "unknown_employment",
}

function readPlainFields(read: Read, problems: RowProblem[]): ListedFields {
  const value = (field: MemberFieldName): string | null => {
    const { kind } = memberField(field)!
    const cell = read[field]
    if (!cell) return null
    if (kind === "phone") {
      const number = readPhone(cell)
      if (isPhone(number)) return number
      problems.push(createProblem("bad_phone", { field, value: cell }))
      return null
    }
    if (kind !== "choice") return cell
    const chosen = readChoice(field, cell)
    if (chosen === null) problems.push(createProblem(unknownChoices[field] ?? "unknown_choice", { field, value: cell }))
    return chosen
  }
  return Object.fromEntries(memberFieldNames.map((field) => [field, value(field)])) as ListedFields
}

function checkIdentity(
  read: Read,
  gender: Gender | null,
  context: RowContext,
  problems: RowProblem[],
): Pick<ListedPerson, "idNumber" | "passportNumber" | "dateOfBirth" | "gender"> {
  const dateOfBirth = read.dateOfBirth ? readDayField(read.dateOfBirth, context.birthOrder, context) : null
  const born = dateOfBirth && dateOfBirth <= context.today ? dateOfBirth : null
  if (read.dateOfBirth && !born) {
    problems.push(createProblem("impossible_date", { field: "dateOfBirth", value: read.dateOfBirth }))
  }
  const passportNumber = read.passportNumber.replace(/\s/g, "") || null
  if (!read.idNumber) {
    if (!passportNumber) problems.push(createProblem("no_id"))
    return { idNumber: null, passportNumber, dateOfBirth: born, gender }
  }
  const idNumber = restoreLeadingZeros(read.idNumber, context.today, born)
  const id = checkZaIdNumber(idNumber, context.today, born)
  if (!id.ok) {
    problems.push(createProblem(id.reason, { value: read.idNumber }))
    return { idNumber, passportNumber, dateOfBirth: born, gender }
  }
  if (idNumber.length > read.idNumber.replace(/\D/g, "").length) {
    problems.push(createProblem("id_zeros_restored", { value: read.idNumber, other: idNumber }))
  }
  const conflict = findZaIdConflict(id, { dateOfBirth: born, gender })
  if (conflict === "dob_conflict")
    problems.push(createProblem(conflict, { value: read.dateOfBirth, other: id.dateOfBirth }))
  if (conflict === "gender_conflict") problems.push(createProblem(conflict, { value: read.gender, other: id.gender }))
  return { idNumber: id.idNumber, passportNumber, dateOfBirth: born ?? id.dateOfBirth, gender: gender ?? id.gender }
}

function checkTier(read: Read, context: RowContext, problems: RowProblem[]): string | null {
  if (!read.tier) {
    problems.push(createProblem("no_tier", { other: context.tiers[0]?.name }))
    return null
  }
  const found = context.tierByName.get(nameKey(read.tier))
  if (!found)
    problems.push(
      createProblem("unknown_tier", { value: read.tier, other: context.tiers.map(({ name }) => name).join(", ") }),
    )
  return found ?? null
}

function checkStart(read: Read, context: RowContext, problems: RowProblem[]): Day | null {
  const { endOn } = context.policy
  if (!read.startOn) {
    problems.push(createProblem("no_start_date", { other: defaultStart(context.policy, context.today) }))
    return null
  }
  const day = readDayField(read.startOn, context.startOrder, context)
  if (!day) problems.push(createProblem("bad_start_date", { value: read.startOn }))
  else if (endOn && day > endOn) problems.push(createProblem("start_after_end", { value: read.startOn, other: endOn }))
  return day
}

function checkSalary(read: Read, context: RowContext, problems: RowProblem[], currency: Currency): Cents | null {
  if (!read.salary) {
    if (context.policy.bySalary) problems.push(createProblem("no_salary"))
    return null
  }
  const salaryCents = readSalary(read.salary, currency)
  if (salaryCents === null) problems.push(createProblem("bad_salary", { value: read.salary }))
  return salaryCents
}

function readDayField(text: string, order: DayOrder, context: RowContext): Day | null {
  const key = `${order} ${text}`
  const known = context.days.get(key)
  if (known !== undefined) return known
  const day = readDay(text, order)
  context.days.set(key, day)
  return day
}

/** Ignores case and repeated spaces, because lists are typed by hand. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim()
}

function isSameCells(cells: readonly string[], header: readonly string[]): boolean {
  return header.length > 1 && header.every((title, index) => title.trim() === (cells[index] ?? "").trim())
}
