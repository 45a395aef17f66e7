import { type SQL, sql } from "drizzle-orm"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import { createImportedList, openStaffListApp, type StaffListApp } from "../staff-lists/staff-lists.samples.ts"
import type { Client } from "../test/app.ts"

let desk: StaffListApp
let manager: Client
beforeAll(async () => {
  desk = await openStaffListApp()
  manager = desk.app.as(desk.app.people.manager)
})
afterAll(() => desk.app.close())

const today = "2026-11-20"

/** Lives by age band, gender and tier, as reported. */
async function readReportedLives() {
  const query = { asOf: today, pageSize: 100 }
  const { rows } = await manager.reports.rows({ report: "ages_and_lives", query })
  return rows.map(({ band, gender, tier, lives, insuredCents }) => ({ band, gender, tier, lives, insuredCents }))
}
/** The same, computed from covers, members and policies. */
const computeLives = () =>
  desk.app.sql.rows<object>(sql`
    select case when born.age is null then 'Not known' when born.age < 25 then 'Under 25' when born.age < 35 then '25 to 34'
        when born.age < 45 then '35 to 44' when born.age < 55 then '45 to 54' when born.age < 65 then '55 to 64'
        else '65 and over' end as band,
      m.gender, t.name as tier, count(*)::int as lives, coalesce(sum(insured.cents), 0)::bigint as "insuredCents"
    from member_covers c join members m on m.id = c.member_id join benefit_tiers t on t.id = c.tier_id
    cross join lateral (select extract(year from age(${today}::date, m.date_of_birth)) as age) born
    left join lateral (select s.sum_assured_cents as cents from policy_cover_terms s
      where s.policy_id = c.policy_id and s.term = 'sum assured' and s.superseded_at is null and s.valid @> ${today}::date) insured on true
    where c.kind = 'covered' and c.superseded_at is null and c.valid @> ${today}::date group by 1, 2, 3`)
async function expectReportedLives() {
  const [found, expected] = await Promise.all([readReportedLives(), computeLives()])
  expect(found).toHaveLength(expected.length)
  expect(found).toEqual(expect.arrayContaining(expected))
}
const openStaffConnection = () => desk.app.app.database.direct("staff")

const ignoreRefusal = (error: { status?: number }) => {
  if (error.status === undefined || error.status >= 500) throw error
}

const memberActions = [
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
] as const

test("the ages report counts the covers of the day after any change of members, covers and policies", async () => {
  const { tiers } = await manager.benefits.choices()
  const people = desk.app.people.manager
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.tuple(fc.constantFrom(...memberActions), fc.nat(20)), { minLength: 6, maxLength: 16 }),
      async (isActive, todo) => {
        const groupName = `Lives ${Math.random()}`
        const make = isActive ? createActivePolicy : createDraftPolicy
        const { id: policyId } = await make(manager, { groupName, startOn: "2026-10-01" })
        let importId = ""
        const step = async ([act, pick]: (typeof todo)[number]) => {
          const { version, status } = await manager.policies.detail({ policyId })
          const edited = { policyId, version }
          const insured = async (sumAssuredCents: number | null) => {
            const { coverage } = await manager.policies.detail({ policyId })
            const values = { ...coverage, sumAssuredCents, ...(status !== "Draft" && { sumAssuredFromOn: today }) }
            return manager.policies.updateSection({ ...edited, change: { section: "coverage", values } })
          }
          if (act === "add") return createMember(manager, policyId)
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
          if (act === "import") {
            if (status === "Terminated") return
            const list = `First Name,Last Name,Email,Job Title,Benefit Tier,Start Date\nA,L,l${pick}@list.example,Cook,Gold,2026-10-02`
            importId = (await createImportedList(desk, people, policyId, "list.csv", list)).id
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
          const change = (values: SQL) =>
            openStaffConnection().run(sql`update members set ${values} where id = ${member.id}`)
          if (act === "born") return change(sql`date_of_birth = ${`1980-01-${pick + 1}`}::date, id_number = null`)
          if (act === "gender") return change(sql`gender = ${["male", "female", "other"][pick % 3]}`)
          if (act === "unknown") return change(sql`gender = null, date_of_birth = null`)
          if (act === "tier")
            return manager.members.changeTier({ ...one, tierId: tiers[pick % tiers.length]!.id, on: today })
          if (act === "remove") return manager.members.remove(one)
          return manager.members[act]({ ...one, on: today, reason: "At random" })
        }
        for (const each of todo) {
          await step(each).catch(ignoreRefusal)
          await expectReportedLives()
        }
      },
    ),
    { numRuns: 12, verbose: 1 },
  )
}, 120_000)

const readLivesOf = async (groupId: string) =>
  (await manager.reports.rows({ report: "ages_and_lives", query: { asOf: today, groupId } })).sums?.lives

test("an import by an employer user adds lives, and undo removes them", async () => {
  const policy = await createActivePolicy(manager, { groupName: "Undone", members: 1 })
  const before = await readReportedLives()
  const people = await desk.app.people.groupAdmin(policy.groupId)
  const list = `First Name,Last Name,ID Number,Email,Job Title,Benefit Tier,Start Date
Anna,Nkosi,8506255853085,anna@list.example,Clerk,Gold,2026-09-01
Ben,Botha,7605094246088,ben@list.example,Driver,Silver,2026-09-01`
  const done = await createImportedList(desk, people, policy.id, "list.csv", list)
  expect(done.addedCount).toBe(2)
  expect(await readLivesOf(policy.groupId)).toBe(3)
  await expectReportedLives()
  desk.app.clock.advance({ hours: 1 })
  await desk.app.as(people).staffLists.undo({ importId: done.id, version: done.version })
  expect(await readReportedLives()).toEqual(before)
  await expectReportedLives()
})

test("deleting covers and members subtracts each life once from the ages report, in either order", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Gone", members: 3 })
  const [one, other, third] = await desk.app.sql.rows<{ id: string }>(sql`
    select id from members where policy_id = ${policyId} order by id`)
  await openStaffConnection().run(sql`delete from members where id = ${one!.id}`)
  await expectReportedLives()
  await desk.app.app.database.transaction("staff", async (tx) => {
    await tx.run(sql`delete from member_covers where member_id = ${other!.id}`)
    await tx.run(sql`delete from members where id = ${other!.id}`)
  })
  await expectReportedLives()
  await openStaffConnection().run(sql`delete from member_covers where member_id = ${third!.id}`)
  await expectReportedLives()
})

/** Runs `second` before `first` is committed. */
async function runConcurrently(first: SQL, second: SQL): Promise<void> {
  const { database } = desk.app.app
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
      expect(isOver || rows.length > 0).toBe(true)
    }, 10_000)
  })
  await later
}

test("the ages report counts both of two concurrent changes", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "At once", members: 5 })
  const found = await desk.app.sql.rows<{ id: string }>(sql`
    select id from members where policy_id = ${policyId} order by id`)
  const [a, b, c, d, e] = found.map(({ id }) => id) as [string, string, string, string, string]
  const endCover = (id: string) =>
    sql`update member_covers set superseded_at = now() where member_id = ${id} and superseded_at is null`
  const bear = (id: string) => sql`update members set date_of_birth = '1991-02-03', id_number = null where id = ${id}`
  const pairs = [
    [endCover(a), bear(a)],
    [bear(b), endCover(b)],
    [endCover(c), sql`delete from members where id = ${c}`],
    [bear(d), bear(e)],
  ] as const
  for (const [first, second] of pairs) {
    await runConcurrently(first, second)
    await expectReportedLives()
  }
})
