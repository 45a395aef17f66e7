import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { sealAudit, sealFileOf, verifyAudit } from "../platform/trail/sealer.ts"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import { createImportedList, openStaffListApp, type StaffListApp } from "../staff-lists/staff-lists.samples.ts"

/* The audit trail names people removed from a draft until the retention period ends. */

let desk: StaffListApp
let removedMemberIds: string[]
let stayingMemberId: string
beforeAll(async () => {
  desk = await openStaffListApp()
  const { id: policyId } = await createDraftPolicy(managerClient(), { groupName: "Never Insured" })
  const planted = (name: string, of = policyId) =>
    createMember(managerClient(), of, { firstName: name, lastName: "Planted" })
  const byHand = await planted("Hand")
  const corrected = await managerClient().members.update({
    memberId: byHand.id,
    version: byHand.version,
    contact: { ...byHand.contact, address: "7 Planted Road" },
  })
  await managerClient().members.remove({ memberId: byHand.id, version: corrected.version })
  const byList = await planted("List")
  await managerClient().members.bulkRemove({ policyId, text: byList.contact.email })
  stayingMemberId = (await planted("Stays")).id
  const whole = await createDraftPolicy(managerClient(), { groupName: "Thrown Away" })
  const withDraft = await planted("Draft", whole.id)
  const { version } = await managerClient().policies.detail({ policyId: whole.id })
  await managerClient().policies.deleteDraft({ policyId: whole.id, version })
  const undone = await createDraftPolicy(managerClient(), { groupName: "Undone" })
  const list =
    "First Name,Last Name,ID Number,Email,Start Date,Benefit Tier,Group Policy\nImport,Planted,8506255853085,anna@list.example,2026-09-01,Gold,"
  const { id: importId, version: asMade } = await createImportedList(
    desk,
    desk.app.people.manager,
    undone.id,
    "a.csv",
    list,
  )
  const [brought] = (await managerClient().members.list({ policyId: undone.id })).rows
  await managerClient().staffLists.undo({ importId, version: asMade })
  removedMemberIds = [byHand.id, byList.id, withDraft.id, brought!.id]
  await sealAudit(desk.app.app, sealFileOf(desk.app.app))
}, 120_000)
afterAll(() => desk.app.close())

const managerClient = () => desk.app.as(desk.app.people.manager)
const retentionClient = () => desk.app.as(desk.app.people.admin).privacy.retention
const runNightlyRetention = async (day: string) => {
  desk.app.clock.set(`${day}T08:00:00Z`)
  await desk.app.sql.run(sql`
    insert into jobs (id, kind, label, payload, state, run_at, created_at)
    values (gen_random_uuid(), 'privacy.retention', 'Every night', '{}', 'queued', now(), now())`)
  await desk.app.runJobs()
  return (await retentionClient().overview({})).runs[0]
}
const readPersonKeys = async () => {
  const rows = await desk.app.sql.rows<{ id: string }>(sql`select person_id as id from person_keys`)
  return rows.map(({ id }) => id)
}
const readTrailText = async () => {
  const rows = await desk.app.sql.rows<{ text: string }>(sql`select opened_detail(detail)::text as text from audit_log`)
  return rows.map(({ text }) => text).join("\n")
}

test("the audit trail names removed people for the full retention period", async () => {
  await runNightlyRetention("2026-11-21")
  const seen = await desk.app.sql.rows<{ id: string; on: string }>(sql`
    select person_id as id, seen_on as on from removed_people`)
  expect(seen.map(({ id }) => id).sort()).toEqual([...removedMemberIds].sort())
  expect(new Set(seen.map(({ on }) => on))).toEqual(new Set(["2026-11-21"]))
  const shown = await runNightlyRetention("2033-11-21")
  expect(shown?.due.removed_people ?? 0).toBe(0)
  const text = await readTrailText()
  for (const planted of ["Hand Planted", "List Planted", "Draft Planted", "7 Planted Road"])
    expect(text).toContain(planted)
})

test("confirmed removal makes removed people's names unreadable and keeps the audit chain valid", async () => {
  const shown = (await runNightlyRetention("2033-11-22"))!
  expect(shown).toMatchObject({ state: "shown", before: "2026-11-22", due: { removed_people: 4 } })
  expect(await readTrailText()).toContain("7 Planted Road")
  const rows = () => desk.app.sql.row<{ n: number }>(sql`select count(*) as n from audit_log where fact like 'Member%'`)
  const before = await rows()
  await retentionClient().confirm({ runId: shown.id })
  await desk.app.runJobs()
  const done = (await retentionClient().overview({})).runs[0]
  expect(done).toMatchObject({ state: "done", removed: { removed_people: 4 } })
  const text = await readTrailText()
  for (const planted of ["Hand Planted", "List Planted", "Draft Planted", "7 Planted Road"])
    expect(text).not.toContain(planted)
  expect(text).toContain("a former member")
  expect(text).toContain("Stays Planted")
  expect((await readPersonKeys()).filter((id) => removedMemberIds.includes(id))).toEqual([])
  expect(await readPersonKeys()).toContain(stayingMemberId)
  expect(await desk.app.sql.rows(sql`select from removed_people`)).toEqual([])
  expect(await rows()).toEqual(before)
  await sealAudit(desk.app.app, sealFileOf(desk.app.app))
  await expect(verifyAudit(desk.app.app.database, sealFileOf(desk.app.app))).resolves.toMatchObject({
    ok: true,
    faults: [],
  })
})

test("the database refuses to erase keys of current people, within five years or manually", async () => {
  const as = (work: ReturnType<typeof sql>) => desk.app.transaction(desk.app.people.admin, ({ tx }) => tx.run(work))
  // Simulates a current member who was recorded as removed.
  await desk.app.sql.run(sql`insert into removed_people (person_id, seen_on) values (${stayingMemberId}, '2020-01-01')`)
  await as(sql`select forget_removed_people('2026-11-22', '2033-11-22', 100)`)
  expect(await readPersonKeys()).toContain(stayingMemberId)
  await expect(as(sql`select forget_removed_people('2029-11-22', '2033-11-22', 100)`)).rejects.toThrow()
  await expect(as(sql`delete from removed_people`)).rejects.toThrow()
  await expect(
    as(sql`insert into removed_people (person_id, seen_on) values (${stayingMemberId}, '2020-01-01')`),
  ).rejects.toThrow()
})
