import { randomUUID } from "node:crypto"
import { type Resolution, reconciliationStatus } from "@milkwood/domain/reconciliation/reconciliation"
import { sql } from "drizzle-orm"
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

const october = "2026-10-01"
const listRowsOf = async (groupId: string, input: object = {}) =>
  (await app.manager.reconciliation.list({ groupId, ...input })).rows
const readMonthDetail = (groupId: string, month = october) => app.manager.reconciliation.detail({ groupId, month })
const resolveMonth = (groupId: string, kind: Resolution, differenceCents: number, month = october) =>
  app.manager.reconciliation.resolve({
    ...{ groupId, month, kind, differenceCents },
    idempotencyKey: randomUUID(),
    note: "Agreed with payroll",
  })

/** An employer with two members; invoices of R 2 300 each are sent for September and October. */
async function createTwoBilledMonths(groupName: string): Promise<{ groupId: string; policyId: string }> {
  const { id: policyId, groupId } = await app.policy({ groupName, premiumCents: 1_000_00, members: 2 })
  await createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await createSentInvoice(app.manager, { policyId, month: october, invoiceOn: october })
  return { groupId, policyId }
}

test("months per employer agree with collection, with the domain's statuses", async () => {
  const { groupId, policyId } = await createTwoBilledMonths("Month Works")
  await app.policy({ groupName: "Month Works", premiumCents: 500_00 })
  const states = async () =>
    (await listRowsOf(groupId, { sort: "month", dir: "asc" })).map(({ month, status }) => [month, status])
  expect(await states()).toEqual([
    ["2026-09-01", "Missing"],
    [october, "Missing"],
  ])
  await recordedReceipt(app.manager, { policyId, amountCents: 2_300_00, receivedOn: "2026-09-20" })
  await recordedReceipt(app.manager, { policyId, amountCents: 2_000_00, receivedOn: "2026-10-20" })
  expect(await states()).toEqual([
    ["2026-09-01", "Matched"],
    [october, "Shortage"],
  ])
  await recordedReceipt(app.manager, { policyId, amountCents: 400_00, receivedOn: "2026-10-25" })
  await createUnallocatedReceipt(app.manager, { policyId, amountCents: 50_00, receivedOn: "2026-08-25" })
  expect(await states()).toEqual([
    ["2026-08-01", "Excess"],
    ["2026-09-01", "Matched"],
    [october, "Excess"],
  ])
  for (const row of await listRowsOf(groupId)) {
    expect(row.status).toBe(reconciliationStatus(row))
    const { rows } = await app.manager.collection.list({ groupId, month: row.month.slice(0, 7) })
    const sum = (of: "expectedCents" | "writtenOffCents" | "collectedCents" | "creditCents") =>
      rows.reduce((all, each) => all + each[of], 0)
    expect([row.expectedCents, row.receivedCents]).toEqual([
      sum("expectedCents") + sum("writtenOffCents"),
      sum("collectedCents") + sum("creditCents"),
    ])
  }
  const { cards, counts } = await app.manager.reconciliation.list({ groupId, tab: "Matched" })
  expect(cards).toEqual({ expectedCents: 4_600_00, receivedCents: 4_750_00, differenceCents: 150_00 })
  expect(counts).toMatchObject({ all: 3, Matched: 1, Excess: 2, Missing: 0 })
  const searched = await app.manager.reconciliation.list({ search: "MONTH wor" })
  expect(searched.rows.map((row) => row.groupId)).toEqual([groupId, groupId, groupId])
  expect((await app.manager.reconciliation.list({ groupId, search: "month wirks" })).total).toBe(0)
  const matched = (await listRowsOf(groupId)).find(({ month }) => month === "2026-09-01")
  expect(matched).toMatchObject({ reconciledOn: "2026-11-02", allowedActions: [] })
})

