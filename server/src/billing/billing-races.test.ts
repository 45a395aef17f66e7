import { randomUUID } from "node:crypto"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { jobs } from "../jobs.ts"
import { App } from "../platform/app.ts"
import { Database } from "../platform/database/database.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { reactions } from "../reactions.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { router } from "../router.ts"
import type { Client } from "../test/app.ts"
import { createDraftInvoice, createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const november = { month: "2026-11-01", invoiceOn: "2026-11-02" }
const indexesUpTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Simulates a second process: separate connections and caches. */
async function runInSecondProcess<T>(work: (manager: Client) => Promise<T>): Promise<T> {
  const database = new Database(app.app.database.ownerUrl, { maxConnections: 6 })
  const { clock, files, log, publicUrl } = app.app
  const second = new App({ database, clock, files, log, publicUrl, reactions, jobs })
  const context = () => ({ app: second, actor: app.people.manager, requestId: randomUUID() })
  try {
    return await work(createRouterClient(router, { context }) as Client)
  } finally {
    await database.close()
  }
}

describe("one request with one idempotency key", () => {
  test("one idempotency key generates one invoice in 50 concurrent calls and after a restart", async () => {
    const policy = await app.policy()
    const { lines, periodStartOn, periodEndOn } = await app.manager.billing.fillLines({
      policyId: policy.id,
      ...november,
    })
    const period = { periodStartOn, periodEndOn }
    const request = {
      idempotencyKey: randomUUID(),
      invoice: { policyId: policy.id, invoiceOn: "2026-11-02", dueOn: "2026-12-02", ...period, lines },
    }
    const answers = await Promise.all(indexesUpTo(50).map(() => app.manager.billing.generate(request)))
    const again = await runInSecondProcess((manager) => manager.billing.generate(request))
    expect(new Set([...answers, again].map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await app.manager.billing.list({ policyId: policy.id })).total).toBe(1)
    const otherBody = { ...request, invoice: { ...request.invoice, notes: "another" } }
    await expect(runInSecondProcess((manager) => manager.billing.generate(otherBody))).rejects.toMatchObject({
      code: "KEY_REUSED",
    })
  })

  test("one idempotency key sends, posts and mails an invoice once", async () => {
    const policy = await app.policy()
    const { id, version } = await createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    const request = { invoiceId: id, version, idempotencyKey: randomUUID() }
    const answers = await Promise.all(indexesUpTo(50).map(() => app.manager.billing.send(request)))
    const again = await runInSecondProcess((manager) => manager.billing.send(request))
    expect(new Set([...answers, again].map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await app.sql.rows(sql`select from mails where about_id = ${id}`)).toHaveLength(1)
    expect(await app.sql.rows(sql`select from ledger_entries where record_id = ${id}`)).toHaveLength(1)
  })

  test("one idempotency key credits an invoice once", async () => {
    const policy = await app.policy()
    const { id } = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    const request = { invoiceId: id, idempotencyKey: randomUUID(), amountCents: 50_00, reason: "Once" }
    await Promise.all(indexesUpTo(50).map(() => app.manager.billing.credit(request)))
    expect(await app.manager.billing.detail({ invoiceId: id })).toMatchObject({ creditedCents: 50_00 })
  })
})

describe("concurrent requests with different keys", () => {
  test("concurrent requests bill a policy's period once, and the refusals name the invoice", async () => {
    const policy = await app.policy()
    const here = indexesUpTo(6).map(() => createDraftInvoice(app.manager, { policyId: policy.id, ...november }))
    const there = runInSecondProcess((manager) =>
      Promise.allSettled(indexesUpTo(6).map(() => createDraftInvoice(manager, { policyId: policy.id, ...november }))),
    )
    const all = [...(await Promise.allSettled(here)), ...(await there)]
    const made = all.filter((result) => result.status === "fulfilled")
    expect(made).toHaveLength(1)
    for (const result of all) {
      if (result.status === "rejected") {
        expect(result.reason).toMatchObject({ code: "PERIOD_TAKEN", data: { number: made[0]!.value.number } })
      }
    }
  })

  test("concurrent requests either send or cancel an invoice, never both", async () => {
    const policy = await app.policy()
    const { id, version } = await createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    const { send, cancel } = app.manager.billing
    const tried = await Promise.allSettled([
      ...indexesUpTo(5).map(() => send({ invoiceId: id, version, idempotencyKey: randomUUID() })),
      ...indexesUpTo(5).map(() => cancel({ invoiceId: id, version, reason: "Race" })),
    ])
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    for (const result of tried) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "STALE" })
  })

  test("concurrent credits never exceed the invoice", async () => {
    const policy = await app.policy()
    const { id, totalCents } = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    const tried = await Promise.allSettled(
      indexesUpTo(8).map(() =>
        app.manager.billing.credit({
          invoiceId: id,
          idempotencyKey: randomUUID(),
          amountCents: 100_00,
          reason: "Race",
        }),
      ),
    )
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(Math.floor(totalCents / 100_00))
  })
})

test("invoice numbers have no gaps after failures and rollbacks", async () => {
  const policies: { id: string }[] = []
  for (const _ of indexesUpTo(4)) policies.push(await app.policy())
  const turnedBack = () =>
    app
      .transaction(app.people.manager, async ({ tx }) => {
        await nextNumber(tx, "invoice", "2026-11-02")
        throw new Error("turned back")
      })
      .catch(() => undefined)
  await Promise.all(
    indexesUpTo(20).flatMap((index) => [
      createDraftInvoice(app.manager, {
        policyId: policies[index % 4]!.id,
        month: `2026-0${1 + (index % 3)}-01`,
        invoiceOn: "2026-11-02",
      }).catch((error) => expect(error).toMatchObject({ code: "PERIOD_TAKEN" })),
      turnedBack(),
    ]),
  )
  const numbers = await app.sql.rows<{ place: number }>(sql`
    select split_part(number, '-', 3)::integer as place from invoices where number like 'INV-2026-%' order by 1`)
  expect(numbers.map(({ place }) => place)).toEqual(indexesUpTo(numbers.length).map((index) => index + 1))
})
