import { maxSavedViews } from "@milkwood/domain/users/views.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import { openTestApp, type TestApp } from "../test/app.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const pending = {
  list: "claims",
  name: "My pending",
  address: { tab: "pending", page: 1, urgent: true },
  columns: null,
}

test("a view is saved, replaced under its name, and deleted", async () => {
  const { views } = app.as(app.people.manager).users
  const first = await views.save(pending)
  expect(await views.list({ list: "claims" })).toEqual([
    { id: first.id, name: "My pending", address: pending.address, columns: null },
  ])
  expect(await views.list({ list: "members" })).toEqual([])
  const second = await views.save({ ...pending, name: " my PENDING ", address: { tab: "all" }, columns: ["number"] })
  expect(second).toEqual({ id: first.id, name: "my PENDING", address: { tab: "all" }, columns: ["number"] })
  await views.remove({ id: first.id })
  expect(await views.list({ list: "claims" })).toEqual([])
  await expect(views.remove({ id: first.id })).rejects.toMatchObject({ code: "NOT_FOUND" })
})

test("a view is visible only to its owner, also in raw SQL", async () => {
  const { id } = await app.as(app.people.manager).users.views.save(pending)
  const { groupId } = await createDraftPolicy(app.as(app.people.manager))
  const holder = await app.people.policyHolder(groupId)
  const theirs = app.as(holder).users.views
  const own = await theirs.save(pending)
  for (const views of [theirs, app.as(app.people.manager2).users.views]) {
    await expect(views.remove({ id })).rejects.toMatchObject({ code: "NOT_FOUND" })
  }
  expect(await theirs.list({ list: "claims" })).toMatchObject([{ id: own.id }])
  expect(await app.as(app.people.manager2).users.views.list({ list: "claims" })).toEqual([])
  await app.transaction(holder, async ({ tx }) => {
    expect(await tx.rows(sql`select id from saved_views`)).toEqual([{ id: own.id }])
  })
})

test("a list has a maximum number of views per user, even with concurrent saves", async () => {
  const { views } = app.as(app.people.underwriter).users
  for (let n = 2; n <= maxSavedViews; n++) await views.save({ ...pending, name: `View ${n}` })
  const answers = await Promise.allSettled([
    views.save({ ...pending, name: "A" }),
    views.save({ ...pending, name: "B" }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  expect(await views.list({ list: "claims" })).toHaveLength(maxSavedViews)
  await expect(views.save({ ...pending, name: "View 2", address: {} })).resolves.toMatchObject({ address: {} })
})
