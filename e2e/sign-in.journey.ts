import { createHmac } from "node:crypto"
import { expect, type Page, test } from "@playwright/test"
import { checkEveryView, checkTwoViews, dialogOf, openPage } from "./browser.ts"
import { type Installation, useOwnInstallation } from "./house.ts"
import { findLink } from "./mail-server.ts"
import { fillNewPassword, fillSetup, fillSignIn, invite, password, people, submitSignIn } from "./people.ts"

/** Signing in with a second factor, sessions, and changes of the address. */

let { app, mail, admin } = {} as Installation
useOwnInstallation((house) => {
  ;({ app, mail, admin } = house)
})

test.describe.configure({ mode: "serial" })

/** The current TOTP code of a key (RFC 6238). */
function createTotpCode(key: string): string {
  const bits = [...key].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
  const secret = Buffer.from(
    bits
      .join("")
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  )
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac("sha1", secret).update(step).digest()
  const at = hash.at(-1)! & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0")
}

const codeField = (page: Page) => page.getByRole("textbox", { name: "Code" })
let key = ""
let codes: string[] = []
let usedCode = ""

async function setUpSecondFactor(page: Page): Promise<{ key: string; codes: string[] }> {
  await expect(page.getByRole("img", { name: "QR code for an authenticator app" })).toBeVisible()
  await checkEveryView(page)
  const shown = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent())!.replaceAll(" ", "")
  await codeField(page).fill("000000")
  await page.getByRole("button", { name: "Set up", exact: true }).click()
  await expect(page.getByText("This code is incorrect or already used")).toBeVisible()
  usedCode = createTotpCode(shown)
  await codeField(page).fill(usedCode)
  await page.getByRole("button", { name: "Set up", exact: true }).click()
  const list = page.getByRole("list", { name: "Recovery codes" })
  await expect(list.getByRole("listitem")).toHaveCount(10)
  await checkEveryView(page)
  const made = await list.getByRole("listitem").allTextContents()
  await page.getByRole("button", { name: "I saved my codes" }).click()
  return { key: shown, codes: made }
}

async function enterPassword(page: Page): Promise<void> {
  await page.goto("/auth")
  await fillSignIn(page, people.admin.email, password)
  await page.locator('button[type="submit"]').click()
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible()
}

test("a second factor is set up in the profile, with recovery codes shown only once", async () => {
  await fillSetup(admin, app)
  await submitSignIn(admin)
  await admin.goto("/profile/sign-in")
  await checkEveryView(admin)
  await admin.getByRole("button", { name: "Set up a second factor" }).click()
  ;({ key, codes } = await setUpSecondFactor(admin))
  await expect(admin.getByText("10 recovery codes are left")).toBeVisible()
  await checkEveryView(admin)
})

test("sign-in requires the code after the password before any page opens", async ({ browser }) => {
  const page = await openPage(browser, app.url)
  await enterPassword(page)
  await checkEveryView(page)
  const half = await page.request.post(`${app.url}/rpc/users/me`, { data: {} })
  expect(half.status()).toBe(401)
  await codeField(page).fill("000000")
  await page.locator('button[type="submit"]').click()
  await expect(page.getByText("This code is incorrect or already used")).toBeVisible()
  await checkEveryView(page)
  // The code used during set-up cannot be used again.
  await expect.poll(() => createTotpCode(key) !== usedCode, { timeout: 40_000, intervals: [1_000] }).toBe(true)
  await codeField(page).fill(createTotpCode(key))
  await submitSignIn(page)
})

