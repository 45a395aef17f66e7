import { createHmac } from "node:crypto"
import { expect, type Page, test } from "@playwright/test"
import { dialog, everyView, openPage, twoViews } from "./browser.ts"
import { type House, ownInstallation } from "./house.ts"
import { linkIn } from "./mail-server.ts"
import { enter, fillNewPassword, fillSetup, fillSignIn, invite, password, people } from "./people.ts"

/** Signing in with a second factor, sessions, and changes of the address. */

let { app, mail, admin } = {} as House
ownInstallation((house) => {
  ;({ app, mail, admin } = house)
})

test.describe.configure({ mode: "serial" })

/** A TOTP code (RFC 6238). */
function codeOf(key: string): string {
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

const code = (page: Page) => page.getByRole("textbox", { name: "Code" })
let key = ""
let codes: string[] = []
let used = ""

async function setUp(page: Page): Promise<{ key: string; codes: string[] }> {
  await expect(page.getByRole("img", { name: "QR code for an authenticator app" })).toBeVisible()
  await everyView(page)
  const shown = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent())!.replaceAll(" ", "")
  await code(page).fill("000000")
  await page.getByRole("button", { name: "Set up", exact: true }).click()
  await expect(page.getByText("This code is incorrect or already used")).toBeVisible()
  used = codeOf(shown)
  await code(page).fill(used)
  await page.getByRole("button", { name: "Set up", exact: true }).click()
  const list = page.getByRole("list", { name: "Recovery codes" })
  await expect(list.getByRole("listitem")).toHaveCount(10)
  await everyView(page)
  const made = await list.getByRole("listitem").allTextContents()
  await page.getByRole("button", { name: "I saved my codes" }).click()
  return { key: shown, codes: made }
}

async function givePassword(page: Page): Promise<void> {
  await page.goto("/auth")
  await fillSignIn(page, people.admin.email, password)
  await page.locator('button[type="submit"]').click()
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible()
}

test("a second factor is set up in the profile, with recovery codes shown only once", async () => {
  await fillSetup(admin, app)
  await enter(admin)
  await admin.goto("/profile/sign-in")
  await everyView(admin)
  await admin.getByRole("button", { name: "Set up a second factor" }).click()
  ;({ key, codes } = await setUp(admin))
  await expect(admin.getByText("10 recovery codes are left")).toBeVisible()
  await everyView(admin)
})

test("requires the code after the password before any page opens", async ({ browser }) => {
  const page = await openPage(browser, app.url)
  await givePassword(page)
  await everyView(page)
  const half = await page.request.post(`${app.url}/rpc/users/me`, { data: {} })
  expect(half.status()).toBe(401)
  await code(page).fill("000000")
  await page.locator('button[type="submit"]').click()
  await expect(page.getByText("This code is incorrect or already used")).toBeVisible()
  await everyView(page)
  // The code of the set-up cannot be used again.
  await expect.poll(() => codeOf(key) !== used, { timeout: 40_000, intervals: [1_000] }).toBe(true)
  await code(page).fill(codeOf(key))
  await enter(page)
})

test("a recovery code works once, and a new device's sign-in is mailed", async ({ browser }) => {
  const page = await openPage(browser, app.url)
  await givePassword(page)
  await code(page).fill(codes[0]!.toLowerCase())
  await enter(page)
  const letter = await mail.mailTo(people.admin.email, (raw) => raw.includes("new device"))
  expect(letter.replace(/=\r?\n/g, "")).toContain("Chrome on Linux")
  const again = await openPage(browser, app.url)
  await givePassword(again)
  await code(again).fill(codes[0]!)
  await again.locator('button[type="submit"]').click()
  await expect(again.getByText("This code is incorrect or already used")).toBeVisible()
  await code(again).fill(codes[1]!)
  await enter(again)

  await page.goto("/profile/sign-in")
  await expect(page.getByText("8 recovery codes are left")).toBeVisible()
  await page.getByRole("button", { name: "Sign out on all other devices" }).click()
  await twoViews(page)
  await dialog(page).getByRole("button", { name: "Sign out" }).click()
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
  await everyView(admin)
  await admin.goto(linkIn(await mail.mailTo(next), `${app.url}/confirm-new-email`))
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
  await everyView(admin)
  await admin.getByRole("button", { name: "Save Changes" }).click()
  await expect(admin.getByText(`Last saved by ${people.admin.name}`)).toBeVisible()

  await invite(admin, "manager", "")
  const page = await openPage(browser, app.url)
  const letter = await mail.mailTo(people.manager.email, (raw) => raw.includes("invitation"))
  await page.goto(linkIn(letter, `${app.url}/accept-invitation`))
  await page.getByRole("textbox", { name: "Full name" }).fill(people.manager.name)
  await fillNewPassword(page, password)
  await page.locator('button[type="submit"]').click()
  await expect(page.getByRole("heading", { name: "Set up a second factor" })).toBeVisible()
  const half = await page.request.post(`${app.url}/rpc/users/me`, { data: {} })
  expect(half.status()).toBe(401)
  await setUp(page)
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible()

  await admin.goto("/settings/users")
  await admin.getByRole("button", { name: `Actions for ${people.manager.name}` }).click()
  await admin.getByRole("menuitem", { name: "Reset second factor" }).click()
  await twoViews(admin)
  await dialog(admin).getByRole("button", { name: "Reset second factor" }).click()
  await expect(dialog(admin)).toBeHidden()
  await page.goto("/policies")
  await expect(page).toHaveURL("/auth")
  await fillSignIn(page, people.manager.email, password)
  await page.locator('button[type="submit"]').click()
  await expect(page.getByRole("heading", { name: "Set up a second factor" })).toBeVisible()
})

test("an expired sign-in between password and code must start again", async ({ browser }) => {
  const page = await openPage(browser, app.url)
  await page.goto("/second-factor/set-up")
  await expect(page.getByText("That took too long. Please sign in again.")).toBeVisible()
  await everyView(page)
})
