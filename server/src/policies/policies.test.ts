import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { expirePolicy } from "@milkwood/domain/policies/policy-rules"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import type { Tx } from "../platform/database/database.ts"
import { type JobHandler, runDueJobs, startJob } from "../platform/work/jobs.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { policiesDaily } from "./policies.jobs.ts"
import { readPolicy } from "./policies.queries.ts"
import { createActivePolicy, createDraftPolicy } from "./policies.samples.ts"

/** The premium on a day in cents; null before the first premium. */
async function readPremiumOn(tx: Tx, policyId: string, on: Day): Promise<number | null> {
  const row = await tx.row<{ cents: number }>(sql`
    select premium_cents as cents from policy_premiums
    where policy_id = ${policyId} and superseded_at is null and valid @> ${on}::date`)
  return row?.cents ?? null
}

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app?.close())

const queueDailyJob = () =>
  app.app.database.transaction("staff", async (tx) => {
    const { now } = await app.app.moment()
    const actor = { kind: "system" as const, name: "Milkwood", onBehalfOf: null }
    await startJob({ tx, actor, now }, { kind: policiesDaily.kind, label: "Daily policy update", payload: {} })
  })

const errorWithCode = (expected: string) => expect.objectContaining({ code: expected })

describe("the policy lifecycle", () => {
  test("activation makes its members active and covered, and writes an audit entry", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Dune Logistics", members: 2 })
    expect(policy.status).toBe("Active")
    expect(policy.members).toEqual({ total: 2, pending: 0, active: 2, suspended: 0, terminated: 0 })
    expect(policy.monthlyPremiumCents).toBe(2 * policy.coverage.premiumCents)
    const activity = await manager.policies.activity({ policyId: policy.id })
    expect(activity[0]).toMatchObject({
      actor: "Max Manager",
      sentence: "activated the policy from 2026-01-01 with 2 members",
    })
    expect(activity[0]!.changes).toEqual(
      expect.arrayContaining([
        { field: "premiumCents", before: null, after: policy.coverage.premiumCents },
        { field: "waitingPeriodMonths", before: null, after: policy.coverage.waitingPeriodMonths },
      ]),
    )
    expect(activity.at(-1)?.sentence).toBe("created the policy")
    await expect(manager.policies.activate({ policyId: policy.id, version: policy.version })).rejects.toMatchObject({
      code: "WRONG_STATUS",
      message: "A policy that is active cannot be activated.",
    })
  })

  test("suspending and reinstating record the suspended days", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Erica Retail" })
    const suspended = await manager.policies.suspend({
      policyId: policy.id,
      version: policy.version,
      reason: "Premiums in arrears",
    })
    expect(suspended).toMatchObject({ status: "Suspended", statusReason: "Premiums in arrears" })
    app.clock.set("2026-12-02T08:00:00Z")
    await manager.policies.reinstate({ policyId: policy.id, version: suspended.version, reason: "Paid up" })
    app.clock.set("2026-11-02T08:00:00Z")
    expect(await readPeriods(policy.id)).toEqual([
      { kind: "active", valid: "[2026-01-01,2026-11-02)" },
      { kind: "suspended", valid: "[2026-11-02,2026-12-02)" },
      { kind: "active", valid: "[2026-12-02,)" },
    ])
  })

  test("termination needs a reason and a day up to today, and ends the members' cover", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Fynbos Foods", members: 2 })
    const act = { policyId: policy.id, version: policy.version }
    await expect(manager.policies.terminate({ ...act, on: "2026-10-31", reason: " " })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "reason", message: "Enter a reason" }] },
    })
    await expect(manager.policies.terminate({ ...act, on: "2026-11-03", reason: "Left" })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "on" }] },
    })
    const ended = await manager.policies.terminate({ ...act, on: "2026-10-31", reason: "Moved to another insurer" })
    expect(ended).toMatchObject({ status: "Terminated", terminatedOn: "2026-10-31", members: { terminated: 2 } })
    expect(await readPeriods(policy.id)).toEqual([{ kind: "active", valid: "[2026-01-01,2026-11-01)" }])
    const covers = await app.sql.rows(sql`
      select distinct valid::text as valid from member_covers where policy_id = ${policy.id} and superseded_at is null`)
    expect(covers).toEqual([{ valid: "[2026-01-01,2026-11-01)" }])
    expect(ended.allowedActions).toEqual(["editContact"])
  })

  test("a policy expires once, on the day after its end date, despite repeated jobs", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Grassland Schools", endOn: "2026-11-02" })
    const run = async () => {
      await queueDailyJob()
      await app.runJobs()
    }
    await run()
    expect((await manager.policies.detail({ policyId: policy.id })).status).toBe("Active")
    app.clock.set("2026-11-02T22:30:00Z")
    await run()
    await run()
    const expired = await manager.policies.detail({ policyId: policy.id })
    expect(expired).toMatchObject({ status: "Expired", members: { terminated: 1 } })
    const activity = await manager.policies.activity({ policyId: policy.id })
    expect(activity.filter(({ fact }) => fact === "PolicyExpired")).toHaveLength(1)
    app.clock.set("2026-11-02T08:00:00Z")
  })

  test("a suspended policy expires on its end date, and its members end with it", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Suspended Sawmill", endOn: "2026-11-02" })
    const { version } = policy
    await manager.policies.suspend({ policyId: policy.id, version, reason: "Unpaid" })
    app.clock.set("2026-11-02T22:30:00Z")
    await queueDailyJob()
    await app.runJobs()
    const expired = await manager.policies.detail({ policyId: policy.id })
    expect(expired).toMatchObject({ status: "Expired", members: { terminated: 1 } })
    expect(expired.allowedActions).toEqual(["editContact", "renew"])
    app.clock.set("2026-11-02T08:00:00Z")
  })

  test("an interrupted daily job continues after a restart", async () => {
    const sample = { groupName: "Geelhout", endOn: "2026-11-02" }
    const policies = [await createActivePolicy(manager, sample), await createActivePolicy(manager, sample)]
    const statuses = () =>
      Promise.all(policies.map(async ({ id }) => (await manager.policies.detail({ policyId: id })).status))
    app.clock.set("2026-11-02T22:30:00Z")
    await queueDailyJob()
    const closing = new AbortController()
    const cutShort: JobHandler = {
      kind: policiesDaily.kind,
      run: (cx) =>
        policiesDaily.run({ ...cx, transaction: (work) => cx.transaction(work).finally(() => closing.abort()) }),
    }
    await runDueJobs(app.app, [cutShort], closing.signal)
    expect((await statuses()).toSorted()).toEqual(["Active", "Expired"])
    await app.runJobs()
    expect(await statuses()).toEqual(["Expired", "Expired"])
    app.clock.set("2026-11-02T08:00:00Z")
  })
})

