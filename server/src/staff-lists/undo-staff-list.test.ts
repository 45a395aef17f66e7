import { randomUUID } from "node:crypto"
import type { TimelineEntry } from "@milkwood/domain/platform/timeline-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { loadPayingIn } from "../members/cover.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import { createCheckedList, createImportedList, openStaffListApp, type StaffListApp } from "./staff-lists.samples.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const managerClient = () => desk.app.as(managerActor())

const createCsv = (...rows: string[]) =>
  ["First Name,Last Name,ID Number,Passport Number,Email,Start Date,Benefit Tier,Group Policy", ...rows].join("\n")
const anna = "Anna,Nkosi,8506255853085,,anna@list.example,2026-09-01,Gold,"
const foreign = "Fola,Ade,,A123456,fola@list.example,2026-09-01,Gold,"

/** Imports a list and ends the cover of members missing from it. */
async function importLeavers(actor: UserActor, policyId: string, content: string, leaversOn: string) {
  desk.app.clock.advance({ hours: 1 })
  const { id: importId, version } = await createCheckedList(desk, actor, policyId, "leavers.csv", content)
  const { staffLists } = desk.app.as(actor)
  await staffLists.import({ importId, version, idempotencyKey: randomUUID(), leaversOn })
  await desk.app.runJobs()
  desk.app.clock.advance({ hours: 1 })
  return staffLists.detail({ importId })
}

async function createMemberAgain(
  policyId: string,
  who: { firstName: string; lastName: string; passportNumber: string },
) {
  const { tiers } = await managerClient().benefits.choices()
  return managerClient().members.create({
    policyId,
    tierId: tiers[0]!.id,
    startOn: "2026-11-16",
    personal: { ...who, idNumber: null, dateOfBirth: null, gender: null },
    contact: { email: "again@list.example", phone: "0820000000", address: "" },
    employment: { employmentStatus: "employed", employer: "", jobTitle: "" },
  })
}

test("undo does not reinstate a leaver who has rejoined, nor bill them twice", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Joined again" })
  await createImportedList(desk, managerActor(), policy.id, "first.csv", createCsv(anna, foreign))
  const { id: importId, version } = await importLeavers(managerActor(), policy.id, createCsv(anna), "2026-11-15")
  await createMemberAgain(policy.id, { firstName: "Fola", lastName: "Ade", passportNumber: "a123456" })
  desk.app.clock.advance({ hours: 1 })
  await managerClient().staffLists.undo({ importId, version })

  const paying = await loadPayingIn(desk.app.sql, policy.id, "2026-12-01")
  expect(paying.map(({ firstName }) => firstName).filter((name) => name === "Fola")).toHaveLength(1)
  expect(paying).toHaveLength(3)
  const { rows } = await managerClient().members.list({ policyId: policy.id, search: "Fola" })
  expect(rows.map(({ status }) => status).toSorted()).toEqual(["Active", "Terminated"])
})

test("undo does not reinstate a leaver who rejoined and left again", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Left again" })
  await createImportedList(desk, managerActor(), policy.id, "first.csv", createCsv(anna, foreign))
  const { id: importId, version } = await importLeavers(managerActor(), policy.id, createCsv(anna), "2026-11-15")
  const again = await createMemberAgain(policy.id, { firstName: "Fola", lastName: "Ade", passportNumber: "a123456" })
  desk.app.clock.advance({ hours: 1 })
  const { today } = await managerClient().settings.display({})
  const on = today > again.startOn ? today : again.startOn
  await managerClient().members.terminate({ memberId: again.id, version: again.version, on, reason: "Left" })
  await managerClient().staffLists.undo({ importId, version })
  const paying = await loadPayingIn(desk.app.sql, policy.id, "2026-12-01")
  expect(paying.map(({ firstName }) => firstName)).not.toContain("Fola")
})

