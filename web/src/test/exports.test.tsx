import { read, utils } from "@e965/xlsx"
import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../../../server/src/claims/claims.samples.ts"
import { createPayout } from "../../../server/src/payouts/payouts.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../../../server/src/receipts/receipts.samples.ts"
import { createRefund } from "../../../server/src/refunds/refunds.samples.ts"
import { openPage } from "./page.tsx"

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  scene = await insureGroup(app, "Karoo Solar")
  const manager = app.as(app.people.manager)
  const { policyId, cast, sample } = scene
  await createSentInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  await recordedReceipt(manager, { policyId, amountCents: 100_00, receivedOn: "2026-11-01" })
  await createUnallocatedReceipt(manager, { policyId, amountCents: 50_00, receivedOn: "2026-11-01" })
  await createRefund(manager, { policyId, amountCents: 20_00 })
  await createPayout(manager, (await createApprovedClaim(cast, sample)).id)
})
afterAll(() => app.close())

const exportCases: [path: string, file: string, asked: Record<string, string>][] = [
  ["/policies?tab=Active&search=karoo", "/api/policies.csv", { tab: "Active", search: "karoo", sort: "createdAt" }],
  ["/members?tab=Active&search=lerato", "/api/members.csv", { tab: "Active", search: "lerato", sort: "name" }],
  ["/invoices?tab=overdue&sort=dueOn", "/api/invoices.csv", { tab: "overdue", sort: "dueOn" }],
  [
    "/finance/receipting?status=Allocated&new=true",
    "/api/receipts.csv",
    { tab: "all", status: "Allocated", sort: "receivedOn" },
  ],
  [
    "/finance/claims-payments?status=pending&sort=memberName&dir=asc",
    "/api/payouts.csv",
    { tab: "all", status: "pending", sort: "memberName" },
  ],
  ["/finance/premium-refunds?status=pending", "/api/refunds.csv", { status: "pending", sort: "number" }],
  ["/claims?tab=approved&sort=member", "/api/claims.csv", { tab: "approved", sort: "member" }],
]

it.each(exportCases)("%s exports its filtered rows with every available column", async (path, file, asked) => {
  const { user } = await openPage(app, app.people.manager, path)
  const table = await screen.findByRole("table")
  await user.click(screen.getByRole("button", { name: "Choose columns" }))
  const columns = await screen.findByRole("group", { name: "Columns" })
  for (const box of within(columns).getAllByRole<HTMLInputElement>("checkbox")) if (!box.checked) await user.click(box)
  await user.keyboard("{Escape}")
  await user.click(screen.getByRole("button", { name: "Export" }))
  const { href } = await screen.findByRole<HTMLAnchorElement>("menuitem", { name: "CSV" })
  const excel = screen.getByRole<HTMLAnchorElement>("menuitem", { name: "Excel" }).href
  const { pathname, search, searchParams } = new URL(href)
  expect(pathname).toBe(file)
  const { columns: keys, dir: _dir, ...filters } = Object.fromEntries(searchParams)
  expect(filters).toEqual(asked)

  const answer = await fetch(server.url + pathname + search, { headers: server.headersOf(app.people.manager) })
  const [head, ...rows] = (await answer.text()).replace("\uFEFF", "").trim().split("\r\n")
  const titles = within(columns)
    .getAllByRole("checkbox")
    .map((box) => (box as HTMLInputElement).labels?.[0]?.textContent)
  expect(head!.split(",")).toEqual(titles)
  expect(keys!.split(",")).toHaveLength(titles.length)
  expect(rows).toHaveLength(table.querySelectorAll("[data-row]").length)
  expect(rows.length).toBeGreaterThan(0)

  expect(excel).toBe(href.replace(".csv?", ".xlsx?"))
  const workbook = await fetch(excel.replace(location.origin, server.url), {
    headers: server.headersOf(app.people.manager),
  })
  const { SheetNames, Sheets } = read(await workbook.arrayBuffer())
  const [first, ...others] = utils.sheet_to_json<string[]>(Sheets[SheetNames[0]!]!, { header: 1 })
  expect(first).toEqual(titles)
  expect(others).toHaveLength(rows.length)
})
