import { describe, expect, test } from "vitest"
import type { ListWords } from "../kernel/list.ts"
import type { roles } from "../platform/permission.ts"
import { findConditionProblem, type Operator, operatorsOf } from "./custom-filter.ts"
import {
  type CustomDefinition,
  canMakeReport,
  customColumns,
  customReport,
  customSources,
  customTypes,
  daysOfRange,
  defaultDefinition,
  defaultRange,
  describeDefinition,
  fieldsAllowedFor,
  fieldsWithoutColumn,
  problemsOf,
  reduceDefinition,
  typesAllowedFor,
} from "./custom-report.ts"
import { customDefinition, customReportForm } from "./custom-report-shape.ts"
import { allowedCustomActions } from "./custom-reports.ts"

const createClaimsDefinition = (more: Partial<CustomDefinition> = {}): CustomDefinition => ({
  ...defaultDefinition,
  fields: ["claimNumber", "memberName", "claimAmount"],
  ...more,
})
const problemMessages = (definition: CustomDefinition) => problemsOf(definition).map(({ message }) => message)

describe("custom report fields", () => {
  test("the fields of each report type begin with those of the specification, in its order", () => {
    const titles = (type: (typeof customTypes)[number]) =>
      Object.values(customSources[type].fields).map(({ title }) => title.toLowerCase())
    expect(titles("claims").slice(0, 10)).toEqual([
      ...["claim number", "member name", "policy number", "claim amount", "status", "incident date", "submitted date"],
      ...["claim type", "diagnosis", "hospital name"],
    ])
    expect(titles("members").slice(0, 8)).toEqual([
      ...["member number", "full name", "policy number", "status", "join date", "benefit tier", "employer"],
      "contact information",
    ])
    expect(titles("financial").slice(0, 7)).toEqual([
      ...["invoice number", "policy number", "amount", "payment status", "due date", "payment date", "payment method"],
    ])
    expect(titles("groups").slice(0, 7)).toEqual([
      ...["policy number", "group name", "member count", "premium amount", "status", "start date", "end date"],
    ])
  })

  test("medical and ID number fields are hidden from roles without access", () => {
    const names = (role: (typeof roles)[number] | null) =>
      (["claims", "members"] as const).flatMap((type) => fieldsAllowedFor(type, role).map(([name]) => name))
    for (const role of ["admin", "manager", "underwriter", "group_admin"] as const)
      expect(names(role)).toEqual(expect.arrayContaining(["diagnosis", "hospitalName", "idNumber"]))
    for (const role of ["policy_holder", null] as const)
      for (const name of ["diagnosis", "hospitalName", "idNumber"]) expect(names(role)).not.toContain(name)
  })

  test("guarded fields are refused as column, filter and order for roles without access", () => {
    const seen = createClaimsDefinition()
    const of: Partial<CustomDefinition>[] = [
      { fields: ["claimNumber", "diagnosis"] },
      { filters: [{ field: "diagnosis", operator: "contains", value: "x" }] },
      { order: { by: "diagnosis", dir: "asc" } },
    ]
    for (const more of of) {
      expect(canMakeReport(createClaimsDefinition(more), "underwriter")).toBe(true)
      expect(canMakeReport(createClaimsDefinition(more), null)).toBe(false)
      expect(customReport(createClaimsDefinition(more), "It").medical).toBe(true)
    }
    expect(customReport(seen, "It").medical).toBe(false)
    expect(canMakeReport(seen, "underwriter")).toBe(true)
    for (const role of ["group_admin", "policy_holder", null] as const) expect(canMakeReport(seen, role)).toBe(false)
  })
})

test("member and group reports default to all dates, other reports to the last 30 days", () => {
  expect(customTypes.filter((type) => defaultRange(type) === "all")).toEqual(["members", "groups"])
  expect(customTypes.filter((type) => defaultRange(type) === "last_30_days")).toHaveLength(customTypes.length - 2)
  expect(
    daysOfRange({ ...createClaimsDefinition(), range: "all", from: "2026-01-01", to: "2026-01-31" }, "2026-11-22"),
  ).toEqual({})
})

test("a role can choose only report types that it may read", () => {
  expect(typesAllowedFor("manager")).toEqual(customTypes)
  expect(typesAllowedFor("underwriter")).toEqual(["claims", "members", "groups"])
  for (const role of ["group_admin", "policy_holder", null] as const) expect(typesAllowedFor(role)).toEqual([])
})

