import { screen, waitFor, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Browser, findLink } from "../../../server/src/users/browser.samples.ts"
import { scryptParameters } from "../../../server/src/users/passwords.ts"
import { createSetupLink } from "../../../server/src/users/setup.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

const password = "Jacaranda-77-avenue"
let app: TestApp

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
})
afterAll(() => app.close())

/** A separate browser, with the server's cookies. */
const openPageIn = (browser: Browser, path: string) => openPage(app, browser, path)

async function createAccount(role: "manager" | "underwriter", address: string) {
  const { link } = await app.as(app.people.admin).users.invite({ email: address, role })
  const browser = new Browser(app.app)
  const api = await browser.api()
  await api.users.acceptInvitation({ token: findLink(link).token, fullName: "Thandi Mokoena", password })
  return browser
}

/** The label may end with the asterisk of required fields. */
const findField = (name: string) => screen.findByLabelText(new RegExp(`^${name}( \\*)?$`))

describe("signing in", () => {
  it("redirects a visitor without a session to /auth, replacing the history entry", async () => {
    const { location, router } = await openPageIn(new Browser(app.app), "/profile")
    await screen.findByRole("heading", { name: "Welcome" })
    expect(location()).toBe("/auth")
    expect(router.history.length).toBe(1)
  })

  it("reports missing or wrong fields, preserves input, and signs in", async () => {
    await createAccount("manager", "thandi@acme.example")
    const browser = new Browser(app.app)
    const { user, location } = await openPageIn(browser, "/auth")
    const signIn = await screen.findByRole("button", { name: "Sign in" })
    await user.click(signIn)
    expect(await screen.findByText("Please fill in all fields")).toBeTruthy()
    expect((await findField("Email")).getAttribute("aria-invalid")).toBe("true")
    await user.type(await findField("Email"), "thandi@acme.example")
    await user.type(await findField("Password"), "wrong")
    await user.click(signIn)
    expect(
      await screen.findByText("Invalid email or password. Please check your credentials and try again."),
    ).toBeTruthy()
    expect((await findField("Email")) as HTMLInputElement).toHaveProperty("value", "thandi@acme.example")
    await user.clear(await findField("Password"))
    await user.type(await findField("Password"), password)
    // If the specification has no text for a refusal, the server's message is shown.
    const disabledAt = (at: string | null) =>
      app.sql.run(sql`update users set disabled_at = ${at} where email = 'thandi@acme.example'`)
    await disabledAt("2026-11-20T08:00:00Z")
    await user.click(signIn)
    await screen.findByText("Your account is disabled. Ask an administrator to enable it.")
    await disabledAt(null)
    await user.click(signIn)
    expect(await screen.findByText("Signed in successfully! Redirecting...")).toBeTruthy()
    const said = performance.now()
    expect(location()).toBe("/auth")
    await waitFor(() => expect(location()).toBe("/"), { interval: 20 })
    // The redirect follows a second after the answer; the measurement starts slightly later.
    expect(performance.now() - said).toBeGreaterThan(800)
    expect(screen.queryByText("Signed in successfully! Redirecting...")).toBeNull()
  })

  it("opens the requested page with its search", async () => {
    await createAccount("manager", "asked@acme.example")
    const browser = new Browser(app.app)
    const { user, location, router } = await openPageIn(browser, "/members?search=dube&sort=number")
    await user.click(await screen.findByRole("tab", { name: "Sign up" }))
    await user.click(await screen.findByRole("tab", { name: "Sign in" }))
    expect(location()).toBe("/auth")
    await user.type(await findField("Email"), "asked@acme.example")
    await user.type(await findField("Password"), password)
    await user.click(await screen.findByRole("button", { name: "Sign in" }))
    await waitFor(() => expect(location()).toBe("/members?search=dube&sort=number"), { timeout: 5_000 })
    expect(router.history.length).toBe(1)

    await user.click(await screen.findByRole("button", { name: /^User menu/ }))
    await user.click(await screen.findByRole("menuitem", { name: "Log out" }))
    await screen.findByRole("heading", { name: "Welcome" })
    expect(router.state.location.state.askedFor).toBeUndefined()
  })
})

