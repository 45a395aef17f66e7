import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { read as readWorkbook } from "@e965/xlsx"
import type { Settings } from "@milkwood/domain/settings/settings"
import { sql } from "drizzle-orm"
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { validateXML } from "xmllint-wasm"
import { createBankAccount, postStatementFile, uploadStatementFile } from "../banking/banking.samples.ts"
import { statementFiles } from "../banking/statement-files.samples.ts"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import { createBatch, stepInputOf } from "../payouts/batches.samples.ts"
import { createPayout } from "../payouts/payouts.samples.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
let manager: Client
let admin: Client

beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  admin = app.as(app.people.admin)
  manager = app.as(app.people.manager)
  await saveSettings({ currency: "EUR" })
  scene = await insureGroup(app, "Euro Works")
})
afterAll(() => app.close())

async function saveSettings(change: Partial<Settings>) {
  const { version, settings } = await admin.settings.detail()
  const saved = await admin.settings.save({ version, settings: { ...settings, ...change } })
  app.app.forgetSettings()
  return saved
}

const normalizeSpaces = (text: string) => text.replace(/[\s\u00a0]+/g, " ")
const fetchAsManager = (path: string) => fetch(server.url + path, { headers: server.headersOf(app.people.manager) })
const fetchBytes = async (path: string) => new Uint8Array(await (await fetchAsManager(path)).arrayBuffer())

async function pdfTextOf(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocument({ data: bytes, verbosity: 0 }).promise
  const { items } = await (await pdf.getPage(1)).getTextContent()
  return normalizeSpaces(items.map((item) => ("str" in item ? item.str : "")).join(" "))
}

async function generateReportAs(format: "pdf" | "csv" | "excel"): Promise<Uint8Array> {
  const { runId } = await manager.reports.generate({
    ...{ report: "debtors_ageing", format, query: {} },
    idempotencyKey: randomUUID(),
  } as Parameters<Client["reports"]["generate"]>[0])
  await app.runJobs()
  return fetchBytes(`/api/reports/${runId}/file`)
}

describe("an installation in euros", () => {
  let invoice: Awaited<ReturnType<typeof createSentInvoice>>
  beforeAll(async () => {
    invoice = await createSentInvoice(manager, {
      policyId: scene.policyId,
      month: "2026-09-01",
      invoiceOn: "2026-09-01",
    })
  })

  test("every signed-in account receives the currency", async () => {
    for (const actor of [app.people.none, app.people.underwriter, scene.people.hr])
      expect(await app.as(actor).settings.display()).toMatchObject({ currency: "EUR" })
  })

  test("an invoice's PDF, mail and history show euros", async () => {
    expect(invoice.totalCents).toBe(805_00)
    const paper = await pdfTextOf(await fetchBytes(`/api/invoices/${invoice.id}/pdf`))
    expect(paper).toContain("Total amount (EUR) € 805,00")
    expect(paper).toContain("€ 350,00")
    expect(paper).not.toMatch(/R \d/)
    const mail = (await app.mails()).find(({ subject }) => subject.includes(invoice.number))!
    expect(normalizeSpaces(mail.text)).toContain("€ 805,00")
    const { timeline } = await manager.billing.detail({ invoiceId: invoice.id })
    expect(timeline.map(({ sentence }) => normalizeSpaces(sentence))).toContain("generated the invoice, € 805,00")
  })

  test("refusals state amounts in euros", async () => {
    const claim = await createApprovedClaim(scene.cast, scene.sample)
    await expect(
      manager.receipts.record({
        ...{ idempotencyKey: randomUUID(), number: "", receivedOn: "2026-10-01", policyId: scene.policyId },
        ...{ amountCents: 100_00, method: "bank_transfer", reference: "", notes: "" },
        allocations: [{ invoiceId: invoice.id, amountCents: 100_01 }],
      }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/€\u00a0100,01 is more than the unallocated €\u00a0100,00/),
    })
    expect(claim.status).toBe("approved")
  })

  test("CSV lists name the currency in titles; Excel lists also in formats", async () => {
    const [head, ...rows] = (await (await fetchAsManager("/api/invoices.csv?columns=number,total")).text())
      .trim()
      .split("\r\n")
    expect(head).toBe("Invoice,Amount (EUR)")
    expect(rows).toContain(`${invoice.number},805`)
    const book = readWorkbook(await fetchBytes("/api/invoices.xlsx?columns=number,total"), {
      cellNF: true,
      cellText: true,
    })
    const sheet = book.Sheets[book.SheetNames[0]!]!
    expect(sheet.B1).toMatchObject({ v: "Amount (EUR)" })
    expect(sheet.B2).toMatchObject({ t: "n", v: 805, z: "[$€-2]\\ #,##0.00" })
  })

  test("reports show euros in every format", async () => {
    const csv = new TextDecoder().decode(await generateReportAs("csv"))
    expect(csv.split("\r\n")[0]).toContain("Total (EUR)")
    const book = readWorkbook(await generateReportAs("excel"), { cellNF: true })
    const cells = Object.values(book.Sheets[book.SheetNames[0]!]!) as { z?: string }[]
    expect(cells.some(({ z }) => z === "[$€-2]\\ #,##0.00")).toBe(true)
    expect(await pdfTextOf(await generateReportAs("pdf"))).toContain("Total (€)")
  })

  test("pays by pain.001 in euros and refuses formats that support only rand", async () => {
    const { id: accountId } = await createBankAccount(admin)
    const payment = await createPayout(manager, (await createApprovedClaim(scene.cast, scene.sample)).id)
    for (const format of ["fnb", "standard_bank"] as const)
      await expect(createBatch(manager, accountId, [payment.id], format)).rejects.toMatchObject({
        code: "INVALID",
        message: expect.stringContaining("supports only rand, and the currency is EUR"),
        data: { fields: [{ path: "format" }] },
      })
    const batch = await createBatch(manager, accountId, [payment.id])
    const other = app.as(app.people.manager2)
    await other.payouts.batches.release(stepInputOf(batch))
    await app.runJobs()
    const { address } = await other.payouts.batches.export({ batchId: batch.id, idempotencyKey: randomUUID() })
    const answer = await fetch(server.url + address, { headers: server.headersOf(app.people.manager2) })
    const text = await answer.text()
    expect(text).toContain(`<InstdAmt Ccy="EUR">${(payment.amountCents / 100).toFixed(2)}</InstdAmt>`)
    expect(text).toContain("<Ccy>EUR</Ccy>")
    expect(text).not.toContain("ZAR<")
    const scheme = join(import.meta.dirname, "../../../../shared/fixtures/public/iso20022/pain.001.001.09.xsd")
    if (!existsSync(scheme)) return console.warn("The schema is not here: the file was not held against it.")
    const valid = await validateXML({
      xml: [{ fileName: "file.xml", contents: text }],
      schema: [readFileSync(scheme, "utf8")],
    })
    expect(valid.errors).toEqual([])
  })

  test("imports bank statements in euros and refuses those in rand", async () => {
    const { id, accountNumber } = await createBankAccount(admin, { name: "Euro account", accountNumber: "62000000099" })
    const lines = [{ day: "2026-10-01", text: "EFT", reference: "", amountCents: 10_00 }]
    const content = statementFiles.ofx2({ accountNumber, openingCents: 0, lines })
    const refused = await postStatementFile({ server }, app.people.manager, id, "statement.ofx", content)
    expect(await refused.json()).toMatchObject({
      message: "The file is in ZAR, but the account is in euros. Nothing was imported.",
    })
    const euros = content.replace("<CURDEF>ZAR", "<CURDEF>EUR")
    await uploadStatementFile({ server }, app.people.manager, id, euros, "statement.ofx")
  })
})

