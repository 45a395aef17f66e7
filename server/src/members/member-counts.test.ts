import { sql } from "drizzle-orm"
import fc from "fast-check"
import type pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { activePolicy, draftPolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { activeOn, keepMonthEnd } from "./member-counts.ts"
import { memberOf } from "./members.samples.ts"

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-10-30T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app.close())

const counted = () =>
  app.sql.rows(sql`
    select policy_id, pending, active, suspended, terminated from member_counts
    where pending + active + suspended + terminated > 0 order by policy_id`)
const computed = () =>
  app.sql.rows(sql`
    select policy_id, count(*) filter (where status = 'Pending')::integer as pending,
      count(*) filter (where status = 'Active')::integer as active, count(*) filter (where status = 'Suspended')::integer as suspended,
      count(*) filter (where status = 'Terminated')::integer as terminated
    from members group by 1 order by 1`)

/** What is kept of covers by day, and what they say themselves. */
const keptDays = () =>
  app.sql.rows(sql`select policy_id, kind, on_day, covers from cover_days where covers <> 0 order by 1, 2, 3`)
const daysOfCovers = () =>
  app.sql.rows(sql`
    select policy_id, kind, on_day, sum(one)::integer as covers from (
      select policy_id, kind, lower(valid) as on_day, 1 as one from member_covers where superseded_at is null
      union all
      select policy_id, kind, coalesce(upper(valid), 'infinity'), -1 from member_covers where superseded_at is null
    ) each group by 1, 2, 3 having sum(one) <> 0 order by 1, 2, 3`)

test("members are counted by policy and status, and covers by day, whatever is done with them", async () => {
  const acts = fc.constantFrom("add", "bulk", "remove", "suspend", "reinstate", "terminate", "activate", "end")
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(acts, fc.nat(20)), { minLength: 4, maxLength: 10 }), async (todo) => {
      const { id: policyId } = await draftPolicy(manager, {
        groupName: `Counted ${Math.random()}`,
        startOn: "2026-10-01",
      })
      for (const [act, pick] of todo) {
        const members = (await manager.members.list({ policyId })).rows
        const member = members[pick % Math.max(members.length, 1)]
        const { version } = await manager.policies.detail({ policyId })
        const edited = { memberId: member?.id ?? "", version: member?.version ?? 0 }
        const reason = "At random"
        const step = async () => {
          if (act === "add") return memberOf(manager, policyId)
          if (act === "bulk") {
            return manager.members.bulkAdd({
              policyId,
              text: `A B, a${pick}@x.example, Cook\nC D, c${pick}@x.example, Cook`,
            })
          }
          if (act === "activate") return manager.policies.activate({ policyId, version })
          if (act === "end") return manager.policies.terminate({ policyId, version, on: "2026-10-30", reason })
          if (!member) return
          if (act === "remove") return manager.members.remove(edited)
          return manager.members[act]({ ...edited, on: "2026-10-30", reason })
        }
        await step().catch((error: { status?: number }) => {
          if (error.status === undefined || error.status >= 500) throw error
        })
      }
      expect(await counted()).toEqual(await computed())
      expect(await keptDays()).toEqual(await daysOfCovers())
      const { members: kept } = await manager.policies.detail({ policyId })
      const listed = await manager.members.list({ policyId, pageSize: 100 })
      expect(kept.total + kept.terminated).toBe(listed.total)
    }),
    { numRuns: 8, verbose: 1 },
  )
}, 120_000)

test("a statement that fails counts nobody, and nobody counts by hand", async () => {
  const { id: policyId } = await activePolicy(manager, { groupName: "Turned back", members: 2 })
  const before = await counted()
  await expect(
    app.app.database.transaction("staff", async (tx) => {
      await tx.run(sql`update members set status = 'Suspended' where policy_id = ${policyId}`)
      throw new Error("turned back")
    }),
  ).rejects.toThrow("turned back")
  expect(await counted()).toEqual(before)
  for (const role of ["staff", "owner"] as const) {
    await expect(
      app.app.database.direct(role).run(sql`update member_counts set active = 7 where policy_id = ${policyId}`),
    ).rejects.toThrow(/follow/)
    await expect(
      app.app.database.direct(role).run(sql`update cover_days set covers = 7 where policy_id = ${policyId}`),
    ).rejects.toThrow(/follow/)
  }
})

