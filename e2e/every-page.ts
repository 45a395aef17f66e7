import { expect, type Page, type Route } from "@playwright/test"
import { checkEveryView, checkOneView, checkTwoViews, waitUntilSettled } from "./browser.ts"
import { fillRecordIds, pagePaths } from "./pages.ts"

/** Opens each page and tab with a real record, in light on a desktop and in dark on a phone. */
export async function checkEveryPage(page: Page): Promise<void> {
  for (const path of await fillRecordIds(page, pagePaths())) {
    await page.goto(path)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await checkTwoViews(page)
    for (const tab of await readTabs(page)) {
      await page.goto(tab)
      await checkTwoViews(page)
    }
  }
}

async function readTabs(page: Page): Promise<string[]> {
  await waitUntilSettled(page)
  const links = page
    .getByRole("main")
    .getByRole("navigation", { name: /^(Sections of this record|Email|Benefits management)$/ })
  return links
    .getByRole("link")
    .evaluateAll((all) =>
      (all as HTMLAnchorElement[])
        .filter((link) => link.pathname === location.pathname && !link.ariaCurrent)
        .map(({ href }) => href),
    )
}

const dialogsToOpen: [path: string, open: string | RegExp, inside: "dialog" | "menu"][] = [
  ["/benefits", "Add Product Type", "dialog"],
  ["/benefits?tab=benefits", "Add Benefit", "dialog"],
  ["/benefits?tab=configuration", "Add Configuration", "dialog"],
  ["/finance/premium-refunds", "Process Refund", "dialog"],
  ["/invoices/reconciliation/lines", "Import Bank Statement", "dialog"],
  ["/settings", "Add bank account", "dialog"],
  ["/settings/security", "Create key", "dialog"],
  ["/settings/documents", "Add document type", "dialog"],
  ["/settings/integrations", "Create service key", "dialog"],
  ["/settings/users", "Invite user", "dialog"],
  ["/settings/email", "Send test e-mail", "dialog"],
  ["/settings/email#templates", "Invoice", "dialog"],
  ["/reports", "Custom Report", "dialog"],
  ["/", "Search records and pages", "dialog"],
  ["/claims", "Saved views", "dialog"],
  ["/claims", "Decided", "dialog"],
  ["/", "Keyboard map", "dialog"],
  ["/", /^Notifications/, "dialog"],
  ["/", /^User menu/, "menu"],
]

export async function checkEveryDialog(page: Page): Promise<void> {
  for (const [path, open, inside] of dialogsToOpen) {
    await page.goto(path)
    await page.getByRole("button", { name: open }).first().click()
    await expect(page.getByRole(inside)).toBeVisible()
    await checkEveryView(page)
  }
}

export async function checkEveryPageFailing(page: Page): Promise<void> {
  const paths = await fillRecordIds(page, pagePaths())
  const known = /\/rpc\/(users\/me|settings\/display)\b/
  const fail = (route: Route) =>
    known.test(route.request().url())
      ? route.fallback()
      : route.fulfill({ status: 500, json: { json: { code: "INTERNAL_SERVER_ERROR", status: 500, message: "" } } })
  await page.route(/\/rpc\//, fail)
  for (const [nth, path] of paths.entries()) {
    await page.goto(path)
    await checkOneView(page, nth)
  }
  await page.goto("/members")
  await expect(page.getByRole("main").getByText("Failed to load members")).toBeVisible()
  await page.unroute(/\/rpc\//, fail)
  await page.getByRole("button", { name: "Retry" }).click()
  await expect(page.getByRole("row").nth(25)).toBeVisible()
}
