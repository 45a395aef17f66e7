import { sql } from "drizzle-orm"
import fc from "fast-check"
import type pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { activeOn, storeMonthEnd } from "./member-counts.ts"
import { createMember } from "./members.samples.ts"

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-10-30T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app.close())

const readStoredCounts = () =>
  app.sql.rows(sql`
    select policy_id, pending, active, suspended, terminated from member_counts
    where pending + active + suspended + terminated > 0 order by policy_id`)
const computeCounts = () =>
  app.sql.rows(sql`
    select policy_id, count(*) filter (where status = 'Pending')::integer as pending,
      count(*) filter (where status = 'Active')::integer as active, count(*) filter (where status = 'Suspended')::integer as suspended,
      count(*) filter (where status = 'Terminated')::integer as terminated
    from members group by 1 order by 1`)

const days = ["2026-10-01", "2026-10-12", "2026-10-29", "2026-10-30"] as const

/** Covered members per policy of the group and day, from the portfolio and from the covers. */
const portfolioOf = (groupId: string) =>
  Promise.all(
    days.map(async (asOf) => {
      const { rows } = await manager.reports.rows({ report: "scheme_portfolio", query: { groupId, asOf } })
      return rows.map(({ id, members }) => ({ id, members }))
    }),
  )
const coveredOf = (groupId: string) =>
  Promise.all(
    days.map((asOf) =>
      app.sql.rows(sql`
        select p.id, (select count(*)::int from member_covers c where c.policy_id = p.id and c.kind = 'covered'
          and c.superseded_at is null and lower(c.valid) <= ${asOf} and coalesce(upper(c.valid) > ${asOf}, true)) as members
        from policies p where p.group_id = ${groupId} and p.status <> 'Draft'`),
    ),
  )

/** The group's movements, from the report and derived from neighbouring covers. */
const movementsOf = async (groupId: string) => {
  const query = { from: "2026-01-01", to: "2027-12-31", groupId, pageSize: 100 }
  const { rows, total } = await manager.reports.rows({ report: "movements", query })
  expect(total).toBe(rows.length)
  return rows
    .map(({ id, memberNumber, policyNumber, tier, tierBefore, on, movement, joined, groupName }) => {
      return { id, memberNumber, policyNumber, tier, tierBefore, on, movement, joined, groupName }
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}
const readCoverSteps = (groupId: string) =>
  app.sql.rows(sql`
    select s.id, m.number as "memberNumber", p.number as "policyNumber", t.name as tier,
      case movement when 'tier_change' then b.name end as "tierBefore", on_day as on, movement, joined, g.name as "groupName"
    from (
      select overlay(c.id::text placing '8' from 15)::uuid as id, c.member_id, c.group_id, c.policy_id, c.tier_id, upper(c.valid) as on_day, null::uuid as tier_before,
        'leaver' as movement, case c.kind when 'covered' then -1 else 0 end as joined
      from member_covers c
      where c.superseded_at is null and not upper_inf(c.valid) and not exists (
        select from member_covers n where n.member_id = c.member_id and n.superseded_at is null and lower(n.valid) = upper(c.valid))
      union all
      select c.id, c.member_id, c.group_id, c.policy_id, c.tier_id, lower(c.valid), o.tier_id, case
          when o.id is null then case c.kind when 'covered' then 'joiner' else 'suspended' end
          when o.policy_id <> c.policy_id then 'transfer'
          when o.kind <> c.kind then case c.kind when 'covered' then 'resumed' else 'suspended' end
          when o.tier_id <> c.tier_id then 'tier_change' end,
        case when o.id is null then case c.kind when 'covered' then 1 else 0 end
          when o.policy_id <> c.policy_id or o.kind = c.kind then 0 when c.kind = 'covered' then 1 else -1 end
      from member_covers c
      left join member_covers o on o.member_id = c.member_id and o.superseded_at is null and upper(o.valid) = lower(c.valid)
      where c.superseded_at is null
    ) s join members m on m.id = s.member_id join policies p on p.id = s.policy_id
    join employer_groups g on g.id = s.group_id join benefit_tiers t on t.id = s.tier_id
    left join benefit_tiers b on b.id = s.tier_before
    where s.group_id = ${groupId} and movement is not null order by 1`)

test("member counts, the portfolio and movements stay correct after random changes", async () => {
  const acts = fc.constantFrom(
    ...(["add", "bulk", "remove", "suspend", "reinstate", "terminate", "withdraw", "tier"] as const),
    ...(["activate", "end", "drop", "rename"] as const),
  )
  const days = fc.constantFrom("2026-10-12", "2026-10-30", "2026-10-30", "2026-11-15")
  const { tiers } = await manager.benefits.choices()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(acts, fc.nat(20), days), { minLength: 4, maxLength: 12 }), async (random) => {
      const { id: policyId, groupId } = await createDraftPolicy(manager, {
        groupName: `Counted ${Math.random()}`,
        startOn: "2026-10-01",
      })
      // Most random actions need existing covers.
      const todo = random.length % 3 === 0 ? random : [["add", 0, ""] as const, ["activate", 0, ""] as const, ...random]
      for (const [act, pick, on] of todo) {
        if (act === "rename")
          await app.sql.run(sql`update employer_groups set name = ${`Named ${Math.random()}`} where id = ${groupId}`)
        if (!(await app.sql.row(sql`select from policies where id = ${policyId}`))) break
        const members = (await manager.members.list({ policyId })).rows
        const member = members[pick % Math.max(members.length, 1)]
        const { version } = await manager.policies.detail({ policyId })
        const edited = { memberId: member?.id ?? "", version: member?.version ?? 0 }
        const reason = "At random"
        const step = async () => {
          if (act === "add") return createMember(manager, policyId)
          if (act === "bulk") {
            return manager.members.bulkAdd({
              policyId,
              text: `A B, a${pick}@x.example, Cook\nC D, c${pick}@x.example, Cook`,
            })
          }
          if (act === "activate") return manager.policies.activate({ policyId, version })
          if (act === "end") return manager.policies.terminate({ policyId, version, on: "2026-10-30", reason })
          if (act === "drop") return manager.policies.deleteDraft({ policyId, version })
          if (!member || act === "rename") return
          if (act === "remove") return manager.members.remove(edited)
          if (act === "withdraw") return manager.members.withdraw({ ...edited, reason })
          if (act === "tier") {
            return manager.members.changeTier({
              ...edited,
              tierId: tiers[pick % tiers.length]!.id,
              on: on || "2026-10-30",
            })
          }
          return manager.members[act]({ ...edited, on, reason })
        }
        await step().catch((error: { status?: number }) => {
          if (error.status === undefined || error.status >= 500) throw error
        })
      }
      expect(await readStoredCounts()).toEqual(await computeCounts())
      const portfolio = await portfolioOf(groupId)
      for (const [place, covered] of (await coveredOf(groupId)).entries())
        expect(new Set(portfolio[place])).toEqual(new Set(covered))
      expect(await movementsOf(groupId)).toEqual(await readCoverSteps(groupId))
      if (!(await app.sql.row(sql`select from policies where id = ${policyId}`))) return
      const { members: kept } = await manager.policies.detail({ policyId })
      const listed = await manager.members.list({ policyId, pageSize: 100 })
      expect(kept.total + kept.terminated).toBe(listed.total)
    }),
    { numRuns: 24, verbose: 1 },
  )
}, 120_000)

