import { type Day, formatMonth } from "@milkwood/domain/kernel/calendar"
import { employerSentence } from "@milkwood/domain/reports/employer-sentence"
import { findOutstandingList } from "@milkwood/domain/staff-lists/expected-staff-list"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createImportedList, openStaffListApp, type StaffListApp } from "./staff-lists.samples.ts"

let desk: StaffListApp
let manager: ReturnType<StaffListApp["app"]["as"]>
beforeAll(async () => {
  desk = await openStaffListApp()
  manager = desk.app.as(desk.app.people.manager)
})
afterAll(() => desk.app.close())

const outstandingOf = async (policyId: string, client = manager) =>
  (await client.staffLists.outstanding({ pageSize: 100 })).rows.find(({ id }) => id === policyId)

async function createExpectingPolicy(groupName: string, staffListDay: number | null) {
  const policy = await createActivePolicy(manager, { groupName })
  const { id: policyId, version, terms } = policy
  return manager.policies.updateSection({
    ...{ policyId, version, change: { section: "terms", values: { ...terms, staffListDay } } },
  })
}

test("a policy expects lists from the day on which its due day is set; an imported list settles the month", async () => {
  desk.app.clock.set("2026-11-20T08:00:00Z")
  const { id, groupId, terms } = await createExpectingPolicy("Aloe Foods", 25)
  expect(terms.staffListDay).toBe(25)
  expect(await outstandingOf(id)).toMatchObject({ month: "2026-11-01", dueOn: "2026-11-25", state: "expected" })
  // 26 November begins in Johannesburg at 22:00 UTC.
  desk.app.clock.set("2026-11-25T21:59:00Z")
  expect(await outstandingOf(id)).toMatchObject({ state: "expected", daysLate: 0 })
  desk.app.clock.set("2026-11-25T22:01:00Z")
  expect(await outstandingOf(id)).toMatchObject({ state: "late", daysLate: 1, lastListOn: null })
  const account = await manager.reports.employerAccount({ groupId })
  expect(account.staffLists[0]!.outstanding).toEqual({ month: "2026-11-01", dueOn: "2026-11-25", state: "late" })
  expect(employerSentence({ ...account, closedOn: null }, "YYYY-MM-DD", "ZAR")).toContain(
    `list of ${formatMonth("2026-11-01")} missing`,
  )
  expect(await manager.reports.needsYou({})).toContainEqual(
    expect.objectContaining({ key: "staffListsLate", count: 1, late: 1, dueOn: "2026-11-25" }),
  )

  const rows = "First name,Last name,Passport,Email,Group\nAnn,Nkosi,A1234567,ann@list.example,Aloe Foods\n"
  await createImportedList(desk, desk.app.people.manager, id, "november.csv", rows)
  expect(await outstandingOf(id)).toBeUndefined()
  desk.app.clock.set("2026-12-01T08:00:00Z")
  expect(await outstandingOf(id)).toMatchObject({ month: "2026-12-01", lastListOn: "2026-11-26" })
})

test("saving the terms without the due day keeps it; an empty one ends the expectation", async () => {
  desk.app.clock.set("2026-12-02T08:00:00Z")
  const { id: policyId, version, terms } = await createExpectingPolicy("Broom Foods", 10)
  const { staffListDay: _, ...others } = terms
  const save = (at: number, values: typeof terms) =>
    manager.policies.updateSection({ policyId, version: at, change: { section: "terms", values } })
  const kept = await save(version, { ...others, dueDays: 12 })
  expect(kept.terms.staffListDay).toBe(10)
  await expect(save(kept.version, { ...terms, staffListDay: 29 })).rejects.toMatchObject({ code: "INVALID" })
  await save(kept.version, { ...terms, staffListDay: null })
  expect(await outstandingOf(policyId)).toBeUndefined()
})

test("HR sees only the lists of its own employers, and is asked for them on the dashboard", async () => {
  desk.app.clock.set("2026-12-02T08:00:00Z")
  const own = await createExpectingPolicy("Cedar Foods", 15)
  await createExpectingPolicy("Dune Foods", 15)
  const hr = desk.app.as(await desk.app.people.groupAdmin(own.groupId))
  expect((await hr.staffLists.outstanding({})).rows.map(({ id }) => id)).toEqual([own.id])
  expect(await hr.reports.needsYou({})).toContainEqual(
    expect.objectContaining({
      key: "staffListsToSend",
      count: 1,
      late: 0,
      dueOn: "2026-12-15",
      next: "/members/import",
    }),
  )
  expect((await hr.reports.employerStanding({}))!.listsToSend).toEqual([
    { policyId: own.id, policyNumber: own.number, month: "2026-12-01", dueOn: "2026-12-15", state: "expected" },
  ])
})

test("the database finds the same outstanding lists as the rule", async () => {
  const days = [1, 15, 28]
  const sinces: Day[] = ["2026-01-01", "2026-10-15", "2026-10-31", "2026-11-28", "2026-12-01"]
  const policies: { id: string; staffListDay: number; since: Day; endOn: Day | null }[] = []
  desk.app.clock.set("2026-01-01T08:00:00Z")
  for (const [index, since] of sinces.entries()) {
    const { id } = await createExpectingPolicy(`Rule ${index}`, 1)
    policies.push({ id, staffListDay: 1, since, endOn: index % 2 === 0 ? null : "2026-11-20" })
  }
  for (const staffListDay of days) {
    for (const { id, since, endOn } of policies)
      await desk.app.sql.run(sql`
        update policies set staff_list_day = ${staffListDay}, staff_lists_from_on = ${since}, end_on = ${endOn} where id = ${id}`)
    for (const today of ["2026-10-31", "2026-11-01", "2026-11-15", "2026-11-29", "2026-12-31"]) {
      desk.app.clock.set(`${today}T08:00:00Z`)
      const { rows } = await manager.staffLists.outstanding({ pageSize: 100 })
      for (const { id, since, endOn } of policies) {
        const found = rows.find((row) => row.id === id)
        const { month, dueOn, state, daysLate } = found ?? {}
        expect(found ? { month, dueOn, state, daysLate } : null).toEqual(
          findOutstandingList({ staffListDay, since, endOn, lastSentOn: null }, today),
        )
      }
    }
  }
})
