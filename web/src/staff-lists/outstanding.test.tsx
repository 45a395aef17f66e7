import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-26T08:00:00Z" })
})
afterAll(() => app.close())

/** A policy whose list of November was due yesterday. */
async function createPolicyWithLateList(groupName: string) {
  const manager = app.as(app.people.manager)
  app.clock.set("2026-11-20T08:00:00Z")
  const { id: policyId, version, terms, ...policy } = await createActivePolicy(manager, { groupName })
  const change = { section: "terms" as const, values: { ...terms, staffListDay: 25 } }
  await manager.policies.updateSection({ policyId, version, change })
  app.clock.set("2026-11-26T08:00:00Z")
  return { policyId, ...policy }
}

test("the office sees which staff list is late, and opens its upload", async () => {
  const { number } = await createPolicyWithLateList("Aloe Foods")
  const { user, location } = await openPage(app, app.people.manager, "/members/import/outstanding")
  const row = within(await screen.findByRole("row", { name: new RegExp(`Aloe Foods.*${number}`) }))
  expect(row.getByText("Late")).toBeTruthy()
  await user.click(row.getByText("Aloe Foods"))
  await waitFor(() => expect(location()).toMatch(/^\/members\/import\?policyId=/))
})

test("HR of one policy uploads without choosing it", async () => {
  const { groupId, number } = await createPolicyWithLateList("Broom Foods")
  await openPage(app, await app.people.groupAdmin(groupId), "/members/import")
  const policy = await screen.findByRole<HTMLInputElement>("combobox", { name: /policy/i })
  await waitFor(() => expect(policy.value).toContain(number))
})

test("the employer's page names the missing list", async () => {
  const { groupId } = await createPolicyWithLateList("Cedar Foods")
  await openPage(app, app.people.manager, `/groups/${groupId}`)
  expect(await screen.findByText(/list of Nov 2026 missing/)).toBeTruthy()
})
