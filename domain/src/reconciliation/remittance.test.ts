import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type BilledPerson,
  compareRemittance,
  type ListedPayment,
  readRemittance,
  remittanceTotalsOf,
} from "./remittance.ts"
import { hasPayerAndAmount, suggestColumns } from "./remittance-columns.ts"

describe("the columns of a remittance list", () => {
  test.each([
    [
      ["Emp No", "Surname", "Initials", "ID Number", "Contribution"],
      { employeeNumber: 0, lastName: 1, firstName: 2, idNumber: 3, amount: 4 },
    ],
    [["Member No.", "Full name", "Amount deducted"], { memberNumber: 0, name: 1, amount: 2 }],
    [["ID no", "Employee contribution", "Employer contribution"], { idNumber: 0, amount: 1, employerAmount: 2 }],
    [["ID no", "Employee contribution", "Employer contribution", "Total"], { idNumber: 0, amount: 3 }],
    [["Lidnommer", "Naam", "Bedrag"], { memberNumber: 0, name: 1, amount: 2 }],
  ])("recognises the columns %j", (headers, columns) => {
    expect(suggestColumns(headers)).toEqual(columns)
    expect(hasPayerAndAmount(columns)).toBe(true)
  })

  test("columns default to those of the last list with the same headers", () => {
    const last = { headers: ["Who", "Details"], columns: { name: 0, amount: 1 } }
    expect(suggestColumns(["Who", "Details"], last)).toEqual(last.columns)
    expect(hasPayerAndAmount(suggestColumns(["Details", "Who"], last))).toBe(false)
  })
})

const today = "2026-11-20"
const rowsOf = (...rows: string[][]) => rows.map((cells, at) => ({ line: at + 2, cells }))
const columns = { memberNumber: 0, idNumber: 1, name: 2, amount: 3, employerAmount: 4 }

test("a list is read row by row; rows without a payment are reported", () => {
  const { paid, left } = readRemittance(
    rowsOf(
      ["M-000001", "8501015800083", "Dlamini, Thandi", "R 1 200,50", "100"],
      ["", "", "", "", ""],
      ["M-000002", "", "Sipho Nkosi", "402.50000000000006", "-"],
      ["M-000003", "", "Lerato Mokoena", "n/a", ""],
      ["", "", "", "1 603,00", ""],
      ["Total", "", "", "1 703,00", ""],
    ),
    columns,
    today,
    "ZAR",
  )
  expect(paid.map(({ line, memberNumber, amountCents }) => [line, memberNumber, amountCents])).toEqual([
    [2, "M-000001", 1_300_50],
    [4, "M-000002", 402_50],
  ])
  expect(left).toEqual([
    "Line 5 was left out: “n/a” is not an amount",
    expect.stringMatching(/^Line 6 was left out: it names no member/),
    expect.stringMatching(/^Line 7 was left out: it names no member/),
  ])
})

const createBilledPerson = (id: string, more: Partial<BilledPerson> = {}): BilledPerson => ({
  ...{ memberId: id, number: `M-00000${id}`, employeeNumber: "", idNumber: null, passportNumber: null },
  ...{ firstName: "Member", lastName: id, startOn: "2025-01-01", endOn: null, billedCents: 402_50 },
  ...more,
})
const createListedPayment = (more: Partial<ListedPayment>): ListedPayment => ({
  ...{ line: 2, employeeNumber: "", memberNumber: "", idNumber: "", name: "", amountCents: 402_50 },
  ...more,
})
const month = "2026-10-01"
const compareWithBilled = (paid: ListedPayment[], people: BilledPerson[]) =>
  compareRemittance(paid, people, month).map(({ memberId, outcome, paidCents, billedCents, words }) => [
    memberId,
    outcome,
    paidCents,
    billedCents,
    words,
  ])