test("a recovery code works once, and a new device's sign-in is mailed", async ({ browser }) => {
  const page = await openPage(browser, app.url)
  await enterPassword(page)
  await codeField(page).fill(codes[0]!.toLowerCase())
  await submitSignIn(page)
  const letter = await mail.mailTo(people.admin.email, (raw) => raw.includes("new device"))
  expect(letter.replace(/=\r?\n/g, "")).toContain("Chrome on Linux")
  const again = await openPage(browser, app.url)
  await enterPassword(again)
  await codeField(again).fill(codes[0]!)
  await again.locator('button[type="submit"]').click()
  await expect(again.getByText("This code is incorrect or already used")).toBeVisible()
  await codeField(again).fill(codes[1]!)
  await submitSignIn(again)

  await page.goto("/profile/sign-in")
  await expect(page.getByText("8 recovery codes are left")).toBeVisible()
  await page.getByRole("button", { name: "Sign out on all other devices" }).click()
  await expect(dialogOf(page)).toBeVisible()
  await checkTwoViews(page)
  await dialogOf(page).getByRole("button", { name: "Sign out" }).click()
  await expect(page.getByRole("list", { name: "My sessions" }).getByRole("listitem")).toHaveCount(1)
  await again.goto("/policies")
  await expect(again).toHaveURL("/auth")
  admin = page
})

test("a new address takes effect when its link is opened; the old address is notified", async () => {
  const next = "ayesha.khan@milkwood.example"
  await admin.goto("/profile/sign-in")
  await admin.getByRole("textbox", { name: "New e-mail address" }).fill(next)
  await admin.getByRole("button", { name: "Change address" }).click()
  await expect(admin.getByText(`We sent a link to ${next}.`)).toBeVisible()
  await checkEveryView(admin)
  await admin.goto(findLink(await mail.mailTo(next), `${app.url}/confirm-new-email`))
  await expect(admin.getByText("Your e-mail address is changed.")).toBeVisible()
  await mail.mailTo(people.admin.email, (raw) => raw.includes("Your e-mail address was changed"))
  await admin.goto("/profile")
  await expect(admin.getByRole("main").getByText(next)).toBeVisible()
})

test("a mandatory second factor must be set up before anything else", async ({ browser }) => {
  await admin.goto("/settings/security")
  await admin.getByRole("radio", { name: "Required for everyone" }).check()
  await admin.getByRole("switch", { name: "IP whitelisting" }).check()
  await admin.getByRole("textbox", { name: "Addresses and networks" }).fill("41.13.0.5\n2001:db8::/32")
  await checkEveryView(admin)
  await admin.getByRole("button", { name: "Save Changes" }).click()
  await expect(admin.getByText(`Last saved by ${people.admin.name}`)).toBeVisible()

  await invite(admin, "manager", "")
  const page = await openPage(browser, app.url)
  const letter = await mail.mailTo(people.manager.email, (raw) => raw.includes("invitation"))
  await page.goto(findLink(letter, `${app.url}/accept-invitation`))
  await page.getByRole("textbox", { name: "Full name" }).fill(people.manager.name)
  await fillNewPassword(page, password)
  await page.locator('button[type="submit"]').click()
  await expect(page.getByRole("heading", { name: "Set up a second factor" })).toBeVisible()
  const half = await page.request.post(`${app.url}/rpc/users/me`, { data: {} })
  expect(half.status()).toBe(401)
  await setUpSecondFactor(page)
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible()

  await admin.goto("/settings/users")
  await admin.getByRole("button", { name: `Actions for ${people.manager.name}` }).click()
  await admin.getByRole("menuitem", { name: "Reset second factor" }).click()
  await expect(dialogOf(admin)).toBeVisible()
  await checkTwoViews(admin)
  await dialogOf(admin).getByRole("button", { name: "Reset second factor" }).click()
  await expect(dialogOf(admin)).toBeHidden()
  await page.goto("/policies")
  await expect(page).toHaveURL("/auth")
  await fillSignIn(page, people.manager.email, password)
  await page.locator('button[type="submit"]').click()
  await expect(page.getByRole("heading", { name: "Set up a second factor" })).toBeVisible()
})

test("a sign-in that expires between password and code must start again", async ({ browser }) => {
  const page = await openPage(browser, app.url)
  await page.goto("/second-factor/set-up")
  await expect(page.getByText("That took too long. Please sign in again.")).toBeVisible()
  await checkEveryView(page)
})