test("the daily job's query finds exactly the policies that the domain rule expires", async () => {
  const { id } = await createActivePolicy(manager, { groupName: "Leap Year Traders" })
  await app.sql.run(sql`
    insert into policies (id, group_id, number, status, product_type_id, premium_cents, start_on, end_on, terminated_on, created_at, updated_at)
    select gen_random_uuid(), group_id, 'GP-2026-9' || lpad(row_number() over ()::text, 5, '0'), s, product_type_id,
      premium_cents, start_on, e, case when s = 'Terminated' then start_on end, created_at, updated_at
    from policies, unnest(array['Draft', 'Active', 'Suspended', 'Terminated', 'Expired']) s,
      unnest(array[null, '2027-12-30', '2027-12-31', '2028-01-01', '2028-02-28', '2028-02-29', '2028-03-01']::date[]) e
    where id = ${id}`)
  const ids = await app.sql.rows<{ id: string }>(sql`
    select id from policies where group_id = (select group_id from policies where id = ${id})`)
  const all = () => Promise.all(ids.map((one) => readPolicy(app.sql, one.id)))
  let expired = 0
  for (const today of ["2027-12-31", "2028-02-28", "2028-02-29", "2028-03-01"]) {
    app.clock.set(`${today}T08:00:00Z`)
    const expected = (await all()).map((policy) => {
      const decided = expirePolicy(policy, today)
      if (!isRefusal(decided)) expired++
      return isRefusal(decided) ? policy.status : decided.value.status
    })
    await queueDailyJob()
    await app.runJobs()
    expect(await app.sql.rows(sql`select from jobs where kind = ${policiesDaily.kind} and state <> 'done'`)).toEqual([])
    expect((await all()).map(({ status }) => status)).toEqual(expected)
  }
  expect(expired).toBe(10)
  app.clock.set("2026-11-02T08:00:00Z")
})

