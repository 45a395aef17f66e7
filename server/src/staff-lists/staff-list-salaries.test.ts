import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { RateTable } from "@milkwood/domain/policies/rates"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember, sampleIdNumber } from "../members/members.samples.ts"
import { streamXlsx } from "../platform/lists/xlsx.ts"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import { createCheckedList, openStaffListApp, type StaffListApp } from "./staff-lists.samples.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const managerClient = () => desk.app.as(managerActor())
let personCount = 3_000
let groups = 0

/** A rate per mille of 36 monthly salaries. */
const salaryRates: RateTable = {
  ageOn: "month",
  sumAssured: { kind: "salary", multiple: 36 },
  rows: [{ person: "member", tierId: null, ageFrom: null, ageUntil: null, cents: null, perMille: 0.85 }],
}

/** An active policy with rates by salary and a member who has earned R 20 000 since September. */
async function createSalaryScene() {
  const draft = await createDraftPolicy(managerClient(), { groupName: `Paid ${++groups}`, startOn: "2026-09-01" })
  const person = personCount++
  const member = await createMember(managerClient(), draft.id, { person, startOn: "2026-09-01", firstName: "Thandi" })
  const salary = { memberId: member.id, version: member.version, monthlyCents: 20_000_00, on: "2026-09-01" }
  await managerClient().members.setSalary(salary)
  const { version } = await managerClient().policies.detail({ policyId: draft.id })
  await managerClient().policies.saveRates({ policyId: draft.id, version, rates: salaryRates })
  const read = await managerClient().policies.detail({ policyId: draft.id })
  const policy = await managerClient().policies.activate({ policyId: draft.id, version: read.version })
  desk.app.clock.advance({ seconds: 1 })
  return { policyId: policy.id, groupId: policy.groupId, memberId: member.id, person }
}

const header = "First Name,Last Name,ID Number,Email,Group Policy,Benefit Tier,Start Date,Basic Salary"
const createRow = (person: number, firstName: string, salary: string) =>
  `${firstName},Mokoena,${sampleIdNumber(person)},p${person}@list.example,,Standard,2026-09-01,"${salary}"`
const createCsv = (...rows: string[]) => [header, ...rows].join("\n")

async function importList(list: { id: string; version: number }, changesOn?: Day) {
  const { staffLists } = managerClient()
  const choices = { importId: list.id, version: list.version, idempotencyKey: randomUUID() }
  await staffLists.import({ ...choices, ...(changesOn && { changesOn }) })
  await desk.app.runJobs()
  desk.app.clock.advance({ seconds: 1 })
  const done = await staffLists.detail({ importId: list.id })
  expect(done.status).toBe("completed")
  return done
}

const readSalariesOf = (memberId: string) => managerClient().members.salaries({ memberId })
const readNamesOf = async (policyId: string) => {
  const { rows } = await managerClient().members.list({ policyId, pageSize: 100 })
  return new Map(rows.map(({ id, firstName }) => [firstName, id]))
}

test("a list sets joiners' salaries from their start and members' salaries from a chosen day", async () => {
  const { policyId, memberId, person } = await createSalaryScene()
  const list = createCsv(createRow(person, "Thandi", "R 21 000,00"), createRow(personCount++, "Sipho", "18500.50"))
  const checked = await createCheckedList(desk, managerActor(), policyId, "list.csv", list)
  expect(checked.mapping.salary).toBe(7)
  expect(checked.counts).toMatchObject({ joiner: 1, change: 1, ready: 2 })
  const { rows } = await managerClient().staffLists.rows({ importId: checked.id })
  expect(rows.map(({ salaryCents }) => salaryCents)).toEqual([21_000_00, 18_500_50])
  expect(JSON.parse(JSON.stringify(rows[0]!.changes).replaceAll("\u00a0", " "))).toContainEqual({
    field: "Monthly salary",
    before: "R 20 000,00",
    after: "R 21 000,00",
  })
  await importList(checked, "2026-11-01")
  expect(await readSalariesOf(memberId)).toEqual([
    { fromOn: "2026-11-01", untilOn: null, monthlyCents: 21_000_00 },
    { fromOn: "2026-09-01", untilOn: "2026-10-31", monthlyCents: 20_000_00 },
  ])
  const sipho = (await readNamesOf(policyId)).get("Sipho")!
  expect(await readSalariesOf(sipho)).toEqual([{ fromOn: "2026-09-01", untilOn: null, monthlyCents: 18_500_50 }])
  const again = await createCheckedList(desk, managerActor(), policyId, "list.csv", list)
  expect(again.counts).toMatchObject({ joiner: 0, change: 0, unchanged: 2 })
})