test("undo is refused when another member now has the number that it would restore", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Number taken" })
  await createImportedList(
    desk,
    managerActor(),
    policy.id,
    "first.csv",
    createCsv("Anna,Nkosi,8506255853085,OLD1,anna@list.example,2026-09-01,Gold,"),
  )
  desk.app.clock.advance({ hours: 1 })
  const changed = createCsv("Anna,Nkosi,8506255853085,NEW1,anna@list.example,2026-09-01,Gold,")
  const second = await createImportedList(desk, managerActor(), policy.id, "second.csv", changed)
  expect(second.changedCount).toBe(1)
  await createMemberAgain(policy.id, { firstName: "Olga", lastName: "Dee", passportNumber: "OLD1" })
  await expect(managerClient().staffLists.undo({ importId: second.id, version: second.version })).rejects.toMatchObject(
    {
      code: "HAS_HISTORY",
      message:
        "The import cannot be undone: another member of the policy now has one of the previous ID or passport numbers.",
    },
  )
  expect(await managerClient().staffLists.detail({ importId: second.id })).toMatchObject({ status: "completed" })
})

test("a group administrator can undo joiners, changes and leavers without gaining read access", async () => {
  const [own, hidden] = [
    await createActivePolicy(managerClient(), { groupName: "Own" }),
    await createActivePolicy(managerClient(), { groupName: "Hidden" }),
  ]
  const ben = "Ben,Botha,7605094246088,,ben@list.example,2026-09-01,Gold,"
  await createImportedList(desk, managerActor(), hidden.id, "hidden.csv", createCsv(ben))
  await createImportedList(desk, managerActor(), own.id, "first.csv", createCsv(anna, foreign))
  const members = async () => {
    const { rows } = await managerClient().members.list({ policyId: own.id })
    const found = await Promise.all(rows.map(({ id }) => managerClient().members.detail({ memberId: id })))
    return found.map(({ contact, endOn, covers, toComplete }) => ({ contact, endOn, covers, toComplete }))
  }
  const before = await members()
  const hr = await desk.app.people.groupAdmin(own.groupId)
  const changed = anna.replace("anna@list.example", "nkosi@list.example")
  const done = await importLeavers(hr, own.id, createCsv(changed, ben), "2026-11-15")
  expect(done).toMatchObject({ addedCount: 1, changedCount: 1, endedCount: 2 })
  const undone = await desk.app.as(hr).staffLists.undo({ importId: done.id, version: done.version })
  expect(undone).toMatchObject({ status: "undone", counts: done.counts })
  expect(await members()).toEqual(before)
})

test("undo reinstates a future leaver who changed tier, with cover and billing", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Moved on" })
  await createImportedList(desk, managerActor(), policy.id, "first.csv", createCsv(anna, foreign))
  const { id: importId, version } = await importLeavers(managerActor(), policy.id, createCsv(anna), "2026-12-31")
  const { rows } = await managerClient().members.list({ policyId: policy.id, search: "Fola" })
  const { id: memberId, version: read } = await managerClient().members.detail({ memberId: rows[0]!.id })
  const { tiers } = await managerClient().benefits.choices()
  const tier = (name: string) => tiers.find((each) => each.name === name)!.id
  await managerClient().members.changeTier({ memberId, version: read, tierId: tier("Silver"), on: "2026-12-01" })
  desk.app.clock.advance({ hours: 1 })
  await managerClient().staffLists.undo({ importId, version })

  const { status, endOn, covers } = await managerClient().members.detail({ memberId })
  expect({ status, endOn }).toEqual({ status: "Active", endOn: null })
  expect(covers.map(({ tierName, from, until }) => [tierName, from, until])).toEqual([
    ["Gold", "2026-09-01", "2026-11-30"],
    ["Silver", "2026-12-01", null],
  ])
  expect(await loadPayingIn(desk.app.sql, policy.id, "2027-01-01")).toHaveLength(3)
})

test("undo marks details that the list completed as missing again", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Missing details" })
  const head = "First Name,Last Name,ID Number,Email,Phone,Employment Status,Start Date,Benefit Tier,Group Policy"
  const whole = `${head}\nAnna,Nkosi,8506255853085,anna@list.example,0820000000,employed,2026-09-01,Gold,`
  await createImportedList(desk, managerActor(), policy.id, "first.csv", createCsv(anna))
  const missing = async () => {
    const { rows } = await managerClient().members.list({ policyId: policy.id, search: "Anna" })
    return rows[0]!.toComplete
  }
  expect(await missing()).toEqual(["phone", "employmentStatus"])
  const { id: importId, version } = await createImportedList(desk, managerActor(), policy.id, "whole.csv", whole)
  expect(await missing()).toEqual([])
  await managerClient().staffLists.undo({ importId, version })
  expect(await missing()).toEqual(["phone", "employmentStatus"])
})

