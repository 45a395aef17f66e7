import { expect, type Page } from "@playwright/test"
import { dialogOf, expectAccessible } from "./browser.ts"
import type { MailServer } from "./mail-server.ts"
import { people } from "./people.ts"

/** On a phone, a user finds a claim to decide by notification and by mail; both lead to the decision. */
export async function openClaimFromNotification(
  page: Page,
  who: "group_admin" | "underwriter" | "policy_holder",
  claimUrl: string,
  mail: MailServer,
): Promise<void> {
  // Notifications already read in the product are not mailed.
  await mail.mailTo(people[who].email, (raw) => /^Subject: Claim CLM-\S+ to decide/m.test(raw))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto("/")
  await page.getByRole("button", { name: "Notifications: 1 unread" }).click()
  await expect(dialogOf(page)).toBeVisible()
  await expectAccessible(page)
  await dialogOf(page)
    .getByRole("link", { name: /^Unread: Claim CLM-.* to decide$/ })
    .click()
  await expect(page).toHaveURL(`${claimUrl}/approve`)
  await expect(page.getByRole("button", { name: "Notifications", exact: true })).toBeVisible()
}
