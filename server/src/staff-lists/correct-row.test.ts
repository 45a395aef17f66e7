import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sampleIdNumber } from "../members/members.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createCheckedList, createImportedList, openStaffListApp, type StaffListApp } from "./staff-lists.samples.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const managerClient = () => desk.app.as(managerActor())
const invalidIdNumber = "8001015009088"
const csvFor = (group: string) => `First name,Last name,ID number,Email,Group,Salary
Ann,Nkosi,${sampleIdNumber(810_001)},ann@c.example,${group},10 000
Ben,Botha,${invalidIdNumber},not an address,${group},20 000
Cleo,Smit,${sampleIdNumber(810_002)},cleo@c.example,${group},30 000
`
const readErrorRows = async (importId: string) =>
  (await managerClient().staffLists.rows({ importId, status: "error" })).rows
const correctRow = async (importId: string, line: number, cells: { column: number; text: string }[]) => {
  const { version } = await managerClient().staffLists.detail({ importId })
  const found = await managerClient().staffLists.correct({ importId, version, line, cells })
  expect(found.status).toBe("checking")
  await desk.app.runJobs()
  return managerClient().staffLists.detail({ importId })
}

test("a refused row is corrected per cell, checked again and imported with the others", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Corrected Coal" })
  const { id: importId } = await createCheckedList(
    desk,
    managerActor(),
    policy.id,
    "list.csv",
    csvFor("Corrected Coal"),
  )
  const [row] = await readErrorRows(importId)
  expect(row).toMatchObject({
    line: 3,
    cells: ["Ben", "Botha", invalidIdNumber, "not an address", "Corrected Coal", "20 000"],
  })
  const once = await correctRow(importId, 3, [{ column: 3, text: "ben@c.example" }])
  expect(once.counts).toMatchObject({ error: 1, joiner: 2 })
  const [still] = await readErrorRows(importId)
  expect(still?.cells?.[3]).toBe("ben@c.example")
  const wrong = still?.problems.map(({ field }) => field)
  expect(wrong).toContain("idNumber")
  expect(wrong).not.toContain("email")
  const mended = await correctRow(importId, 3, [{ column: 2, text: sampleIdNumber(810_003) }])
  expect(mended.counts).toMatchObject({ error: 0, joiner: 3 })

  const { version } = mended
  await managerClient().staffLists.import({ importId, version, idempotencyKey: crypto.randomUUID() })
  await desk.app.runJobs()
  const { rows } = await managerClient().members.list({ policyId: policy.id, search: "ben@c.example" })
  expect(rows).toMatchObject([{ firstName: "Ben", email: "ben@c.example", idNumber: sampleIdNumber(810_003) }])
  const [kept] = await desk.app.sql.rows(sql`select corrections from staff_lists where id = ${importId}`)
  expect(kept).toEqual({ corrections: {} })
})

test("the file of refused rows includes corrections, and discarding the list deletes them", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Refused Reeds" })
  const { id: importId } = await createCheckedList(desk, managerActor(), policy.id, "list.csv", csvFor("Refused Reeds"))
  const { version } = await correctRow(importId, 3, [{ column: 3, text: "ben@r.example" }])
  const answer = await fetch(`${desk.server.url}/api/members/imports/${importId}/refused`, {
    headers: desk.server.headersOf(managerActor()),
  })
  expect(await answer.text()).toContain(`Ben,Botha,${invalidIdNumber},ben@r.example`)
  await managerClient().staffLists.discard({ importId, version })
  const [kept] = await desk.app.sql.rows(sql`select corrections from staff_lists where id = ${importId}`)
  expect(kept).toEqual({ corrections: {} })
})

test("correcting refuses a missing column, an imported list, a stale version and another group's list", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Refusing Rocks" })
  const { id: importId, version } = await createCheckedList(
    desk,
    managerActor(),
    policy.id,
    "list.csv",
    csvFor("Refusing Rocks"),
  )
  const ask = { importId, version, line: 3, cells: [{ column: 3, text: "b@c.example" }] }
  await expect(managerClient().staffLists.correct({ ...ask, cells: [{ column: 6, text: "x" }] })).rejects.toMatchObject(
    {
      code: "INVALID",
      data: { fields: [{ path: "cells.0.column" }] },
    },
  )
  await expect(managerClient().staffLists.correct({ ...ask, version: version - 1 })).rejects.toMatchObject({
    code: "STALE",
  })
  const stranger = await desk.app.people.groupAdmin()
  await expect(desk.app.as(stranger).staffLists.correct(ask)).rejects.toMatchObject({ code: "NOT_FOUND" })
  const holder = await desk.app.people.policyHolder(policy.groupId)
  await expect(desk.app.as(holder).staffLists.correct(ask)).rejects.toMatchObject({ code: "FORBIDDEN" })
  expect((await desk.app.as(holder).staffLists.rows({ importId })).rows.every(({ cells }) => cells === null)).toBe(true)
  const done = await createImportedList(desk, managerActor(), policy.id, "other.csv", csvFor("Refusing Rocks"))
  await expect(
    managerClient().staffLists.correct({ ...ask, importId: done.id, version: done.version }),
  ).rejects.toMatchObject({ code: "WRONG_STATUS" })
})