describe("setting up", () => {
  it("reports missing and invalid fields together", async () => {
    const fresh = await openTestApp()
    await fresh.sql.run(sql`delete from users`)
    const link = findLink((await createSetupLink(fresh.app))!)
    const { user } = await openPage(fresh, null, `${link.page}#${link.token}`)
    await user.type(await screen.findByLabelText("VAT number"), "123")
    await user.type(await screen.findByLabelText(/^Password/), "one")
    await user.type(await screen.findByLabelText(/^Confirm password/), "two")
    await user.click(screen.getByRole("button", { name: "Set up Milkwood" }))
    expect(await screen.findByText("Please fill in: Full name, Email, Organisation name")).toBeTruthy()
    expect(screen.getByText("Enter a VAT number of 10 digits that starts with 4")).toBeTruthy()
    expect(screen.getByText("Passwords do not match")).toBeTruthy()
    for (const label of ["Full name", "Email", "Password", "Confirm password", "Name"])
      expect(screen.getByLabelText(`${label} *`), label).toBeTruthy()
    await fresh.close()
  })
})

describe("signing up", () => {
  it("is closed unless the settings open it", async () => {
    await openPageIn(new Browser(app.app), "/auth?tab=sign-up")
    expect(await screen.findByText("Registration is closed")).toBeTruthy()
    expect(screen.queryByRole("button", { name: "Sign up" })).toBeNull()
  })

  it("checks the specification's rules first, then shows the server's reasons at the field", async () => {
    const admin = app.as(app.people.admin)
    const { settings, version } = await admin.settings.detail()
    await admin.settings.save({ version, settings: { ...settings, userRegistration: true } })
    const { user } = await openPageIn(new Browser(app.app), "/auth?tab=sign-up")
    const submit = await screen.findByRole("button", { name: "Sign up" })
    const write = async (name: string, value: string) => {
      await user.clear(await findField(name))
      await user.type(await findField(name), value)
    }
    await user.click(submit)
    expect(await screen.findByText("Please fill in all fields")).toBeTruthy()
    await write("Full name", "Sipho Ndlovu")
    await write("Email", "sipho@acme.example")
    await write("Password", "12345")
    await write("Confirm password", "54321")
    await user.click(submit)
    expect(await screen.findByText("Passwords do not match")).toBeTruthy()
    await write("Confirm password", "12345")
    await user.click(submit)
    expect(await screen.findByText("Password must be at least 6 characters long")).toBeTruthy()
    await write("Password", "secret")
    await write("Confirm password", "secret")
    await user.click(submit)
    expect(await screen.findByText("Use at least 12 characters")).toBeTruthy()
    const described = (await findField("Password")).getAttribute("aria-describedby") ?? ""
    const error = screen.getByText("Use at least 12 characters").closest("[id]")!
    expect(described.split(" ")).toContain(error.id)
    await write("Password", password)
    await write("Confirm password", password)
    await user.click(submit)
    expect(
      await screen.findByText("Account created successfully! Please check your email for a confirmation link."),
    ).toBeTruthy()
    expect((await findField("Email")) as HTMLInputElement).toHaveProperty("value", "")

    await write("Full name", "Somebody Else")
    await write("Email", "sipho@acme.example")
    await write("Password", password)
    await write("Confirm password", password)
    await user.click(submit)
    expect(await screen.findByText("An account with this email already exists. Please sign in instead.")).toBeTruthy()
  })

  it("confirms the address by the mailed link, once, and returns to the site root", async () => {
    const mail = (await app.mails()).find((kept) => kept.to === "sipho@acme.example")!
    const { page, token } = findLink(mail.text)
    const browser = new Browser(app.app)
    const opened = await openPageIn(browser, `${page}#${token}`)
    expect(await screen.findByText("Your e-mail address is confirmed. You can sign in now.")).toBeTruthy()
    await waitFor(() => expect(opened.location()).toBe("/"))
    opened.unmount()
    await openPageIn(browser, `${page}#${token}`)
    expect(await screen.findByRole("heading", { name: "This link does not work" })).toBeTruthy()
  })
})

