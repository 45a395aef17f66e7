import { expect, type Page, type Route } from "@playwright/test"
import { checkEveryView, checkOneView, checkTwoViews, inTwoTabs, waitUntilSettled } from "./browser.ts"
import { fillRecordIds, pagePaths } from "./pages.ts"

/** Opens each page and tab with a real record, in light on a desktop and in dark on a phone. */
export async function checkEveryPage(page: Page): Promise<void> {
  await inTwoTabs(page, await fillRecordIds(page, pagePaths()), async (tab, path) => {
    await tab.goto(path)
    await expect(tab.getByRole("heading", { level: 1 })).toBeVisible()
    await checkTwoViews(tab)
    for (const section of await readTabs(tab)) {
      await tab.goto(section)
      await checkTwoViews(tab)
    }
  })
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
  await inTwoTabs(page, dialogsToOpen, async (tab, [path, open, inside]) => {
    await tab.goto(path)
    await tab.getByRole("button", { name: open }).first().click()
    await expect(tab.getByRole(inside)).toBeVisible()
    await checkEveryView(tab)
  })
}

export async function checkEveryPageFailing(page: Page): Promise<void> {
  const paths = await fillRecordIds(page, pagePaths())
  const known = /\/rpc\/(users\/me|settings\/display)\b/
  const fail = (route: Route) =>
    known.test(route.request().url())
      ? route.fallback()
      : route.fulfill({ status: 500, json: { json: { code: "INTERNAL_SERVER_ERROR", status: 500, message: "" } } })
  await page.context().route(/\/rpc\//, fail)
  await inTwoTabs(page, paths, async (tab, path, nth) => {
    await tab.goto(path)
    await checkOneView(tab, nth)
  })
  await page.goto("/members")
  await expect(page.getByRole("main").getByText("Failed to load members")).toBeVisible()
  await page.context().unroute(/\/rpc\//, fail)
  await page.getByRole("button", { name: "Retry" }).click()
  await expect(page.getByRole("row").nth(25)).toBeVisible()
}
