import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createReversedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"
import { findStatementFaults } from "./statement.samples.ts"

let app: BillingApp
let policyId: string
let groupId: string
beforeAll(async () => {
  app = await openBillingApp()
  const policy = await app.policy({ premiumCents: 1_000_00 })
  policyId = policy.id
  groupId = policy.groupId
  const september = await createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  await app.manager.billing.credit({
    invoiceId: september.id,
    idempotencyKey: randomUUID(),
    amountCents: 150_00,
    reason: "A member had left",
  })
  await recordedReceipt(app.manager, { policyId, amountCents: 900_00, receivedOn: "2026-10-05" })
  await createReversedReceipt(app.manager, { policyId, amountCents: 50_00, receivedOn: "2026-10-06" })
})
afterAll(() => app.close())

test("opening balance, movements and closing balance agree with the ledger", async () => {
  const statement = await app.manager.collection.statement({ policyId, from: "2026-10-01", to: "2026-11-02" })
  expect(statement.openingCents).toBe(1_150_00)
  expect(
    statement.lines.map(({ on, kind, chargeCents, paymentCents, balanceCents }) => [
      on,
      kind,
      chargeCents,
      paymentCents,
      balanceCents,
    ]),
  ).toEqual([
    ["2026-10-01", "invoice", 1_150_00, 0, 2_300_00],
    ["2026-10-05", "receipt", 0, 900_00, 1_400_00],
    ["2026-10-06", "receipt", 0, 50_00, 1_350_00],
    ["2026-11-02", "credit_note", 0, 150_00, 1_200_00],
    ["2026-11-02", "reversal", 50_00, 0, 1_250_00],
  ])
  expect(statement.lines[0]!.description).toMatch(/^Invoice INV-2026-\d+, Oct 2026$/)
  expect(statement).toMatchObject({ closingCents: 1_250_00, debtorsCents: 1_250_00, creditCents: 0 })
  expect(
    await findStatementFaults(app, [policyId], ["2026-08-31", "2026-09-01", "2026-10-05", "2026-11-02", "2026-12-31"]),
  ).toEqual([])
  expect(await app.manager.collection.statement({ policyId })).toMatchObject({ from: "2026-08-01", to: "2026-11-02" })
  await expect(
    app.manager.collection.statement({ policyId, from: "2026-11-02", to: "2026-11-01" }),
  ).rejects.toMatchObject({ code: "INVALID" })
})

test("employer users read statements of their own policies only", async () => {
  const other = await app.policy()
  for (const person of [await app.people.groupAdmin(groupId), await app.people.policyHolder(groupId)]) {
    const own = await app.as(person).collection.statement({ policyId })
    expect(own.closingCents).toBe(1_250_00)
    expect(own.lines.map(({ record }) => record?.kind ?? null)).not.toContain("receipt")
    expect(own.lines.some(({ record }) => record?.kind === "invoice")).toBe(true)
    const { url, headersOf } = await app.serve()
    for (const [id, status] of [
      [policyId, 200],
      [other.id, 404],
      [randomUUID(), 404],
    ] as const) {
      for (const ending of ["pdf", "csv"]) {
        const answer = await fetch(`${url}/api/policies/${id}/statement.${ending}`, { headers: headersOf(person) })
        expect(answer.status, `${ending} ${id}`).toBe(status)
        await answer.arrayBuffer()
      }
    }
    await expect(app.as(person).collection.statement({ policyId: other.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
  }
})

test("exports CSV from opening to closing balance, and a PDF", async () => {
  const { url, headersOf } = await app.serve()
  const address = `${url}/api/policies/${policyId}/statement`
  const headers = headersOf(app.people.manager)
  const csv = await (await fetch(`${address}.csv?from=2026-10-01&to=2026-11-02`, { headers })).text()
  const lines = csv.trim().split("\r\n")
  expect(lines[0]).toContain("Date,Description,Charges,Payments and credits,Balance")
  expect(lines[1]).toBe("2026-10-01,Opening balance,,,1150")
  expect(lines.at(-1)).toBe("2026-11-02,Closing balance,,,1250")
  expect(lines).toHaveLength(8)
  const pdf = await fetch(`${address}.pdf?from=2026-10-01&to=2026-11-02`, { headers })
  expect(pdf.headers.get("content-disposition")).toContain("to-2026-11-02.pdf")
  expect(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-")
  expect((await fetch(`${address}.pdf?from=nonsense`, { headers })).status).toBe(422)
})
