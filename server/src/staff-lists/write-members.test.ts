import { randomUUID } from "node:crypto"
import { missingMemberFields } from "@milkwood/domain/members/member"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember, sampleIdNumber } from "../members/members.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createCheckedList, openStaffListApp, type StaffListApp } from "./staff-lists.samples.ts"
import { toCompleteSql } from "./write-members.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const managerClient = () => desk.app.as(managerActor())

const createCsv = (...rows: string[]) =>
  ["First Name,Last Name,ID Number,Email,Start Date,Group Policy", ...rows].join("\n")
const anna = "Anna,Nkosi,8506255853085,anna@list.example,2026-09-01,"

test("refuses a last day before the start of a leaver's cover", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Leavers" })
  const first = await createMember(managerClient(), policy.id, { startOn: "2025-06-01" })
  const late = await createMember(managerClient(), policy.id, {
    startOn: "2026-06-01",
    firstName: "Ben",
    lastName: "Botha",
  })
  const gone = await createMember(managerClient(), policy.id, { startOn: "2027-01-01" })
  const { id: importId, version } = await createCheckedList(
    desk,
    managerActor(),
    policy.id,
    "list.csv",
    createCsv(anna),
  )
  // A member terminated manually after the check is not a leaver of the list.
  const { id: memberId, version: read } = gone
  await managerClient().members.terminate({ memberId, version: read, on: "2027-01-01", reason: "Does not come" })
  const { staffLists } = managerClient()
  const commit = (leaversOn: string) =>
    staffLists.import({ importId, version, idempotencyKey: randomUUID(), leaversOn })
  // A year too early.
  const message = `Ben Botha (${late.number}): The date is before the start of cover, 2026-06-01`
  await expect(commit("2025-11-30")).rejects.toMatchObject({
    code: "INVALID",
    message: `${message}.`,
    data: { fields: [{ path: "leaversOn", message }] },
  })
  expect(await staffLists.detail({ importId })).toMatchObject({ status: "ready", version })
  await commit("2026-06-01")
  await desk.app.runJobs()
  const covers = async (memberId: string) =>
    (await managerClient().members.detail({ memberId })).covers.map(({ from, until }) => [from, until])
  expect(await covers(first.id)).toEqual([["2026-01-01", "2026-06-01"]])
  expect(await covers(late.id)).toEqual([["2026-06-01", "2026-06-01"]])
  expect(await covers(gone.id)).toEqual([["2027-01-01", "2027-01-01"]])
})

test("payroll numbers become employee numbers, unless another member has the number", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Payroll Works" })
  await createMember(managerClient(), policy.id, { employeeNumber: "P-9", firstName: "Ben", lastName: "Botha" })
  const payroll = (...rows: string[]) =>
    ["Payroll No,First Name,Last Name,ID Number,Email,Group Policy", ...rows].join("\n")
  const person = (number: string, id: string) => `${number},Anna,Nkosi,${id},anna${number}@list.example,`
  const [anna, carl, dora, eve] = [1_201, 1_202, 1_203, 1_204].map(sampleIdNumber) as [string, string, string, string]
  const imported = async (file: string, content: string) => {
    const { id: importId, version } = await createCheckedList(desk, managerActor(), policy.id, file, content)
    const { rows } = await managerClient().staffLists.rows({ importId })
    const refused = rows.flatMap(({ problems }) => problems.filter(({ code }) => code === "employee_number_twice"))
    await managerClient().staffLists.import({ importId, version, idempotencyKey: randomUUID(), applyChanges: true })
    await desk.app.runJobs()
    const { rows: members } = await managerClient().members.list({
      policyId: policy.id,
      sort: "employeeNumber",
      dir: "asc",
    })
    return {
      refused: refused.map(({ sentence }) => sentence),
      numbers: members.map((member) => member.employeeNumber).filter(Boolean),
    }
  }
  const first = [person("P-1", anna), person("P-2", carl), person("p-1", dora), person("P-9", eve)]
  expect(await imported("first.csv", payroll(...first))).toEqual({
    refused: [
      expect.stringMatching(/“p-1” already belongs to row 2/),
      expect.stringMatching(/“P-9” already belongs to Ben Botha \(M/),
    ],
    numbers: ["P-1", "P-2", "P-9"],
  })
  expect(await imported("second.csv", payroll(person("P-7", anna)))).toEqual({
    refused: [],
    numbers: ["P-2", "P-7", "P-9"],
  })
})

test("missing details are the same in bulk and for one member", async () => {
  for (let has = 0; has < 32; has++) {
    const held = <T>(place: number, value: T, nothing: T) => (has & (1 << place) ? value : nothing)
    const member = {
      idNumber: held(0, "8506255853085", null),
      passportNumber: held(1, "A1", null),
      email: held(2, "a@b.example", ""),
      phone: held(3, "0820000000", ""),
      employmentStatus: held(4, "employed" as const, null),
    }
    const found = await desk.app.sql.row(sql`
      select ${toCompleteSql((field) => sql`${member[field as keyof typeof member]}::text`)} as fields`)
    expect(found).toEqual({ fields: missingMemberFields(member) })
  }
})
