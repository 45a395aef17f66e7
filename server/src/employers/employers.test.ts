import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy, createDraftPolicy } from "../policies/policies.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"

let app: TestApp
let manager: Client
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
  manager = app.as(app.people.manager)
})
afterAll(() => app?.close())

test("lists employer groups by name with the number of their policies", async () => {
  const { groupId } = await createDraftPolicy(manager, { groupName: "Protea Farms" })
  await createActivePolicy(manager, { groupName: "Protea Farms" })
  const other = await createDraftPolicy(manager, { groupName: "Acacia Protea" })
  expect(await manager.employers.groups({ search: "PROTEA" })).toEqual([
    { id: other.groupId, name: "Acacia Protea", policies: 1 },
    { id: groupId, name: "Protea Farms", policies: 2 },
  ])
  expect(await manager.employers.groups({ search: "%" })).toEqual([])
})

test("shows a group administrator only their assigned groups", async () => {
  const own = await createDraftPolicy(manager, { groupName: "Marula Own" })
  await createDraftPolicy(manager, { groupName: "Marula Foreign" })
  const client = app.as(await app.people.groupAdmin(own.groupId))
  expect(await client.employers.groups({ search: "marula" })).toEqual([
    { id: own.groupId, name: "Marula Own", policies: 1 },
  ])
})

test("keeps a group without policies until its open invitation is revoked", async () => {
  const admin = app.as(app.people.admin)
  const first = await createDraftPolicy(manager, { groupName: "Invited Works" })
  const { id } = await admin.users.invite({
    email: "hr@invited.example",
    role: "group_admin",
    groupIds: [first.groupId],
  })
  const kept = await manager.policies.deleteDraft({ policyId: first.id, version: first.version })
  expect(kept.groupDeleted).toBe(false)
  const second = await createDraftPolicy(manager, { groupName: "Invited Works" })
  expect(second.groupId).toBe(first.groupId)
  await admin.users.revokeInvitation({ id })
  const gone = await manager.policies.deleteDraft({ policyId: second.id, version: second.version })
  expect(gone.groupDeleted).toBe(true)
  expect(await manager.employers.groups({ search: "invited" })).toEqual([])
})

const details = {
  registrationNumber: "2014/123456/07",
  vatNumber: "4123456789",
  phone: "011 555 0100",
  address: "1 Long Street\nCape Town",
  postalAddress: "",
}

test("an employer is created without policies, edited and found by its registration number", async () => {
  const created = await manager.employers.create({ name: "Baobab Bakery", ...details })
  expect(created).toMatchObject({ name: "Baobab Bakery", ...details, status: "Active", version: 1 })
  await expect(manager.employers.create({ name: "BAOBAB bakery", ...details })).rejects.toMatchObject({
    code: "NAME_TAKEN",
  })
  const edit = { groupId: created.id, version: 1, values: { name: "Baobab Breads", ...details, phone: "" } }
  expect(await manager.employers.update(edit)).toMatchObject({ name: "Baobab Breads", phone: "", version: 2 })
  await expect(manager.employers.update(edit)).rejects.toMatchObject({ code: "STALE", data: { version: 2 } })
  const { rows } = await manager.employers.list({ search: "123456/07" })
  expect(rows).toEqual([
    {
      ...{ id: created.id, name: "Baobab Breads", registrationNumber: "2014/123456/07", status: "Active" },
      ...{ openPolicies: 0, members: 0 },
    },
  ])
  const activity = await manager.employers.activity({ groupId: created.id })
  expect(activity.map(({ sentence }) => sentence)).toEqual([
    "changed the details of the group Baobab Breads",
    "renamed the group Baobab Bakery to Baobab Breads",
    "created the group Baobab Bakery",
  ])
})

test("a policy page that shows a group's old name cannot save it", async () => {
  const policy = await createActivePolicy(manager, { groupName: "Fynbos Farms" })
  const { groupId, id: policyId } = policy
  const { version, information } = await manager.policies.detail({ policyId })
  const group = await manager.employers.detail({ groupId })
  await manager.employers.update({ groupId, version: group.version, values: { ...details, name: "Fynbos Foods" } })
  await expect(
    manager.policies.updateSection({ policyId, version, change: { section: "information", values: information } }),
  ).rejects.toMatchObject({ code: "STALE" })
  expect((await manager.policies.detail({ policyId })).information.groupName).toBe("Fynbos Foods")
})

