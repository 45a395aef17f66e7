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
