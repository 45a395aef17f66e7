import { randomUUID } from "node:crypto"
import { hasPermission, type PermissionName } from "@milkwood/domain/platform/permission"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  createCancelledInvoice,
  createDraftInvoice,
  createPendingInvoice,
  createSentInvoice,
} from "../../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../../claims/claims.samples.ts"
import { createCompletedPayout, createPayout, createReleasedPayout } from "../../payouts/payouts.samples.ts"
import { createDraftPolicy } from "../../policies/policies.samples.ts"
import { createReversedReceipt, createUnallocatedReceipt, recordedReceipt } from "../../receipts/receipts.samples.ts"
import { routes } from "../../routes.ts"
import type { Client } from "../../test/app.ts"
import type { UserActor } from "../calls/actor.ts"

interface ListedNumbers {
  rows: { id: string; number: string }[]
}
interface ListCase {
  path: string
  list: (client: Client, input: object) => Promise<ListedNumbers>
  filters: { input: Record<string, string>; manager: number; hr: number }[]
  shows: { columns: string; of: Record<string, string>; head: string[]; row: string[] }
}

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
let actors: Record<"manager" | "hr" | "holder" | "underwriter", UserActor>
beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  scene = await insureGroup(app, "Export Dairy")
  const other = await insureGroup(app, "Other Dairy")
  const { manager, manager2 } = app.people
  actors = { manager, hr: scene.people.hr, holder: scene.people.signatory, underwriter: scene.people.underwriter }
  const [maker, releaser] = [app.as(manager), app.as(manager2)]

  await createDraftPolicy(maker, { groupName: "Export Dairy", startOn: "2026-12-01", endOn: "2027-11-30" })
  for (const { policyId } of [scene, other]) {
    const sample = (month: string) => ({ policyId, month, invoiceOn: month })
    await createSentInvoice(maker, sample("2026-08-01"))
    await createSentInvoice(maker, sample("2026-10-15"))
    await createPendingInvoice(maker, sample("2026-11-01"))
    await createDraftInvoice(maker, sample("2026-07-01"))
    await createCancelledInvoice(maker, sample("2026-06-01"))
    const paid = { policyId, receivedOn: "2026-11-02" }
    await recordedReceipt(maker, { ...paid, amountCents: 10_50, reference: "EFT 1", method: "cheque" })
    await createUnallocatedReceipt(maker, { ...paid, amountCents: 99_00 })
    await createReversedReceipt(maker, { ...paid, amountCents: 5_00 })
  }
  for (const { cast, sample } of [scene, other]) {
    // 22:30 UTC is already the 2nd in Johannesburg, two hours ahead.
    app.clock.set("2026-11-01T22:30:00Z")
    await createCompletedPayout(maker, releaser, (await createApprovedClaim(cast, sample)).id, "2026-11-02")
    app.clock.set("2026-11-02T08:00:00Z")
    await createReleasedPayout(maker, releaser, (await createApprovedClaim(cast, sample)).id)
    await createPayout(maker, (await createApprovedClaim(cast, { ...sample, requestedAmountCents: 1_234_56 })).id)
  }
})
afterAll(() => app.close())

const fetchAs = (who: UserActor, path: string, query: Record<string, string>) =>
  fetch(`${server.url}${path}?${new URLSearchParams(query)}`, { headers: server.headersOf(who) })
async function fetchCsvRows(who: UserActor, path: string, query: Record<string, string>): Promise<string[][]> {
  const answer = await fetchAs(who, path, query)
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8")
  const text = (await answer.text()).trim()
  return text.split("\r\n").map((line) => line.split(","))
}

