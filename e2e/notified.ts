import { expect, type Page } from "@playwright/test"
import { accessible, dialog } from "./browser.ts"
import type { MailServer } from "./mail-server.ts"
import { people } from "./people.ts"

/** A claim that waits is found on a phone by the bell and by the mail; the notification leads to its decision. */
export async function byNotification(
  page: Page,
  who: "group_admin" | "underwriter" | "policy_holder",
  claimUrl: string,
  mail: MailServer,
): Promise<void> {
  // What was read in the product is not mailed any more.
  await mail.mailTo(people[who].email, (raw) => /^Subject: Claim CLM-\S+ waits for your decision/m.test(raw))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto("/")
  await page.getByRole("button", { name: "Notifications: 1 unread" }).click()
  await accessible(page)
  await dialog(page)
    .getByRole("link", { name: /^Unread: Claim CLM-.* waits for your decision$/ })
    .click()
  await expect(page).toHaveURL(`${claimUrl}/approve`)
  await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible()
}