test("a transfer between policies is one movement, and a deleted member has none", async () => {
  const { id: policyId, groupId } = await createActivePolicy(manager, { groupName: "Two policies", members: 1 })
  const { id: otherId } = await createActivePolicy(manager, { groupName: "Two policies" })
  const [member] = await app.sql.rows<{ id: string; tierId: string; memberNumber: string }>(
    sql`select id, tier_id as "tierId", number as "memberNumber" from members where policy_id = ${policyId}`,
  )
  const { id, tierId, memberNumber } = member!
  const { number } = await manager.policies.detail({ policyId })
  const { number: otherNumber } = await manager.policies.detail({ policyId: otherId })
  const steps = async () =>
    (await movementsOf(groupId))
      .filter((row) => row.memberNumber === memberNumber)
      .map(({ on, movement, policyNumber, joined }) => ({ on, movement, policyNumber, joined }))
      .sort((one, other) => (String(one.on) < String(other.on) ? -1 : 1))
  await app.sql.run(sql`update member_covers set superseded_at = recorded_at where member_id = ${id}`)
  expect(await steps()).toEqual([])
  await app.sql.run(sql`
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at)
    select gen_random_uuid(), ${groupId}, policy, ${id}, ${tierId}, 'covered', days::daterange, now()
    from (values (${policyId}::uuid, '[2026-10-01,2026-11-01)'), (${otherId}::uuid, '[2026-11-01,2026-12-01)')) c (policy, days)`)
  expect(await steps()).toEqual([
    { on: "2026-10-01", movement: "joiner", policyNumber: number, joined: 1 },
    { on: "2026-11-01", movement: "transfer", policyNumber: otherNumber, joined: 0 },
    { on: "2026-12-01", movement: "leaver", policyNumber: otherNumber, joined: -1 },
  ])
  expect(await movementsOf(groupId)).toEqual(await readCoverSteps(groupId))
  await app.sql.run(sql`delete from members where id = ${id}`)
  expect(await steps()).toEqual([])
})

