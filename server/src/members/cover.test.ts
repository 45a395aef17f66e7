import { addDays } from "@milkwood/domain/kernel/calendar"
import { memberStatusOn } from "@milkwood/domain/members/member-cover"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { loadCoveredOn, loadMemberCoverAt } from "./cover.queries.ts"
import { loadPayingIn } from "./cover.samples.ts"
import { createMember } from "./members.samples.ts"

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app?.close())

const firstNamesOf = (people: { firstName: string }[]) => people.map(({ firstName }) => firstName)

describe("dated cover", () => {
  test("a member's cover on a day can be read as recorded at an earlier time", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Time", startOn: "2026-01-01" })
    const member = await createMember(manager, policy.id, { startOn: "2026-03-01", firstName: "Tim" })
    app.clock.set("2026-11-10T08:00:00Z")
    const silver = (await manager.benefits.choices()).tiers.find(({ name }) => name === "Silver")!
    const changed = await manager.members.changeTier({
      memberId: member.id,
      version: member.version,
      tierId: silver.id,
      on: "2026-06-01",
    })
    expect(changed).toMatchObject({ tierName: "Silver" })
    expect(changed.covers.map(({ tierName, from, until }) => [tierName, from, until])).toEqual([
      ["Standard", "2026-03-01", "2026-05-31"],
      ["Silver", "2026-06-01", null],
    ])
    const tierOn = async (on: string, knownAt?: string) =>
      (await loadMemberCoverAt(app.sql, member.id, on, knownAt))?.tierName ?? null
    expect(await tierOn("2026-02-28")).toBeNull()
    expect(await tierOn("2026-05-31")).toBe("Standard")
    expect(await tierOn("2026-06-01")).toBe("Silver")
    expect(await tierOn("2026-06-01", "2026-11-05T00:00:00Z")).toBe("Standard")
    expect(await tierOn("2026-06-01", "2026-10-05T00:00:00Z")).toBeNull()
    const { cover } = await manager.members.coverOn({
      memberId: member.id,
      on: "2026-07-01",
      knownAt: "2026-11-05T00:00:00Z",
    })
    expect(cover?.tierName).toBe("Standard")
    expect(firstNamesOf(await loadCoveredOn(app.sql, policy.id, "2026-02-28"))).not.toContain("Tim")
    expect(firstNamesOf(await loadCoveredOn(app.sql, policy.id, "2026-03-01"))).toContain("Tim")
    app.clock.set("2026-11-02T08:00:00Z")
  })

  test("reinstates a terminated member from a day, without cover for the gap", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Reinstated", startOn: "2026-01-01", members: 1 })
    const member = await createMember(manager, policy.id, { person: 8_000_020, startOn: "2026-03-01" })
    const act = async (on: string) => {
      const { version } = await manager.members.detail({ memberId: member.id })
      return { memberId: member.id, version, on, reason: "Returned" }
    }
    await manager.members.terminate(await act("2026-08-31"))
    for (const on of ["2026-08-31", "2026-11-03"]) {
      await expect(manager.members.reinstate(await act(on))).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path: "on" }] },
      })
    }
    const back = await manager.members.reinstate(await act("2026-10-01"))
    expect(back).toMatchObject({ status: "Active", endOn: null, endReason: null })
    expect(back.covers.map(({ from, until }) => [from, until])).toEqual([
      ["2026-03-01", "2026-08-31"],
      ["2026-10-01", null],
    ])
    const paying = async (month: string) => (await loadPayingIn(app.sql, policy.id, month)).map((paid) => paid.memberId)
    expect(await paying("2026-09-01")).not.toContain(member.id)
    expect(await paying("2026-10-01")).toContain(member.id)
    const [last] = await manager.members.activity({ memberId: member.id })
    expect(last).toMatchObject({ fact: "MemberReinstated", reason: "Returned" })
  })

  test("refuses to reinstate a member who has rejoined the policy", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Twice", startOn: "2026-01-01", members: 1 })
    const person = { person: 8_000_021 }
    const first = await createMember(manager, policy.id, person)
    await manager.members.terminate({ memberId: first.id, version: first.version, on: "2026-11-02", reason: "Left" })
    app.clock.set("2026-11-05T08:00:00Z")
    await createMember(manager, policy.id, { ...person, startOn: "2026-11-04" })
    const { version } = await manager.members.detail({ memberId: first.id })
    await expect(
      manager.members.reinstate({ memberId: first.id, version, on: "2026-11-04", reason: "Returned" }),
    ).rejects.toMatchObject({ code: "DUPLICATE_IN_POLICY" })
    app.clock.set("2026-11-02T08:00:00Z")
  })

  test("refuses to reinstate a member of an ended policy", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Ended", startOn: "2026-01-01", members: 1 })
    const member = await createMember(manager, policy.id, { person: 8_000_022 })
    const { version } = await manager.policies.detail({ policyId: policy.id })
    await manager.policies.terminate({ policyId: policy.id, version, on: "2026-10-31", reason: "Closed" })
    const ended = await manager.members.detail({ memberId: member.id })
    await expect(
      manager.members.reinstate({ memberId: member.id, version: ended.version, on: "2026-11-01", reason: "Again" }),
    ).rejects.toMatchObject({ code: "WRONG_STATUS" })
    expect(ended.allowedActions).not.toContain("reinstate")
  })

  test("a member who rejoins has one cover per day and one premium per month", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Back again", startOn: "2026-01-01", members: 1 })
    const person = { person: 8_000_001, firstName: "Ren" }
    const first = await createMember(manager, policy.id, { ...person, startOn: "2026-03-01" })
    await manager.members.terminate({
      memberId: first.id,
      version: first.version,
      on: "2026-11-01",
      reason: "Resigned",
    })
    const again = await createMember(manager, policy.id, { ...person, startOn: "2026-11-01" })
    expect(again.covers).toMatchObject([{ from: "2026-11-02", until: null }])
    const covered = async (on: string) =>
      firstNamesOf(await loadCoveredOn(app.sql, policy.id, on)).filter((name) => name === "Ren")
    expect(await covered("2026-11-01")).toHaveLength(1)
    expect(await covered("2026-11-02")).toHaveLength(1)
    for (const month of ["2026-10-01", "2026-11-01", "2026-12-01"]) {
      const pay = firstNamesOf(await loadPayingIn(app.sql, policy.id, month)).filter((name) => name === "Ren")
      expect(pay, month).toHaveLength(1)
    }
  })

  test("a suspended member has no cover, and no premium for months beginning during the suspension", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Pause", members: 1 })
    const member = await createMember(manager, policy.id, { startOn: "2026-01-01", firstName: "Sus" })
    const act = async () => ({
      memberId: member.id,
      version: (await manager.members.detail({ memberId: member.id })).version,
      reason: "Unpaid leave",
    })
    await manager.members.suspend({ ...(await act()), on: "2026-06-15" })
    await expect(manager.members.suspend({ ...(await act()), on: "2026-07-01" })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "on", message: "The member is already suspended on that date" }] },
    })
    await expect(manager.members.reinstate({ ...(await act()), on: "2026-06-14" })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "on", message: "The member is not suspended on that date" }] },
    })
    const back = await manager.members.reinstate({ ...(await act()), on: "2026-08-10" })
    expect(back.status).toBe("Active")
    const covered = async (on: string) => firstNamesOf(await loadCoveredOn(app.sql, policy.id, on)).includes("Sus")
    expect(await Promise.all(["2026-06-14", "2026-06-15", "2026-08-09", "2026-08-10"].map(covered))).toEqual([
      true,
      false,
      false,
      true,
    ])
    const pays = async (month: string) => firstNamesOf(await loadPayingIn(app.sql, policy.id, month)).includes("Sus")
    expect(await Promise.all(["2026-06-01", "2026-07-01", "2026-08-01", "2026-09-01"].map(pays))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test("adjoining suspensions bill no month that begins in any of them", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Long pause", members: 1 })
    const member = await createMember(manager, policy.id, { startOn: "2026-01-01", firstName: "Pia" })
    const act = async () => ({
      memberId: member.id,
      version: (await manager.members.detail({ memberId: member.id })).version,
      reason: "Unpaid leave",
    })
    const silver = (await manager.benefits.choices()).tiers.find(({ name }) => name === "Silver")!
    await manager.members.suspend({ ...(await act()), on: "2026-06-15" })
    await manager.members.changeTier({ ...(await act()), tierId: silver.id, on: "2026-07-10" })
    await manager.members.reinstate({ ...(await act()), on: "2026-08-20" })
    await manager.members.suspend({ ...(await act()), on: "2026-08-20" })
    await manager.members.terminate({ ...(await act()), on: "2026-09-14" })
    const pays = async (month: string) => firstNamesOf(await loadPayingIn(app.sql, policy.id, month)).includes("Pia")
    expect(await Promise.all(["2026-06-01", "2026-07-01", "2026-08-01", "2026-09-01", "2026-10-01"].map(pays))).toEqual(
      [true, false, false, false, false],
    )
  })

  test("a policy suspended twice bills no month that begins during either suspension", async () => {
    const policy = await createActivePolicy(manager, {
      groupName: "Twice suspended",
      startOn: "2026-01-01",
      members: 1,
    })
    const change = async (action: "suspend" | "reinstate", on: string) => {
      app.clock.set(`${on}T08:00:00Z`)
      const { version } = await manager.policies.detail({ policyId: policy.id })
      await manager.policies[action]({ policyId: policy.id, version, reason: "Arrears" })
    }
    await change("suspend", "2026-11-20")
    await change("reinstate", "2026-12-10")
    await change("suspend", "2026-12-10")
    await change("reinstate", "2027-01-05")
    const pays = async (month: string) => (await loadPayingIn(app.sql, policy.id, month)).length
    expect(await Promise.all(["2026-11-01", "2026-12-01", "2027-01-01"].map(pays))).toEqual([1, 0, 0])
    app.clock.set("2026-11-02T08:00:00Z")
  })

  test("a future last day can be moved and takes effect automatically", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Notice" })
    const member = await createMember(manager, policy.id, { startOn: "2026-01-01", firstName: "Leo" })
    const act = { memberId: member.id, reason: "Resigned" }
    await expect(
      manager.members.terminate({ ...act, version: member.version, on: "2025-12-31" }),
    ).rejects.toMatchObject({ code: "INVALID" })
    const noticed = await manager.members.terminate({ ...act, version: member.version, on: "2026-11-15" })
    expect(noticed).toMatchObject({ status: "Active", endOn: "2026-11-15", covers: [{ until: "2026-11-15" }] })
    const moved = await manager.members.terminate({ ...act, version: noticed.version, on: "2026-11-30" })
    expect(moved.covers).toMatchObject([{ from: "2026-01-01", until: "2026-11-30" }])
    app.clock.set("2026-11-30T08:00:00Z")
    await runDailyJob()
    const ended = await manager.members.detail({ memberId: member.id })
    expect(ended).toMatchObject({ status: "Terminated", endOn: "2026-11-30" })
    expect(firstNamesOf(await loadCoveredOn(app.sql, policy.id, "2026-11-30"))).toContain("Leo")
    expect(firstNamesOf(await loadCoveredOn(app.sql, policy.id, "2026-12-01"))).not.toContain("Leo")
    expect(ended.allowedActions).toEqual(["reinstate", "claim"])
    app.clock.set("2026-11-02T08:00:00Z")
  })

  test("each suspension, reinstatement and end of membership has its own reason", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Reasons" })
    const { id: memberId, version } = await createMember(manager, policy.id, { startOn: "2026-01-01" })
    let member = { version }
    const act = (on: string, reason: string) => ({ memberId, version: member.version, on, reason })
    const planned = await manager.members.suspend(act("2026-12-01", "Maternity"))
    expect(planned).toMatchObject({ status: "Active", statusReason: null, endReason: null })
    expect(planned.covers.at(-1)).toMatchObject({ from: "2026-12-01", kind: "suspended", reason: "Maternity" })
    member = planned
    member = await manager.members.withdraw({ memberId, version: member.version, reason: "Moved" })
    member = await manager.members.terminate(act("2027-03-31", "Retires"))
    member = await manager.members.suspend(act("2026-11-01", "Unpaid leave"))
    const back = await manager.members.reinstate(act("2026-12-01", "Back at work"))
    expect(back).toMatchObject({ status: "Suspended", statusReason: "Unpaid leave", endReason: "Retires" })
    expect(back.covers.map(({ kind, reason }) => [kind, reason])).toEqual([
      ["covered", null],
      ["suspended", "Unpaid leave"],
      ["covered", "Back at work"],
    ])
    member = back
    expect(await manager.members.terminate(act("2026-11-02", "Dismissed"))).toMatchObject({
      status: "Terminated",
      statusReason: "Dismissed",
    })
  })

  test("withdrawing removes all planned changes, so that today's cover continues", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Withdrawn" })
    const { tiers } = await manager.benefits.choices()
    const added = await createMember(manager, policy.id, { startOn: "2026-01-01", firstName: "Mia" })
    expect(added.allowedActions).not.toContain("withdraw")
    const act = { memberId: added.id, reason: "Chose to stay" }
    await expect(manager.members.withdraw({ ...act, version: added.version })).rejects.toMatchObject({
      code: "WRONG_STATUS",
      message: "This member has no planned changes",
    })
    const other = tiers.find(({ id }) => id !== added.tierId)!
    const past = await manager.members.changeTier({
      ...act,
      version: added.version,
      tierId: other.id,
      on: "2026-05-01",
    })
    const away = await manager.members.suspend({ ...act, version: past.version, on: "2026-12-01" })
    const noticed = await manager.members.terminate({ ...act, version: away.version, on: "2026-12-31" })
    expect(noticed.allowedActions).toContain("withdraw")
    const kept = await manager.members.withdraw({ ...act, version: noticed.version })
    expect(kept).toMatchObject({
      status: "Active",
      endOn: null,
      covers: [
        { from: "2026-01-01", until: "2026-04-30", tierId: added.tierId },
        { from: "2026-05-01", until: null, tierId: other.id, kind: "covered" },
      ],
    })
    expect(kept.covers).toHaveLength(2)
    expect(kept.allowedActions).not.toContain("withdraw")
    const [entry] = await manager.members.activity({ memberId: added.id })
    expect(entry).toMatchObject({
      sentence: "withdrew the suspension from 2026-12-01, the end of membership after 2026-12-31",
      reason: "Chose to stay",
    })
    // Withdrawing keeps a future start of cover.
    const coming = await createMember(manager, policy.id, { startOn: "2027-02-01" })
    const gone = await manager.members.terminate({
      ...act,
      memberId: coming.id,
      version: coming.version,
      on: "2027-03-31",
    })
    const back = await manager.members.withdraw({ ...act, memberId: coming.id, version: gone.version })
    expect(back.covers).toMatchObject([{ from: "2027-02-01", until: null }])
  })

  test("covers after random changes never overlap and agree with a day-by-day model", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Random", startOn: "2026-01-01" })
    const { tiers } = await manager.benefits.choices()
    let seed = 20261121
    const next = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % most
    }
    for (let life = 0; life < 4; life++) {
      let member = await createMember(manager, policy.id, { startOn: "2026-01-01" })
      const days = Array.from({ length: 300 }, () => ({ kind: "covered", tier: member.tierId }))
      for (let step = 0; step < 8; step++) {
        const from = next(290)
        const act = { memberId: member.id, version: member.version, on: addDays("2026-01-01", from), reason: "Random" }
        const tier = tiers[next(tiers.length)]!
        const kindOfChange = next(2)
        const attempt =
          kindOfChange === 0
            ? manager.members.changeTier({ ...act, tierId: tier.id })
            : member.status === "Active"
              ? manager.members.suspend(act)
              : manager.members.reinstate(act)
        const kind = member.status === "Active" ? "suspended" : "covered"
        try {
          member = await attempt
          const today = member.covers.find(
            ({ from, until }) => from <= "2026-11-02" && (until ?? "9999") >= "2026-11-02",
          )
          const suspended = today?.kind === "suspended"
          const { endOn, status } = member
          expect(status).toBe(memberStatusOn({ policyStatus: "Active", endOn, suspended }, "2026-11-02"))
        } catch (error) {
          expect((error as { code: string }).code).toBe("INVALID")
          continue
        }
        for (const day of days.slice(from)) {
          if (kindOfChange === 0) day.tier = tier.id
          else day.kind = kind
        }
      }
      const rows = await app.sql.rows<{ day: number; kind: string; tier: string }>(sql`
        select d as day, c.kind, c.tier_id as tier from generate_series(0, 299) d
        join member_covers c on c.member_id = ${member.id} and c.superseded_at is null and c.valid @> date '2026-01-01' + d
        order by d`)
      expect(rows).toEqual(days.map((day, index) => ({ day: index, ...day })))
    }
  })
})

