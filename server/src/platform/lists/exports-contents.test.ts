import readExcel from "read-excel-file/node"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../../billing/billing.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "../../claims/claim-scene.samples.ts"
import { createDraftPolicy } from "../../policies/policies.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../../receipts/receipts.samples.ts"
import { createImportedList } from "../../staff-lists/staff-lists.samples.ts"
import type { Client } from "../../test/app.ts"
import type { UserActor } from "../calls/actor.ts"

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let manager: Client
beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  manager = app.as(app.people.manager)
})
afterAll(() => app.close())

const fetchAs = (who: UserActor, path: string) => fetch(server.url + path, { headers: server.headersOf(who) })

async function fetchCsvRows(who: UserActor, path: string): Promise<string[][]> {
  const text = (await (await fetchAs(who, path)).text()).replace("\uFEFF", "").trim()
  return text.split("\r\n").map((line) => line.split(","))
}

async function sheet(who: UserActor, path: string): Promise<unknown[][]> {
  const answer = await fetchAs(who, path)
  expect(answer.headers.get("content-type")).toContain("spreadsheetml.sheet")
  return (await readExcel(Buffer.from(await answer.arrayBuffer())))[0]!.data
}

test("users export with their employers, roles and states in words", async () => {
  const { groupId } = await insureGroup(app, "Export Orchard")
  const hr = await app.people.groupAdmin(groupId)
  const [head, ...rows] = await fetchCsvRows(app.people.admin, "/api/users.csv?sort=email&dir=asc")
  expect(head).toEqual(["Name", "Email", "Role", "Groups", "Status", "Second factor", "Last sign-in", "Created"])
  const listed = await app.as(app.people.admin).users.list({ sort: "email", dir: "asc", pageSize: 100 })
  expect(rows.map(([, email]) => email)).toEqual(listed.rows.map(({ email }) => email))
  const { email } = listed.rows.find(({ id }) => id === hr.userId)!
  expect(rows.find((row) => row[1] === email)?.slice(2, 5)).toEqual(["Group administrator", "Export Orchard", "Active"])
  const found = await fetchCsvRows(app.people.admin, "/api/users.csv?role=underwriter&columns=role")
  expect(found.slice(1)).toEqual([["Underwriter"]])
  expect((await fetchAs(app.people.manager, "/api/users.csv")).status).toBe(403)
})

test("product benefits export in the order of the screen, with amounts in rand", async () => {
  const { rows: types } = await manager.benefits.productTypes.list({ search: "health" })
  const of = types[0]!.id
  const [head, ...rows] = await fetchCsvRows(
    app.people.manager,
    `/api/product-benefits.csv?productTypeId=${of}&sort=costCents&dir=asc`,
  )
  expect(head).toEqual(["Product Type", "Benefit", "Benefit Tier", "Cost", "Cover Amount", "Cover %"])
  const listed = await manager.benefits.productBenefits.list({
    productTypeId: of,
    sort: "costCents",
    dir: "asc",
    pageSize: 100,
  })
  expect(rows).toEqual(
    listed.rows.map((row) => [
      row.productType,
      row.benefit,
      row.tier,
      String(row.costCents / 100),
      String(row.coverAmountCents / 100),
      String(row.coverPercentage),
    ]),
  )
  expect(rows[0]).toEqual(["Group Health", "Maternity benefit", expect.any(String), "70", "30000", "90"])
})

test("imports export with their results", async () => {
  const policy = await createDraftPolicy(manager, { groupName: "Soweto Retail Holdings" })
  const { addedCount, rowCount, errorCount } = await createImportedList(
    { app, server },
    app.people.manager,
    policy.id,
    "1-plain.csv",
  )
  const [head, row, ...more] = await fetchCsvRows(app.people.manager, `/api/imports.csv?policyId=${policy.id}`)
  expect(head).toEqual([
    "File",
    "Group",
    "Policy",
    "Date",
    "Uploaded by",
    "Status",
    "Total records",
    "Added",
    "Updated",
    "Ended",
    "Errors",
  ])
  const { today } = await manager.settings.display({})
  const counts = [rowCount, addedCount, 0, 0, errorCount].map(String)
  expect(row).toEqual([
    "1-plain.csv",
    "Soweto Retail Holdings",
    policy.number,
    today,
    app.people.manager.name,
    "Completed",
    ...counts,
  ])
  expect(more).toEqual([])
})

test("ageing and account postings export as workbooks as at the end of the requested day", async () => {
  const { policyId } = await insureGroup(app, "Aged Dairy")
  const { number } = await manager.policies.detail({ policyId })
  const invoice = await createSentInvoice(manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await recordedReceipt(manager, { policyId, amountCents: 10_00, receivedOn: "2026-10-05" })
  await createUnallocatedReceipt(manager, { policyId, amountCents: 25_50, receivedOn: "2026-10-20" })

  const asked = "search=aged&sort=groupName&columns=groupName,policyNumber,days1to30,totalCents,creditCents,oldestDueOn"
  const [head, row, ...more] = await sheet(app.people.manager, `/api/debtors-ageing.xlsx?asOf=2026-10-10&${asked}`)
  expect(head).toEqual(["Group", "Policy", "1–30 days", "Total", "Unallocated", "Oldest due"])
  // A receipt can be allocated from the day it is recorded; until then it is credit.
  const owed = invoice.totalCents / 100
  expect(row?.slice(0, 5)).toEqual(["Aged Dairy", number, owed, owed, 10])
  expect(row?.[5]).toEqual(new Date(`${invoice.dueOn}T00:00:00Z`))
  expect(more).toEqual([])
  const later = await sheet(app.people.manager, `/api/debtors-ageing.xlsx?asOf=2026-10-20&${asked}`)
  expect(later[1]?.[4]).toBe(35.5)

  const of = `account=premium_debtors&policyId=${policyId}&columns=description,debit,credit,balance`
  const debtors = await sheet(app.people.manager, `/api/postings.xlsx?${of}&dir=asc`)
  expect(debtors).toEqual([
    ["Description", "Debit", "Credit", "Balance"],
    [`Invoice ${invoice.number} sent`, owed, 0, owed],
    [expect.stringContaining("allocated"), 0, 10, owed - 10],
  ])
  // A search result shows the account's running balance, not a balance of the matches.
  const found = await sheet(app.people.manager, `/api/postings.xlsx?${of}&search=allocated`)
  expect(found.slice(1)).toEqual([debtors[2]])
  const early = await fetchAs(app.people.manager, `/api/postings.xlsx?${of}&asOf=2026-09-30`)
  expect(early.headers.get("content-disposition")).toContain("postings-premium_debtors-2026-09-30.xlsx")
  expect((await readExcel(Buffer.from(await early.arrayBuffer())))[0]!.data).toEqual(debtors.slice(0, 2))
})
