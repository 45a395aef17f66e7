import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
  server = await app.serve()
})
afterAll(() => app.close())

const key = () => ({ idempotencyKey: randomUUID() })
const october = "2026-10-01"
const fetchAs = (path: string, actor = app.people.manager) =>
  fetch(`${server.url}${path}`, { headers: server.headersOf(actor) })

test("VAT by class covers invoices, credit notes, write-offs and reversals, and equals the ledger", async () => {
  const { manager } = app
  const { rows: products } = await manager.benefits.productTypes.list({})
  const life = products.find(({ name }) => name === "Group Life")!
  const taxed = await app.policy({ premiumCents: 1_000_00 })
  const exempt = await app.policy({ premiumCents: 500_00, productTypeId: life.id })
  const of = (policyId: string, more = {}) => ({ policyId, month: october, invoiceOn: october, with: more })
  const invoice = await createSentInvoice(
    manager,
    of(taxed.id, { discountCents: 50_00, discountReason: "First month" }),
  )
  await createSentInvoice(manager, of(exempt.id))
  app.clock.set("2026-10-20T08:00:00Z")
  await manager.billing.credit({ invoiceId: invoice.id, ...key(), amountCents: 110_00, reason: "One left before" })
  const [waiting] = await manager.receipts.writeOff({
    invoiceId: invoice.id,
    ...key(),
    amountCents: 55_00,
    reason: "Will not come",
  })
  await app.as(app.people.manager2).receipts.confirmWriteOff({ writeOffId: waiting!.id, ...key() })
  const asked = await manager.receipts.writeOff({
    invoiceId: invoice.id,
    ...key(),
    amountCents: 22_00,
    reason: "Will not come",
  })
  const other = asked.find(({ state }) => state === "waiting")
  await app.as(app.people.manager2).receipts.confirmWriteOff({ writeOffId: other!.id, ...key() })
  await manager.receipts.reverseWriteOff({ writeOffId: other!.id, ...key(), reason: "It came after all" })
  app.clock.set("2026-11-02T08:00:00Z")

  const answer = await manager.monthEnd.vatReturn({ month: "2026-10" })
  const lines = Object.fromEntries(answer.rows.map(({ vatClass, kind, ...row }) => [`${vatClass} ${kind}`, row]))
  expect(Object.keys(lines)).toEqual([
    ...["standard invoice", "standard credit_note", "standard relief", "standard relief_back", "exempt invoice"],
  ])
  expect(lines["standard invoice"]).toMatchObject({ documents: 1, netCents: 1_000_00, vatCents: 150_00, rate: "15%" })
  expect(lines["exempt invoice"]).toMatchObject({ documents: 1, netCents: 500_00, vatCents: 0, rate: "" })
  expect(lines["standard credit_note"]!.vatCents).toBeLessThan(0)
  expect(lines["standard relief"]).toMatchObject({ documents: 2 })
  // Write-offs of 55,00 and 22,00; the second was reversed.
  const [first] = await manager.receipts
    .writeOffs({ invoiceId: invoice.id })
    .then((all) => all.filter(({ id }) => id === waiting!.id))
  expect(lines["standard relief"]!.vatCents + lines["standard relief_back"]!.vatCents).toBe(-first!.vatCents)
  expect(answer).toMatchObject({ month: october, agrees: true, ledgerCents: answer.sums!.vatCents })
  expect(answer.rows.reduce((sum, { vatCents }) => sum + vatCents, 0)).toBe(answer.ledgerCents)

  const documents = await manager.monthEnd.vatDocuments({ month: "2026-10", pageSize: 100 })
  expect(documents.sums).toEqual(answer.sums)
  const narrowed = await manager.monthEnd.vatDocuments({ month: "2026-10", vatClass: "standard", kind: "relief" })
  expect(narrowed.rows).toHaveLength(2)
  expect((await manager.monthEnd.vatReturn({ month: "2026-09" })).rows).toEqual([])
  const { checks } = await manager.monthEnd.month({ month: october })
  expect(checks.find(({ key: one }) => one === "vat")).toMatchObject({ isDone: true })
})

test("a write-off on an invoice with several classes is divided without a rounding difference", async () => {
  const { manager } = app
  const policy = await app.policy({ premiumCents: 333_33 })
  const invoice = await createSentInvoice(manager, { policyId: policy.id, month: october, invoiceOn: october })
  // Simulates a class change: one line is for an exempt month.
  await app.sql.run(
    sql.raw(`do $$ begin
      set local session_replication_role = replica;
      insert into invoice_lines (id, group_id, invoice_id, position, description, quantity, unit_cents, total_cents, vat_class, vat_percent)
      select gen_random_uuid(), group_id, invoice_id, 9, 'An exempt month', 1, 10001, 10001, 'exempt', 0 from invoice_lines where invoice_id = '${invoice.id}' limit 1;
      insert into invoice_vat select invoice_id, group_id, vat_class, vat_percent, total_cents, position from invoice_lines where invoice_id = '${invoice.id}' and position = 9;
      set local session_replication_role = origin;
    end $$`),
  )
  app.clock.set("2026-11-02T09:00:00Z")
  const [waiting] = await manager.receipts.writeOff({
    invoiceId: invoice.id,
    ...key(),
    amountCents: 100_01,
    reason: "Gone",
  })
  await app.as(app.people.manager2).receipts.confirmWriteOff({ writeOffId: waiting!.id, ...key() })
  const { rows } = await manager.monthEnd.vatDocuments({ month: "2026-11", kind: "relief" })
  expect(rows.map(({ vatClass }) => vatClass).sort()).toEqual(["exempt", "standard"])
  expect(rows.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(-waiting!.netCents)
  expect(rows.find(({ vatClass }) => vatClass === "standard")!.vatCents).toBe(-waiting!.vatCents)
})

test("the VAT return exports as CSV, Excel and PDF, only with permission", async () => {
  const csv = await fetchAs("/api/vat-return.csv?month=2026-10")
  const text = await csv.text()
  expect(csv.status).toBe(200)
  expect(text.split("\n")[0]).toContain("Class")
  expect(text).toContain("Bad debt relief reversed")
  const xlsx = await fetchAs("/api/vat-return.xlsx?month=2026-10")
  expect(
    Buffer.from(await xlsx.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe("PK")
  const pdf = await fetchAs("/api/vat-return/2026-10/pdf")
  expect(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-")
  expect((await fetchAs("/api/vat-return/2026-13/pdf")).status).toBe(404)
  expect((await fetchAs("/api/vat-return/2026-10/pdf", app.people.underwriter)).status).toBe(403)
})
