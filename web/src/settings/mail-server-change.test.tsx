import { noMailServer } from "@milkwood/domain/platform/mail-server"
import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
const settingsClient = () => app.as(app.people.admin).settings

async function saveMailServer(host: string) {
  const { version, settings: before } = await settingsClient().detail()
  return settingsClient().save({ version, settings: { ...before, mailServer: { ...noMailServer, host } } })
}

beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  await saveMailServer("mail.umoya.test")
  await app.sql.run(sql`
    insert into mails (id, to_address, subject, text_body, attachments, state, next_attempt_at, created_at)
    values (gen_random_uuid(), 'thandi@example.test', 'Hello', 'Hello', '[]', 'sent', now(), now())`)
})
afterAll(() => app.close())

describe("Settings, Email", () => {
  it("the page shows how long sign-in links are held after the only administrator's change", async () => {
    await saveMailServer("other.umoya.test")
    await openPage(app, app.people.admin, "/settings/email")
    expect(await screen.findByText(/are not emailed until/)).toBeTruthy()
    expect(screen.queryByText("Confirm change")).toBeNull()
  })

  it("the requester can withdraw a mail server change, and the second administrator confirm it", async () => {
    const second = await app.people.another("admin")
    app.clock.advance({ hours: 24 })
    await saveMailServer("new.umoya.test")
    const own = await openPage(app, app.people.admin, "/settings/email#server")
    expect(
      await screen.findByText(/Ada Admin asked on .* from other.umoya.test:587 to new.umoya.test:587/),
    ).toBeTruthy()
    expect(screen.queryByRole("button", { name: "Confirm change" })).toBeNull()
    await own.user.click(screen.getByRole("button", { name: "Withdraw" }))
    expect(await screen.findByText("Change withdrawn")).toBeTruthy()
    await saveMailServer("new.umoya.test")
    cleanup()

    const { user } = await openPage(app, second, "/settings/email#server")
    await user.click(await screen.findByRole("button", { name: "Confirm change" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Change the mail server?" }))
    await user.click(dialog.getByRole("button", { name: "Confirm change" }))
    expect(await screen.findByText("Mail server changed")).toBeTruthy()
    const saved = await settingsClient().detail()
    expect(saved).toMatchObject({ mailServerChange: null, settings: { mailServer: { host: "new.umoya.test" } } })
    await waitFor(() => expect(screen.queryByText(/asked on/)).toBeNull())
  })
})