test("joiners, leavers and open amounts explain a difference", async () => {
  const { groupId, policyId } = await createTwoBilledMonths("Reason Works")
  await app.policy({ groupName: "Reason Works" })
  await recordedReceipt(app.manager, { policyId, amountCents: 2_300_00, receivedOn: "2026-09-20" })
  await recordedReceipt(app.manager, { policyId, amountCents: 2_287_50, receivedOn: "2026-10-20" })
  expect((await readMonthDetail(groupId)).parts).toEqual([
    { kind: "charge", cents: -12_50, words: expect.stringContaining("12,50") },
  ])
  await createMember(app.manager, policyId, { startOn: "2026-11-01" })
  await createSentInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
  await recordedReceipt(app.manager, { policyId, amountCents: 2_312_50, receivedOn: "2026-11-02" })
  const november = await readMonthDetail(groupId, "2026-11-01")
  expect(november.differenceCents).toBe(-1_150_00)
  expect(november.parts).toEqual([{ kind: "joiners", cents: -1_150_00, words: expect.stringMatching(/, M/) }])
})

test("a month is Not due until its due day, and shows promise and dispute", async () => {
  app.clock.set("2026-11-02T08:00:00Z")
  const { id: policyId, groupId } = await app.policy({ groupName: "Due Works", premiumCents: 1_000_00 })
  await createSentInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
  const november = () => readMonthDetail(groupId, "2026-11-01")
  const statusOn = async (now: string) => {
    app.clock.set(now)
    const [row] = await listRowsOf(groupId)
    expect(row!.status).toBe(reconciliationStatus(row!))
    return [row!.status, row!.allowedActions.length > 0, (await listRowsOf(groupId, { unresolved: true })).length]
  }
  expect(await statusOn("2026-11-02T08:00:00Z")).toEqual(["Not due", false, 0])
  expect((await november()).parts).toEqual([
    { kind: "not_due", cents: -1_150_00, words: expect.stringMatching(/^Due 2026-12-01, /) },
  ])
  await recordedReceipt(app.manager, { policyId, amountCents: 150_00, receivedOn: "2026-11-02" })
  expect(await statusOn("2026-12-01T08:00:00Z")).toEqual(["Not due", false, 0])
  expect(await statusOn("2026-12-02T08:00:00Z")).toEqual(["Shortage", true, 1])

  const call = (what: { outcome: "promise" | "dispute"; promisedCents: number | null; promisedOn: string | null }) =>
    app.manager.collection.logCall({ policyId, idempotencyKey: randomUUID(), call: { note: "One had left", ...what } })
  await call({ outcome: "promise", promisedCents: 400_00, promisedOn: "2026-12-04" })
  expect((await november()).parts.map(({ kind, cents }) => [kind, cents])).toEqual([
    ["promise", -400_00],
    ["unexplained", -600_00],
  ])
  app.clock.advance({ minutes: 1 })
  await call({ outcome: "dispute", promisedCents: null, promisedOn: null })
  expect((await november()).parts).toEqual([
    { kind: "dispute", cents: -1_000_00, words: expect.stringMatching(/^“One had left”, 2026-12-02, /) },
  ])
  app.clock.set("2026-11-02T08:00:00Z")
})

test("a difference carried forward keeps its note until the difference changes", async () => {
  const { groupId, policyId } = await createTwoBilledMonths("Forward Works")
  await recordedReceipt(app.manager, { policyId, amountCents: 2_300_00, receivedOn: "2026-09-20" })
  await expect(resolveMonth(groupId, "carry_forward", -2_000_00)).rejects.toMatchObject({ code: "CHANGED" })
  await expect(resolveMonth(groupId, "keep_as_credit", -2_300_00)).rejects.toMatchObject({ code: "NOT_RESOLVABLE" })
  const resolved = await resolveMonth(groupId, "carry_forward", -2_300_00)
  expect(resolved).toMatchObject({
    status: "Missing",
    reconciledOn: "2026-11-02",
    notes: "Carry forward: Agreed with payroll",
  })
  expect(resolved.resolved).toMatchObject([{ kind: "carry_forward", byName: expect.any(String) }])
  expect(await listRowsOf(groupId, { unresolved: true })).toEqual([])
  await recordedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn: "2026-10-20" })
  const [again] = await listRowsOf(groupId, { unresolved: true })
  expect(again).toMatchObject({ month: october, reconciledOn: null, notes: expect.stringMatching(/changed since/) })
})

