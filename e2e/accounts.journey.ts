import { gzipSync } from "node:zlib"
import { expect, type Page, test } from "@playwright/test"
import { checkEveryView, choose, dialogOf, openPage, waitUntilSettled } from "./browser.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { findLink } from "./mail-server.ts"
import { fillNewPassword, fillSetup, fillSignIn, password, people, signIn, submitSignIn } from "./people.ts"

/**
 * Registration, email verification, an account without a role, a forgotten password, sign-out everywhere and the route
 * guard. Links are read from real mail.
 */

const newcomer = { name: "Sipho Dube", email: "sipho@milkwood.example" }
const changedPassword = "Second-milkwood-2026"

let { app, mail, admin } = {} as Installation
useOwnInstallation((house) => {
  ;({ app, mail, admin } = house)
})
let visitor: Page

test.describe.configure({ mode: "serial" })

test.beforeAll(async ({ browser }) => {
  visitor = await openPage(browser, app.url)
})

const clickSubmit = (page: Page) => page.locator('button[type="submit"]').click()
const openSignInTab = (page: Page) => page.getByRole("tab", { name: "Sign in" })

test("the setup link works once", async () => {
  await fillSetup(admin, app)
  await checkEveryView(admin)
  await submitSignIn(admin)
  await visitor.goto(app.setupLink)
  await expect(visitor.getByRole("textbox", { name: "Full name" })).toBeHidden()
  await checkEveryView(visitor)
})

test("first pages load at most 250 KB of compressed scripts in at most 40 requests", async ({ browser }) => {
  for (const [path, signedIn] of [
    ["/auth", false],
    ["/", true],
    ["/members", true],
    ["/invoices", true],
    ["/claims", true],
  ] as const) {
    const page = signedIn ? admin : await openPage(browser, app.url)
    await page.goto(path)
    await waitUntilSettled(page)
    const asked = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, startTime })),
    )
    const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]!.startTime)
    // Charts load after the page is painted and have a separate budget.
    const charts = asked.find(({ name }) => /\/(dashboard-charts|chart-drawing)-/.test(name))
    expect(charts === undefined || charts.startTime > painted, path).toBe(true)
    const first = asked.filter(({ startTime }) => startTime < (charts?.startTime ?? Number.POSITIVE_INFINITY))
    const scripts = first.map(({ name }) => name).filter((name) => name.endsWith(".js"))
    const requests = first.length + 1
    expect(scripts.length, path).toBeGreaterThan(0)
    expect(requests, path).toBeLessThanOrEqual(40)
    const bodies = await Promise.all([...new Set(scripts)].map(async (url) => (await page.request.get(url)).body()))
    const sizes = bodies.map((body) => gzipSync(body).length)
    expect(sizes.reduce((sum, size) => sum + size, 0) / 1024, path).toBeLessThanOrEqual(250)
  }
})

test("the guard redirects anonymous visitors to sign-in without a history entry", async () => {
  await visitor.goto("about:blank")
  await visitor.goto("/policies")
  await expect(visitor).toHaveURL("/auth")
  await expect(openSignInTab(visitor)).toBeVisible()
  await checkEveryView(visitor)
  await visitor.goBack()
  await expect(visitor).toHaveURL("about:blank")

  await admin.goto("/auth")
  await expect(admin.getByRole("heading", { name: "Dashboard" })).toBeVisible()
  await expect(admin).toHaveURL("/")
})