test("whoever changes covers first and whoever changes members first wait for each other, and neither is turned back", async () => {
  const { id: policyId } = await activePolicy(manager, { groupName: "Two at once", members: 2 })
  const [one, other] = await app.sql.rows<{ id: string }>(sql`select id from members where policy_id = ${policyId}`)
  const connections = await Promise.all([1, 2].map(() => app.app.database.pool("staff").connect()))
  const [first, second] = connections as [pg.PoolClient, pg.PoolClient]
  const endCovers = "update member_covers set superseded_at = now() where member_id = $1 and superseded_at is null"
  try {
    for (const each of connections) await each.query("begin; set local lock_timeout = '10s'")
    await first.query("update members set status = 'Suspended' where id = $1", [one!.id])
    const { rows } = await second.query<{ pid: number }>("select pg_backend_pid() as pid")
    let isDone = false
    const covers = second.query(endCovers, [other!.id]).finally(() => {
      isDone = true
    })
    const waits = async () =>
      (await app.sql.row<{ waits: boolean }>(
        sql`select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = ${rows[0]!.pid}`,
      ))!.waits
    while (!isDone && !(await waits()));
    await first.query(endCovers, [one!.id])
    await first.query("rollback")
    await covers
    await second.query("update members set status = 'Suspended' where id = $1", [other!.id])
  } finally {
    for (const each of connections) await each.query("rollback").finally(() => each.release())
  }
})

test("the list's tabs are the kept counts, and what else narrows it is counted", async () => {
  const { id: policyId, groupId } = await activePolicy(manager, { groupName: "Counted in tabs" })
  const first = await memberOf(manager, policyId)
  await memberOf(manager, policyId)
  const { tierId } = await manager.members.detail({ memberId: first.id })
  const of = (status: string) =>
    sql`select count(*) as count from members where policy_id = ${policyId} and status = ${status}`
  const active = (await app.sql.row<{ count: number }>(of("Active")))!.count
  for (const input of [{ policyId }, { groupId }, { policyId, tierId }, { policyId, status: "Active" as const }]) {
    const { total, counts, totalIsCapped } = await manager.members.list({ ...input, tab: "Active" })
    expect({ total, tab: counts.Active, totalIsCapped }).toEqual({ total: active, tab: active, totalIsCapped: false })
  }
  // What nobody counted is not taken from the counts: they know nothing of tiers.
  await app.sql.run(sql`alter table member_counts disable trigger member_counts_follow`)
  await app.sql.run(sql`update member_counts set active = active + 5 where policy_id = ${policyId}`)
  const totals = await Promise.all(
    [{ policyId }, { policyId, tierId }].map(async (input) => (await manager.members.list(input)).total),
  )
  expect(totals).toEqual([active + 5, active])
  await app.sql.run(sql`update member_counts set active = active - 5 where policy_id = ${policyId}`)
  await app.sql.run(sql`alter table member_counts enable trigger member_counts_follow`)
})

test("the end of a month is kept once, as the covers had it, and the dashboard compares with it", async () => {
  const today = { today: "2026-11-01" }
  app.clock.set("2026-11-01T08:00:00Z")
  const figure = async () => (await manager.reports.dashboard({})).totalMembers.before
  const unkept = await figure()
  const keep = () =>
    app.transaction(app.people.manager, (cx) => keepMonthEnd({ ...cx, ...today }, "Africa/Johannesburg"))
  expect(await keep()).toBeGreaterThan(0)
  expect(await keep()).toBe(0)
  expect(await figure()).toBe(unkept)
  const found = await app.sql.rows(sql`
    select kept.policy_id from member_month_ends kept
    full join (${activeOn("2026-10-31", "Africa/Johannesburg")}) facts using (policy_id)
    where coalesce(kept.active, 0) <> coalesce(facts.active, 0)`)
  expect(found).toEqual([])
  await memberOf(manager, (await activePolicy(manager, { groupName: "New this month" })).id)
  expect(await figure()).toBe(unkept)
})