test("a write-off covers only the shortfall, at once up to the limit", async () => {
  const { groupId, policyId } = await createTwoBilledMonths("Gone Works")
  await recordedReceipt(app.manager, { policyId, amountCents: 4_587_50, receivedOn: "2026-10-20" })
  const detail = await resolveMonth(groupId, "write_off", -12_50)
  expect(detail.resolved).toMatchObject([{ kind: "write_off", differenceCents: -12_50 }])
  const rows = await app.sql.rows<{ total: number }>(
    sql`select total_cents as total from write_offs where group_id = ${groupId}`,
  )
  expect(rows).toEqual([{ total: 12_50 }])
  await expect(resolveMonth(groupId, "write_off", -12_50)).rejects.toMatchObject({
    code: expect.stringMatching(/WAITS|OPEN/),
  })
})

test("the reconciliation PDF has the filtered rows, notes and total", async () => {
  const { groupId, policyId } = await createTwoBilledMonths("Paper Works")
  await recordedReceipt(app.manager, { policyId, amountCents: 2_300_00, receivedOn: "2026-09-20" })
  await resolveMonth(groupId, "carry_forward", -2_300_00)
  const server = await app.serve()
  const asked = new URLSearchParams({ groupId, sort: "month", dir: "asc", columns: "month" })
  const take = (actor: typeof app.people.manager | null, more = "") =>
    fetch(`${server.url}/api/reconciliation.pdf?${asked}${more}`, { headers: server.headersOf(actor) })
  const answer = await take(app.people.manager)
  expect(answer.headers.get("content-type")).toBe("application/pdf")
  expect(answer.headers.get("content-disposition")).toContain("reconciliation-2026-11-02.pdf")
  const pdf = await getDocument({ data: new Uint8Array(await answer.arrayBuffer()), verbosity: 0 }).promise
  const { items } = await (await pdf.getPage(1)).getTextContent()
  const words = items
    .map((item) => ("str" in item ? item.str : ""))
    .join("|")
    .replaceAll("\u00a0", " ")
  expect(words).toContain("Sep 2026 to Oct 2026")
  expect(words).toMatch(
    /Sep 2026.*R 2 300,00.*R 2 300,00.*R 0,00.*Matched.*Oct 2026.*R 2 300,00.*R 0,00.*-R 2 300,00.*Missing/,
  )
  expect(words).toContain("Carry forward: Agreed with payroll")
  expect(words).toMatch(/Total.*2 months.*R 4 600,00.*R 2 300,00.*-R 2 300,00/)
  expect((await take(app.people.manager, "&tab=Lost")).status).toBe(422)
  expect((await take(app.people.underwriter)).status).toBe(403)
  const taken = await app.sql.rows(
    sql`select from audit_log where fact = 'ListExported' and record_label = 'reconciliation'`,
  )
  expect(taken).toHaveLength(1)
})

test("resolutions cannot be changed, and employers cannot read them", async () => {
  await expect(app.sql.run(sql`update month_resolutions set note = 'x'`)).rejects.toThrow(/never changed/)
  const { groupId } = (await app.manager.reconciliation.list({})).rows[0]!
  for (const person of [app.people.underwriter, await app.people.groupAdmin(groupId)]) {
    await expect(app.as(person).reconciliation.detail({ groupId, month: october })).rejects.toMatchObject({
      code: "FORBIDDEN",
    })
  }
  await expect(readMonthDetail(randomUUID())).rejects.toMatchObject({ code: "NOT_FOUND" })
  await expect(readMonthDetail(groupId, "2020-01-01")).rejects.toMatchObject({ code: "NOT_FOUND" })
})