describe("a custom report definition", () => {
  test("a definition needs a name and at least one field", () => {
    const form = { name: "Big claims", format: "pdf", definition: createClaimsDefinition() }
    expect(customReportForm.safeParse(form).success).toBe(true)
    const words = "Please provide a report name and select at least one field."
    const said = (more: object) => customReportForm.safeParse({ ...form, ...more }).error?.issues[0]?.message
    expect(said({ name: "  " })).toBe(words)
    expect(said({ definition: createClaimsDefinition({ fields: [] }) })).toBe(words)
  })

  test.each<[string, Partial<CustomDefinition>]>([
    ["Unknown field dueOn for claims", { fields: ["dueOn"] }],
    ["Select each field only once", { fields: ["status", "status"] }],
    ["You cannot group by Claim amount", { groupBy: "claimAmount" }],
    ["You cannot group by Diagnosis", { groupBy: "diagnosis" }],
    ["Sort the report by one of its columns", { order: { by: "status", dir: "asc" } }],
    ["Sort the report by one of its columns", { groupBy: "status", order: { by: "memberName", dir: "asc" } }],
    ["Choose a field to group by before you add a chart", { chart: "bars" }],
    ["A line chart needs a date to group by", { groupBy: "status", chart: "lines" }],
    ["The last day is before the first day", { range: "custom", from: "2026-02-01", to: "2026-01-31" }],
  ])("refuses the definition: %s", (message, more) => {
    expect(problemMessages(createClaimsDefinition(more))).toContain(message)
    expect(customDefinition.safeParse(createClaimsDefinition(more)).success).toBe(false)
  })

  test("a definition contains no text that could become part of an SQL statement", () => {
    const evil = `x" from users; drop table claims; --`
    for (const more of [
      { fields: [evil] },
      { groupBy: evil },
      { order: { by: evil, dir: "asc" } },
      { order: { by: "claimNumber", dir: evil } },
      { type: evil },
      { range: evil },
      { filters: [{ field: evil, operator: "is", value: "x" }] },
      { filters: [{ field: "claimNumber", operator: evil, value: "x" }] },
      { filters: [{ field: "claimAmount", operator: "atLeast", value: evil }] },
      { filters: [{ field: "incidentOn", operator: "from", value: evil }] },
      { filters: [{ field: "status", operator: "is", value: [evil] }] },
      { fields: ["constructor"] },
      { fields: ["__proto__"] },
    ])
      expect(customDefinition.safeParse({ ...createClaimsDefinition(), ...more }).success, JSON.stringify(more)).toBe(
        false,
      )
  })
})

describe("a filter condition", () => {
  test("accepts only operators of its field's type and valid values", () => {
    const { claimNumber, claimAmount, incidentOn, status } = customSources.claims.fields
    const wrong = (field: typeof status, operator: Operator, value: unknown) =>
      findConditionProblem(field!, { operator, value: value as never })
    expect(wrong(claimNumber, "contains", "7")).toBeUndefined()
    expect(wrong(claimNumber, "atLeast", "7")).toBe("This comparison is not possible for Claim number")
    expect(wrong(claimNumber, "contains", " ")).toBe("Enter text to compare with")
    expect(wrong(claimAmount, "atLeast", 1_000_00)).toBeUndefined()
    expect(wrong(claimAmount, "atLeast", 10.5)).toBe("Enter an amount")
    expect(wrong(incidentOn, "from", "2026-02-28")).toBeUndefined()
    for (const day of ["2026-02-29", "yesterday", "0001-01-01", 5])
      expect(wrong(incidentOn, "from", day)).toBe("Enter a date")
    expect(wrong(status, "is", ["approved", "paid"])).toBeUndefined()
    expect(wrong(status, "is", [])).toBe("Choose a value for Status")
    expect(wrong(status, "is", ["draft"])).toBe("Choose a value from the list of Status")
    expect(wrong(claimAmount, "isEmpty", null)).toBeUndefined()
    for (const { fields } of Object.values(customSources))
      for (const field of Object.values(fields)) expect(operatorsOf(field).length).toBeGreaterThan(1)
  })
})