const listCases: ListCase[] = [
  {
    path: "/api/policies.csv",
    list: (client, input) => client.policies.list(input),
    filters: [
      { input: {}, manager: 3, hr: 2 },
      { input: { status: "Active", sort: "groupName", dir: "desc" }, manager: 2, hr: 1 },
      { input: { search: "dairy", sort: "premiumCents", dir: "asc" }, manager: 3, hr: 2 },
      { input: { search: "other" }, manager: 1, hr: 0 },
      { input: { startFrom: "2026-06-01", startTo: "2026-12-31", sort: "number" }, manager: 1, hr: 1 },
    ],
    shows: {
      columns: "number,group,product,start,end,status,members,premium",
      of: { status: "Draft" },
      head: [
        "Policy number",
        "Group name",
        "Product type",
        "Effective date",
        "End date",
        "Status",
        "Members",
        "Premium rate",
      ],
      row: ["Export Dairy", "Group Life", "2026-12-01", "2027-11-30", "Draft", "0", "350"],
    },
  },
  {
    path: "/api/invoices.csv",
    list: (client, input) => client.billing.list(input),
    filters: [
      { input: {}, manager: 10, hr: 2 },
      { input: { tab: "sent", sort: "invoiceOn", dir: "asc" }, manager: 4, hr: 1 },
      { input: { tab: "overdue", sort: "openCents" }, manager: 2, hr: 1 },
      { input: { tab: "drafts" }, manager: 2, hr: 0 },
      { input: { search: "export", sort: "status", dir: "asc" }, manager: 5, hr: 2 },
      { input: { search: "other", sort: "groupName" }, manager: 5, hr: 0 },
      { input: { invoicedFrom: "2026-08-01", invoicedTo: "2026-10-14" }, manager: 2, hr: 1 },
      { input: { invoicedTo: "2026-07-01" }, manager: 4, hr: 0 },
    ],
    shows: {
      columns: "number,group,invoiceOn,dueOn,period,total,open,status",
      of: { tab: "overdue", search: "export" },
      head: ["Invoice", "Group name", "Invoice date", "Due date", "Period", "Amount", "Outstanding", "Status"],
      row: ["Export Dairy", "2026-08-01", "2026-08-31", "2026-08-01 – 2026-08-31", "805", "794.5", "Overdue"],
    },
  },
  {
    path: "/api/receipts.csv",
    list: (client, input) => client.receipts.list(input),
    filters: [
      { input: {}, manager: 6, hr: 0 },
      { input: { status: "Reversed" }, manager: 2, hr: 0 },
      { input: { search: "eft", sort: "groupName", dir: "asc" }, manager: 2, hr: 0 },
      { input: { search: "export", sort: "amountCents", dir: "desc" }, manager: 3, hr: 0 },
      { input: { receivedFrom: "2026-11-02", receivedTo: "2026-11-02" }, manager: 6, hr: 0 },
      { input: { receivedTo: "2026-11-01" }, manager: 0, hr: 0 },
    ],
    shows: {
      columns: "number,groupName,amountCents,method,reference,receivedOn,status",
      of: { search: "export", sort: "amountCents", dir: "asc", status: "Allocated" },
      head: ["Receipt Number", "Group Name", "Amount", "Payment Method", "Reference", "Date", "Status"],
      row: ["Export Dairy", "10.5", "Cheque", "EFT 1", "2026-11-02", "Allocated"],
    },
  },
  {
    path: "/api/payouts.csv",
    list: (client, input) => client.payouts.list({ ...(input as object), paidFor: "claims" }),
    filters: [
      { input: {}, manager: 6, hr: 0 },
      { input: { status: "processing", sort: "memberName", dir: "asc" }, manager: 2, hr: 0 },
      { input: { sort: "completedOn", dir: "asc" }, manager: 6, hr: 0 },
      { input: { search: "export", sort: "amountCents" }, manager: 3, hr: 0 },
      { input: { completedFrom: "2026-11-02", completedTo: "2026-11-02" }, manager: 2, hr: 0 },
      { input: { completedTo: "2026-11-01" }, manager: 0, hr: 0 },
    ],
    shows: {
      columns: "number,memberName,groupName,amountCents,method,createdAt,completedOn,status",
      of: { status: "completed", search: "export" },
      head: ["Payment", "Member", "Group", "Amount", "Method", "Prepared", "Paid", "Status"],
      row: ["Sipho Dlamini", "Export Dairy", "50000", "Bank Transfer", "2026-11-02", "2026-11-02", "Completed"],
    },
  },
]

describe.each(listCases)("$path", ({ path, list, filters, shows }) => {
  const { permission } = routes.find((route) => route.path === path)!
  const reads = (who: UserActor) => hasPermission(who.role, permission as PermissionName)

  test("an export contains the list's rows in the list's order for every user", async () => {
    for (const [name, who] of Object.entries(actors)) {
      for (const { input, manager, hr } of filters) {
        const label = `${name} ${JSON.stringify(input)}`
        if (!reads(who)) {
          expect((await fetchAs(who, path, input)).status, label).toBe(403)
          continue
        }
        const { rows } = await list(app.as(who), { ...input, pageSize: 100 })
        expect(rows, label).toHaveLength(name === "hr" || name === "holder" ? hr : manager)
        const file = await fetchCsvRows(who, path, { ...input, columns: "number", page: "2", pageSize: "25" })
        expect(file.slice(1), label).toEqual(rows.map((row) => [row.number]))
      }
    }
  })

  test("an export contains only those selected rows that the user may see", async () => {
    const { rows } = await list(app.as(actors.manager), { pageSize: 100 })
    const [first, , third] = rows
    const ids = [third!.id, first!.id, randomUUID()].join(",")
    const chosen = await fetchCsvRows(actors.manager, path, { columns: "number", ids })
    expect(chosen.slice(1)).toEqual([[first!.number], [third!.number]])
    if (!reads(actors.hr)) return
    const seen = await list(app.as(actors.hr), { pageSize: 100 })
    const all = rows.map((row) => row.id).join(",")
    expect(await fetchCsvRows(actors.hr, path, { columns: "number", ids: all })).toHaveLength(1 + seen.rows.length)
  })

  test("an export formats each column as the screen does: days, rands, words", async () => {
    const { columns, of, head, row } = shows
    const [title, found] = await fetchCsvRows(actors.manager, path, { ...of, columns })
    expect(title!.map((text) => text.replace("\uFEFF", ""))).toEqual(head)
    expect(found!.slice(1)).toEqual(row)
  })
})