test("an unknown address shows a not-found page", async () => {
  await admin.goto("/no/such/page")
  await expect(admin.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible()
  await checkEveryView(admin)
  await admin.getByRole("link", { name: "Return to Home" }).click()
  await expect(admin.getByRole("heading", { name: "Dashboard" })).toBeVisible()
})

test("registration is closed until an administrator opens it", async () => {
  await visitor.goto("/auth")
  await visitor.getByRole("tab", { name: "Sign up" }).click()
  await expect(visitor.getByText("Registration is closed")).toBeVisible()
  await checkEveryView(visitor)

  await admin.goto("/settings/security")
  await admin.getByRole("switch", { name: "User registration" }).check()
  await admin.getByRole("button", { name: "Save Changes" }).click()
  await expect(admin.getByText(`Last saved by ${people.admin.name}`)).toBeVisible()

  await visitor.reload()
  await expect(visitor.getByRole("textbox", { name: "Full name" })).toBeVisible()
})

test("a user signs up, confirms the address and is given a role", async () => {
  await clickSubmit(visitor)
  await expect(visitor.getByText("Please fill in all fields")).toBeVisible()
  await visitor.getByRole("textbox", { name: "Full name" }).fill(newcomer.name)
  await visitor.getByRole("textbox", { name: "Email" }).fill(newcomer.email)
  await visitor.getByLabel("Password", { exact: true }).fill(password)
  await visitor.getByLabel("Confirm password").fill(`${password}!`)
  await clickSubmit(visitor)
  await expect(visitor.getByText("Passwords do not match")).toBeVisible()
  await checkEveryView(visitor)
  await visitor.getByLabel("Confirm password").fill(password)
  await clickSubmit(visitor)
  await expect(visitor.getByText("Account created successfully! Please check your email")).toBeVisible()

  await openSignInTab(visitor).click()
  await fillSignIn(visitor, newcomer.email, password)
  await clickSubmit(visitor)
  await expect(
    visitor.getByText("Please check your email and click the confirmation link before signing in."),
  ).toBeVisible()
  await checkEveryView(visitor)

  await visitor.goto(findLink(await mail.mailTo(newcomer.email), `${app.url}/confirm-email`))
  await expect(visitor.getByText("Your e-mail address is confirmed.")).toBeVisible()
  await expect(visitor).toHaveURL("/auth")
  await fillSignIn(visitor, newcomer.email, password)
  await clickSubmit(visitor)
  await expect(visitor.getByText("Signed in successfully! Redirecting...")).toBeVisible()
  await expect(visitor.getByRole("heading", { name: "Your account has no role yet" })).toBeVisible()
  await checkEveryView(visitor)

  await admin.goto("/settings/users")
  await admin.getByRole("button", { name: `Actions for ${newcomer.name}` }).click()
  await admin.getByRole("menuitem", { name: "Change role" }).click()
  await choose(admin, "Role", "", "Manager")
  await checkEveryView(admin)
  await dialogOf(admin).getByRole("button", { name: "Change role" }).click()
  await expect(dialogOf(admin)).toBeHidden()
  // The page opens without a reload.
  await expect(visitor.getByRole("heading", { name: "Dashboard" })).toBeVisible()
})

test("resetting a forgotten password ends every session of the account", async ({ browser }) => {
  const elsewhere = await openPage(browser, app.url)
  await elsewhere.goto("/auth")
  await elsewhere.getByRole("textbox", { name: "Email" }).fill(newcomer.email)
  await elsewhere.getByRole("link", { name: "Forgot your password?" }).click()
  await expect(elsewhere.getByRole("heading", { name: "Forgot your password?" })).toBeVisible()
  await expect(elsewhere.getByRole("textbox", { name: "Email" })).toHaveValue(newcomer.email)
  await checkEveryView(elsewhere)
  await clickSubmit(elsewhere)
  await expect(elsewhere.getByText(`If ${newcomer.email} has an account, we sent a link.`)).toBeVisible()
  const letter = await mail.mailTo(newcomer.email, (raw) => raw.includes("/reset-password"))
  const link = findLink(letter, `${app.url}/reset-password`)
  await elsewhere.goto(link)
  await fillNewPassword(elsewhere, changedPassword, "New password")
  await checkEveryView(elsewhere)
  await clickSubmit(elsewhere)
  await expect(elsewhere).toHaveURL("/auth")

  await visitor.goto("/policies")
  await expect(visitor).toHaveURL("/auth")
  await fillSignIn(visitor, newcomer.email, password)
  await clickSubmit(visitor)
  await expect(visitor.getByText("Invalid email or password.")).toBeVisible()
  await fillSignIn(visitor, newcomer.email, changedPassword)
  await clickSubmit(visitor)
  // Redirects to the page first requested.
  await expect(visitor).toHaveURL("/policies")

  await elsewhere.goto("about:blank")
  await elsewhere.goto(link)
  await expect(elsewhere.getByRole("heading", { name: "This link does not work" })).toBeVisible()
  await checkEveryView(elsewhere)
})

test("signing out ends every session and hides text typed in other windows", async ({ browser }) => {
  const elsewhere = await openPage(browser, app.url)
  await signIn(elsewhere, newcomer.email, changedPassword)
  const typing = await openPage(browser, app.url)
  await signIn(typing, newcomer.email, changedPassword)
  await typing.getByRole("link", { name: "Benefits" }).first().click()
  await typing.getByRole("button", { name: "Add Product Type" }).first().click()
  await typing.keyboard.type("Half a product")
  await visitor.goto("/")
  await visitor.getByRole("button", { name: /^User menu/ }).click()
  await visitor.getByRole("menuitem", { name: "Log out" }).click()
  await expect(visitor).toHaveURL("/auth")
  // The other window shows sign-in without a click.
  await expect(elsewhere).toHaveURL("/auth")
  await expect(openSignInTab(elsewhere)).toBeVisible()

  await expect(typing.getByRole("heading", { name: "Sign in again" })).toBeVisible()
  await checkEveryView(typing)
  await typing.keyboard.press("Escape")
  await typing.goBack()
  await expect(typing).toHaveURL("/benefits")
  await typing.getByLabel("Password", { exact: true }).fill(changedPassword)
  await typing.getByRole("button", { name: "Sign in" }).click()
  await expect(typing.getByRole("heading", { name: "Sign in again" })).toBeHidden()
  await expect(dialogOf(typing).getByRole("textbox", { name: "Name" })).toHaveValue("Half a product")
  await admin.goto("/settings/users")
  await expect(admin.getByRole("cell", { name: people.admin.email })).toBeVisible()
})