describe("a signed-in user", () => {
  it("is sent from /auth to the dashboard", async () => {
    const { location } = await openPage(app, app.people.manager, "/auth")
    await waitFor(() => expect(location()).toBe("/"))
  })

  it("without a role sees a page that explains this, and the profile", async () => {
    const { user, location } = await openPage(app, app.people.none, "/settings")
    expect(await screen.findByRole("heading", { name: "Your account has no role yet" })).toBeTruthy()
    expect(screen.queryByRole("navigation")).toBeNull()
    await user.click(screen.getByRole("link", { name: "Profile" }))
    expect(await screen.findByRole("heading", { name: "Profile" })).toBeTruthy()
    expect(location()).toBe("/profile")
  })

  it("changes the name, also after seeing a concurrent change", async () => {
    const { user } = await openPage(app, app.people.underwriter, "/profile")
    await user.click(await screen.findByRole("button", { name: /Edit/ }))
    const api = app.as(app.people.underwriter).users
    const { version } = await api.me()
    await api.updateProfile({ name: "Uma U.", version })
    await user.clear(await findField("Full name"))
    await user.type(await findField("Full name"), "Uma Under")
    await user.click(screen.getByRole("button", { name: "Save Changes" }))
    expect(await screen.findByText(/Your changes are not lost/)).toBeTruthy()
    await user.click(screen.getByRole("button", { name: "Save Changes" }))
    expect(await screen.findByText("Profile updated")).toBeTruthy()
    expect((await api.me()).name).toBe("Uma Under")
  })
})

describe("Settings, Users", () => {
  it("invites a user and shows the link once", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings/users")
    await user.click((await screen.findAllByRole("button", { name: "Invite user" }))[0]!)
    const dialog = within(await screen.findByRole("dialog", { name: "Invite user" }))
    await user.click(dialog.getByRole("button", { name: "Invite" }))
    expect(await dialog.findByText("Choose a role")).toBeTruthy()
    await user.type(dialog.getByRole("textbox", { name: "Email" }), "zanele@acme.example")
    await user.click(dialog.getByRole("combobox", { name: "Role" }))
    expect(await screen.findByText("HR at an employer: manages members and claims of their groups.")).toBeTruthy()
    await user.click(await screen.findByRole("option", { name: /^Group administrator/ }))
    expect(await dialog.findByText(/There are no employer groups yet/)).toBeTruthy()
    await user.click(dialog.getByRole("combobox", { name: "Role" }))
    await user.click(await screen.findByRole("option", { name: /^Manager/ }))
    await user.click(dialog.getByRole("button", { name: "Invite" }))
    const shown = within(await screen.findByRole("dialog", { name: "Invitation created" }))
    const mail = (await app.mails()).find((kept) => kept.to === "zanele@acme.example")!
    expect(await shown.findByText(new RegExp(findLink(mail.text).token))).toBeTruthy()
    await user.click(shown.getByRole("button", { name: "Done" }))
    expect(await screen.findByRole("heading", { name: "Open invitations" })).toBeTruthy()
  })

  it("offers each account's allowed actions, and asks before disabling one", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings/users")
    await user.click(await screen.findByRole("button", { name: "Actions for Ada Admin" }))
    const own = (await screen.findAllByRole("menuitem", { hidden: true })).map((item) => item.textContent)
    expect(own).toEqual(["Sign out everywhere"])
    await user.keyboard("{Escape}")
    await user.click(await screen.findByRole("button", { name: "Actions for Mia Manager" }))
    await user.click(await screen.findByRole("menuitem", { name: "Disable account" }))
    const title = await screen.findByText("Disable the account of Mia Manager?")
    const question = within(title.closest<HTMLElement>("[role]")!)
    await user.click(question.getByRole("button", { name: "Disable account" }))
    expect(await screen.findByText("Account disabled")).toBeTruthy()
    const { rows } = await app.as(app.people.admin).users.list({ search: "Mia" })
    expect(rows[0]?.status).toBe("disabled")
  })

  it("is hidden from other roles", async () => {
    await openPage(app, app.people.manager, "/settings/users")
    expect(await screen.findByText("You do not have access to this page")).toBeTruthy()
  })
})
