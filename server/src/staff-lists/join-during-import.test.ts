import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { memberOf } from "../members/members.samples.ts"
import { activePolicy } from "../policies/policies.samples.ts"
import { lockStaffList } from "./staff-list-record.ts"
import { checkedList, type Desk, openStaffListApp } from "./staff-lists.samples.ts"
import { writeMembers } from "./write-members.ts"

let desk: Desk
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const manager = () => desk.app.people.manager
const client = () => desk.app.as(manager())

const listOf = (
  policyNumber: string,
) => `First Name,Last Name,ID Number,Email,Job Title,Benefit Tier,Start Date,Group Policy
Anna,Nkosi,8506255853085,anna@list.example,Clerk,Gold,2026-09-01,${policyNumber}
Ben,Botha,7605094246088,ben@list.example,Driver,Silver,2026-09-01,${policyNumber}`

test("adding a member to another policy does not wait for an import; one to the same policy waits for the policy alone", async () => {
  const policy = await activePolicy(client(), { groupName: "Importing" })
  const sibling = await activePolicy(client(), { groupName: "Importing" })
  const other = await activePolicy(client(), { groupName: "Beside" })
  const { number } = await client().policies.detail({ policyId: policy.id })
  const { id: importId } = await checkedList(desk, manager(), policy.id, "list.csv", listOf(number))
  let late: Promise<{ number: string }> | undefined
  const early = await desk.app.transaction(manager(), async (cx) => {
    const done = await writeMembers(cx, await lockStaffList(cx, importId), async () => {})
    expect(done).toMatchObject({ added: 2, refused: 0 })
    const added = [
      await memberOf(client(), other.id),
      await memberOf(client(), sibling.id),
      await memberOf(client(), other.id, { person: 7_100 }),
    ]

    late = memberOf(client(), policy.id)
    late.catch(() => {})
    await vi.waitFor(async () => expect(await waitedFor()).toEqual(["policies"]), 10_000)
    return added
  })
  const numbers = [...early, await late!].map(({ number }) => number)
  expect(new Set(numbers).size).toBe(4)
  const { rows } = await client().members.list({ policyId: policy.id, pageSize: 100 })
  expect(rows.filter(({ number }) => numbers.includes(number))).toHaveLength(1)
})

/** The tables whose rows somebody waits for. */
async function waitedFor(): Promise<string[]> {
  const { rows } = await desk.app.sql.client.query<{ name: string }>(`
    select distinct t.relation::regclass::text as name from pg_locks w
    join pg_locks t on t.pid = w.pid and t.locktype = 'tuple' where not w.granted`)
  return rows.map(({ name }) => name)
}
