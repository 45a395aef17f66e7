import { randomUUID } from "node:crypto"
import { toComplete } from "@milkwood/domain/members/member"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { memberOf } from "../members/members.samples.ts"
import { activePolicy } from "../policies/policies.samples.ts"
import { checkedList, type Desk, openDesk } from "./staff-lists.samples.ts"
import { toCompleteOf } from "./write-members.ts"

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.app.close())

const manager = () => desk.app.people.manager
const client = () => desk.app.as(manager())

const list = (...rows: string[]) => ["First Name,Last Name,ID Number,Email,Start Date,Group Policy", ...rows].join("\n")
const anna = "Anna,Nkosi,8506255853085,anna@list.example,2026-09-01,"

test("no leaver's last day lies before the start of their cover", async () => {
  const policy = await activePolicy(client(), { groupName: "Leavers" })
  const first = await memberOf(client(), policy.id, { startOn: "2025-06-01" })
  const late = await memberOf(client(), policy.id, { startOn: "2026-06-01", firstName: "Ben", lastName: "Botha" })
  const gone = await memberOf(client(), policy.id, { startOn: "2027-01-01" })
  const { id: importId, version } = await checkedList(desk, manager(), policy.id, "list.csv", list(anna))
  // Who was ended on their own page after the check is no leaver of the list.
  const { id: memberId, version: read } = gone
  await client().members.terminate({ memberId, version: read, on: "2027-01-01", reason: "Does not come" })
  const { staffLists } = client()
  const commit = (leaversOn: string) =>
    staffLists.import({ importId, version, idempotencyKey: randomUUID(), leaversOn })
  // A year too early.
  const message = `The date lies before the start of cover, 2026-06-01, of Ben Botha (${late.number})`
  await expect(commit("2025-11-30")).rejects.toMatchObject({
    code: "INVALID",
    message: `${message}.`,
    data: { fields: [{ path: "leaversOn", message }] },
  })
  expect(await staffLists.detail({ importId })).toMatchObject({ status: "ready", version })
  await commit("2026-06-01")
  await desk.app.runJobs()
  const covers = async (memberId: string) =>
    (await client().members.detail({ memberId })).covers.map(({ from, until }) => [from, until])
  expect(await covers(first.id)).toEqual([["2026-01-01", "2026-06-01"]])
  expect(await covers(late.id)).toEqual([["2026-06-01", "2026-06-01"]])
  expect(await covers(gone.id)).toEqual([["2027-01-01", "2027-01-01"]])
})

test("what is to complete is the same for many at once as for one", async () => {
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
      select ${toCompleteOf((field) => sql`${member[field as keyof typeof member]}::text`)} as fields`)
    expect(found).toEqual({ fields: toComplete(member) })
  }
})