describe("after the first ledger entry", () => {
  const stays = "You cannot change the currency: amounts are recorded in EUR"

  test("refuses another currency but saves other settings", async () => {
    const { version, settings, recordsAmounts } = await admin.settings.detail()
    expect(recordsAmounts).toBe(true)
    for (const currency of ["ZAR", "USD"] as const)
      await expect(admin.settings.save({ version, settings: { ...settings, currency } })).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path: "settings.currency", message: stays }] },
      })
    expect((await saveSettings({ premiumGraceDays: 20 })).settings).toMatchObject({
      currency: "EUR",
      premiumGraceDays: 20,
    })
  })

  test("a reset to defaults keeps the currency", async () => {
    const { version } = await admin.settings.detail()
    const { settings } = await admin.settings.reset({ version })
    expect(settings).toMatchObject({ currency: "EUR", premiumGraceDays: 15 })
  })

  test("the database refuses every change of the currency", async () => {
    for (const change of [
      sql`update settings set value = '"ZAR"' where key = 'currency'`,
      sql`update settings set key = 'money' where key = 'currency'`,
      sql`delete from settings where key = 'currency'`,
    ])
      await expect(app.sql.run(change)).rejects.toMatchObject({ code: "23001" })
    await app.sql.run(sql`update settings set value = '"EUR"' where key = 'currency'`)
  })
})

describe("before the first ledger entry", () => {
  let empty: TestApp
  beforeAll(async () => {
    empty = await openTestApp()
  })
  afterAll(() => empty.close())

  const entry = (id: string) => sql`
    insert into ledger_entries (id, source, kind, effective_on, posted_at, description, record_kind, record_id)
    values (${id}, ${id}, 'claim_approved', '2026-11-02', now(), 'An entry', 'claim', ${randomUUID()})`

  test("the currency may change repeatedly, but only to a supported one", async () => {
    for (const currency of ["USD", "EUR", "ZAR"] as const) {
      const { version, settings } = await empty.as(empty.people.admin).settings.detail()
      const saved = await empty.as(empty.people.admin).settings.save({ version, settings: { ...settings, currency } })
      expect(saved).toMatchObject({ settings: { currency }, recordsAmounts: false })
    }
    await expect(empty.sql.run(sql`update settings set value = '"GBP"' where key = 'currency'`)).rejects.toMatchObject({
      code: "23514",
    })
  })

  test("a change of currency waits for a concurrent first ledger entry and is then refused", async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: posted, resolve: hasPosted } = Promise.withResolvers<void>()
    const posting = empty.transaction(empty.people.admin, async ({ tx }) => {
      const id = randomUUID()
      await tx.run(entry(id))
      await tx.run(sql`
        insert into ledger_postings (entry_id, line, account, amount_cents)
        values (${id}, 1, 'claims_expense', 100), (${id}, 2, 'claims_payable', -100)`)
      hasPosted()
      await mayEnd
    })
    await posted
    const { version, settings } = await empty.as(empty.people.admin).settings.detail()
    const changing = empty
      .as(empty.people.admin)
      .settings.save({ version, settings: { ...settings, currency: "USD" } })
      .then(
        () => "changed",
        (error: { code: string }) => error.code,
      )
    const waits = sql`select from pg_locks where relation = 'ledger_entries'::regclass and not granted`
    await expect.poll(() => empty.sql.rows(waits).then(({ length }) => length)).toBeGreaterThan(0)
    end()
    await posting
    expect(await changing).toBe("INVALID")
  })
})
