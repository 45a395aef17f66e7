import { describe, expect, test } from "vitest"
import { headerKey } from "../kernel/header-words.ts"
import { memberFieldNames } from "../members/member-fields.ts"
import {
  allowedStaffListActions,
  rowResult,
  type StaffList,
  staffListLifecycle,
  staffListStatuses,
} from "./staff-list.ts"
import {
  cleanCell,
  guessDayOrder,
  readChoice,
  readDay,
  readPhone,
  readSalary,
  restoreLeadingZeros,
} from "./staff-list-cells.ts"
import { findHeader, missingColumns, rememberMapping, suggestMapping } from "./staff-list-columns.ts"
import { createProblem, problemCodes, problemSentence } from "./staff-list-problems.ts"
import { checkRows, type ListContext, personRowsOf, type SheetRow } from "./staff-list-rows.ts"
import {
  checkUndo,
  correctedCells,
  correctRow,
  discardList,
  finishImport,
  importList,
  matchPolicyNames,
  splitList,
} from "./staff-list-steps.ts"

const today = "2026-11-20"

describe("cells", () => {
  test.each([
    ["  Jaco\u00a0 Müller ", "Jaco Müller"],
    ["Mu\u0308ller", "Müller"],
    ["a\u0000b\tc\nd", "a b c d"],
    ["'=1+1", "=1+1"],
    ["'+27821234567", "+27821234567"],
    ["'t Hart", "'t Hart"],
    ["x".repeat(5_000), "x".repeat(1_000)],
  ])("cleans %j", (cell, clean) => {
    expect(cleanCell(cell)).toBe(clean)
  })

  test.each([
    ["25/06/1985", "DMY", "1985-06-25"],
    ["06/25/1985", "MDY", "1985-06-25"],
    ["1985-06-25", "DMY", "1985-06-25"],
    ["1985-06-25T00:00:00.000Z", "DMY", "1985-06-25"],
    ["1985/06/25 00:00:00", "DMY", "1985-06-25"],
    ["25 June 1985", "DMY", "1985-06-25"],
    ["25-Jun-1985", "DMY", "1985-06-25"],
    ["5 Mei 1985", "DMY", "1985-05-05"],
    ["38466", "DMY", "2005-04-24"],
    ["38466.5", "DMY", "2005-04-24"],
    ["31/02/1985", "DMY", null],
    ["25/06/85", "DMY", null],
    ["12", "DMY", null],
    ["soon", "DMY", null],
  ] as const)("reads %s as a day", (text, order, day) => {
    expect(readDay(text, order)).toBe(day)
  })

  test("the order of day and month is guessed from the column", () => {
    expect(guessDayOrder(["01/02/1985", "25/06/1985"])).toBe("DMY")
    expect(guessDayOrder(["01/02/1985", "06/25/1985"])).toBe("MDY")
    expect(guessDayOrder(["01/02/1985", "", "1985-02-01"])).toBe("DMY")
  })

  test.each([
    ["504248489081", null, "0504248489081"],
    ["5248695081", null, "0005248695081"],
    // The check digit is wrong, but the date of birth confirms the missing zero.
    ["605272605080", "2006-05-27", "0605272605080"],
    ["605272605080", null, "605272605080"],
    ["4051151410", "2004-05-11", "4051151410"],
    ["04051151410", "2004-05-11", "04051151410"],
    ["8506255853085", null, "8506255853085"],
    ["850625 5853 085", null, "8506255853085"],
    ["86091062030", "1986-09-10", "86091062030"],
  ])("restores leading zeros of %s", (text, born, whole) => {
    expect(restoreLeadingZeros(text, today, born)).toBe(whole)
  })

  test.each([
    ["25000", 25_000_00],
    ["R 25 000,50", 25_000_50],
    ["25,000.50", 25_000_50],
    ["25,000", 25_000_00],
    // The result of a formula that divides by twelve.
    ["21000.583333333332", 21_000_58],
    // Ambiguous: R 25 or R 25 000.
    ["25.000", null],
    ["0", null],
    ["-5", null],
    ["10000000.01", null],
    ["on request", null],
  ])("reads a salary of %s", (text, cents) => expect(readSalary(text, "ZAR")).toBe(cents))

  test("choices and phone numbers are read in common spellings", () => {
    expect(["Male", "m", "Vroulik", "F.", "Other", "unknown"].map((word) => readChoice("gender", word))).toEqual([
      "male",
      "male",
      "female",
      "female",
      "other",
      null,
    ])
    expect(
      ["Full-time", "Self employed", "Pensioner", "?"].map((word) => readChoice("employmentStatus", word)),
    ).toEqual(["employed", "self-employed", "retired", null])
    expect(["746331490", "0746331490", "+27 74 633 1490"].map(readPhone)).toEqual([
      "0746331490",
      "0746331490",
      "+27 74 633 1490",
    ])
  })
})