describe("editing a section", () => {
  test("records before and after, and refuses a second editor's stale version", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Heron Hotels" })
    const values = { ...policy.contact, contactName: "New Name" }
    const act = { policyId: policy.id, version: policy.version }
    await manager.policies.updateSection({ ...act, change: { section: "contact", values } })
    const other = app.as(app.people.manager2)
    await expect(
      other.policies.updateSection({
        ...act,
        change: { section: "contact", values: { ...policy.contact, contactPhone: "0215550199" } },
      }),
    ).rejects.toMatchObject({ code: "STALE", data: { version: expect.any(Number) } })
    for (const field of ["contactPhone", "contactCell"] as const) {
      await expect(
        manager.policies.updateSection({
          ...act,
          change: { section: "contact", values: { ...values, [field]: "abc" } },
        }),
      ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: `change.values.${field}` }] } })
    }
    await app.sql.run(sql`update policies set contact_phone = 'ask at the desk' where id = ${policy.id}`)
    expect((await manager.policies.detail({ policyId: policy.id })).contact.contactPhone).toBe("ask at the desk")
    const [entry] = await manager.policies.activity({ policyId: policy.id })
    expect(entry).toMatchObject({
      sentence: "changed Main Contact",
      changes: [{ field: "contactName", before: "Thandi Mokoena", after: "New Name" }],
    })
  })

  test("a funeral product refuses a long waiting period in a new policy, a draft, a product type change and activation", async () => {
    const admin = app.as(app.people.admin)
    const funeral = await admin.benefits.productTypes.create({ name: "Group Funeral", isFuneral: true })
    const refusal = { code: "INVALID", data: { fields: [{ path: "waitingPeriodMonths" }] } }
    const sample = { groupName: "Rooibos Mills", productTypeId: funeral.id }
    await expect(createDraftPolicy(manager, { ...sample, waitingPeriodMonths: 7 })).rejects.toMatchObject(refusal)
    const draft = await createDraftPolicy(manager, { ...sample, waitingPeriodMonths: 6 })
    const { id: policyId, version } = draft
    await expect(manager.policies.saveDraft({ policyId, version, endOn: "2026-12-31" })).rejects.toMatchObject(refusal)
    await manager.policies.saveDraft({ policyId, version, endOn: "2026-12-31", waitingPeriodMonths: 3 })

    const life = await createActivePolicy(manager, { groupName: "Honeybush Mills", waitingPeriodMonths: 12 })
    await expect(
      manager.policies.updateSection({
        ...{ policyId: life.id, version: life.version },
        change: { section: "information", values: { ...life.information, productTypeId: funeral.id } },
      }),
    ).rejects.toMatchObject(refusal)

    const marked = await admin.benefits.productTypes.create({ name: "Marked later" })
    const before = await createDraftPolicy(manager, {
      ...{ groupName: "Buchu Mills", productTypeId: marked.id, waitingPeriodMonths: 12 },
    })
    await markFuneral(marked.id)
    await createMember(manager, before.id, { startOn: "2026-01-01" })
    await expect(manager.policies.activate({ policyId: before.id, version: before.version })).rejects.toMatchObject(
      refusal,
    )
  })

  const markFuneral = async (id: string) => {
    const { productTypes } = app.as(app.people.admin).benefits
    const { name, description, vatRates, version } = await productTypes.get({ id })
    return productTypes.update({ id, version, name, description, vatRates, isFuneral: true })
  }

  test("a product type with active policies of a long waiting period cannot become a funeral product", async () => {
    const type = await app.as(app.people.admin).benefits.productTypes.create({ name: "Burial society" })
    const scene = (groupName: string, more: object) =>
      createActivePolicy(manager, { groupName, productTypeId: type.id, waitingPeriodMonths: 12, ...more })
    const long = await scene("Long Mills", {})
    const short = await scene("Short Term Mills", { endOn: "2026-12-31", waitingPeriodMonths: 4 })
    await scene("Allowed Mills", { waitingPeriodMonths: 6 })
    const ended = await scene("Ended Mills", {})
    await manager.policies.terminate({
      ...{ policyId: ended.id, version: ended.version, on: "2026-10-31", reason: "Closed" },
    })
    const change = async ({ id: policyId }: { id: string }, waitingPeriodMonths: number, waitingPeriodFromOn: Day) => {
      const { version, coverage } = await manager.policies.detail({ policyId })
      await manager.policies.updateSection({
        ...{ policyId, version },
        change: { section: "coverage", values: { ...coverage, waitingPeriodMonths, waitingPeriodFromOn } },
      })
    }
    const refusalOf = (list: string) => ({
      code: "INVALID",
      message: `The waiting period is too long in ${list}. A funeral product allows at most six months, or a quarter of the policy's term if shorter.`,
      data: { fields: [{ path: "isFuneral" }] },
    })
    await expect(markFuneral(type.id)).rejects.toMatchObject(
      refusalOf(`${long.number} (12 months) and ${short.number} (4 months)`),
    )
    await change(short, 3, "2026-01-01")
    await change(long, 6, "2026-06-01")
    await change(long, 9, "2027-06-01")
    await expect(markFuneral(type.id)).rejects.toMatchObject(refusalOf(`${long.number} (9 months)`))
    await change(long, 6, "2027-06-01")
    expect(await markFuneral(type.id)).toMatchObject({ isFuneral: true })
  })

  test("a stale page of another policy cannot undo a group's new name", async () => {
    const first = await createActivePolicy(manager, { groupName: "Keurboom Mills" })
    const second = await createDraftPolicy(manager, { groupName: "Keurboom Mills" })
    const apart = await createDraftPolicy(manager, { groupName: "Leadwood Mills" })
    const other = app.as(app.people.manager2)
    const save = (client: Client, { id: policyId, version, information }: typeof first, change: object) =>
      client.policies.updateSection({
        policyId,
        version,
        change: { section: "information", values: { ...information, ...change } },
      })
    await save(other, first, { groupName: "Keurboom Paper" })
    await expect(save(manager, second, { description: "Night shift" })).rejects.toMatchObject({
      code: "STALE",
      data: { version: second.version + 1 },
    })
    const current = await manager.policies.detail({ policyId: second.id })
    const saved = await save(manager, current, { description: "Night shift" })
    expect(saved.information).toMatchObject({ groupName: "Keurboom Paper", description: "Night shift" })
    expect((await manager.policies.detail({ policyId: apart.id })).version).toBe(apart.version)
    const trail = await app.sql.rows(sql`
      select actor_name as actor from audit_log where record_id = ${first.groupId} and fact = 'GroupRenamed'`)
    expect(trail).toEqual([{ actor: "Mia Manager" }])
  })

  test("concurrent renames of a group through two policies refuse the second", async () => {
    const through: Awaited<ReturnType<typeof createDraftPolicy>>[] = []
    while (through.length < 4) through.push(await createDraftPolicy(manager, { groupName: "Marula Oils" }))
    const answers = await Promise.allSettled(
      through.map(({ id: policyId, version, information }, index) =>
        manager.policies.updateSection({
          policyId,
          version,
          change: { section: "information", values: { ...information, groupName: `Marula Oils ${index}` } },
        }),
      ),
    )
    const refusals = answers.filter((answer) => answer.status === "rejected").map(({ reason }) => reason)
    expect(refusals).toEqual([errorWithCode("STALE"), errorWithCode("STALE"), errorWithCode("STALE")])
  })

  test("an active policy's new premium applies from the first of next month", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Ironwood", premiumCents: 35_000 })
    const saved = await manager.policies.updateSection({
      policyId: policy.id,
      version: policy.version,
      change: { section: "coverage", values: { ...policy.coverage, premiumCents: 40_000 } },
    })
    expect(saved.coverage.premiumCents).toBe(35_000)
    expect(saved.upcomingPremium).toEqual({ premiumCents: 40_000, fromOn: "2026-12-01" })
    const tx = app.sql
    expect(await readPremiumOn(tx, policy.id, "2026-11-30")).toBe(35_000)
    expect(await readPremiumOn(tx, policy.id, "2026-12-01")).toBe(40_000)
    expect(await readPremiumOn(tx, policy.id, "2025-12-31")).toBeNull()
    const back = await manager.policies.updateSection({
      policyId: policy.id,
      version: saved.version,
      change: {
        section: "coverage",
        values: { ...saved.coverage, premiumCents: 38_000, premiumFromOn: "2026-06-01" },
      },
    })
    expect(back.coverage.premiumCents).toBe(38_000)
    expect(await readPremiumOn(tx, policy.id, "2026-05-31")).toBe(35_000)
    expect(back.upcomingPremium).toEqual({ premiumCents: 40_000, fromOn: "2026-12-01" })
    expect(await readPremiumOn(tx, policy.id, "2027-01-01")).toBe(40_000)
  })

  test("billing terms are set on a draft, and dated on an active policy", async () => {
    const policy = await createActivePolicy(manager, {
      groupName: "Terebinth",
      billedFromOn: "2026-09-18",
      endRule: "by days",
      dueDays: 14,
    })
    const terms = { billedFromOn: "2026-09-01", endRule: "by days", dueDays: 14 } as const
    expect(policy).toMatchObject({ terms, upcomingEndRule: null })
    const standing = () =>
      app.sql.rows(sql`
        select 'rule' as kind, rule as said, lower(valid) as "from" from policy_end_rules
        where policy_id = ${policy.id} and superseded_at is null
        union all select 'billed', null, month from policy_billed_from where policy_id = ${policy.id} and superseded_at is null
        order by "from"`)
    expect(await standing()).toEqual([
      { kind: "rule", said: "by days", from: "2026-01-01" },
      { kind: "billed", said: null, from: "2026-09-01" },
    ])
    const save = (version: number, values: Partial<typeof policy.terms> & { endRuleFromOn?: string }) =>
      manager.policies.updateSection({
        policyId: policy.id,
        version,
        change: { section: "terms", values: { ...policy.terms, ...values } },
      })
    await expect(save(policy.version, { endRule: "whole month", endRuleFromOn: "2025-12-01" })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "endRuleFromOn" }] },
    })
    const saved = await save(policy.version, { billedFromOn: null, endRule: "whole month", dueDays: 7 })
    expect(saved).toMatchObject({
      terms: { billedFromOn: null, endRule: "by days", dueDays: 7 },
      upcomingEndRule: { rule: "whole month", fromOn: "2026-12-01" },
    })
    expect(await standing()).toEqual([
      { kind: "rule", said: "by days", from: "2026-01-01" },
      { kind: "rule", said: "whole month", from: "2026-12-01" },
    ])
    await expect(save(policy.version, { dueDays: 1 })).rejects.toMatchObject({ code: "STALE" })
    const [entry] = await manager.policies.activity({ policyId: policy.id })
    expect(entry!.changes).toEqual([
      { field: "dueDays", before: 14, after: 7 },
      { field: "endRule", before: "by days", after: "whole month" },
      { field: "billedFromOn", before: "2026-09-01", after: null },
      { field: "endRuleFromOn", before: null, after: "2026-12-01" },
    ])
    const now = await save(saved.version, { ...saved.terms, endRule: "whole month", endRuleFromOn: "2026-03-01" })
    expect(now).toMatchObject({ terms: { endRule: "whole month" }, upcomingEndRule: null })
  })

  test("a new end date changes the days in force; an activated policy keeps its start", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Jackal Security" })
    const change = (over: Partial<typeof policy.information>, version: number) =>
      manager.policies.updateSection({
        policyId: policy.id,
        version,
        change: { section: "information", values: { ...policy.information, ...over } },
      })
    await expect(change({ startOn: "2026-02-01" }, policy.version)).rejects.toMatchObject({ code: "INVALID" })
    const shorter = await change({ endOn: "2026-12-31" }, policy.version)
    expect(await readPeriods(policy.id)).toEqual([{ kind: "active", valid: "[2026-01-01,2027-01-01)" }])
    const longer = await change({ endOn: "2027-06-30" }, shorter.version)
    expect(await readPeriods(policy.id)).toEqual([{ kind: "active", valid: "[2026-01-01,2027-07-01)" }])
    const renamed = await change({ endOn: null, groupName: "Jackal Guards" }, longer.version)
    expect(await readPeriods(policy.id)).toEqual([{ kind: "active", valid: "[2026-01-01,)" }])
    expect(renamed.information.groupName).toBe("Jackal Guards")
    await expect(change({ endOn: null, groupName: "Heron Hotels" }, renamed.version)).rejects.toEqual(
      errorWithCode("NAME_TAKEN"),
    )
  })
})

