import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createFarXls, createForgedXls, createWideXlsx } from "./hostile-lists.samples.ts"
import { openStaffListApp, type StaffListApp, uploadListAs } from "./staff-lists.samples.ts"

let desk: StaffListApp
beforeAll(async () => {
  desk = await openStaffListApp()
})
afterAll(() => desk.app.close())

test("twenty concurrent hostile lists are refused while other users work and import", async () => {
  const { manager } = desk.app.people
  const policy = await createActivePolicy(desk.app.as(manager), { groupName: "Besieged" })
  const admin = await desk.app.people.groupAdmin(policy.groupId)
  const files = [
    ["list.xlsx", createWideXlsx("ZZZZZZ2")],
    ["list.xlsx", createWideXlsx("FFFFFF2")],
    ["list.xls", createFarXls()],
    ["list.xls", createForgedXls({ rows: 4_000_000_000 })],
  ] as const
  const sent = Array.from({ length: 20 }, (_, index) => {
    const [name, content] = files[index % files.length]!
    return uploadListAs(desk, admin, policy.id, name, content)
  })
  const mine = uploadListAs(
    desk,
    manager,
    policy.id,
    "mine.csv",
    "First Name,Last Name,ID Number,Email\nAnna,Nkosi,8506255853085,anna@list.example",
  )
  let longest = 0
  for (let call = 0; call < 20; call += 1) {
    const since = performance.now()
    await desk.app.as(manager).policies.detail({ policyId: policy.id })
    longest = Math.max(longest, performance.now() - since)
  }
  const answers = await Promise.all(sent)
  const words = await Promise.all(answers.map(async (answer) => (await answer.json()) as { code: string }))
  expect(words.map(({ code }) => code)).toEqual(words.map(({ code }) => (code === "TOO_MANY" ? "TOO_MANY" : "INVALID")))
  // One sender's lists do not delay those of others.
  expect(words.filter(({ code }) => code === "INVALID").length).toBeGreaterThan(1)
  expect((await mine).status).toBe(200)
  expect(longest).toBeLessThan(2_000)
})
