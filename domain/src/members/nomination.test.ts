import fc from "fast-check"
import { expect, test } from "vitest"
import { addDays } from "../kernel/calendar.ts"
import { isRefusal } from "../kernel/refusal.ts"
import { wholeShare } from "../kernel/shares.ts"
import { allowedNominationActions, checkNomination, type Nominee, nominationOn, nomineesText } from "./nomination.ts"

const today = "2026-11-20"
const nominee = (values: Partial<Nominee> = {}): Nominee => ({
  name: "Anna Nkosi",
  relationship: "spouse",
  idNumber: null,
  dateOfBirth: "1980-05-01",
  phone: "",
  email: "",
  bank: "",
  branchCode: "",
  accountNumber: "",
  shareBasisPoints: wholeShare,
  ...values,
})

const problemsOf = (nominees: Nominee[], fromOn = today): string[] => {
  const checked = checkNomination({ fromOn, nominees }, today)
  if (!isRefusal(checked)) return []
  return (checked.data as { fields: { path: string; message: string }[] }).fields.map(
    ({ path, message }) => `${path}: ${message}`,
  )
}

test("shares of 99.99 % and 100.01 % are refused, 100.00 % is not", () => {
  const shared = (...shares: number[]) => problemsOf(shares.map((shareBasisPoints) => nominee({ shareBasisPoints })))
  expect(shared(3_333, 3_333, 3_334)).toEqual([])
  expect(shared(3_333, 3_333, 3_333)).toEqual(["nominees: The shares must add up to 100.00 %: 0.01 % is missing"])
  expect(shared(5_000, 5_001)).toEqual(["nominees: The shares must add up to 100.00 %: 0.01 % is too much"])
})

test("no beneficiaries revoke a nomination", () => expect(problemsOf([])).toEqual([]))

test("a person needs an ID number or a date of birth, an organisation needs neither", () => {
  expect(problemsOf([nominee({ dateOfBirth: null })])).toEqual([
    "nominees.0.idNumber: Enter an ID number or a date of birth",
  ])
  expect(problemsOf([nominee({ relationship: "organisation", dateOfBirth: null })])).toEqual([])
})

test("an ID number completes the date of birth and must agree with it", () => {
  const idNumber = "8005014800081"
  expect(checkNomination({ fromOn: today, nominees: [nominee({ idNumber, dateOfBirth: null })] }, today)).toMatchObject(
    [{ idNumber, dateOfBirth: "1980-05-01" }],
  )
  expect(problemsOf([nominee({ idNumber, dateOfBirth: "1981-05-01" })])[0]).toContain("nominees.0.dateOfBirth")
  expect(problemsOf([nominee({ idNumber: "8005014800082" })])[0]).toContain("nominees.0.idNumber")
})

test("refuses the same ID number twice, and a first day in the future", () => {
  const twice = nominee({ idNumber: "8005014800081", shareBasisPoints: 5_000 })
  expect(problemsOf([twice, twice])).toEqual(["nominees.1.idNumber: This person is already in the nomination"])
  expect(problemsOf([nominee()], addDays(today, 1))).toEqual(["fromOn: The day is in the future"])
})

test("a bank account is empty or complete; its bank can be unknown", () => {
  const account = { bank: "Protea Mutual", branchCode: "990000", accountNumber: "123456" }
  expect(problemsOf([nominee(account)])).toEqual([])
  expect(problemsOf([nominee({ ...account, branchCode: "" })])[0]).toContain("nominees.0.branchCode")
  expect(problemsOf([nominee({ accountNumber: "12345" })])).toHaveLength(3)
})

const nomination = (fromOn: string, recordedAt: string, supersededAt: string | null = null) => ({
  fromOn,
  recordedAt,
  supersededAt,
})

test("the nomination of a day is the latest from that day or before, without superseded ones", () => {
  const first = nomination("2024-01-01", "2024-01-05T08:00:00Z")
  const wrong = nomination("2025-01-01", "2025-01-05T08:00:00Z", "2025-02-01T08:00:00Z")
  const right = nomination("2025-01-10", "2025-02-01T08:00:00Z")
  const all = [right, wrong, first]
  expect(nominationOn(all, "2023-12-31")).toBeNull()
  expect(nominationOn(all, "2025-01-05")).toBe(first)
  expect(nominationOn(all, "2025-01-10")).toBe(right)
  const known = (at: string) => nominationOn(all, "2025-01-20", Temporal.Instant.from(at))
  expect(known("2025-01-05T07:59:59Z")).toBe(first)
  expect(known("2025-01-05T08:00:00Z")).toBe(wrong)
  expect(known("2025-02-01T08:00:00Z")).toBe(right)
})

test("what is known now equals what is known at any moment after the last change", () => {
  const days = fc.integer({ min: 0, max: 30 }).map((add) => addDays("2026-01-01", add))
  const rows = fc
    .uniqueArray(days, { maxLength: 8 })
    .map((each) => each.map((day) => nomination(day, `${day}T08:00:00Z`)))
  fc.assert(
    fc.property(rows, days, (all, day) => {
      const later = Temporal.Instant.from("2027-01-01T00:00:00Z")
      return nominationOn(all, day) === nominationOn(all, day, later)
    }),
  )
})

test("users who edit members may change nominations, except those of an anonymised member", () => {
  const actions = (role: "group_admin" | "policy_holder" | "underwriter", isPending = false, isForgotten = false) =>
    allowedNominationActions({ isPending, isForgotten }, { role })
  expect(actions("group_admin")).toEqual(["record", "correct", "withdraw", "attach"])
  expect(actions("group_admin", true)).toEqual(["record", "correct", "withdraw"])
  expect([actions("policy_holder"), actions("underwriter"), actions("group_admin", false, true)]).toEqual([[], [], []])
})

test("the audit text has names and shares, and no ID numbers or accounts", () => {
  const text = nomineesText([
    nominee({ shareBasisPoints: 2_500, accountNumber: "62001234567", idNumber: "8005014800081" }),
  ])
  expect(text).toBe("Anna Nkosi 25.00 %")
  expect(nomineesText([])).toBe("none")
})
