import { type SQL, sql } from "drizzle-orm"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { startJob } from "../platform/work/jobs.ts"
import { activePolicy, draftPolicy } from "../policies/policies.samples.ts"
import { type Desk, importedList, openDesk } from "../staff-lists/staff-lists.samples.ts"
import type { Client } from "../test/app.ts"
import { memberOf } from "./members.samples.ts"

let desk: Desk
let manager: Client
beforeAll(async () => {
  desk = await openDesk()
  manager = desk.app.as(desk.app.people.manager)
})
afterAll(() => desk.app.close())

const today = "2026-11-20"

const kept = () =>
  desk.app.sql.rows(sql`
    select tier_id, gender, born_on, sum(lives)::integer as lives, sum(insured_cents)::bigint as insured from open_lives
    group by 1, 2, 3 having sum(lives) <> 0 or sum(insured_cents) <> 0 order by 1, 2, 3`)
const computed = () =>
  desk.app.sql.rows(sql`
    select c.tier_id, m.gender, m.date_of_birth as born_on, count(*)::integer as lives,
      sum(coalesce(p.sum_assured_cents, 0))::bigint as insured
    from member_covers c join members m on m.id = c.member_id join policies p on p.id = c.policy_id
    where c.kind = 'covered' and c.superseded_at is null and upper_inf(c.valid)
    group by 1, 2, 3 order by 1, 2, 3`)
const expectKept = async () => expect(await kept()).toEqual(await computed())
const fold = sql`select fold_open_lives()`
const asStaff = () => desk.app.app.database.direct("staff")

const unlessRefused = (error: { status?: number }) => {
  if (error.status === undefined || error.status >= 500) throw error
}

const acts = [
  "add",
  "bulk",
  "remove",
  "suspend",
  "reinstate",
  "terminate",
  "activate",
  "end",
  "born",
  "gender",
  "unknown",
  "tier",
  "insured",
  "uninsured",
  "import",
  "undo",
  "discard",
  "fold",
] as const

test("open lives equal the covers after any change of members, covers and policies", async () => {
  const { tiers } = await manager.benefits.choices()
  const people = desk.app.people.manager
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.tuple(fc.constantFrom(...acts), fc.nat(20)), { minLength: 6, maxLength: 16 }),
      async (isActive, todo) => {
        const groupName = `Lives ${Math.random()}`
        const make = isActive ? activePolicy : draftPolicy
        const { id: policyId } = await make(manager, { groupName, startOn: "2026-10-01" })
        let importId = ""
        const step = async ([act, pick]: (typeof todo)[number]) => {
          const { version, status } = await manager.policies.detail({ policyId })
          const edited = { policyId, version }
          const insured = (cents: number | null) =>
            asStaff().run(sql`update policies set sum_assured_cents = ${cents} where id = ${policyId}`)
          if (act === "add") return memberOf(manager, policyId)
          if (act === "bulk")
            return manager.members.bulkAdd({
              policyId,
              text: `A B, a${pick}@x.example, Cook\nC D, c${pick}@x.example, Cook`,
            })
          if (act === "activate") return manager.policies.activate(edited)
          if (act === "end") return manager.policies.terminate({ ...edited, on: today, reason: "At random" })
          if (act === "insured") return insured(pick * 100_00)
          if (act === "uninsured") return insured(null)
          if (act === "discard") return manager.policies.deleteDraft(edited)
          if (act === "fold") return asStaff().run(fold)
          if (act === "import") {
            if (status === "Terminated") return
            const list = `First Name,Last Name,Email,Job Title,Benefit Tier,Start Date\nA,L,l${pick}@list.example,Cook,Gold,2026-10-02`
            importId = (await importedList(desk, people, policyId, "list.csv", list)).id
            return
          }
          if (act === "undo") {
            if (importId === "") return
            return manager.staffLists.undo({
              importId,
              version: (await manager.staffLists.detail({ importId })).version,
            })
          }
          const members = (await manager.members.list({ policyId })).rows
          const member = members[pick % Math.max(members.length, 1)]
          if (!member) return
          const one = { memberId: member.id, version: member.version }
          const change = (values: SQL) => asStaff().run(sql`update members set ${values} where id = ${member.id}`)
          if (act === "born") return change(sql`date_of_birth = ${`1980-01-${pick + 1}`}::date, id_number = null`)
          if (act === "gender") return change(sql`gender = ${["male", "female", "other"][pick % 3]}`)
          if (act === "unknown") return change(sql`gender = null, date_of_birth = null`)
          if (act === "tier")
            return manager.members.changeTier({ ...one, tierId: tiers[pick % tiers.length]!.id, on: today })
          if (act === "remove") return manager.members.remove(one)
          return manager.members[act]({ ...one, on: today, reason: "At random" })
        }
        for (const each of todo) {
          await step(each).catch(unlessRefused)
          await expectKept()
        }
      },
    ),
    { numRuns: 12, verbose: 1 },
  )
}, 120_000)

