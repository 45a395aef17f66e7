import { screen, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Screen Mill")
  await app.serve()
})
afterAll(() => app.close())

test("an administrator searches the audit trail, opens an entry and checks the chain", async () => {
  const address = "/settings/audit?kind=policy&fact=PolicyActivated"
  const { user, unmount } = await openPage(app, app.people.admin, address)
  expect(await screen.findByText(/The audit trail has not been checked yet/)).toBeDefined()
  await user.click(screen.getByRole("button", { name: "Check audit trail" }))
  expect(await screen.findByRole("button", { name: "Checking the audit trail" })).toBeDefined()
  await app.runJobs()
  unmount()
  const { user: again, unmount: close } = await openPage(app, app.people.admin, address)
  // This test does not seal entries.
  expect(await screen.findByText(/No entry could be verified \(0 entries/)).toBeDefined()
  const [said] = await screen.findAllByText(/activated the policy/)
  await again.click(within(said!.closest("tr")!).getByRole("link"))
  expect(await screen.findByRole("heading", { name: /Max Manager activated the policy/ })).toBeDefined()
  expect(screen.getByRole("table", { name: "Before and after" })).toBeDefined()
  close()
}, 60_000)

test("an administrator requests the file of everything recorded about a member", async () => {
  const { user, unmount } = await openPage(app, app.people.admin, `/members/${scene.memberId}`)
  await user.click(await screen.findByRole("link", { name: "Everything recorded about this person" }))
  await user.click(await screen.findByRole("button", { name: "Create file" }))
  expect(await screen.findByRole("button", { name: "Creating the file" })).toBeDefined()
  await app.runJobs()
  expect(await screen.findByRole("button", { name: "Download" }, { timeout: 5_000 })).toBeDefined()
  unmount()
  await openPage(app, app.people.manager, `/members/${scene.memberId}`)
  await screen.findAllByText("Sipho Dlamini")
  expect(screen.queryByRole("link", { name: "Everything recorded about this person" })).toBeNull()
}, 60_000)

test("records past retention are shown with their outcome, and removed once confirmed", async () => {
  await app.sql.run(sql`
    insert into mails (id, to_address, subject, text_body, state, next_attempt_at, created_at, sent_at)
    values (gen_random_uuid(), 'a@example.test', 'Old', 'Old', 'sent', '2018-01-01', '2018-01-01', '2018-01-01')`)
  const { user, unmount } = await openPage(app, app.people.admin, "/settings/security")
  await user.click(await screen.findByRole("button", { name: "Count now" }))
  expect(await screen.findByRole("button", { name: "Counting..." })).toBeDefined()
  await app.runJobs()
  unmount()
  const { user: again, unmount: leave } = await openPage(app, app.people.admin, "/settings/security")
  const nights = await screen.findByRole("list", { name: "Data past its retention period" })
  expect(nights.textContent).toContain("1 e-mail")
  await again.click(await within(nights).findByRole("button", { name: "Confirm and remove" }))
  const asked = await screen.findByRole("dialog", { name: "Remove data past its retention period?", hidden: true })
  expect(asked.textContent).toContain("1 e-mail: deleted")
  await again.click(within(asked).getByRole("button", { name: "Remove" }))
  expect(await screen.findByRole("button", { name: "Counting..." })).toBeDefined()
  await app.runJobs()
  leave()
  await openPage(app, app.people.admin, "/settings/security")
  const done = await screen.findByRole("list", { name: "Data past its retention period" })
  expect(done.textContent).toMatch(/Removed.*1 e-mail, confirmed by Ada Admin/)
}, 60_000)
