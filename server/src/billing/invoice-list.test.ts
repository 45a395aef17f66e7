import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import {
  createCancelledInvoice,
  createCreditedInvoice,
  createDraftInvoice,
  createPendingInvoice,
  createSentInvoice,
} from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const november = { month: "2026-11-02", invoiceOn: "2026-11-02" }

describe("the list", () => {
  test("the invoice list pages, sorts, searches and counts in SQL, with the domain's status", async () => {
    const policy = await app.policy({ groupName: "Zebra 100% Foods" })
    const month = (number: number) => ({
      policyId: policy.id,
      month: `2026-0${number}-01`,
      invoiceOn: `2026-0${number}-01`,
    })
    const draft = await createDraftInvoice(app.manager, month(5))
    const pending = await createPendingInvoice(app.manager, month(6))
    const overdue = await createSentInvoice(app.manager, month(7))
    const cancelled = await createCancelledInvoice(app.manager, month(8))
    const credited = await createCreditedInvoice(app.manager, month(8))
    const partly = await createCreditedInvoice(app.manager, { ...month(9), creditCents: 2_50 })
    const list = (input: object) => app.manager.billing.list({ search: "zebra 100%", ...input })

    const all = await list({})
    expect(all).toMatchObject({
      total: 6,
      counts: { all: 6, drafts: 1, sent: 1, paid: 0, overdue: 2 },
      sums: { totalCents: 6 * 402_50, openCents: 402_50 + 400_00 },
    })
    expect(all.rows.map((row) => row.number)).toEqual(
      [partly, credited, cancelled, overdue, pending, draft].map((invoice) => invoice.number),
    )
    for (const row of all.rows) {
      const detail = await app.manager.billing.detail({ invoiceId: row.id })
      expect(row).toMatchObject({
        status: detail.status,
        openCents: detail.openCents,
        allowedActions: detail.allowedActions,
      })
    }
    expect((await list({ tab: "overdue", sort: "openCents", dir: "asc" })).rows.map((row) => row.id)).toEqual([
      partly.id,
      overdue.id,
    ])
    expect((await list({ search: draft.number.toLowerCase() })).rows).toHaveLength(1)
    expect((await list({ search: policy.number })).total).toBe(6)
    expect((await list({ search: "100_" })).total).toBe(0)
    expect((await list({ policyId: randomUUID() })).total).toBe(0)
    const { cards } = await list({})
    expect(cards).toMatchObject({ invoices: 6, overdue: 2, pendingCents: 402_50, revenueCents: 0 })
    const unpaid = await list({ tab: "unpaid" })
    expect(unpaid.sums).toEqual({ totalCents: 2 * 402_50, openCents: 402_50 + 400_00 })
    expect(unpaid.total).toBe(unpaid.counts.unpaid)
    const everything = await app.manager.billing.list({})
    expect(everything.cards?.invoices).toBe(everything.total)
    expect((await list({ groupId: `${policy.groupId},${randomUUID()}` })).filteredBy).toEqual({
      groupId: [{ id: policy.groupId, name: "Zebra 100% Foods" }],
    })
    // Revenue is the total of fully paid invoices less credits (R 2,50 of the second).
    const paid = async (amountCents: number) => {
      await recordedReceipt(app.manager, { policyId: policy.id, amountCents, receivedOn: "2026-10-20" })
      return (await list({})).cards
    }
    expect(await paid(402_50 + 399_00)).toMatchObject({ revenueCents: 402_50, overdue: 1 })
    expect(await paid(1_00)).toMatchObject({ revenueCents: 402_50 + 400_00, overdue: 0 })
  })
})

describe("employer users", () => {
  test("employer users see their sent invoices; users with the policy holder role see masked ID numbers", async () => {
    const policy = await app.policy()
    const elsewhere = await app.policy()
    const draft = await createDraftInvoice(app.manager, {
      policyId: policy.id,
      month: "2026-10-01",
      invoiceOn: "2026-10-01",
    })
    const sent = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    const theirs = await createSentInvoice(app.manager, { policyId: elsewhere.id, ...november })
    const groupAdmin = app.as(await app.people.groupAdmin(policy.groupId))
    const holder = app.as(await app.people.policyHolder(policy.groupId))

    for (const client of [groupAdmin, holder]) {
      const list = await client.billing.list({})
      expect(list.rows.map((row) => row.id)).toEqual([sent.id])
      expect(list).toMatchObject({ counts: { all: 1, drafts: 0 }, cards: { invoices: 1 } })
      expect(await client.billing.detail({ invoiceId: sent.id })).toMatchObject({
        allowedActions: ["download"],
        payments: [],
      })
      const unknown = await client.billing.detail({ invoiceId: randomUUID() }).catch((error) => error)
      for (const hidden of [theirs.id, draft.id]) {
        const refusal = await client.billing.detail({ invoiceId: hidden }).catch((error) => error)
        expect(refusal).toMatchObject({ code: "NOT_FOUND" })
        expect(JSON.stringify(refusal)).toBe(JSON.stringify(unknown))
      }
      await expect(client.billing.cancel({ invoiceId: sent.id, version: 1, reason: "x" })).rejects.toMatchObject({
        code: "FORBIDDEN",
      })
    }
    const idOf = async (client: typeof holder) =>
      (await client.billing.detail({ invoiceId: sent.id })).lines[0]!.member!.idNumber!
    const real = await idOf(groupAdmin)
    expect(real).toMatch(/^\d{13}$/)
    expect(await idOf(holder)).not.toContain(real.slice(0, 6))
  })

  test("employer users see no invoices without a scope, and never the ledger", async () => {
    const scoped = app.app.database.direct("scoped")
    for (const table of ["invoices", "invoice_lines", "credit_notes"]) {
      expect(await scoped.rows(sql`select * from ${sql.raw(table)}`)).toEqual([])
      await expect(scoped.run(sql`update ${sql.raw(table)} set group_id = group_id`)).rejects.toThrow(
        /permission denied/,
      )
    }
    for (const table of ["ledger_entries", "ledger_postings"]) {
      await expect(scoped.rows(sql`select * from ${sql.raw(table)}`)).rejects.toThrow(/permission denied/)
    }
  })
})
