import { randomUUID } from "node:crypto"
import { addDays } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"
import { creditOnDaySql, owedOnDaySql } from "./debt.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-10-01T08:00:00Z" })
})
afterAll(() => app.close())

const recomputeOwed = (day: string): SQL => sql`
  select i.id, i.total_cents
    - (select coalesce(sum(c.total_cents), 0) from credit_notes c where c.invoice_id = i.id and c.credited_on <= ${day}::date)
    - (select coalesce(sum(a.amount_cents), 0) from receipt_allocations a
        where a.invoice_id = i.id and a.allocated_on <= ${day}::date and coalesce(a.released_on > ${day}::date, true))
    - (select coalesce(sum(w.total_cents), 0) from write_offs w
        where w.invoice_id = i.id and w.written_off_on <= ${day}::date and coalesce(w.reversed_on > ${day}::date, true)) as cents
  from invoices i where i.status = 'sent' and i.invoice_on <= ${day}::date`
const recomputeCredit = (day: string): SQL => sql`
  select r.id, r.amount_cents - (select coalesce(sum(a.amount_cents), 0) from receipt_allocations a
    where a.receipt_id = r.id and a.allocated_on <= ${day}::date and coalesce(a.released_on > ${day}::date, true)) as cents
  from receipts r where r.received_on <= ${day}::date and coalesce(r.reversed_on > ${day}::date, true)`

const testDays = Array.from({ length: 40 }, (_, place) => addDays("2026-09-28", place))

test("owed and credited amounts on any day equal the sums over all records", async () => {
  const steps = fc.constantFrom(
    "receive",
    "keep",
    "credit",
    "reverse",
    "allocate",
    "give up",
    "take up",
    "wait",
    "wait",
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(steps, fc.nat(), fc.integer({ min: 1, max: 500_00 })), { maxLength: 14 }),
      async (todo) => {
        app.clock.set("2026-10-01T08:00:00Z")
        const { id: policyId } = await app.policy()
        const invoices = []
        for (const month of ["2026-08-01", "2026-09-01"]) {
          invoices.push(await createSentInvoice(app.manager, { policyId, month, invoiceOn: month }))
        }
        for (const [what, pick, amountCents] of todo) {
          const invoiceId = invoices[pick % 2]!.id
          const receivedOn = app.clock.now().toString().slice(0, 10)
          const idempotencyKey = randomUUID()
          const receipt = (await app.manager.receipts.list({ policyId })).rows.at(-1)
          const act = async () => {
            if (what === "wait") return app.clock.advance({ hours: 24 * (1 + (pick % 5)) })
            if (what === "receive") return recordedReceipt(app.manager, { policyId, amountCents, receivedOn })
            if (what === "keep") return createUnallocatedReceipt(app.manager, { policyId, amountCents, receivedOn })
            if (what === "credit") {
              return app.manager.billing.credit({ invoiceId, idempotencyKey, amountCents, reason: "Random" })
            }
            if (what === "give up") {
              const [waiting] = await app.manager.receipts.writeOff({
                invoiceId,
                idempotencyKey,
                amountCents,
                reason: "Random",
              })
              const confirm = { writeOffId: waiting!.id, idempotencyKey: randomUUID() }
              return app.as(app.people.manager2).receipts.confirmWriteOff(confirm)
            }
            if (what === "take up") {
              const [last] = await app.manager.receipts.writeOffs({ invoiceId })
              if (!last) return
              return app.manager.receipts.reverseWriteOff({ writeOffId: last.id, idempotencyKey, reason: "Random" })
            }
            if (!receipt) return
            const { id: receiptId, version } = await app.manager.receipts.detail({ receiptId: receipt.id })
            const by = { receiptId, version, idempotencyKey }
            if (what === "reverse") return app.manager.receipts.reverse({ ...by, reason: "Random" })
            return app.manager.receipts.allocate({ ...by, allocations: [{ invoiceId, amountCents }] })
          }
          await act().catch((error: { status?: number }) => {
            if (error.status === undefined || error.status >= 500) throw error
          })
        }
        const differences = await app.sql.rows(
          sql`${sql.join(
            testDays.map(
              (day) => sql`
            select ${day} as day, full_sum.id, full_sum.cents, kept.owed from (${recomputeOwed(day)}) full_sum
              full join ${owedOnDaySql(day)} kept on kept.invoice_id = full_sum.id
              where full_sum.cents is distinct from coalesce(kept.owed, 0)
            union all
            select ${day}, full_sum.id, full_sum.cents, kept.cents from (${recomputeCredit(day)}) full_sum
              full join ${creditOnDaySql(day)} kept on kept.receipt_id = full_sum.id
              where full_sum.cents is distinct from coalesce(kept.cents, 0)`,
            ),
            sql` union all `,
          )}`,
        )
        expect(differences).toEqual([])
      },
    ),
    { numRuns: 12, verbose: 1 },
  )
}, 120_000)

test("the database refuses to set allocated amounts directly; credit notes and allocations determine them", async () => {
  const { id: policyId } = await app.policy()
  const invoice = await createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  const receipt = await recordedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn: "2026-09-30" })
  for (const role of ["staff", "owner"] as const) {
    const hand = app.app.database.direct(role)
    await expect(hand.run(sql`update invoices set allocated_cents = 0 where id = ${invoice.id}`)).rejects.toThrow(
      /must equal its unreleased allocations/,
    )
    await expect(hand.run(sql`update receipts set allocated_cents = 0 where id = ${receipt.id}`)).rejects.toThrow(
      /database maintains/,
    )
  }
  await expect(app.manager.billing.detail({ invoiceId: invoice.id })).resolves.toMatchObject({
    allocatedCents: 100_00,
    openCents: invoice.totalCents - 100_00,
  })
})
