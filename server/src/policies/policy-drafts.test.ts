import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { createActivePolicy, createDraftPolicy } from "./policies.samples.ts"

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app?.close())

const errorWithCode = (expected: string) => expect.objectContaining({ code: expected })

describe("a draft", () => {
  test("can be activated with a later first month that Milkwood bills", async () => {
    const draft = await createDraftPolicy(manager, { groupName: "Aloe Works" })
    await createMember(manager, draft.id, { startOn: "2026-01-01" })
    const asked = { policyId: draft.id, version: draft.version, billedFromOn: "2026-11-01" }
    const policy = await manager.policies.activate(asked)
    expect(policy.terms.billedFromOn).toBe("2026-11-01")
    const { next } = await manager.billing.nextInvoice({ policyId: draft.id })
    expect(next).toMatchObject({ month: "2026-11-01", members: 1, adjustmentsCents: 0 })
  })

  test("has a number, the default premium and a list of missing fields", async () => {
    const draft = await manager.policies.create({ group: { kind: "new", name: "Bluegum Mines" } })
    expect(draft.number).toMatch(/^GP-2026-\d{6}$/)
    expect(draft.status).toBe("Draft")
    expect(draft.coverage.premiumCents).toBe(35_000)
    expect(draft.missing.map(({ label }) => label)).toEqual([
      "Product type",
      "Start date",
      "Contact name",
      "Contact e-mail",
      "At least one member",
    ])
    await expect(manager.policies.activate({ policyId: draft.id, version: draft.version })).rejects.toMatchObject({
      code: "INCOMPLETE",
      message:
        "Not ready to activate. Missing: product type, start date, contact name, contact e-mail, at least one member",
      data: { missing: draft.missing },
    })
  })

  test("starts with the default premium of the settings", async () => {
    const { settings, version } = await app.as(app.people.admin).settings.detail()
    const changed = { ...settings, defaultMemberPremiumCents: 41_000 }
    await app.as(app.people.admin).settings.save({ settings: changed, version })
    const draft = await manager.policies.create({ group: { kind: "new", name: "Setting Co" } })
    expect(draft.coverage.premiumCents).toBe(41_000)
  })

  test("is refused for an existing group name in any case, and stores nothing", async () => {
    await expect(manager.policies.create({ group: { kind: "new", name: "BLUEGUM mines" } })).rejects.toEqual(
      errorWithCode("NAME_TAKEN"),
    )
    const groups = await manager.employers.groups({ search: "bluegum" })
    expect(groups).toEqual([{ id: expect.any(String), name: "Bluegum Mines", policies: 1 }])
  })

  test("is saved while typing; a stale second tab is refused and shows both versions", async () => {
    const draft = await createDraftPolicy(manager, { groupName: "Cedar Clinics" })
    const first = await manager.policies.saveDraft({ policyId: draft.id, version: draft.version, contactName: "Ann" })
    expect(first.contact.contactName).toBe("Ann")
    expect(first.contact.contactEmail).toBe("hr@acacia.example")
    await expect(
      manager.policies.saveDraft({ policyId: draft.id, version: draft.version, contactName: "Ben" }),
    ).rejects.toMatchObject({ code: "STALE", data: { version: expect.any(Number) } })
  })

  test("moves to another group only while it has no members", async () => {
    const other = await createDraftPolicy(manager, { groupName: "Other Group" })
    const draft = await createDraftPolicy(manager, { groupName: "Moving Group" })
    const moved = await manager.policies.saveDraft({
      policyId: draft.id,
      version: draft.version,
      groupId: other.groupId,
    })
    expect(moved.information.groupName).toBe("Other Group")
    const member = await createMember(manager, draft.id)
    const back = async () => {
      const { version } = await manager.policies.detail({ policyId: draft.id })
      return manager.policies.saveDraft({ policyId: draft.id, version, groupId: draft.groupId })
    }
    await expect(back()).rejects.toEqual(errorWithCode("GROUP_HAS_MEMBERS"))
    await manager.members.remove({ memberId: member.id, version: member.version })
    expect((await back()).information.groupName).toBe("Moving Group")
  })

  test("also moves the members who start with it if its start moves", async () => {
    const draft = await manager.policies.create({ group: { kind: "new", name: "Moved Start" } })
    const starts = async () =>
      (await manager.members.list({ policyId: draft.id, sort: "number", dir: "asc" })).rows.map(
        ({ startOn }) => startOn,
      )
    await createMember(manager, draft.id)
    await createMember(manager, draft.id, { startOn: "2026-12-01" })
    expect(await starts()).toEqual(["2026-11-02", "2026-12-01"])
    const first = await manager.policies.saveDraft({
      policyId: draft.id,
      version: draft.version,
      startOn: "2026-11-01",
    })
    expect(await starts()).toEqual(["2026-11-01", "2026-12-01"])
    const { id: policyId, version, information } = first
    const values = { ...information, startOn: "2026-10-01" }
    await manager.policies.updateSection({ policyId, version, change: { section: "information", values } })
    expect(await starts()).toEqual(["2026-10-01", "2026-12-01"])
    const [, moved] = await manager.policies.activity({ policyId })
    expect(moved!.sentence).toBe("moved the start of the draft to 2026-10-01")
  })

  test("refuses an end before its start and names the field", async () => {
    await expect(
      manager.policies.create({
        group: { kind: "new", name: "Backwards" },
        startOn: "2026-05-01",
        endOn: "2026-04-30",
      }),
    ).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "endOn", message: "The end date is before the start date" }] },
    })
  })
})

