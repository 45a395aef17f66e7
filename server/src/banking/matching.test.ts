import { randomUUID } from "node:crypto"
import type { LinePart } from "@milkwood/domain/banking/matching.contract"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sentInvoice } from "../billing/billing.samples.ts"
import { activePolicy } from "../policies/policies.samples.ts"
import { unallocatedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import { type BankDesk, type Bringing, bankAccount, bringLines, openBankDesk } from "./banking.samples.ts"

let desk: BankDesk
let manager: Client
let bring: Bringing
let soweto: string
let acacia: string
let invoices: Awaited<ReturnType<typeof sentInvoice>>[]
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  const account = await bankAccount(desk.app.as(desk.app.people.admin))
  bring = bringLines(desk, account)
  soweto = (await activePolicy(manager, { groupName: "Soweto Retail", premiumCents: 350_00 })).id
  acacia = (await activePolicy(manager, { groupName: "Acacia Foods (Pty) Ltd", premiumCents: 411_00, members: 2 })).id
  const of = (policyId: string, month: string) => sentInvoice(manager, { policyId, month, invoiceOn: month })
  invoices = [await of(soweto, "2026-09-01"), await of(soweto, "2026-10-01"), await of(acacia, "2026-10-01")]
  await bring({ text: "EFT FIRST", amountCents: 10_00 })
  desk.app.clock.set("2026-11-20T09:00:00Z")
})
afterAll(() => desk.app.close())

const suggestions = async (lineId: string) => (await manager.banking.suggestions({ lineIds: [lineId] }))[0]!
const confirm = (lineId: string, parts: LinePart[]) =>
  manager.banking.confirm({ lineId, parts, idempotencyKey: randomUUID() })
const undo = (lineId: string) => manager.banking.undo({ lineIds: [lineId], idempotencyKey: randomUUID() })
const owed = async (policyId: string) => {
  const { invoices, creditCents } = await manager.receipts.openInvoices({ policyId })
  return { open: invoices.map(({ outstandingCents }) => outstandingCents), creditCents }
}
async function expectEquation(when: string): Promise<void> {
  const [main] = await manager.banking.accounts({})
  const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
  expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!, when).toBe(ledgerCents)
}

test("a reference and its amount are offered first, and confirming makes the receipt with its allocations", async () => {
  const { number, id, totalCents } = invoices[1]!
  const [line] = await bring({
    text: `FNB OB PMT SOWETO RETAIL ${number.replaceAll("-", "")}`,
    amountCents: totalCents,
  })
  const { candidates, payer } = await suggestions(line!.id)
  expect(payer).toBe("SOWETO RETAIL")
  expect(candidates[0]).toMatchObject({
    kind: "policy",
    parts: [
      { as: "policy", id: soweto, amountCents: totalCents, allocations: [{ invoiceId: id, amountCents: totalCents }] },
    ],
    isSure: true,
    lost: null,
  })
  expect(candidates[0]!.reasons.map(({ sentence }) => sentence)).toEqual([
    `${number} stands in the line`,
    `${number} is open with this amount`,
    "Soweto Retail stands in the line",
    `${number} is due about this day`,
  ])
  const [placed] = await confirm(line!.id, candidates[0]!.parts)
  expect(placed).toMatchObject({
    state: "receipt",
    matches: [{ kind: "receipt", amountCents: totalCents }],
    byItself: false,
  })
  expect(await owed(soweto)).toEqual({ open: [invoices[0]!.totalCents], creditCents: 0 })
  await expectEquation("confirmed")
  expect(await manager.banking.payers({ policyId: soweto })).toMatchObject([{ payer: "SOWETO RETAIL", confirmed: 1 }])

  expect(await undo(line!.id)).toMatchObject([{ state: "open", matches: [] }])
  expect((await owed(soweto)).open).toEqual([invoices[0]!.totalCents, totalCents])
  await expectEquation("undone")
  expect(await manager.banking.payers({ policyId: soweto })).toEqual([])
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

test("one line is split over several policies, and taken back as a whole", async () => {
  const cents = [invoices[0]!.totalCents, invoices[2]!.totalCents]
  const [line] = await bring({ text: "EFT TWO GROUPS", amountCents: cents[0]! + cents[1]! })
  const parts: LinePart[] = [
    { as: "policy", id: soweto, amountCents: cents[0]!, allocations: null },
    { as: "policy", id: acacia, amountCents: cents[1]!, allocations: null },
  ]
  await expect(confirm(line!.id, [parts[0]!])).rejects.toMatchObject({ code: "NOT_THIS_MUCH" })
  await expect(confirm(line!.id, [parts[0]!, parts[0]!])).rejects.toMatchObject({ code: "NOT_TOGETHER" })
  const [placed] = await confirm(line!.id, parts)
  expect(placed!.matches.map(({ name }) => name).sort()).toEqual(["Acacia Foods (Pty) Ltd", "Soweto Retail"])
  expect(await owed(acacia)).toEqual({ open: [], creditCents: 0 })
  await expectEquation("split")
  await undo(line!.id)
  expect((await owed(acacia)).open).toEqual([cents[1]])
  await expectEquation("split undone")
})

test("several lines are one receipt, which takes them up to its amount", async () => {
  const lines = await bring({ text: "EFT A", amountCents: 60_00 }, { text: "EFT B", amountCents: 40_00 })
  const receipt = await unallocatedReceipt(manager, { policyId: soweto, amountCents: 110_00, receivedOn: "2026-11-05" })
  const ids = lines.map(({ id }) => id)
  await manager.banking.join({ lineIds: ids, to: { as: "receipt", id: receipt.id }, idempotencyKey: randomUUID() })
  await expectEquation("joined")
  const [more] = await bring({ text: "EFT C", amountCents: 20_00 })
  const part: LinePart = { as: "receipt", id: receipt.id, amountCents: 20_00 }
  await expect(confirm(more!.id, [part])).rejects.toMatchObject({ code: "NOT_THIS_RECEIPT", message: /R\s10,00 left/ })
  await undo(ids[0]!)
  await expectEquation("one of them undone")
  await undo(ids[1]!)

  const made = { as: "policy" as const, id: acacia, allocations: [] }
  await manager.banking.join({ lineIds: ids, to: made, idempotencyKey: randomUUID() })
  expect((await owed(acacia)).creditCents).toBe(100_00)
  await expectEquation("joined to one that is made")
  // The receipt was made for both: it goes, and both are to be matched again.
  await undo(ids[0]!)
  const { rows } = await manager.banking.lines({ tab: "open" })
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect((await owed(acacia)).creditCents).toBe(0)
  await expectEquation("and taken back")
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})