describe("a list compared with an invoice", () => {
  test("a comparison shows members that agree, differ, or are on only one side", () => {
    const people = [
      createBilledPerson("1"),
      createBilledPerson("2", { firstName: "Thandi", lastName: "Dlamini" }),
      createBilledPerson("3", { idNumber: "8501015800083" }),
      createBilledPerson("4", { billedCents: null, endOn: "2026-08-31" }),
      createBilledPerson("5", { startOn: "2026-10-01" }),
    ]
    const list = [
      createListedPayment({ line: 2, memberNumber: "m-000001" }),
      createListedPayment({ line: 3, name: "DLAMINI, Thandi", amountCents: 300_00 }),
      createListedPayment({ line: 4, name: "DLAMINI, Thandi", amountCents: 50_00 }),
      createListedPayment({ line: 5, idNumber: "8501015800083", name: "Somebody else" }),
      createListedPayment({ line: 6, memberNumber: "M-000004" }),
      createListedPayment({ line: 7, name: "Nobody Known", amountCents: 99_00 }),
    ]
    expect(compareWithBilled(list, people)).toEqual([
      ["1", "agrees", 402_50, 402_50, ""],
      ["2", "other_amount", 350_00, 402_50, "2 rows of the list: lines 3, 4"],
      ["3", "agrees", 402_50, 402_50, ""],
      ["4", "not_billed", 402_50, null, "Membership ended on 2026-08-31"],
      [null, "not_billed", 99_00, null, "No member of the policy has this number or name"],
      ["5", "not_paid", null, 402_50, "Joined on 2026-10-01"],
    ])
  })

  test("a comparison does not match conflicting numbers, shared names or unknown ID numbers", () => {
    const people = [
      createBilledPerson("1", { idNumber: "8501015800083" }),
      createBilledPerson("2", { idNumber: "9001015800087" }),
      createBilledPerson("3", { firstName: "Sipho", lastName: "Nkosi" }),
      createBilledPerson("4", { firstName: "Sipho", lastName: "Nkosi" }),
    ]
    const words = (row: Partial<ListedPayment>) => compareRemittance([createListedPayment(row)], people, month)[0]!
    expect(words({ memberNumber: "M-000001", idNumber: "9001015800087" })).toMatchObject({
      memberId: null,
      words: "The number belongs to Member 1, M-000001, the ID number to Member 2, M-000002",
    })
    expect(words({ name: "Sipho Nkosi" })).toMatchObject({ memberId: null, words: "Several members have this name" })
    expect(words({ idNumber: "7001015800081", name: "Member 1" })).toMatchObject({ memberId: null })
  })

  test("a comparison uses the billed membership of a member who rejoined", () => {
    const people = [
      createBilledPerson("1", { idNumber: "8501015800083", billedCents: null, endOn: "2026-03-31" }),
      createBilledPerson("2", { idNumber: "8501015800083" }),
      createBilledPerson("3", { idNumber: "9001015800087" }),
      createBilledPerson("4", { idNumber: "9001015800087", billedCents: null }),
    ]
    expect(
      compareWithBilled(
        [createListedPayment({ idNumber: "8501015800083" }), createListedPayment({ idNumber: "9001015800087" })],
        people,
      ),
    ).toEqual([
      ["2", "agrees", 402_50, 402_50, ""],
      ["3", "agrees", 402_50, 402_50, ""],
    ])
    expect(
      compareWithBilled(
        [createListedPayment({ memberNumber: "M-000001", idNumber: "8501015800083" })],
        people.slice(0, 2),
      ),
    ).toEqual([["2", "agrees", 402_50, 402_50, ""]])
  })

  test("a comparison has the totals of the list and of the invoice", () => {
    const people = fc.array(fc.option(fc.integer({ min: -500, max: 500 })), { maxLength: 8 })
    const list = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -500, max: 500 })))
    fc.assert(
      fc.property(people, list, (billed, rows) => {
        const members = billed.map((billedCents, at) => createBilledPerson(String(at), { billedCents }))
        const paid = rows.map(([who, amountCents]) =>
          createListedPayment({ memberNumber: `M-00000${who}`, amountCents }),
        )
        const found = compareRemittance(paid, members, month)
        const sum = (of: "paidCents" | "billedCents") => found.reduce((cents, row) => cents + (row[of] ?? 0), 0)
        expect(sum("paidCents")).toBe(rows.reduce((cents, [, amount]) => cents + amount, 0))
        expect(sum("billedCents")).toBe(billed.reduce<number>((cents, amount) => cents + (amount ?? 0), 0))
        const named = found.flatMap(({ memberId }) => memberId ?? [])
        expect(new Set(named).size).toBe(named.length)
        expect(Object.values(remittanceTotalsOf(found)).reduce((count, total) => count + total.count, 0)).toBe(
          found.length,
        )
      }),
    )
  })
})

test('the employee number identifies members first, even in a "member number" column', () => {
  const people = [
    createBilledPerson("1", { employeeNumber: "4711" }),
    createBilledPerson("2", { employeeNumber: "4712", lastName: "Dube" }),
  ]
  const found = (row: Partial<ListedPayment>) => compareWithBilled([createListedPayment(row)], people)[0]![0]
  expect(found({ employeeNumber: "4712", name: "Member 1" })).toBe("2")
  expect(found({ memberNumber: "4711" })).toBe("1")
  expect(found({ employeeNumber: "0815", name: "Dube, Member" })).toBe("2")
})