test("undo restores the tier of a draft's member unless it was changed again", async () => {
  const { id: policyId } = await createDraftPolicy(managerClient(), { groupName: "Tiers of a draft" })
  await createImportedList(desk, managerActor(), policyId, "first.csv", createCsv(anna, foreign))
  const silver = createCsv(anna, foreign).replaceAll("Gold", "Silver")
  const { id: importId, version } = await createImportedList(desk, managerActor(), policyId, "silver.csv", silver)
  const { tiers } = await managerClient().benefits.choices()
  const { rows } = await managerClient().members.list({ policyId, search: "Fola" })
  const { id: memberId, version: read, startOn } = await managerClient().members.detail({ memberId: rows[0]!.id })
  const tierId = tiers.find(({ name }) => name === "Platinum")!.id
  await managerClient().members.update({ memberId, version: read, allocation: { tierId, startOn } })
  await managerClient().staffLists.undo({ importId, version })
  const { rows: members } = await managerClient().members.list({ policyId, sort: "name" })
  expect(members.map(({ tierName }) => tierName)).toEqual(["Platinum", "Gold"])
})

test("undo appears in the history of each affected member and of the policy", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "History" })
  await createImportedList(desk, managerActor(), policy.id, "first.csv", createCsv(anna, foreign))
  const changed = anna
    .replace("anna@list.example", "nkosi@list.example")
    .replace("Gold", "Silver")
    .replace(",,", ",P1,")
  const ben = "Ben,Botha,7605094246088,,ben@list.example,2026-09-01,Gold,"
  const { id: importId } = await importLeavers(managerActor(), policy.id, createCsv(changed, ben), "2026-11-15")
  const member = async (search: string) => {
    const { rows } = await managerClient().members.list({ policyId: policy.id, search })
    return managerClient().members.detail({ memberId: rows[0]!.id })
  }
  const joiner = await member("Ben")
  // A field that was changed again is not restored.
  const { id: memberId, version, contact } = await member("Anna")
  await managerClient().members.update({ memberId, version, contact: { ...contact, email: "typed@list.example" } })
  const done = await managerClient().staffLists.detail({ importId })
  await managerClient().staffLists.undo({ importId, version: done.version })

  const last = async (id: string) => {
    const [{ sentence, changes }] = (await managerClient().members.activity({ memberId: id })) as [TimelineEntry]
    return { sentence, changes }
  }
  const undone = "the import of the staff list leavers.csv was undone"
  expect(await last((await member("Fola")).id)).toEqual({
    sentence: `reinstated the member: ${undone}`,
    changes: [],
  })
  expect(await last(memberId)).toEqual({
    sentence: `restored the member's details: ${undone}`,
    changes: [
      { field: "tierId", before: "Silver", after: "Gold" },
      { field: "passportNumber", before: "P1", after: "" },
    ],
  })
  const removed = await desk.app.sql.rows(sql`
    select fact, opened_detail(detail) ->> 'outcome' as outcome from audit_log where record_id = ${joiner.id} order by id desc limit 1`)
  expect(removed).toEqual([{ fact: "MemberImportUndone", outcome: "joiner" }])
  const [entry] = await managerClient().policies.activity({ policyId: policy.id })
  const sentence = "undid the import of the staff list leavers.csv: 1 members removed, 3 restored"
  expect(entry).toMatchObject({ sentence })
  const news = await managerClient().reports.recentActivity({ limit: 2 })
  expect(news.map(({ record }) => record.kind)).toEqual(["policy", "member"])
})

test("undo removes the movements of members whom the list added or ended", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Moved by a list" })
  await createImportedList(desk, managerActor(), policy.id, "first.csv", createCsv(anna, foreign))
  const movements = async () => {
    const query = { from: "2026-01-01", to: "2027-12-31", groupId: policy.groupId, pageSize: 100 }
    const { rows } = await managerClient().reports.rows({ report: "movements", query })
    return rows.map(({ memberName, movement, on }) => ({ name: memberName, movement, on }))
  }
  const before = await movements()
  const { id: importId, version } = await importLeavers(managerActor(), policy.id, createCsv(anna), "2026-11-15")
  expect(await movements()).toContainEqual({
    name: expect.stringMatching(/^Fola /),
    movement: "leaver",
    on: "2026-11-16",
  })
  await managerClient().staffLists.undo({ importId, version })
  expect(await movements()).toEqual(before)
})
