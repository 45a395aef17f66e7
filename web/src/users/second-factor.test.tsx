import { screen, waitFor, within } from "@testing-library/react"
import { Secret, TOTP } from "otpauth"
import { afterAll, beforeAll, expect, it } from "vitest"
import { Browser, findLink } from "../../../server/src/users/browser.samples.ts"
import { scryptParameters } from "../../../server/src/users/passwords.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

const password = "Jacaranda-77-avenue"
let app: TestApp

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
})
afterAll(() => app.close())

const openPageIn = (browser: Browser, path: string) => openPage(app, browser, path)

async function createAccount(role: "admin" | "manager", email: string) {
  const { link } = await app.as(app.people.admin).users.invite({ email, role })
  const browser = new Browser(app.app)
  const api = await browser.api()
  await api.users.acceptInvitation({ token: findLink(link).token, fullName: "Thandi Mokoena", password })
  return browser
}

const createCode = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().epochMilliseconds })

it("a second factor is set up in the profile, required at sign-in, and removed", async () => {
  const browser = await createAccount("manager", "thandi@acme.example")
  const { user } = await openPageIn(browser, "/profile/sign-in")
  await user.click(await screen.findByRole("button", { name: "Set up a second factor" }))
  expect(await screen.findByRole("img", { name: "QR code for an authenticator app" })).toBeTruthy()
  const secret = screen.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent!.replaceAll(" ", "")
  await user.type(screen.getByLabelText("Code"), "000000")
  await user.click(screen.getByRole("button", { name: "Set up" }))
  expect(await screen.findByText(/^This code is incorrect or already used/)).toBeTruthy()
  await user.clear(screen.getByLabelText("Code"))
  await user.type(screen.getByLabelText("Code"), createCode(secret))
  await user.click(screen.getByRole("button", { name: "Set up" }))
  const shown = within(await screen.findByRole("list", { name: "Recovery codes" })).getAllByRole("listitem")
  const codes = shown.map((item) => item.textContent!)
  expect(codes).toHaveLength(10)
  await user.click(screen.getByRole("button", { name: "I saved my codes" }))
  expect(await screen.findByText(/10 recovery codes are left/)).toBeTruthy()

  const page = await openPageIn(new Browser(app.app), "/members?search=dube")
  await page.user.type(await screen.findByLabelText("Email"), "thandi@acme.example")
  await page.user.type(screen.getByLabelText("Password"), password)
  await page.user.click(screen.getByRole("button", { name: "Sign in" }))
  expect(await screen.findByRole("heading", { name: "Enter your code" })).toBeTruthy()
  await page.user.type(screen.getByLabelText("Code"), codes[0]!)
  await page.user.click(screen.getByRole("button", { name: "Sign in" }))
  await waitFor(() => expect(page.location()).toContain("/members?search=dube"), { timeout: 5_000 })
})

it("a required second factor must be set up before anything else", async () => {
  await createAccount("manager", "must@acme.example")
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, secondFactorOf: "everybody" } })
  const { user, location } = await openPageIn(new Browser(app.app), "/auth")
  await user.type(await screen.findByLabelText("Email"), "must@acme.example")
  await user.type(screen.getByLabelText("Password"), password)
  await user.click(screen.getByRole("button", { name: "Sign in" }))
  await screen.findByRole("heading", { name: "Set up a second factor" })
  const secret = (await screen.findByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)).textContent!.replaceAll(" ", "")
  await user.type(screen.getByLabelText("Code"), createCode(secret))
  await user.click(screen.getByRole("button", { name: "Set up" }))
  await user.click(await screen.findByRole("button", { name: "I saved my codes" }))
  await waitFor(() => expect(location()).toBe("/"), { timeout: 5_000 })
  await admin.settings.save({ version: version + 1, settings })
})

it("a user proves their identity, and the interrupted action continues", async () => {
  const browser = await createAccount("admin", "ada@acme.example")
  app.clock.advance({ minutes: 11 })
  const { user } = await openPageIn(browser, "/settings/users")
  await user.click((await screen.findAllByRole("button", { name: "Invite user" }))[0]!)
  const dialog = within(await screen.findByRole("dialog", { name: "Invite user" }))
  await user.type(dialog.getByLabelText(/^Email/), "new@acme.example")
  await user.click(dialog.getByRole("combobox", { name: /^Role/ }))
  await user.click(await screen.findByRole("option", { name: /^Manager/ }))
  await user.click(dialog.getByRole("button", { name: "Invite" }))
  const proof = within(await screen.findByRole("dialog", { name: "Confirm it is you" }))
  await user.type(proof.getByLabelText("Password"), "Wrong-Password-1")
  await user.click(proof.getByRole("button", { name: "Continue" }))
  expect(await proof.findByText("The current password is incorrect.")).toBeTruthy()
  await user.click(proof.getByRole("button", { name: "Cancel" }))
  expect(await dialog.findByText(/^Confirm your identity and try again/)).toBeTruthy()
  await user.click(dialog.getByRole("button", { name: "Invite" }))
  const again = within(await screen.findByRole("dialog", { name: "Confirm it is you" }))
  await user.type(again.getByLabelText("Password"), password)
  await user.click(again.getByRole("button", { name: "Continue" }))
  expect(await screen.findByText(/accept-invitation#/)).toBeTruthy()
})