describe("columns", () => {
  test("headers are recognised regardless of case and punctuation", () => {
    expect(headerKey("RSA ID No.")).toBe("rsaidno")
    expect(suggestMapping(["Name", "Surname", "RSA ID No.", "E-mail address", "DOB", "Scheme"])).toEqual({
      firstName: 0,
      lastName: 1,
      idNumber: 2,
      email: 3,
      dateOfBirth: 4,
      groupPolicy: 5,
    })
  })

  test("maps the preferred header, and each column to one field only", () => {
    expect(suggestMapping(["Company", "Group Policy", "Employer"])).toEqual({ groupPolicy: 1, employer: 2 })
    expect(suggestMapping(["ID", "ID Number"])).toEqual({ idNumber: 1 })
  })

  test("the group's last mapping is suggested again, in any column order", () => {
    const headers = ["Wer", "Nachname", "Post"]
    const remembered = rememberMapping(headers, { firstName: 0, lastName: 1, email: 2 })
    expect(remembered).toEqual({ firstName: "Wer", lastName: "Nachname", email: "Post" })
    expect(suggestMapping(["post", "wer", "Surname", "Nachname"], remembered)).toEqual({
      firstName: 1,
      lastName: 3,
      email: 0,
    })
  })

  test("a passport replaces the ID number, and the chosen policy replaces the group", () => {
    expect(missingColumns({ firstName: 0 })).toEqual(["lastName", "idNumber", "email", "groupPolicy"])
    expect(missingColumns({ firstName: 0, lastName: 1, passportNumber: 2, email: 3, groupPolicyChosen: true })).toEqual(
      [],
    )
  })

  test("finds the header below titles, else the first full row", () => {
    const titled = [["Staff list"], ["Prepared by", "payroll"], [""], ["First Name", "Surname", "ID"], ["A", "B", "1"]]
    const found = (rows: string[][]) => findHeader(rows.map((cells) => ({ cells })))
    expect(found(titled)).toEqual({ row: 3, hits: 3 })
    expect(found([[""], ["eins", "zwei"]])).toEqual({ row: 1, hits: 0 })
    expect(found([["one"]])).toEqual({ row: -1, hits: 0 })
  })
})

