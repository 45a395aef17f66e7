import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startJob } from "../../../server/src/platform/work/jobs.ts"
import { policiesDaily } from "../../../server/src/policies/policies.jobs.ts"
import { createActivePolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app?.close())

const managerClient = () => app.as(app.people.manager)
const shownValueOf = (label: string) =>
  screen.getByText(label, { selector: "dt" }).nextSibling?.textContent?.replace(/\s/g, " ")

test("the policy page lists every future premium, and a new one asks about the recorded ones", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Twice Raised" })
  const { id: policyId, coverage } = policy
  let { version } = policy
  for (const [premiumCents, premiumFromOn] of [
    [450_00, "2027-03-01"],
    [400_00, "2027-01-01"],
  ] as const) {
    const values = { ...coverage, premiumCents, premiumFromOn, laterChanges: "keep" as const }
    const saved = await managerClient().policies.updateSection({
      ...{ policyId, version, change: { section: "coverage", values } },
    })
    version = saved.version
  }
  const { user } = await openPage(app, app.people.manager, `/policies/${policyId}`)
  await screen.findByText("Future premium", {}, { timeout: 20_000 })
  await waitFor(() => expect(shownValueOf("Future premium")).toBe("R 400,00 from 2027-01-01R 450,00 from 2027-03-01"))
  await user.click(screen.getByRole("button", { name: "Edit Coverage Details" }))
  const day = await screen.findByRole("textbox", { name: "New premium applies from" })
  await user.type(day, "2027-02-01{Tab}")
  const choice = await screen.findByRole("radiogroup", { name: "A future change is recorded" })
  expect(within(choice).getByRole("radio", { name: "Keep it: the new value applies until 2027-02-28" })).toBeDefined()
  expect(
    within(choice).getByRole("radio", { name: "Replace it: the new value applies from its date onwards" }),
  ).toBeDefined()
}, 90_000)

test("the page of an expired policy leads with its renewal and says until when it is possible", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Renewed Roofing", endOn: "2026-11-02" })
  app.clock.set("2026-11-03T08:00:00Z")
  await app.transaction(app.people.manager, (cx) =>
    startJob(cx, { kind: policiesDaily.kind, label: "Daily policy update", payload: {} }),
  )
  await app.runJobs()
  const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}`)
  const renew = await screen.findByRole("button", { name: "Renew policy" }, { timeout: 20_000 })
  expect(shownValueOf("Can be renewed until")).toBe("2027-01-01")
  await user.click(renew)
  const dialog = await screen.findByRole("dialog", { hidden: true })
  await user.click(within(dialog).getByRole("button", { name: "Renew policy" }))
  await waitFor(() => expect(screen.queryByRole("button", { name: "Renew policy" })).toBeNull(), { timeout: 20_000 })
  expect((await managerClient().policies.detail({ policyId: policy.id })).information.endOn).toBe("2027-11-02")
}, 90_000)
