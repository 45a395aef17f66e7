import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../../../server/src/test/app.ts"
import { Receiver } from "../../../server/src/webhooks/receiver.samples.ts"
import { deliverAll } from "../../../server/src/webhooks/webhooks.samples.ts"
import { openPage } from "../test/page.tsx"

let app: TestApp
let receiver: Receiver
beforeAll(async () => {
  app = await openTestApp({ webhookNetworks: ["127.0.0.1/32"] })
  await app.serve()
  receiver = await Receiver.started()
})
afterAll(async () => {
  receiver.close()
  await app.close()
})

test("an administrator creates a service key, which is shown once, and revokes it", async () => {
  const { user } = await openPage(app, app.people.admin, "/settings/integrations")
  expect(await screen.findByText("No service keys yet.")).toBeDefined()
  await user.click(screen.getByRole("button", { name: "Create service key" }))
  const dialog = await screen.findByRole("dialog", { hidden: true })
  await user.type(within(dialog).getByLabelText(/^Name/), "Payroll feed")
  await user.click(within(dialog).getByRole("combobox", { name: /^Role/, hidden: true }))
  await user.click(await screen.findByRole("option", { name: /^Manager/, hidden: true }))
  await user.click(within(dialog).getByRole("button", { name: "Create key", hidden: true }))
  const shown = await screen.findByRole("dialog", { name: "Save this key", hidden: true })
  expect(within(shown).getByText(/^mwk_[\w-]{43}$/)).toBeDefined()
  const done = within(shown).getByRole("button", { name: "Done", hidden: true }) as HTMLButtonElement
  expect(done.disabled).toBe(true)
  await user.click(within(shown).getByRole("checkbox", { name: "I have saved it", hidden: true }))
  await user.click(done)
  const keys = await screen.findByRole("list", { name: "Service keys" })
  expect(keys.textContent).toContain("Payroll feed")
  expect(keys.textContent).toContain("Not used yet.")
  expect(document.body.textContent).not.toMatch(/mwk_[\w-]{43}/)
  await user.click(within(keys).getByRole("button", { name: "Revoke the key Payroll feed" }))
  const asked = await screen.findByRole("dialog", { name: "Revoke the key Payroll feed?", hidden: true })
  await user.click(within(asked).getByRole("button", { name: "Revoke key", hidden: true }))
  expect(await within(keys).findByText("Revoked")).toBeDefined()
  expect(within(keys).queryByRole("button", { name: /^Revoke/ })).toBeNull()
}, 60_000)

test("a webhook's messages are listed with their attempts and can be resent", async () => {
  const { webhooks } = app.as(app.people.admin)
  const { webhook } = await webhooks.make({ name: "Payroll hook", url: receiver.url, events: ["claim.paid"] })
  await webhooks.test({ webhookId: webhook.id })
  await deliverAll(app.app)
  const { user, unmount } = await openPage(app, app.people.admin, "/settings/integrations")
  const list = await screen.findByRole("list", { name: "Webhooks" })
  expect(list.textContent).toMatch(/1 event, last delivered on/)
  await user.click(within(list).getByRole("link", { name: "Payroll hook" }))
  expect(await screen.findByRole("heading", { name: "Payroll hook" })).toBeDefined()
  expect(await screen.findByText("Claim paid")).toBeDefined()
  unmount()
  const [row] = (await webhooks.deliveries.list({ webhookId: webhook.id })).rows
  const { user: again } = await openPage(app, app.people.admin, `/settings/integrations/messages/${row!.id}`)
  const tries = await screen.findByRole("table", { name: "Attempts" })
  expect(tries.textContent).toContain("200")
  expect(tries.textContent).toContain("Thank you")
  await again.click(screen.getByRole("button", { name: "Send again" }))
  expect(await screen.findByText("Message queued to send again")).toBeDefined()
}, 60_000)