describe("rows", () => {
  const header = ["First Name", "Last Name", "ID Number", "Email", "Group Policy", "Tier", "Start Date", "Passport"]
  const mapping = suggestMapping(header)
  const context: ListContext = {
    today,
    policy: {
      number: "GP-2026-000001",
      description: "Head office",
      groupName: "Acacia  Foods",
      status: "Active",
      startOn: "2026-01-01",
      endOn: "2026-12-31",
      bySalary: false,
    },
    tiers: [
      { id: "1", name: "Standard" },
      { id: "2", name: "Gold" },
    ],
  }
  const good = ["Anna", "Nkosi", "8506255853085", "anna@list.example", "acacia foods", "gold", "2026-09-01", ""]
  const rowsOf = (...cells: string[][]): SheetRow[] => cells.map((each, index) => ({ line: index + 2, cells: each }))
  const check = (...cells: string[][]) => [...checkRows(rowsOf(...cells), mapping, context, "ZAR")]
  const replace = (column: number, value: string) => good.map((cell, index) => (index === column ? value : cell))

  test("a complete row is ready, and the ID number fills in birth and gender", () => {
    expect(check(good)).toEqual([
      {
        row: 1,
        line: 2,
        status: "ready",
        problems: [],
        person: {
          ...Object.fromEntries(memberFieldNames.map((name) => [name, null])),
          firstName: "Anna",
          lastName: "Nkosi",
          idNumber: "8506255853085",
          email: "anna@list.example",
          dateOfBirth: "1985-06-25",
          gender: "male",
          tierId: "2",
          startOn: "2026-09-01",
          salaryCents: null,
        },
      },
    ])
  })

  test.each([
    [0, "", ["missing_first_name"]],
    [1, "  ", ["missing_last_name"]],
    [2, "", ["no_id"]],
    [2, "8506255853084", ["check_digit"]],
    [2, "8.50626E+12", ["short_id"]],
    [3, "", ["no_email"]],
    [3, "anna", ["bad_email"]],
    [4, "GP-2026-000001", []],
    [4, "HEAD OFFICE", []],
    [4, "", []],
    [4, "Vaal Engineering", ["other_group"]],
    [5, "", ["no_tier"]],
    [5, "Diamond", ["unknown_tier"]],
    [6, "", ["no_start_date"]],
    [6, "31/11/2026", ["bad_start_date"]],
    [6, "2027-01-01", ["start_after_end"]],
    [0, "x".repeat(200), ["too_long"]],
  ])("reports problems of column %i with value %j", (column, value, codes) => {
    const [row] = check(replace(column, value))
    expect(row!.problems.map(({ code }) => code)).toEqual(codes)
    for (const each of row!.problems) expect(problemSentence(each)).toMatch(/^(?!.*(undefined|null)).{10,}$/)
  })

  test("the default start is the draft policy's start, or today for an active policy", () => {
    const startsOn = (status: "Draft" | "Active") => {
      const of = { ...context, policy: { ...context.policy, status } }
      const [row] = [...checkRows(rowsOf(replace(6, "")), mapping, of, "ZAR")]
      return row!.problems[0]!.other
    }
    expect([startsOn("Draft"), startsOn("Active")]).toEqual(["2026-01-01", today])
  })

  test("an invalid phone number is dropped with a warning", () => {
    const withPhone = [...header, "Phone"]
    const row = (phone: string) =>
      [...checkRows(rowsOf([...good, phone]), suggestMapping(withPhone), context, "ZAR")][0]!
    for (const [written, kept] of [
      ["746331490", "0746331490"],
      ["+27 (0)74 633-1490", "+27 (0)74 633-1490"],
    ] as const) {
      expect(row(written)).toMatchObject({ status: "ready", person: { phone: kept } })
    }
    const bad = row("ask her")
    expect(bad).toMatchObject({ status: "warning", person: { phone: null } })
    expect(bad.problems.map(problemSentence)).toEqual([
      "The phone number “ask her” is not recognised; complete it after the import",
    ])
  })

  test("the first valid row of a repeated person is used", () => {
    const refused = replace(3, "")
    expect(check(refused, good, good).map(({ status }) => status)).toEqual(["error", "ready", "error"])
    expect(check(good, good)[1]!.problems[0]).toMatchObject({ code: "duplicate_in_file", other: "2" })
    const foreign = good.map((cell, index) => (index === 2 ? "" : index === 7 ? "A 123" : cell))
    const again = foreign.map((cell, index) => (index === 7 ? "a123" : cell))
    expect(check(foreign, again).map(({ status }) => status)).toEqual(["ready", "error"])
  })

  test("drops blank rows, repeated headers and totals, but not people without ID or e-mail", () => {
    const { people, left } = personRowsOf(
      rowsOf(good, [""], header, replace(2, ""), ["Ben", "Botha", "", "", "Acacia"], [""], ["Total", "3"], ["payroll"]),
      header,
      mapping,
    )
    expect(people.map(({ line }) => line)).toEqual([2, 5, 6])
    expect(left.map(({ cells }) => cells[0])).toEqual(["Total", "payroll"])
  })
})

