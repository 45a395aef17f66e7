import { expect, test } from "vitest"
import { findOutstandingList, type StaffListTerms } from "./expected-staff-list.ts"

const terms: StaffListTerms = { staffListDay: 15, since: "2026-01-01", endOn: null, lastSentOn: "2026-10-20" }
const november = { month: "2026-11-01", dueOn: "2026-11-15" }

test.each([
  ["2026-10-31", null],
  ["2026-11-01", { ...november, state: "expected", daysLate: 0 }],
  ["2026-11-15", { ...november, state: "expected", daysLate: 0 }],
  ["2026-11-16", { ...november, state: "late", daysLate: 1 }],
  ["2026-12-01", { ...november, state: "late", daysLate: 16 }],
])("after a list in October, the list outstanding on %s is %o", (today, outstanding) =>
  expect(findOutstandingList(terms, today)).toEqual(outstanding))

test("a list sent on the first or last day of a month is the list of that month", () => {
  expect(findOutstandingList({ ...terms, lastSentOn: "2026-11-01" }, "2026-11-30")).toBeNull()
  expect(findOutstandingList({ ...terms, lastSentOn: "2026-11-30" }, "2026-12-01")).toMatchObject({
    month: "2026-12-01",
  })
})

test("a list replaces the missing lists of earlier months", () => {
  expect(findOutstandingList({ ...terms, lastSentOn: null }, "2026-11-20")).toMatchObject({ month: "2026-01-01" })
  expect(findOutstandingList({ ...terms, lastSentOn: "2026-11-20" }, "2026-11-20")).toBeNull()
})

test("the first list is due on the first due day on or after the start", () => {
  const first = { ...terms, lastSentOn: null }
  expect(findOutstandingList({ ...first, since: "2026-11-15" }, "2026-11-15")).toMatchObject(november)
  expect(findOutstandingList({ ...first, since: "2026-11-16" }, "2026-11-30")).toBeNull()
  expect(findOutstandingList({ ...first, since: "2026-11-16" }, "2026-12-01")).toMatchObject({ dueOn: "2026-12-15" })
})

test("nothing is expected without a day, or due after the end of the policy", () => {
  expect(findOutstandingList({ ...terms, staffListDay: null }, "2026-11-20")).toBeNull()
  expect(findOutstandingList({ ...terms, endOn: "2026-11-14" }, "2026-11-14")).toBeNull()
  expect(findOutstandingList({ ...terms, endOn: "2026-11-15" }, "2026-11-14")).toMatchObject(november)
})
