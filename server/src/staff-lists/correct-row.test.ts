import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sampleIdNumber } from "../members/members.samples.ts"
import { activePolicy } from "../policies/policies.samples.ts"
import { checkedList, type Desk, importedList, openStaffListApp } from "./staff-lists.samples.ts"

let desk: Desk
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const manager = () => desk.app.people.manager
const client = () => desk.app.as(manager())
const wrongId = "8001015009088"
const file = (group: string) => `First name,Last name,ID number,Email,Group,Salary
Ann,Nkosi,${sampleIdNumber(810_001)},ann@c.example,${group},10 000
Ben,Botha,${wrongId},not an address,${group},20 000
Cleo,Smit,${sampleIdNumber(810_002)},cleo@c.example,${group},30 000
`
const refused = async (importId: string) => (await client().staffLists.rows({ importId, status: "error" })).rows
const corrected = async (importId: string, line: number, cells: { column: number; text: string }[]) => {
  const { version } = await client().staffLists.detail({ importId })
  const found = await client().staffLists.correct({ importId, version, line, cells })
  expect(found.status).toBe("checking")
  await desk.app.runJobs()
  return client().staffLists.detail({ importId })
}

test("a refused row is corrected per cell, checked again and imported with the others", async () => {
  const policy = await activePolicy(client(), { groupName: "Corrected Coal" })
  const { id: importId } = await checkedList(desk, manager(), policy.id, "list.csv", file("Corrected Coal"))
  const [row] = await refused(importId)
  expect(row).toMatchObject({ line: 3, cells: ["Ben", "Botha", wrongId, "not an address", "Corrected Coal", "20 000"] })
  const once = await corrected(importId, 3, [{ column: 3, text: "ben@c.example" }])
  expect(once.counts).toMatchObject({ error: 1, joiner: 2 })
  const [still] = await refused(importId)
  expect(still?.cells?.[3]).toBe("ben@c.example")
  const wrong = still?.problems.map(({ field }) => field)
  expect(wrong).toContain("idNumber")
  expect(wrong).not.toContain("email")
  const mended = await corrected(importId, 3, [{ column: 2, text: sampleIdNumber(810_003) }])
  expect(mended.counts).toMatchObject({ error: 0, joiner: 3 })

  const { version } = mended
  await client().staffLists.import({ importId, version, idempotencyKey: crypto.randomUUID() })
  await desk.app.runJobs()
  const { rows } = await client().members.list({ policyId: policy.id, search: "ben@c.example" })
  expect(rows).toMatchObject([{ firstName: "Ben", email: "ben@c.example", idNumber: sampleIdNumber(810_003) }])
  const [kept] = await desk.app.sql.rows(sql`select corrections from staff_lists where id = ${importId}`)
  expect(kept).toEqual({ corrections: {} })
})

test("the download of refused rows includes corrections; discarding the list deletes them", async () => {
  const policy = await activePolicy(client(), { groupName: "Refused Reeds" })
  const { id: importId } = await checkedList(desk, manager(), policy.id, "list.csv", file("Refused Reeds"))
  const { version } = await corrected(importId, 3, [{ column: 3, text: "ben@r.example" }])
  const answer = await fetch(`${desk.server.url}/api/members/imports/${importId}/refused`, {
    headers: desk.server.headersOf(manager()),
  })
  expect(await answer.text()).toContain(`Ben,Botha,${wrongId},ben@r.example`)
  await client().staffLists.discard({ importId, version })
  const [kept] = await desk.app.sql.rows(sql`select corrections from staff_lists where id = ${importId}`)
  expect(kept).toEqual({ corrections: {} })
})

test("refuses a missing column, an imported list, a stale version and another group's list", async () => {
  const policy = await activePolicy(client(), { groupName: "Refusing Rocks" })
  const { id: importId, version } = await checkedList(desk, manager(), policy.id, "list.csv", file("Refusing Rocks"))
  const ask = { importId, version, line: 3, cells: [{ column: 3, text: "b@c.example" }] }
  await expect(client().staffLists.correct({ ...ask, cells: [{ column: 6, text: "x" }] })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "cells.0.column" }] },
  })
  await expect(client().staffLists.correct({ ...ask, version: version - 1 })).rejects.toMatchObject({ code: "STALE" })
  const stranger = await desk.app.people.groupAdmin()
  await expect(desk.app.as(stranger).staffLists.correct(ask)).rejects.toMatchObject({ code: "NOT_FOUND" })
  const holder = await desk.app.people.policyHolder(policy.groupId)
  await expect(desk.app.as(holder).staffLists.correct(ask)).rejects.toMatchObject({ code: "FORBIDDEN" })
  expect((await desk.app.as(holder).staffLists.rows({ importId })).rows.every(({ cells }) => cells === null)).toBe(true)
  const done = await importedList(desk, manager(), policy.id, "other.csv", file("Refusing Rocks"))
  await expect(client().staffLists.correct({ ...ask, importId: done.id, version: done.version })).rejects.toMatchObject(
    { code: "WRONG_STATUS" },
  )
})
