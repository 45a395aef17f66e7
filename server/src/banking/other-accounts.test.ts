import { randomUUID } from "node:crypto"
import { partInputs } from "@milkwood/domain/banking/matching"
import type { LinePart } from "@milkwood/domain/banking/matching.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createBankAccount, createLineImporter, type LineImporter } from "./banking.samples.ts"

let app: BillingApp
let main: { id: string; bring: LineImporter }
let other: { id: string; bring: LineImporter }
beforeAll(async () => {
  app = await openBillingApp()
  const server = await app.serve()
  const admin = app.as(app.people.admin)
  const opened = async (form?: { name: string; accountNumber: string }) => {
    const account = await createBankAccount(admin, form)
    return { id: account.id, bring: createLineImporter({ app, server }, account) }
  }
  main = await opened()
  other = await opened({ name: "Collections", accountNumber: "62000000002" })
  app.clock.set("2026-11-20T09:00:00Z")
  for (const { bring } of [main, other]) await bring({ text: "OPENING FEE", amountCents: -1_00 })
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const confirmMatch = (lineId: string, ...parts: LinePart[]) =>
  app.manager.banking.confirm({ lineId, parts: partInputs(parts), idempotencyKey: randomUUID() })
const undoMatches = (...lineIds: string[]) => app.manager.banking.undo({ lineIds, idempotencyKey: randomUUID() })
const readSuggestions = async (lineId: string) =>
  (await app.manager.banking.suggestions({ lineIds: [lineId] }))[0]!.candidates

/** The ledger's "bank" balance for each bank account; postings without an account belong to the main one. */
async function readLedger() {
  const rows = await app.sql.rows<{ id: string; cents: number }>(sql`
    select coalesce(bank_account_id, ${main.id}::uuid) as id, sum(amount_cents)::bigint as cents
    from ledger_postings where account = 'bank' group by 1`)
  const of = ({ id }: { id: string }) => rows.find((row) => row.id === id)?.cents ?? 0
  return { main: of(main), other: of(other) }
}
async function measureLedgerChange(step: () => Promise<unknown>) {
  const before = await readLedger()
  await step()
  const after = await readLedger()
  for (const account of await app.manager.banking.accounts({})) {
    const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = account
    const due = statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!
    expect({ name: account.name, ledgerCents }).toEqual({ name: account.name, ledgerCents: due })
  }
  return { main: after.main - before.main, other: after.other - before.other }
}
const noChange = { main: 0, other: 0 }

test("offers candidates on every account and posts the receipt to the line's account", async () => {
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  const invoice = await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  const [line] = await other.bring({ text: `EFT ${invoice.number}`, amountCents: invoice.totalCents })
  expect(line!.allowedActions).toEqual(["match", "notOurs"])
  const [first] = await readSuggestions(line!.id)
  expect(first).toMatchObject({ kind: "policy", isSure: true, parts: [{ id: policyId }] })

  const came = await measureLedgerChange(() => confirmMatch(line!.id, ...first!.parts))
  expect(came).toEqual({ main: 0, other: invoice.totalCents })
  expect(await app.manager.billing.detail({ invoiceId: invoice.id })).toMatchObject({ status: "paid" })

  const { matches } = (await app.manager.banking.lines({ tab: "all", search: invoice.number })).rows[0]!
  const returned: LinePart = { as: "returned", id: matches[0]!.id, amountCents: -invoice.totalCents }
  const unpaid = { text: `UNPAID ${matches[0]!.number}`, amountCents: -invoice.totalCents }
  const [elsewhere] = await main.bring(unpaid)
  expect((await readSuggestions(elsewhere!.id)).filter(({ kind }) => kind === "returned")).toEqual([])
  await expect(confirmMatch(elsewhere!.id, returned)).rejects.toMatchObject({
    message: /was received on another bank account/,
  })
  const [back] = await other.bring(unpaid)
  expect((await readSuggestions(back!.id))[0]).toMatchObject({ kind: "returned" })
  expect(await measureLedgerChange(() => confirmMatch(back!.id, returned))).toEqual({
    main: 0,
    other: -invoice.totalCents,
  })
  expect(await measureLedgerChange(() => undoMatches(back!.id))).toEqual({ main: 0, other: invoice.totalCents })
  expect(await measureLedgerChange(() => undoMatches(line!.id))).toEqual({ main: 0, other: -invoice.totalCents })
})

test("a manual receipt moves to the account of its line, and back on undo", async () => {
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  const taken = { policyId, amountCents: 321_00, receivedOn: "2026-11-03" }
  const transfer = await createUnallocatedReceipt(app.manager, taken)
  const cash = await createUnallocatedReceipt(app.manager, { ...taken, method: "cash" })
  const lines = await other.bring(
    { text: `EFT ${transfer.number}`, amountCents: 321_00 },
    { text: `CASH ${cash.number}`, amountCents: 321_00 },
  )
  const [first] = await readSuggestions(lines[0]!.id)
  expect(first).toMatchObject({ kind: "receipt", parts: [{ id: transfer.id }] })
  expect(await measureLedgerChange(() => confirmMatch(lines[0]!.id, ...first!.parts))).toEqual({
    main: -321_00,
    other: 321_00,
  })
  const part: LinePart = { as: "receipt", id: cash.id, amountCents: 321_00 }
  expect(await measureLedgerChange(() => confirmMatch(lines[1]!.id, part))).toEqual({ main: 0, other: 321_00 })
  const { version } = await app.manager.receipts.detail({ receiptId: transfer.id })
  const reversing = { receiptId: transfer.id, version, idempotencyKey: randomUUID(), reason: "Recorded twice" }
  expect(await measureLedgerChange(() => app.manager.receipts.reverse(reversing))).toEqual({ main: 0, other: -321_00 })
  expect(await measureLedgerChange(() => undoMatches(lines[1]!.id))).toEqual({ main: 0, other: -321_00 })
})

test("a receipt whose line was released stays outstanding on its account", async () => {
  const policies = [await app.policy({ premiumCents: 1_000_00 }), await app.policy({ premiumCents: 1_000_00 })]
  const parts = policies.map(({ id }, at): LinePart => ({ as: "policy", id, amountCents: (at + 1) * 11_00 }))
  const [line] = await other.bring({ text: "TWO EMPLOYERS", amountCents: 33_00 })
  await confirmMatch(line!.id, ...parts)
  const { rows } = await app.manager.receipts.list({ policyId: policies[0]!.id })
  const { version } = await app.manager.receipts.detail({ receiptId: rows[0]!.id })
  const reversing = { receiptId: rows[0]!.id, version, idempotencyKey: randomUUID(), reason: "Another policy's" }
  expect(await measureLedgerChange(() => app.manager.receipts.reverse(reversing))).toEqual({ main: 0, other: -11_00 })
  const [left] = (await app.manager.receipts.list({ policyId: policies[1]!.id })).rows
  const { accounts } = await app.manager.monthEnd.bank({ month: "2026-11-01" })
  const proof = accounts.find(({ accountId }) => accountId === other.id)!
  expect(proof.unexplainedCents).toBe(0)
  expect(proof.groups.find(({ kind }) => kind === "deposit")!.items).toEqual(
    expect.arrayContaining([expect.objectContaining({ number: left!.number, amountCents: 22_00 })]),
  )
  expect(accounts.every(({ unexplainedCents }) => unexplainedCents === 0)).toBe(true)
})

test("moves a released line's receipt to the account of the next matching line", async () => {
  const policies = [await app.policy({ premiumCents: 1_000_00 }), await app.policy({ premiumCents: 1_000_00 })]
  const parts = policies.map(({ id }, at): LinePart => ({ as: "policy", id, amountCents: (at + 1) * 13_00 }))
  const [line] = await other.bring({ text: "TWO OTHER EMPLOYERS", amountCents: 39_00 })
  await confirmMatch(line!.id, ...parts)
  const { rows } = await app.manager.receipts.list({ policyId: policies[0]!.id })
  const { version } = await app.manager.receipts.detail({ receiptId: rows[0]!.id })
  const reversing = { receiptId: rows[0]!.id, version, idempotencyKey: randomUUID(), reason: "Another policy's" }
  await app.manager.receipts.reverse(reversing)
  const [left] = (await app.manager.receipts.list({ policyId: policies[1]!.id })).rows
  const part: LinePart = { as: "receipt", id: left!.id, amountCents: 26_00 }
  const [same] = await other.bring({ text: `EFT ${left!.number}`, amountCents: 26_00 })
  const [elsewhere] = await main.bring({ text: `EFT ${left!.number}`, amountCents: 26_00 })
  const unexplained = async () =>
    (await app.manager.monthEnd.bank({ month: "2026-11-01" })).accounts.map(({ unexplainedCents }) => unexplainedCents)

  expect(await measureLedgerChange(() => confirmMatch(same!.id, part))).toEqual(noChange)
  expect(await unexplained()).toEqual([0, 0])
  expect(await measureLedgerChange(() => undoMatches(same!.id))).toEqual(noChange)
  expect(await measureLedgerChange(() => confirmMatch(elsewhere!.id, part))).toEqual({ main: 26_00, other: -26_00 })
  expect(await unexplained()).toEqual([0, 0])
  const [back] = await main.bring({ text: `UNPAID ${left!.number}`, amountCents: -26_00 })
  const returned: LinePart = { as: "returned", id: left!.id, amountCents: -26_00 }
  expect(await measureLedgerChange(() => confirmMatch(back!.id, returned))).toEqual({ main: -26_00, other: 0 })
  expect(await unexplained()).toEqual([0, 0])
  expect(await measureLedgerChange(() => undoMatches(back!.id))).toEqual({ main: 26_00, other: 0 })
  expect(await unexplained()).toEqual([0, 0])
  expect(await measureLedgerChange(() => undoMatches(elsewhere!.id))).toEqual(noChange)
  expect(await unexplained()).toEqual([0, 0])
})

test("refuses to reverse a receipt whose line also has a receipt that the bank returned", async () => {
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  const recorded = await createUnallocatedReceipt(app.manager, {
    policyId,
    amountCents: 7_00,
    receivedOn: "2026-11-03",
  })
  const [line] = await other.bring({ text: "BOTH", amountCents: 12_00 })
  await confirmMatch(
    line!.id,
    { as: "receipt", id: recorded.id, amountCents: 7_00 },
    { as: "policy", id: policyId, amountCents: 5_00 },
  )
  const [back] = await other.bring({ text: `UNPAID ${recorded.number}`, amountCents: -7_00 })
  await confirmMatch(back!.id, { as: "returned", id: recorded.id, amountCents: -7_00 })
  const made = (await app.manager.receipts.list({ policyId })).rows.find(({ amountCents }) => amountCents === 5_00)!
  const { version } = await app.manager.receipts.detail({ receiptId: made.id })
  const reversing = { receiptId: made.id, version, idempotencyKey: randomUUID(), reason: "Another policy's" }
  await expect(app.manager.receipts.reverse(reversing)).rejects.toMatchObject({ code: "RETURNED" })
  await undoMatches(back!.id)
  expect(
    await measureLedgerChange(() => app.manager.receipts.reverse({ ...reversing, idempotencyKey: randomUUID() })),
  ).toEqual({
    ...{ main: 7_00, other: -12_00 },
  })
})

test("one payment for two policies on another account is one deposit, returned and recorded again", async () => {
  const parts: LinePart[] = []
  for (const amountCents of [40_00, 60_00]) {
    parts.push({ as: "policy", id: (await app.policy({ premiumCents: 1_000_00 })).id, amountCents })
  }
  const [line] = await other.bring({ text: "BROKER", amountCents: 100_00 })
  expect(await measureLedgerChange(() => confirmMatch(line!.id, ...parts))).toEqual({ main: 0, other: 100_00 })
  const [back] = await other.bring({ text: "UNPAID BROKER", amountCents: -100_00 })
  const [first] = await readSuggestions(back!.id)
  expect(first).toMatchObject({ kind: "returnedDeposit" })
  expect(await measureLedgerChange(() => confirmMatch(back!.id, ...first!.parts))).toEqual({ main: 0, other: -100_00 })
  expect(await measureLedgerChange(() => undoMatches(back!.id))).toEqual({ main: 0, other: 100_00 })
  // Lines of two accounts cannot share a receipt.
  const [one] = await main.bring({ text: "PART 1", amountCents: 5_00 })
  const [two] = await other.bring({ text: "PART 2", amountCents: 5_00 })
  const joining = app.manager.banking.join({
    ...{ lineIds: [one!.id, two!.id], idempotencyKey: randomUUID(), to: { as: "policy", id: parts[0]!.id } },
  })
  await expect(joining).rejects.toMatchObject({ message: "The lines belong to different accounts." })
  expect(await measureLedgerChange(async () => {})).toEqual(noChange)
})