describe("an import", () => {
  test("every problem has a sentence, with and without its value", () => {
    for (const code of problemCodes) {
      expect(problemSentence(createProblem(code))).not.toMatch(/undefined/)
      expect(problemSentence(createProblem(code, { value: "v".repeat(200), other: "o" })).length).toBeLessThan(250)
    }
  })

  test("each status offers its next actions to users who may import", () => {
    const actor = { userId: "me", mayImport: true, seesAllGroups: false }
    const found = { createdBy: "me", errorCount: 1 }
    const offered = Object.fromEntries(
      staffListStatuses.map((status) => [status, allowedStaffListActions({ ...found, status }, actor)]),
    )
    expect(offered).toEqual({
      uploaded: ["check", "discard"],
      checking: [],
      ready: ["check", "import", "discard", "downloadRefused"],
      committing: ["downloadRefused"],
      completed: ["undo", "downloadRefused"],
      undone: ["downloadRefused"],
      failed: ["check", "discard"],
      discarded: [],
    })
    const others = { ...found, createdBy: "somebody", status: "completed" } as const
    expect(allowedStaffListActions(others, actor)).toEqual(["downloadRefused"])
    expect(allowedStaffListActions(others, { ...actor, seesAllGroups: true })).toEqual(["undo", "downloadRefused"])
    expect(allowedStaffListActions(others, { ...actor, mayImport: false })).toEqual([])
    expect(staffListLifecycle.next("completed", "import")).toBeNull()
  })
})