test("an employer is closed when its policies have ended, and then gets no new policy until it is reopened", async () => {
  const { groupId, number, id: policyId } = await createActivePolicy(manager, { groupName: "Closing Cannery" })
  const close = async () => {
    const { version } = await manager.employers.detail({ groupId })
    return manager.employers.close({ groupId, version, reason: "Moved to another insurer" })
  }
  await expect(close()).rejects.toMatchObject({
    code: "HAS_OPEN_POLICIES",
    message: `Terminate the policies of this employer first: ${number}.`,
  })
  const { version } = await manager.policies.detail({ policyId })
  await manager.policies.terminate({ policyId, version, on: "2026-11-02", reason: "Moved" })
  const closed = await close()
  expect(closed).toMatchObject({ status: "Closed", closedOn: "2026-11-02", allowedActions: ["edit", "reopen"] })
  expect(await manager.employers.groups({ search: "closing", onlyOpen: true })).toEqual([])
  await expect(createDraftPolicy(manager, { groupName: "Closing Cannery" })).rejects.toMatchObject({
    code: "INVALID",
    message: "Closing Cannery is closed. Reopen the employer to add a policy.",
  })
  await manager.employers.reopen({ groupId, version: closed.version })
  await expect(createDraftPolicy(manager, { groupName: "Closing Cannery" })).resolves.toMatchObject({ groupId })
})

test("an employer's users read their employer, change nothing and see no other", async () => {
  const own = await createActivePolicy(manager, { groupName: "Rooibos Own" })
  const other = await createActivePolicy(manager, { groupName: "Rooibos Other" })
  const hr = app.as(await app.people.groupAdmin(own.groupId))
  expect(await hr.employers.detail({ groupId: own.groupId })).toMatchObject({ allowedActions: [] })
  await expect(hr.employers.close({ groupId: own.groupId, version: 1, reason: "No" })).rejects.toMatchObject({
    code: "FORBIDDEN",
  })
  const { groupId } = other
  const calls = [
    () => hr.employers.detail({ groupId }),
    () => hr.employers.activity({ groupId }),
    () => hr.reports.employerAccount({ groupId }),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "NOT_FOUND" })
})

const contact = { name: "Zola Accounts", position: "Creditors", email: "", phone: "", cell: "", purposes: [] }

test("contacts are added, edited and removed by managers, and read by the employer's users", async () => {
  const { groupId } = await createActivePolicy(manager, { groupName: "Contact Cafe" })
  const other = await createActivePolicy(manager, { groupName: "Contact Other" })
  const add = (values: object, client = manager) =>
    client.employers.contacts.add({ groupId, values: { ...contact, ...values } })
  await expect(add({ purposes: ["invoices"] })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "values.email" }] },
  })
  const [first] = await add({ email: "zola@cafe.example", purposes: ["statements", "invoices"] })
  expect(first).toMatchObject({ name: "Zola Accounts", purposes: ["invoices", "statements"], version: 1 })
  await expect(add({ email: "ZOLA@cafe.example" })).rejects.toMatchObject({ code: "EMAIL_TAKEN" })
  const edit = { groupId, contactId: first!.id, version: 1, values: { ...contact, cell: "082 555 0100" } }
  expect(await manager.employers.contacts.update(edit)).toMatchObject([{ cell: "082 555 0100", version: 2 }])
  await expect(manager.employers.contacts.update(edit)).rejects.toMatchObject({ code: "STALE" })

  const hr = app.as(await app.people.groupAdmin(groupId))
  expect(await hr.employers.contacts.list({ groupId })).toHaveLength(1)
  await expect(add({}, hr)).rejects.toMatchObject({ code: "FORBIDDEN" })
  await expect(hr.employers.contacts.list({ groupId: other.groupId })).rejects.toMatchObject({ code: "NOT_FOUND" })
  const elsewhere = { groupId: other.groupId, contactId: first!.id }
  await expect(manager.employers.contacts.remove(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" })
  expect(await manager.employers.contacts.remove({ groupId, contactId: first!.id })).toEqual([])
  const sentences = (await manager.employers.activity({ groupId })).map(({ sentence }) => sentence)
  expect(sentences.slice(0, 3)).toEqual([
    "removed the contact Zola Accounts",
    "changed the contact Zola Accounts",
    "added the contact Zola Accounts",
  ])
})