test("reads workbook amounts to the cent and does not map an annual salary as monthly", async () => {
  const { policyId, person } = await createSalaryScene()
  const rows = [{ number: sampleIdNumber(person), pay: 21_000.25, year: 252_003 }]
  const pieces: Buffer[] = []
  const text = (title: string, value: string) => ({ title, kind: "text" as const, value: () => value })
  type Row = (typeof rows)[number]
  const columns = [
    ...[text("First Name", "Thandi"), text("Last Name", "Mokoena"), text("Email", "t@list.example")],
    { title: "ID Number", kind: "text" as const, value: ({ number }: Row) => number },
    text("Group Policy", ""),
    { title: "Annual Salary", kind: "money" as const, value: ({ year }: Row) => year },
    { title: "Gross Monthly Salary", kind: "money" as const, value: ({ pay }: Row) => pay },
  ]
  async function* rowBatches() {
    yield rows
  }
  for await (const piece of streamXlsx("Staff", columns, rowBatches())) pieces.push(piece)
  const checked = await createCheckedList(desk, managerActor(), policyId, "list.xlsx", Buffer.concat(pieces))
  expect(checked.mapping.salary).toBe(6)
  const shown = await managerClient().staffLists.rows({ importId: checked.id })
  expect(shown.rows[0]).toMatchObject({ salaryCents: 21_000_25, outcome: "change" })
})

test("rows with an invalid or missing salary are refused and returned for correction", async () => {
  const { policyId, person } = await createSalaryScene()
  const list = createCsv(
    createRow(person, "Thandi", ""),
    createRow(personCount++, "Sipho", ""),
    createRow(personCount++, "Ann", "lots"),
    createRow(personCount++, "Ben", "25.000"),
    createRow(personCount++, "Cas", "-5"),
  )
  const checked = await createCheckedList(desk, managerActor(), policyId, "list.csv", list)
  const { rows } = await managerClient().staffLists.rows({ importId: checked.id })
  expect(rows.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
    // The salary is already known, so the list may leave it out.
    [],
    ["no_salary"],
    ["bad_salary"],
    ["bad_salary"],
    ["bad_salary"],
  ])
  expect(rows[2]!.problems[0]!.sentence).toMatch(/^The monthly salary “lots” is not an amount/)
  const file = await fetch(`${desk.server.url}/api/members/imports/${checked.id}/refused`, {
    headers: { "x-test-user": managerActor().userId },
  })
  const refused = await file.text()
  expect(refused).toContain("lots")
  const corrected = refused
    .replace("lots", "1 000,00")
    .replace("25.000", "25 000")
    .replace(/"?'?-5"?/, "500")
  const second = await createCheckedList(desk, managerActor(), policyId, "corrected.csv", corrected)
  expect(second.counts).toMatchObject({ joiner: 3, error: 0 })
})

