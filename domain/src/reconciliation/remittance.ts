import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { cleanCell, readAmount, restoreLeadingZeros } from "../staff-lists/staff-list-cells.ts"
import { type SheetRow, totalRowPattern } from "../staff-lists/staff-list-rows.ts"
import type { RemittanceColumns, RemittanceField } from "./remittance-columns.ts"
import { type RemittanceOutcome, remittanceOutcomes } from "./remittance-outcome.ts"

export interface ListedPayment {
  line: number
  employeeNumber: string
  memberNumber: string
  /** Or a passport number. */
  idNumber: string
  name: string
  amountCents: Cents
}

/**
 * Reads the payments of a list. Blank rows are skipped; totals, rows without a person and invalid amounts are left out,
 * each with a note.
 */
export function readRemittance(
  rows: readonly SheetRow[],
  columns: RemittanceColumns,
  today: Day,
  currency: Currency,
): { paid: ListedPayment[]; left: string[] } {
  const paid: ListedPayment[] = []
  const left: string[] = []
  for (const { line, cells } of rows) {
    const cell = (field: RemittanceField) => cleanCell(cells[columns[field] ?? -1] ?? "")
    const employeeNumber = cell("employeeNumber")
    const memberNumber = cell("memberNumber")
    const idNumber = restoreLeadingZeros(cell("idNumber"), today, null)
    const name = [cell("name"), cell("firstName"), cell("lastName")].filter(Boolean).join(" ")
    const amounts = [cell("amount"), cell("employerAmount")]
    if (![employeeNumber, memberNumber, idNumber, name, ...amounts].some(Boolean)) continue
    const cents = amounts.map((text) => (/^-*$/.test(text) ? 0 : readAmount(text, currency)))
    const wrong = cents.indexOf(null)
    if (wrong >= 0) {
      left.push(`Line ${line} was left out: “${amounts[wrong]!.slice(0, 40)}” is not an amount`)
      continue
    }
    const amountCents = cents.reduce<Cents>((sum, part) => sum + part!, 0)
    const isTotal =
      [employeeNumber, memberNumber, name, ...cells.slice(0, 1)].some((text) => totalRowPattern.test(text.trim())) &&
      !idNumber
    if (isTotal || (!employeeNumber && !memberNumber && !idNumber && !name)) {
      left.push(`Line ${line} was left out: it names no member (${formatMoney(amountCents, currency)})`)
      continue
    }
    paid.push({ line, employeeNumber, memberNumber, idNumber, name, amountCents })
  }
  return { paid, left }
}

/** A member of the invoice's policy. The billed amount includes VAT; null if the member was not billed. */
export interface BilledPerson {
  memberId: string
  number: string
  employeeNumber: string
  idNumber: string | null
  passportNumber: string | null
  firstName: string
  lastName: string
  startOn: Day
  endOn: Day | null
  billedCents: Cents | null
}

/** A member or unknown person on the list, the invoice or both. */
export interface RemittanceComparisonRow {
  memberId: string | null
  /** The name on the list, if no member was identified. */
  who: string
  line: number | null
  outcome: RemittanceOutcome
  /** Null: not on the list. */
  paidCents: Cents | null
  /** With VAT, before discount; null if not on the invoice. */
  billedCents: Cents | null
  words: string
}

/**
 * Compares a list with an invoice per member: list order first, then members missing from it. Members are identified by
 * employee number, member number, ID or passport number, or a unique name. Totals equal those of the list and of the
 * invoice's members. `month`: its first day.
 */
export function compareRemittance(
  paid: readonly ListedPayment[],
  people: readonly BilledPerson[],
  month: Day,
): RemittanceComparisonRow[] {
  const find = createFinder(people)
  const rows: RemittanceComparisonRow[] = []
  const ofMember = new Map<string, { person: BilledPerson; lines: ListedPayment[] }>()
  const places: (() => void)[] = []
  for (const row of paid) {
    const found = find(row)
    if ("unknown" in found) {
      if (row.amountCents !== 0) places.push(() => rows.push(unknownRow(row, found.unknown)))
      continue
    }
    const before = ofMember.get(found.memberId)
    if (before) before.lines.push(row)
    else {
      const one = { person: found, lines: [row] }
      ofMember.set(found.memberId, one)
      places.push(() => rows.push(...listedRow(one.person, one.lines, month)))
    }
  }
  for (const place of places) place()
  for (const person of people) {
    if (ofMember.has(person.memberId) || !person.billedCents) continue
    const words = person.startOn >= month ? `Joined on ${person.startOn}` : ""
    const { memberId, billedCents } = person
    rows.push({
      memberId,
      who: personLabel(person),
      line: null,
      outcome: "not_paid",
      paidCents: null,
      billedCents,
      words,
    })
  }
  return rows
}