test("a failed statement changes no count, and counts cannot be edited directly", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Turned back", members: 2 })
  const before = await readStoredCounts()
  await expect(
    app.app.database.transaction("staff", async (tx) => {
      await tx.run(sql`update members set status = 'Suspended' where policy_id = ${policyId}`)
      throw new Error("turned back")
    }),
  ).rejects.toThrow("turned back")
  expect(await readStoredCounts()).toEqual(before)
  for (const role of ["staff", "owner"] as const) {
    await expect(
      app.app.database.direct(role).run(sql`update member_counts set active = 7 where policy_id = ${policyId}`),
    ).rejects.toThrow(/database maintains/)
  }
})

test("concurrent changes of covers and members wait for each other without a deadlock", async () => {
  const { id: policyId } = await createActivePolicy(manager, { groupName: "Two at once", members: 2 })
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

test("renaming an employer waits for cover changes in its other policies", async () => {
  const { id: policyId, groupId } = await createActivePolicy(manager, { groupName: "Before the rename" })
  const { id: otherId } = await createActivePolicy(manager, { groupName: "Before the rename", members: 1 })
  const { version, information } = await manager.policies.detail({ policyId })
  const isWaitedFor = async () => (await app.sql.client.query("select from pg_locks where not granted")).rows.length > 0
  let renaming: Promise<unknown> | undefined
  let isOver = false
  await app.app.database.transaction("staff", async (tx) => {
    await tx.run(sql`select from policies where id = ${otherId} for update`)
    const values = { ...information, groupName: "After the rename" }
    renaming = manager.policies
      .updateSection({ policyId, version, change: { section: "information", values } })
      .finally(() => {
        isOver = true
      })
    renaming.catch(() => {})
    await vi.waitFor(async () => expect(isOver || (await isWaitedFor())).toBe(true), 10_000)
    expect(isOver).toBe(false)
    // If the rename already held this row lock, the two would deadlock.
    await tx.run(sql`
      select from employer_groups where id = (select group_id from policies where id = ${otherId}) for key share nowait`)
    await tx.run(sql`update member_covers set superseded_at = now() where policy_id = ${otherId}`)
    await tx.run(sql`
      insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at)
      select gen_random_uuid(), group_id, policy_id, member_id, tier_id, kind, daterange(lower(valid), '2026-12-01'), now()
      from member_covers where policy_id = ${otherId}`)
  })
  await renaming
  expect(await movementsOf(groupId)).toEqual(await readCoverSteps(groupId))
  expect((await manager.policies.detail({ policyId: otherId })).information.groupName).toBe("After the rename")
})

test("the list's tab totals are the stored counts; a tier filter counts rows", async () => {
  const { id: policyId, groupId } = await createActivePolicy(manager, { groupName: "Counted in tabs" })
  const first = await createMember(manager, policyId)
  await createMember(manager, policyId)
  const { tierId } = await manager.members.detail({ memberId: first.id })
  const of = (status: string) =>
    sql`select count(*) as count from members where policy_id = ${policyId} and status = ${status}`
  const active = (await app.sql.row<{ count: number }>(of("Active")))!.count
  for (const input of [{ policyId }, { groupId }, { policyId, tierId }, { policyId, status: "Active" as const }]) {
    const { total, counts, totalIsCapped } = await manager.members.list({ ...input, tab: "Active" })
    expect({ total, tab: counts.Active, totalIsCapped }).toEqual({ total: active, tab: active, totalIsCapped: false })
  }
  // Corrupts the stored count. A list by tier must not read it, because counts have no tiers.
  await app.sql.run(sql`alter table member_counts disable trigger refuse_derived_figures`)
  await app.sql.run(sql`update member_counts set active = active + 5 where policy_id = ${policyId}`)
  const totals = await Promise.all(
    [{ policyId }, { policyId, tierId }].map(async (input) => (await manager.members.list(input)).total),
  )
  expect(totals).toEqual([active + 5, active])
  await app.sql.run(sql`update member_counts set active = active - 5 where policy_id = ${policyId}`)
  await app.sql.run(sql`alter table member_counts enable trigger refuse_derived_figures`)
})

test("a month-end count is stored once, equals the covers, and feeds the dashboard comparison", async () => {
  const today = { today: "2026-11-01" }
  app.clock.set("2026-11-01T08:00:00Z")
  const figure = async () => (await manager.reports.dashboard({})).totalMembers.before
  const unkept = await figure()
  const keep = () =>
    app.transaction(app.people.manager, (cx) => storeMonthEnd({ ...cx, ...today }, "Africa/Johannesburg"))
  expect(await keep()).toBeGreaterThan(0)
  expect(await keep()).toBe(0)
  expect(await figure()).toBe(unkept)
  const found = await app.sql.rows(sql`
    select kept.policy_id from member_month_ends kept
    full join (${activeOn("2026-10-31", "Africa/Johannesburg")}) facts using (policy_id)
    where coalesce(kept.active, 0) <> coalesce(facts.active, 0)`)
  expect(found).toEqual([])
  await createMember(manager, (await createActivePolicy(manager, { groupName: "New this month" })).id)
  expect(await figure()).toBe(unkept)
})
