import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { lockStaffList } from "./staff-list-record.ts"
import { createCheckedList, openStaffListApp, type StaffListApp } from "./staff-lists.samples.ts"
import { writeMembers } from "./write-members.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

const managerActor = () => desk.app.people.manager
const managerClient = () => desk.app.as(managerActor())

const createCsv = (
  policyNumber: string,
) => `First Name,Last Name,ID Number,Email,Job Title,Benefit Tier,Start Date,Group Policy
Anna,Nkosi,8506255853085,anna@list.example,Clerk,Gold,2026-09-01,${policyNumber}
Ben,Botha,7605094246088,ben@list.example,Driver,Silver,2026-09-01,${policyNumber}`

test("adding a member waits for an import only into the same policy", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Importing" })
  const sibling = await createActivePolicy(managerClient(), { groupName: "Importing" })
  const other = await createActivePolicy(managerClient(), { groupName: "Beside" })
  const { number } = await managerClient().policies.detail({ policyId: policy.id })
  const { id: importId } = await createCheckedList(desk, managerActor(), policy.id, "list.csv", createCsv(number))
  let late: Promise<{ number: string }> | undefined
  const early = await desk.app.transaction(managerActor(), async (cx) => {
    const done = await writeMembers(cx, await lockStaffList(cx, importId), async () => {})
    expect(done).toMatchObject({ added: 2, refused: 0 })
    const added = [
      await createMember(managerClient(), other.id),
      await createMember(managerClient(), sibling.id),
      await createMember(managerClient(), other.id, { person: 7_100 }),
    ]

    late = createMember(managerClient(), policy.id)
    late.catch(() => {})
    await vi.waitFor(async () => expect(await readWaitedForTables()).toEqual(["policies"]), 10_000)
    return added
  })
  const numbers = [...early, await late!].map(({ number }) => number)
  expect(new Set(numbers).size).toBe(4)
  const { rows } = await managerClient().members.list({ policyId: policy.id, pageSize: 100 })
  expect(rows.filter(({ number }) => numbers.includes(number))).toHaveLength(1)
})

/** The tables on whose rows a transaction is waiting. */
async function readWaitedForTables(): Promise<string[]> {
  const { rows } = await desk.app.sql.client.query<{ name: string }>(`
    select distinct t.relation::regclass::text as name from pg_locks w
    join pg_locks t on t.pid = w.pid and t.locktype = 'tuple' where not w.granted`)
  return rows.map(({ name }) => name)
}