const unknownRow = (
  { line, employeeNumber, memberNumber, idNumber, name, amountCents }: ListedPayment,
  words: string,
): RemittanceComparisonRow => ({
  memberId: null,
  who: [name, employeeNumber, memberNumber, idNumber].filter(Boolean).join(", "),
  line,
  outcome: "not_billed",
  paidCents: amountCents,
  billedCents: null,
  words,
})

function listedRow(person: BilledPerson, lines: readonly ListedPayment[], month: Day): RemittanceComparisonRow[] {
  const paidCents = lines.reduce<Cents>((sum, { amountCents }) => sum + amountCents, 0)
  const { memberId, billedCents } = person
  // Omits rows neither paid nor billed.
  if (billedCents === null && paidCents === 0) return []
  const outcome = billedCents === null ? "not_billed" : billedCents === paidCents ? "agrees" : "other_amount"
  const words = [
    ...(lines.length > 1
      ? [`${lines.length} rows of the list: lines ${lines.map(({ line }) => line).join(", ")}`]
      : []),
    ...(outcome === "not_billed" ? [explainNotBilled(person, month)] : []),
  ].join("; ")
  return [{ memberId, who: personLabel(person), line: lines[0]!.line, outcome, paidCents, billedCents, words }]
}

function explainNotBilled({ startOn, endOn }: BilledPerson, month: Day): string {
  if (endOn !== null && endOn < month) return `Membership ended on ${endOn}`
  if (startOn > month) return `Membership began on ${startOn}, after the first of the month`
  return "A member, but not on this invoice"
}

const personLabel = ({ firstName, lastName, number }: BilledPerson): string => `${firstName} ${lastName}, ${number}`

const plainName = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, "")
const numberKey = (text: string): string => plainName(text).replace(/\s/g, "")
/** Equal for "Dlamini, Thandi" and "Thandi Dlamini". */
const nameKey = (text: string): string => plainName(text).split(/\s+/).filter(Boolean).sort().join(" ")

type Found = BilledPerson | { unknown: string }

function createFinder(people: readonly BilledPerson[]): (row: ListedPayment) => Found {
  const byEmployeeNumber = new Map<string, BilledPerson>()
  const byNumber = new Map<string, BilledPerson>()
  const byIdentity = new Map<string, BilledPerson>()
  const byName = new Map<string, BilledPerson | "several">()
  for (const person of people) {
    byNumber.set(numberKey(person.number), person)
    const employee = numberKey(person.employeeNumber)
    // A former member may have had the same number, so the billed member is preferred.
    if (employee && (byEmployeeNumber.get(employee)?.billedCents ?? null) === null)
      byEmployeeNumber.set(employee, person)
    for (const identity of [person.idNumber, person.passportNumber]) {
      // A member who rejoined has two records, so the billed one is preferred.
      const key = identity && numberKey(identity)
      if (key && (byIdentity.get(key)?.billedCents ?? null) === null) byIdentity.set(key, person)
    }
    const name = nameKey(`${person.firstName} ${person.lastName}`)
    byName.set(name, byName.has(name) ? "several" : person)
  }
  return ({ employeeNumber, memberNumber, idNumber, name }) => {
    const [employee, member] = [numberKey(employeeNumber), numberKey(memberNumber)]
    // Payroll programs may call the employee number "member number".
    const numbered = byEmployeeNumber.get(employee) ?? byNumber.get(member) ?? byEmployeeNumber.get(member)
    const identified = byIdentity.get(numberKey(idNumber))
    if (numbered && identified && numbered !== identified) {
      if (numbered.idNumber !== identified.idNumber) {
        return {
          unknown: `The number belongs to ${personLabel(numbered)}, the ID number to ${personLabel(identified)}`,
        }
      }
      return identified
    }
    const found = numbered ?? identified
    if (found) return found
    // With an unknown ID number, a person of the same name is a different person.
    if (/^\d{13}$/.test(idNumber)) return { unknown: "No member of the policy has this ID number" }
    const named = byName.get(nameKey(name)) ?? null
    if (named === "several") return { unknown: "Several members have this name" }
    return named ?? { unknown: "No member of the policy has this number or name" }
  }
}

export type RemittanceTotals = Record<RemittanceOutcome, { count: number; paidCents: Cents; billedCents: Cents }>

export function remittanceTotalsOf(
  rows: readonly Pick<RemittanceComparisonRow, "outcome" | "paidCents" | "billedCents">[],
): RemittanceTotals {
  const totals = Object.fromEntries(
    remittanceOutcomes.map((outcome) => [outcome, { count: 0, paidCents: 0, billedCents: 0 }]),
  ) as RemittanceTotals
  for (const { outcome, paidCents, billedCents } of rows) {
    const total = totals[outcome]
    total.count++
    total.paidCents += paidCents ?? 0
    total.billedCents += billedCents ?? 0
  }
  return totals
}
