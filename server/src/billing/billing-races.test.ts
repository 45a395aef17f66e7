import { randomUUID } from "node:crypto"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { verifyLedger } from "../ledger/verify-ledger.ts"
import { Database } from "../platform/database.ts"
import { House } from "../platform/house.ts"
import { nextNumber } from "../platform/numbering.ts"
import { router } from "../router.ts"
import type { Client } from "../test/house.ts"
import { draftInvoice, sentInvoice } from "./billing.samples.ts"
import { type BillingHouse, openBillingHouse } from "./billing-scene.samples.ts"

let house: BillingHouse
beforeAll(async () => {
  house = await openBillingHouse()
})
afterAll(async () => {
  expect(await verifyLedger(house.sql)).toEqual([])
  await house.close()
})

const november = { month: "2026-11-01", invoiceOn: "2026-11-02" }
const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A second process on the same database, as far as a test can have one: its own connections, nothing remembered. */
async function elsewhere<T>(work: (manager: Client) => Promise<T>): Promise<T> {
  const database = new Database(house.house.database.ownerUrl, { maxConnections: 6 })
  const { clock, files, log, publicUrl } = house.house
  const second = new House({ database, clock, files, log, publicUrl })
  const context = () => ({ house: second, actor: house.people.manager, requestId: randomUUID() })
  try {
    return await work(createRouterClient(router, { context }) as Client)
  } finally {
    await database.close()
  }
}

describe("one request with one key", () => {
  test("generates one invoice, 50 times at once and after a restart", async () => {
    const policy = await house.policy()
    const filled = await house.manager.billing.fillLines({ policyId: policy.id, ...november })
    const request = {
      idempotencyKey: randomUUID(),
      invoice: { policyId: policy.id, invoiceOn: "2026-11-02", dueOn: "2026-12-02", ...filled },
    }
    const answers = await Promise.all(times(50).map(() => house.manager.billing.generate(request)))
    const again = await elsewhere((manager) => manager.billing.generate(request))
    expect(new Set([...answers, again].map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await house.manager.billing.list({ policyId: policy.id })).total).toBe(1)
    const otherBody = { ...request, invoice: { ...request.invoice, notes: "another" } }
    await expect(elsewhere((manager) => manager.billing.generate(otherBody))).rejects.toMatchObject({
      code: "KEY_REUSED",
    })
  })

  test("sends, posts and mails once", async () => {
    const policy = await house.policy()
    const { id, version } = await draftInvoice(house.manager, { policyId: policy.id, ...november })
    const request = { invoiceId: id, version, idempotencyKey: randomUUID() }
    const answers = await Promise.all(times(50).map(() => house.manager.billing.send(request)))
    const again = await elsewhere((manager) => manager.billing.send(request))
    expect(new Set([...answers, again].map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await house.sql.rows(sql`select from mails where about_id = ${id}`)).toHaveLength(1)
    expect(await house.sql.rows(sql`select from ledger_entries where record_id = ${id}`)).toHaveLength(1)
  })

  test("credits once", async () => {
    const policy = await house.policy()
    const { id } = await sentInvoice(house.manager, { policyId: policy.id, ...november })
    const request = { invoiceId: id, idempotencyKey: randomUUID(), amountCents: 50_00, reason: "Once" }
    await Promise.all(times(50).map(() => house.manager.billing.credit(request)))
    expect(await house.manager.billing.detail({ invoiceId: id })).toMatchObject({ creditedCents: 50_00 })
  })
})

describe("without a key in common", () => {
  test("a policy's period is billed once; the others read by which invoice", async () => {
    const policy = await house.policy()
    const here = times(6).map(() => draftInvoice(house.manager, { policyId: policy.id, ...november }))
    const there = elsewhere((manager) =>
      Promise.allSettled(times(6).map(() => draftInvoice(manager, { policyId: policy.id, ...november }))),
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

  test("an invoice is sent once and cancelled never, or the other way round", async () => {
    const policy = await house.policy()
    const { id, version } = await draftInvoice(house.manager, { policyId: policy.id, ...november })
    const { send, cancel } = house.manager.billing
    const tried = await Promise.allSettled([
      ...times(5).map(() => send({ invoiceId: id, version, idempotencyKey: randomUUID() })),
      ...times(5).map(() => cancel({ invoiceId: id, version, reason: "Race" })),
    ])
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    for (const result of tried) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "STALE" })
  })

  test("credits at once never take back more than the invoice", async () => {
    const policy = await house.policy()
    const { id, totalCents } = await sentInvoice(house.manager, { policyId: policy.id, ...november })
    const tried = await Promise.allSettled(
      times(8).map(() =>
        house.manager.billing.credit({
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

test("numbers have no gaps, whoever fails or turns back", async () => {
  const policies: { id: string }[] = []
  for (const _ of times(4)) policies.push(await house.policy())
  const turnedBack = () =>
    house
      .transaction(house.people.manager, async ({ tx }) => {
        await nextNumber(tx, "invoice", 2026)
        throw new Error("turned back")
      })
      .catch(() => undefined)
  await Promise.all(
    times(20).flatMap((index) => [
      draftInvoice(house.manager, {
        policyId: policies[index % 4]!.id,
        month: `2026-0${1 + (index % 3)}-01`,
        invoiceOn: "2026-11-02",
      }).catch((error) => expect(error).toMatchObject({ code: "PERIOD_TAKEN" })),
      turnedBack(),
    ]),
  )
  const numbers = await house.sql.rows<{ place: number }>(sql`
    select split_part(number, '-', 3)::integer as place from invoices where number like 'INV-2026-%' order by 1`)
  expect(numbers.map(({ place }) => place)).toEqual(times(numbers.length).map((index) => index + 1))
})