describe("the list", () => {
  test("searches, filters, sorts and counts in the database", async () => {
    await createActivePolicy(manager, { groupName: "Kudu Transport", members: 3 })
    await createDraftPolicy(manager, { groupName: "Kudu Transport", startOn: "2026-03-01" })
    const found = await manager.policies.list({ search: "kudu", sort: "startOn", dir: "asc" })
    expect(found.total).toBe(2)
    expect(found.counts).toMatchObject({ all: 2, Draft: 1, Active: 1 })
    expect(found.rows.map(({ memberCount }) => memberCount)).toEqual([3, 0])
    const drafts = await manager.policies.list({ search: "KUDU", tab: "Draft" })
    expect(drafts).toMatchObject({ total: 1, counts: { all: 2 }, rows: [{ startOn: "2026-03-01" }] })
    expect(await manager.policies.list({ search: "100%" })).toMatchObject({ total: 0, rows: [] })
    const all = await manager.policies.list({ sort: "number", dir: "asc" })
    expect(all.rows.map(({ number }) => number)).toEqual(all.rows.map(({ number }) => number).toSorted())
  })
})

describe("other groups", () => {
  test("another group's policy is not found, listed or counted", async () => {
    const own = await createActivePolicy(manager, { groupName: "Own Group" })
    const foreign = await createActivePolicy(manager, { groupName: "Foreign Group" })
    for (const person of [await app.people.groupAdmin(own.groupId), await app.people.policyHolder(own.groupId)]) {
      const client = app.as(person)
      const list = await client.policies.list({})
      expect(list.rows.map(({ id }) => id)).toEqual([own.id])
      expect(list.counts.all).toBe(1)
      expect(await client.policies.list({ search: "Foreign" })).toMatchObject({ total: 0, counts: { all: 0 } })
      expect(await client.employers.groups({ search: "" })).toEqual([
        { id: own.groupId, name: "Own Group", policies: 1 },
      ])
      expect((await client.policies.pick({})).map(({ id }) => id)).toEqual([own.id])
      const errors = await Promise.all(
        [foreign.id, randomUUID()].flatMap((policyId) => [
          client.policies.detail({ policyId }).catch((error: Error) => error),
          client.policies.activity({ policyId }).catch((error: Error) => error),
        ]),
      )
      expect(errors.map((error) => (error as { code?: string }).code)).toEqual(Array(4).fill("NOT_FOUND"))
      expect(new Set(errors.map((error) => (error as Error).message)).size).toBe(1)
      await expect(client.policies.activate({ policyId: own.id, version: 1 })).rejects.toEqual(
        errorWithCode("FORBIDDEN"),
      )
    }
  })
})

function readPeriods(policyId: string) {
  return app.sql.rows(sql`
    select kind, valid::text as valid from policy_periods
    where policy_id = ${policyId} and superseded_at is null order by policy_periods.valid`)
}