test("a range is converted to days; a custom range may be open at either end", () => {
  const days = (range: CustomDefinition["range"], more = {}) =>
    daysOfRange(createClaimsDefinition({ range, ...more }), "2026-03-01")
  expect(days("last_7_days")).toEqual({ from: "2026-02-23", to: "2026-03-01" })
  expect(days("last_30_days")).toEqual({ from: "2026-01-31", to: "2026-03-01" })
  expect(days("last_90_days")).toEqual({ from: "2025-12-02", to: "2026-03-01" })
  expect(days("last_year")).toEqual({ from: "2025-03-02", to: "2026-03-01" })
  expect(days("custom")).toEqual({})
  expect(days("custom", { from: "2026-01-01" })).toEqual({ from: "2026-01-01" })
})

test("a grouped report has columns for the group, the row count and the sums", () => {
  const grouped = createClaimsDefinition({ groupBy: "submittedOn", chart: "lines", order: { by: "rows", dir: "desc" } })
  expect(customColumns(grouped).map(([name, { title }]) => [name, title])).toEqual([
    ["submittedOn", "Submitted date (month)"],
    ["rows", "Claims"],
    ["claimAmount", "Claim amount"],
  ])
  expect(fieldsWithoutColumn(grouped).map(({ title }) => title)).toEqual(["Claim number", "Member name"])
  const { list, chart } = customReport(grouped, "It")
  expect(list).toMatchObject({ order: "-rows", sums: ["rows", "claimAmount"] })
  expect(chart).toEqual({ by: "submittedOn", of: ["claimAmount"], as: "lines" })
  expect((list as ListWords).columns.submittedOn?.kind).toBe("month")
})

test("a saved report keeps its existing fields and lists the removed ones", () => {
  const stored = createClaimsDefinition({
    fields: ["claimNumber", "shoeSize", "claimAmount"],
    filters: [
      { field: "shoeSize", operator: "is", value: 43 },
      { field: "claimAmount", operator: "atLeast", value: 1_00 },
    ],
    groupBy: "shoeSize",
    chart: "bars",
    order: { by: "shoeSize", dir: "asc" },
  })
  const { definition, missing, missingFilters } = reduceDefinition(stored)
  expect(definition).toEqual(
    createClaimsDefinition({
      fields: ["claimNumber", "claimAmount"],
      filters: [{ field: "claimAmount", operator: "atLeast", value: 1_00 }],
    }),
  )
  expect(problemsOf(definition)).toEqual([])
  expect([missing, missingFilters]).toEqual([["shoeSize"], ["shoeSize"]])
  expect(reduceDefinition(createClaimsDefinition())).toEqual({
    definition: createClaimsDefinition(),
    missing: [],
    missingFilters: [],
  })
})

test("range, filters and group of a custom report are described as a sentence", () => {
  const words = describeDefinition(
    createClaimsDefinition({
      filters: [
        { field: "status", operator: "is", value: ["approved", "paid"] },
        { field: "claimAmount", operator: "atLeast", value: 1_000_00 },
        { field: "decidedOn", operator: "isNotEmpty", value: null },
        { field: "incidentOn", operator: "from", value: "2026-01-31" },
        { field: "memberName", operator: "contains", value: "nko" },
      ],
      groupBy: "status",
    }),
    { from: "2026-01-01", to: "2026-01-31" },
    "DD-MM-YYYY",
    "ZAR",
  )
  expect(words.replaceAll("\u00a0", " ")).toBe(
    'Submitted date 01-01-2026 to 31-01-2026 · Status is Approved or Paid · Claim amount is at least R 1 000,00 · Decided date is not empty · Incident date is on or after 31-01-2026 · Member name contains "nko" · By Status',
  )
})

test("only the owner edits a saved report; other permitted users open it if shared", () => {
  const kept = { ownerId: "o", isOrphaned: false, sharedWith: ["underwriter"], definition: createClaimsDefinition() }
  const may = (userId: string, role: (typeof roles)[number] | null, more: object = {}) =>
    allowedCustomActions({ ...kept, ...more }, { userId, role })
  expect(may("o", "manager")).toEqual(["open", "edit", "delete"])
  expect(may("o", "group_admin")).toEqual(["delete"])
  expect(may("u", "underwriter")).toEqual(["open"])
  expect(may("m", "manager")).toEqual([])
  expect(may("a", "admin")).toEqual([])
  expect(may("a", "admin", { isOrphaned: true })).toEqual(["open", "delete"])
  expect(may("u", "underwriter", { isOrphaned: true })).toEqual(["open"])
  const financial = { ...defaultDefinition, type: "financial" as const, fields: ["amount"] }
  expect(may("u", "underwriter", { definition: financial })).toEqual([])
})