describe("deleting a draft", () => {
  const draftOf = async (groupName: string) => {
    const draft = await createDraftPolicy(manager, { groupName })
    await createMember(manager, draft.id)
    return manager.policies.detail({ policyId: draft.id })
  }
  const there = (table: string, id: string) => app.sql.row(sql`select from ${sql.raw(table)} where id = ${id}`)

  test("deletes its members and the employer it created, and remains in the audit trail", async () => {
    const { id: policyId, version, number, groupId } = await draftOf("Never Started")
    expect(await manager.policies.deleteDraft({ policyId, version })).toEqual({ number, groupDeleted: true })
    await expect(manager.policies.detail({ policyId })).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(await app.sql.row(sql`select from members where policy_id = ${policyId}`)).toBeUndefined()
    expect(await there("employer_groups", groupId)).toBeUndefined()
    const facts = await app.sql.rows<{ fact: string }>(sql`
      select fact from audit_log where record_id in (${policyId}, ${groupId}) order by id desc limit 2`)
    expect(facts.map(({ fact }) => fact)).toEqual(["GroupDeleted", "PolicyDraftDeleted"])
    expect((await createDraftPolicy(manager, { groupName: "Next In Line" })).number > number).toBe(true)
  })

  test("keeps an employer that another policy or a user's access uses", async () => {
    const first = await draftOf("Two Policies")
    const second = await createDraftPolicy(manager, { groupName: "Two Policies" })
    const gone = await manager.policies.deleteDraft({ policyId: second.id, version: second.version })
    expect(gone.groupDeleted).toBe(false)
    await app.people.groupAdmin(first.groupId)
    const last = await manager.policies.deleteDraft({ policyId: first.id, version: first.version })
    expect(last.groupDeleted).toBe(false)
    expect(await there("employer_groups", first.groupId)).toBeDefined()
  })

  test("is refused for an activated policy, by the rule and by the database", async () => {
    const policy = await createActivePolicy(manager, { groupName: "In Force" })
    await expect(manager.policies.deleteDraft({ policyId: policy.id, version: policy.version })).rejects.toMatchObject({
      code: "WRONG_STATUS",
    })
    expect(policy.allowedActions).not.toContain("deleteDraft")
    await expect(app.sql.run(sql`delete from policies where id = ${policy.id}`)).rejects.toThrow()
    expect(await there("policies", policy.id)).toBeDefined()
  })
})

test("a new draft starts with the default premium of the settings", async () => {
  const { settings } = await app.as(app.people.admin).settings.detail()
  const premiumCents = settings.defaultMemberPremiumCents
  expect(await manager.policies.draftDefaults({})).toEqual({ premiumCents, hasGroups: true })
})