test("a user without access to salaries sees no contents of a list", async () => {
  const { policyId, groupId, person } = await createSalaryScene()
  const list = `${createCsv(createRow(person, "Thandi", "21000"), createRow(personCount++, "Sipho", "31000"), createRow(personCount++, "Ann", "R 41000 pm"))}\nTotal,52000`
  const checked = await createCheckedList(desk, managerActor(), policyId, "list.csv", list)
  expect(checked.notes.join()).toContain("52000")
  const holder = desk.app.as(await desk.app.people.policyHolder(groupId)).staffLists
  const seen = [await holder.detail({ importId: checked.id }), await holder.rows({ importId: checked.id })]
  expect(JSON.stringify(seen)).not.toMatch(/2[01].?000|31.?000|41.?000|52.?000|Monthly salary:/i)
  const admin = desk.app.as(await desk.app.people.groupAdmin(groupId)).staffLists
  expect((await admin.rows({ importId: checked.id })).rows[0]!.salaryCents).toBe(21_000_00)
})

test("the audit trail omits the amounts of salary changes, and undo restores the previous salary", async () => {
  const { policyId, memberId, person } = await createSalaryScene()
  const before = await readSalariesOf(memberId)
  const { personal, contact } = await managerClient().members.detail({ memberId })
  const row = [personal.firstName, personal.lastName, sampleIdNumber(person), contact.email, "", "", "", "23456.78"]
  const list = createCsv(row.join(","), createRow(personCount++, "Sipho", "34567.89"))
  const checked = await createCheckedList(desk, managerActor(), policyId, "list.csv", list)
  const done = await importList(checked, "2026-10-01")
  const sipho = (await readNamesOf(policyId)).get("Sipho")!
  const told = async (id: string) =>
    (await managerClient().members.activity({ memberId: id })).map(({ sentence }) => sentence)
  expect((await told(memberId))[0]).toBe("set the salary from 2026-10-01")
  expect(await told(memberId)).not.toContain("edited the member's details")
  expect(await told(sipho)).toContain("set the salary from 2026-09-01")
  const { staffLists } = managerClient()
  await staffLists.undo({ importId: done.id, version: done.version })
  expect(await readSalariesOf(memberId)).toEqual(before)
  expect((await told(memberId))[0]).toMatch(/import of the staff list list.csv was undone$/)
  expect(
    await desk.app.sql.rows(sql`select 1 from member_salaries where member_id = ${sipho} and superseded_at is null`),
  ).toEqual([])
  const trail = await desk.app.sql.rows(sql`select detail from audit_log where group_id = ${done.groupId}`)
  expect(JSON.stringify(trail)).not.toMatch(/23.?456|34.?567|2345678|3456789|20.?000/)
})

test("undoing an import keeps a salary that was set again since", async () => {
  const { policyId, memberId, person } = await createSalaryScene()
  const list = createCsv(createRow(person, "Thandi", "21000"))
  const done = await importList(await createCheckedList(desk, managerActor(), policyId, "list.csv", list), "2026-10-01")
  const { version } = await managerClient().members.detail({ memberId })
  await managerClient().members.setSalary({ memberId, version, monthlyCents: 22_000_00, on: "2026-12-01" })
  desk.app.clock.advance({ seconds: 1 })
  const kept = await readSalariesOf(memberId)
  await managerClient().staffLists.undo({ importId: done.id, version: done.version })
  expect(await readSalariesOf(memberId)).toEqual(kept)
})

test("a draft member's salary starts with the member, and is required only for salary rates", async () => {
  const draft = await createDraftPolicy(managerClient(), { groupName: `Draft ${++groups}`, startOn: "2026-10-01" })
  const person = personCount++
  const { id: memberId } = await createMember(managerClient(), draft.id, { person, startOn: "2026-10-01" })
  const checked = await createCheckedList(
    desk,
    managerActor(),
    draft.id,
    "list.csv",
    createCsv(createRow(person, "Thandi", "21000")),
  )
  await importList(checked)
  expect(await readSalariesOf(memberId)).toEqual([{ fromOn: "2026-10-01", untilOn: null, monthlyCents: 21_000_00 }])
  const policy = await createActivePolicy(managerClient(), { groupName: `Flat ${++groups}` })
  const flat = await createCheckedList(
    desk,
    managerActor(),
    policy.id,
    "list.csv",
    createCsv(createRow(personCount++, "Sipho", "")),
  )
  expect(flat.counts).toMatchObject({ joiner: 1, warning: 0 })
})
