import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Page } from "@playwright/test"
import { waitUntilSettled } from "./browser.ts"

export const publicPaths = [
  "/accept-invitation",
  "/auth",
  "/confirm-email",
  "/confirm-new-email",
  "/forgot-password",
  "/reset-password",
  "/second-factor",
  "/second-factor/set-up",
  "/setup",
]

export function pagePaths(): string[] {
  const book = readFileSync(fileURLToPath(new URL("../web/src/routeTree.gen.ts", import.meta.url)), "utf8")
  const [, list] = /fullPaths:([^:]*)fileRoutesByTo/.exec(book) ?? []
  const found = [...(list ?? "").matchAll(/["'](\/[^"']*)["']/g)].map(([, path]) => path!.replace(/(.)\/$/, "$1"))
  if (found.length === 0) throw new Error("the address book of the screens could not be read")
  return [...new Set(found)].filter((path) => !publicPaths.includes(path)).sort()
}

const listByParameter: Record<string, [list: string, link: RegExp]> = {
  $groupId: ["/groups", /^\/groups\/([0-9a-f-]{36})/],
  $policyId: ["/policies", /^\/policies\/([0-9a-f-]{36})/],
  $memberId: ["/members", /^\/members\/([0-9a-f-]{36})/],
  $importId: ["/members/import", /^\/members\/import\/([0-9a-f-]{36})/],
  $invoiceId: ["/invoices", /^\/invoices\/([0-9a-f-]{36})/],
  $creditNoteId: ["/invoices/credit-notes", /^\/invoices\/credit-notes\/([0-9a-f-]{36})/],
  $receiptId: ["/finance/receipting", /^\/finance\/receipting\/([0-9a-f-]{36})/],
  $payoutId: ["/finance/claims-payments", /^\/finance\/claims-payments\/([0-9a-f-]{36})/],
  $statementId: ["/invoices/reconciliation/statements", /^\/invoices\/reconciliation\/statements\/([0-9a-f-]{36})/],
  $claimId: ["/claims", /^\/claims\/([0-9a-f-]{36})/],
  $account: ["/finance/trial-balance", /^\/finance\/trial-balance\/([^/?]+)/],
  $report: ["/reports", /^\/reports\/((?!generated|scheduled|mine|debtors-ageing)[a-z-]+)/],
  $entryId: ["/settings/audit", /^\/settings\/audit\/([0-9a-f-]{36})/],
  $mailId: ["/settings/email", /^\/settings\/email\/([0-9a-f-]{36})/],
}

const parametersMadeElsewhere = [
  "$batchId",
  "$refundId",
  "$remittanceId",
  "$customReportId",
  "$webhookId",
  "$deliveryId",
]

export async function fillRecordIds(page: Page, paths: string[]): Promise<string[]> {
  const records = new Map<string, string>()
  const found: string[] = []
  for (const path of paths) {
    const parameter = /\$\w+/.exec(path)?.[0]
    if (parameter && parametersMadeElsewhere.includes(parameter)) continue
    if (parameter && !records.has(parameter)) records.set(parameter, await findFirstRecord(page, parameter))
    found.push(parameter ? path.replace(parameter, records.get(parameter)!) : path)
  }
  return found
}

async function findFirstRecord(page: Page, parameter: string): Promise<string> {
  const place = listByParameter[parameter]
  if (!place) throw new Error(`which list leads to ${parameter}?`)
  const [list, pattern] = place
  await page.goto(list)
  await waitUntilSettled(page)
  for (const link of await page.getByRole("main").getByRole("link").all()) {
    const found = pattern.exec((await link.getAttribute("href")) ?? "")
    if (found) return found[1]!
  }
  throw new Error(`${list} leads to no record`)
}
