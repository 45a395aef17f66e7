import { expect, type Page } from "@playwright/test"
import { choose, dialogOf, password } from "./browser.ts"
import type { RunningServer } from "./house.ts"
import { findLink, type MailServer } from "./mail-server.ts"

export { password } from "./browser.ts"

export const people = {
  admin: { name: "Ayesha Khan", email: "ayesha@milkwood.example" },
  manager: { name: "Megan Jacobs", email: "megan@milkwood.example", role: "Manager" },
  underwriter: { name: "Hendrik Venter", email: "hendrik@milkwood.example", role: "Underwriter" },
  group_admin: { name: "Thandi Mokoena", email: "thandi@sowetoretail.example", role: "Group administrator" },
  policy_holder: { name: "Nomsa Radebe", email: "nomsa@sowetoretail.example", role: "Policy holder" },
} as const
export type Invited = Exclude<keyof typeof people, "admin">

export async function fillSetup(page: Page, app: RunningServer): Promise<void> {
  await page.goto(app.setupLink)
  await page.getByRole("textbox", { name: "Full name" }).fill(people.admin.name)
  await page.getByRole("textbox", { name: "Email" }).fill(people.admin.email)
  await fillNewPassword(page, password)
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Milkwood Group Assurance")
  await page.getByRole("textbox", { name: "VAT number" }).fill("4123456789")
  await page.getByRole("textbox", { name: "Address" }).fill("12 Protea Avenue, Newlands, Cape Town")
  await page.getByRole("textbox", { name: "Bank", exact: true }).fill("Protea Bank")
  await page.getByRole("textbox", { name: "Account holder" }).fill("Milkwood Group Assurance")
  await page.getByRole("textbox", { name: "Account number" }).fill("0012345678")
  await page.getByRole("textbox", { name: "Branch code" }).fill("051001")
}

export async function fillNewPassword(page: Page, chosen: string, label = "Password"): Promise<void> {
  // The label of a required field has an asterisk.
  await page.getByLabel(new RegExp(`^${label}( \\*)?$`)).fill(chosen)
  await page.getByLabel("Confirm password").fill(chosen)
}

export async function submitSignIn(page: Page): Promise<void> {
  await page.locator('button[type="submit"]').click()
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible()
}

export async function invite(admin: Page, who: Invited, group: string): Promise<void> {
  await admin.goto("/settings/users")
  await admin.getByRole("button", { name: "Invite user" }).first().click()
  await dialogOf(admin).getByRole("textbox", { name: "Email" }).fill(people[who].email)
  await choose(admin, "Role", "", people[who].role)
  if (who === "group_admin" || who === "policy_holder") {
    await choose(admin, "Groups", group, group)
    await admin.keyboard.press("Escape")
  }
  await dialogOf(admin).getByRole("button", { name: "Invite", exact: true }).click()
  await dialogOf(admin).getByRole("button", { name: "Done" }).click()
}

export async function acceptInvitation(page: Page, who: Invited, app: RunningServer, mail: MailServer): Promise<void> {
  const { email, name } = people[who]
  const letter = await mail.mailTo(email, (raw) => raw.includes("invitation"))
  await page.goto(findLink(letter, `${app.url}/accept-invitation`))
  await page.getByRole("textbox", { name: "Full name" }).fill(name)
  await fillNewPassword(page, password)
  await submitSignIn(page)
}

export async function fillSignIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(email)
  await page.getByLabel("Password", { exact: true }).fill(secret)
}

export async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.goto("/auth")
  await fillSignIn(page, email, secret)
  await submitSignIn(page)
}