test("the daily job sets every member's status by the rule, for every policy status", async () => {
  const leapDay = "2028-02-29"
  const act = { on: leapDay, reason: "Sweep" }
  const policy = await createActivePolicy(manager, { groupName: "Leap Year Staff", members: 1 })
  const people = [
    await createMember(manager, policy.id),
    await createMember(manager, policy.id),
    await createMember(manager, policy.id),
  ]
  const edit = (place: number) => ({ memberId: people[place]!.id, version: people[place]!.version })
  await manager.members.terminate({ ...edit(0), ...act })
  await manager.members.suspend({ ...edit(1), ...act })
  await manager.members.suspend({ ...edit(2), on: "2026-11-02", reason: "Sweep" })
  const draft = await createDraftPolicy(manager, { groupName: "Leap Year Draft" })
  const others = [
    await createActivePolicy(manager, { groupName: "Leap Suspended" }),
    await createActivePolicy(manager, { groupName: "Leap Over" }),
  ]
  const [suspended, over] = others.map(({ id: policyId, version }) => ({ policyId, version, reason: "Sweep" }))
  await manager.policies.suspend(suspended!)
  await manager.policies.terminate({ ...over!, on: "2026-11-01" })
  await createMember(manager, draft.id)
  const policies = [policy, draft, ...others]
  const members = await Promise.all(
    policies.map(({ id: policyId }) => manager.members.list({ policyId, pageSize: 100 })),
  )
  const ids = members.flatMap(({ rows }) => rows.map(({ id }) => id))
  expect(ids).toHaveLength(7)
  const seen = new Set<string>()
  for (const today of ["2026-11-02", "2028-02-28", leapDay, "2028-03-01"]) {
    app.clock.set(`${today}T08:00:00Z`)
    await runDailyJob()
    for (const memberId of ids) {
      const { status, endOn, covers, policy: of } = await manager.members.detail({ memberId })
      const now = covers.find(({ from, until }) => from <= today && (until === null || today <= until))
      const measure = { policyStatus: of.status, endOn, suspended: now?.kind === "suspended" }
      expect([memberId, today, status]).toEqual([memberId, today, memberStatusOn(measure, today)])
      seen.add(`${today} ${status}`)
    }
  }
  for (const status of ["Pending", "Active", "Suspended", "Terminated"]) expect(seen).toContain(`${leapDay} ${status}`)
  app.clock.set("2026-11-02T08:00:00Z")
})

async function runDailyJob(): Promise<void> {
  const { startJob } = await import("../platform/work/jobs.ts")
  await app.app.database.transaction("staff", async (tx) => {
    const { now } = await app.app.moment()
    const actor = { kind: "system" as const, name: "Milkwood", onBehalfOf: null }
    await startJob({ tx, actor, now }, { kind: "members.daily", label: "Daily member update", payload: {} })
  })
  await app.runJobs()
}