test("an import by an employer user adds open lives, and undo removes them", async () => {
  const policy = await activePolicy(manager, { groupName: "Undone", members: 1 })
  const before = await kept()
  const people = await desk.app.people.groupAdmin(policy.groupId)
  const list = `First Name,Last Name,ID Number,Email,Job Title,Benefit Tier,Start Date
Anna,Nkosi,8506255853085,anna@list.example,Clerk,Gold,2026-09-01
Ben,Botha,7605094246088,ben@list.example,Driver,Silver,2026-09-01`
  const done = await importedList(desk, people, policy.id, "list.csv", list)
  expect(done.addedCount).toBe(2)
  expect(await kept()).toHaveLength(before.length + 2)
  await expectKept()
  desk.app.clock.advance({ hours: 1 })
  await desk.app.as(people).staffLists.undo({ importId: done.id, version: done.version })
  expect(await kept()).toEqual(before)
  await expectKept()
})

test("deleting covers and members subtracts each life once, in either order", async () => {
  const { id: policyId } = await activePolicy(manager, { groupName: "Gone", members: 3 })
  const [one, other, third] = await desk.app.sql.rows<{ id: string }>(sql`
    select id from members where policy_id = ${policyId} order by id`)
  await asStaff().run(sql`delete from members where id = ${one!.id}`)
  await expectKept()
  await desk.app.app.database.transaction("staff", async (tx) => {
    await tx.run(sql`delete from member_covers where member_id = ${other!.id}`)
    await tx.run(sql`delete from members where id = ${other!.id}`)
  })
  await expectKept()
  await asStaff().run(sql`delete from member_covers where member_id = ${third!.id}`)
  await expectKept()
})

test("folding leaves one row for each key and none with zero lives", async () => {
  const { id: policyId } = await activePolicy(manager, { groupName: "Folded", members: 3 })
  await manager.policies.terminate({
    policyId,
    version: (await manager.policies.detail({ policyId })).version,
    on: today,
    reason: "Folded",
  })
  const rows = () => desk.app.sql.rows(sql`select tier_id, gender, born_on, lives from open_lives order by 1, 2, 3`)
  expect((await rows()).length).toBeGreaterThan((await kept()).length)
  await desk.app.transaction(desk.app.people.manager, (cx) =>
    startJob(cx, { kind: "members.daily", label: "Members of the day", payload: {} }),
  )
  await desk.app.runJobs()
  expect((await rows()).length).toBe((await kept()).length)
  await expectKept()
})

/** Runs `second` before `first` is committed. */
async function atOnce(first: SQL, second: SQL): Promise<{ waited: boolean }> {
  const { database } = desk.app.app
  let waited = false
  let later: Promise<unknown> | undefined
  await database.transaction("staff", async (tx) => {
    await tx.run(first)
    let isOver = false
    later = database
      .transaction("staff", (after) => after.run(second))
      .finally(() => {
        isOver = true
      })
    await vi.waitFor(async () => {
      const { rows } = await desk.app.sql.client.query("select from pg_locks where not granted")
      waited = rows.length > 0
      expect(isOver || waited).toBe(true)
    }, 10_000)
  })
  await later
  return { waited }
}

test("concurrent changes wait for each other and count correctly", async () => {
  const { id: policyId } = await activePolicy(manager, { groupName: "At once", members: 5 })
  const found = await desk.app.sql.rows<{ id: string }>(sql`
    select id from members where policy_id = ${policyId} order by id`)
  const [a, b, c, d, e] = found.map(({ id }) => id) as [string, string, string, string, string]
  const endCover = (id: string) =>
    sql`update member_covers set superseded_at = now() where member_id = ${id} and superseded_at is null`
  const bear = (id: string) => sql`update members set date_of_birth = '1991-02-03', id_number = null where id = ${id}`
  const insure = (cents: number) => sql`update policies set sum_assured_cents = ${cents} where id = ${policyId}`
  const pairs = [
    [endCover(a), bear(a)],
    [bear(b), endCover(b)],
    [endCover(c), sql`delete from members where id = ${c}`],
    [endCover(d), insure(70_000_00)],
    [insure(80_000_00), endCover(e)],
  ] as const
  for (const [first, second] of pairs) {
    expect(await atOnce(first, second)).toEqual({ waited: true })
    await expectKept()
  }
})

test("folding loses no concurrent addition, also when two folds run at once", async () => {
  const { id: policyId } = await activePolicy(manager, { groupName: "Beside a fold", members: 2 })
  const bear = sql`update members set date_of_birth = '1977-07-07', id_number = null where policy_id = ${policyId}`
  expect(await atOnce(bear, fold)).toEqual({ waited: false })
  await expectKept()
  await asStaff().run(sql`update members set gender = 'other' where policy_id = ${policyId}`)
  expect(await atOnce(fold, fold)).toEqual({ waited: true })
  await expectKept()
  await asStaff().run(fold)
  await expectKept()
})

test("only triggers write the table, and employer users cannot read it", async () => {
  const scoped = desk.app.app.database.direct("scoped")
  const statements = [
    sql`insert into open_lives values (gen_random_uuid(), null, null, 1, 0)`,
    sql`update open_lives set lives = 7`,
    sql`delete from open_lives`,
  ]
  for (const statement of statements) {
    await expect(asStaff().run(statement)).rejects.toThrow(/permission/)
    await expect(scoped.run(statement)).rejects.toThrow(/permission/)
  }
  await expect(scoped.rows(sql`select from open_lives`)).rejects.toThrow(/permission/)
  await expect(scoped.run(fold)).rejects.toThrow(/permission/)
})