describe("steps of a staff list", () => {
  test("corrects single cells while the list is ready, and extends a short row", () => {
    const once = correctRow(list, 7, [{ column: 1, text: "Nkosi" }])
    expect(once).toEqual({ 7: { 1: "Nkosi" } })
    const twice = correctRow({ ...list, corrections: { 7: { 1: "Nkosi" } } }, 7, [{ column: 0, text: "Ann" }])
    expect(twice).toEqual({ 7: { 0: "Ann", 1: "Nkosi" } })
    expect(correctRow(list, 7, [{ column: 2, text: "x" }])).toMatchObject({ refused: "INVALID" })
    expect(correctRow({ ...list, status: "completed" }, 7, [])).toMatchObject({ refused: "WRONG_STATUS" })
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, line) => [line + 10, {}]))
    expect(correctRow({ ...list, corrections: many }, 7, [])).toMatchObject({ refused: "INVALID" })
    expect(correctRow({ ...list, corrections: many }, 10, [])).not.toHaveProperty("refused")
    expect(correctedCells(["Ann"], { 2: "x" })).toEqual(["Ann", "", "x"])
  })

  test("matches other policies by number, or by a description or group with one policy", () => {
    const policy = (nth: number, description: string | null, groupName: string) => ({
      ...{ id: `p${nth}`, number: `GP-2026-00000${nth}`, groupId: groupName, description, groupName },
    })
    const others = [
      policy(2, "Staff", "Karoo Wool"),
      policy(3, "Drivers", "Karoo Wool"),
      policy(4, "GP-2026-000002", "Baobab"),
    ]
    const named = (...texts: string[]) =>
      matchPolicyNames(
        texts.map((text) => ({ text, rows: 1 })),
        others,
      ).map(({ policyId, rows, names }) => [policyId, rows, names])
    expect(named("gp-2026-000002")).toEqual([["p2", 1, ["gp-2026-000002"]]])
    expect(named("BAOBAB", " drivers ", "Drivers", "GP-2026-000003")).toEqual([
      ["p3", 3, ["drivers", "drivers", "gp-2026-000003"]],
      ["p4", 1, ["baobab"]],
    ])
    expect(named("Karoo Wool", "Nobody", "")).toEqual([])
    const many = Array.from({ length: 101 }, () => matchPolicyNames([{ text: "baobab", rows: 1 }], others)[0]!)
    expect(splitList(list, many)).toMatchObject({ refused: "INVALID" })
    expect(splitList(list, [])).toMatchObject({ refused: "INVALID" })
    expect(splitList({ ...list, status: "uploaded" }, many.slice(1))).toMatchObject({ refused: "WRONG_STATUS" })
  })

  const list: StaffList = {
    ...{ id: "l", groupId: "g", policyId: "p", policyNumber: "GP-2026-000001", version: 1 },
    ...{ divisionId: null, headerLine: 1, sheet: null, notes: [] },
    ...{ fileId: "f", rowsFileId: "r", fileName: "staff.csv", extension: "csv", status: "ready" },
    ...{ headers: ["Name", "Surname"], sample: [["Ann", "Nkosi"]], mapping: {}, corrections: {}, defaultTierId: null },
    ...{ defaultStartOn: null, checkedAt: null, rowCount: 3, errorCount: 1 },
    ...{ joinerCount: 0, changeCount: 2, leaverCount: 1, addedCount: 0, changedCount: 0, endedCount: 0 },
    ...{ applyChanges: true, changesOn: null, leaversOn: null, jobId: null, failure: null },
    ...{ createdBy: "ann", committedBy: null, committedAt: null, undoneBy: null, undoneAt: null },
  }
  const now = Temporal.Instant.from("2026-11-02T08:00:00Z")
  const choices = { applyChanges: true, changesOn: "2026-11-02", leaversOn: "2026-11-02" }
  const given = {
    policyStatus: "Active" as const,
    latestStarter: { name: "Ben Botha", number: "M-1", from: "2026-11-01" },
  }

  test("refuses an empty import, a closed policy, and leavers' ends before their cover starts", () => {
    expect(importList(list, choices, given)).toMatchObject({ value: { status: "committing", version: 2 }, facts: [] })
    const nothing = { ...choices, applyChanges: false, leaversOn: null }
    expect(importList(list, nothing, given)).toMatchObject({ refused: "NOTHING_TO_IMPORT" })
    expect(importList(list, choices, { ...given, policyStatus: "Expired" })).toMatchObject({ refused: "POLICY_ENDED" })
    expect(importList(list, choices, { ...given, policyStatus: "Draft" })).toMatchObject({ refused: "INVALID" })
    expect(importList(list, { ...choices, leaversOn: "2026-10-31" }, given)).toMatchObject({
      refused: "INVALID",
      message: "Ben Botha (M-1): The date is before the start of cover, 2026-11-01.",
    })
    expect(importList({ ...list, status: "uploaded" }, choices, given)).toMatchObject({
      refused: "WRONG_STATUS",
      message: "A staff list that is uploaded cannot be imported.",
    })
  })

  test("a finished import records facts on the list and on the policy", () => {
    const done = { added: 1, changed: 2, ended: 0, refused: 1 }
    expect(finishImport({ ...list, status: "committing" }, done, now)).toMatchObject({
      value: { status: "completed", addedCount: 1, committedAt: now.toString(), rowsFileId: null },
      facts: [
        { type: "StaffListImported", refused: 1 },
        { type: "MembersImported", record: { kind: "policy", label: "GP-2026-000001" }, added: 1 },
      ],
    })
  })

  test("a group administrator undoes only their own imports", () => {
    const completed = { ...list, status: "completed" as const }
    const undo = (userId: string, seesAllGroups: boolean) => checkUndo(completed, { userId, seesAllGroups }, "Active")
    expect([undo("ann", false), undo("ben", true)]).toEqual([true, true])
    expect(undo("ben", false)).toMatchObject({ refused: "FORBIDDEN" })
    expect(checkUndo(completed, { userId: "ann", seesAllGroups: true }, "Terminated")).toMatchObject({
      refused: "POLICY_ENDED",
    })
    expect(checkUndo(list, { userId: "ann", seesAllGroups: true }, "Active")).toMatchObject({ refused: "WRONG_STATUS" })
  })

  test("a discarded list stores no personal data", () => {
    expect(discardList(list)).toMatchObject({ value: { sample: [], fileId: null, rowsFileId: null } })
  })
})

test("a row has a result only after its list was imported", () => {
  const joiner = { status: "ready", outcome: "joiner" } as const
  for (const list of ["uploaded", "checking", "ready", "committing"] as const)
    expect(rowResult(list, joiner)).toBeNull()
  expect(rowResult("completed", joiner)).toBe("Imported")
  expect(rowResult("completed", { status: "warning", outcome: "change" })).toBe("Imported")
  expect(rowResult("completed", { status: "ready", outcome: "unchanged" })).toBe("Unchanged")
  expect(rowResult("completed", { status: "error", outcome: null })).toBe("Left out")
  expect(rowResult("completed", { status: "ready", outcome: "leaver" })).toBeNull()
  expect(rowResult("undone", joiner)).toBe("Undone")
})
