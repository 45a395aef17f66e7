import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../../../server/src/test/app.ts"
import { openPage } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  await app.serve()
})
afterAll(() => app.close())

test("an administrator creates the key, makes a backup, downloads it and removes it", async () => {
  const { user, unmount } = await openPage(app, app.people.admin, "/settings/security")
  expect(await screen.findByText(/Backups start after you create a key/)).toBeDefined()
  await user.click(screen.getByRole("button", { name: "Create key" }))
  const asking = await screen.findByRole("dialog", { hidden: true })
  await user.click(within(asking).getByRole("button", { name: "Create key" }))
  const dialog = await screen.findByRole("dialog", { name: "Save this key", hidden: true })
  expect((await within(dialog).findByText(/^AGE-SECRET-KEY-1/)).textContent).toMatch(/^AGE-SECRET-KEY-1[0-9A-Z]+$/)
  const done = within(dialog).getByRole("button", { name: "Done" }) as HTMLButtonElement
  expect(done.disabled).toBe(true)
  await user.click(within(dialog).getByRole("checkbox", { name: "I have saved it" }))
  await user.click(done)
  await user.click(await screen.findByRole("button", { name: "Back up now" }))
  expect(await screen.findByRole("button", { name: "Backup running" })).toBeDefined()
  await app.runJobs()
  unmount()
  const { user: again } = await openPage(app, app.people.admin, "/settings/security")
  const kept = await screen.findByRole("list", { name: "Backups" })
  expect(kept.textContent).toMatch(/verified, requested by Ada Admin, documents only/)
  await again.click(within(kept).getByRole("button", { name: /^More for/ }))
  await again.click(await screen.findByRole("menuitem", { name: "Remove" }))
  const asked = await screen.findByRole("dialog", { name: "Remove this backup?", hidden: true })
  await again.click(within(asked).getByRole("button", { name: "Remove backup" }))
  expect(await screen.findByText("Backup removed")).toBeDefined()
}, 60_000)
