import { randomUUID } from "node:crypto"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { checkKeys } from "@milkwood/domain/month-end/checklist"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import {
  type BankDesk,
  createBankAccount,
  createFnbHistory,
  importSampleStatement,
  openBankDesk,
  premiumAccount,
  type SampleLine,
} from "./banking.samples.ts"

let desk: BankDesk
let manager: Client
let policyId: string
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  policyId = (await createActivePolicy(manager)).id
})
afterAll(() => desk.app.close())

const key = () => ({ idempotencyKey: randomUUID() })
const createReceipt = (amountCents: number, receivedOn: string) =>
  createUnallocatedReceipt(manager, { policyId, amountCents, receivedOn })
const reverseReceiptOf = async ({ id }: { id: string }) => {
  const { version } = await manager.receipts.detail({ receiptId: id })
  await manager.receipts.reverse({ receiptId: id, version, ...key(), reason: "Bounced" })
}

async function expectEquation(when: string): Promise<void> {
  const [main] = await manager.banking.accounts({})
  const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
  expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!, when).toBe(ledgerCents)
}

test("a receipt dated before the opening but posted later, after a closed month, is outstanding", async () => {
  const held = await createReceipt(100_00, "2026-10-05")
  const months = Object.fromEntries(checkKeys.map((one) => [one, "No statements yet"]))
  await manager.monthEnd.close({ ...key(), month: "2026-10-01", reasons: months })
  const late = await createReceipt(30_00, "2026-10-06")
  const gone = await createReceipt(4_00, "2026-10-07")
  await reverseReceiptOf(gone)
  desk.app.clock.set("2026-11-20T09:00:00Z")

  // The account's first day is in a closed month, so its opening is posted on the first open day.
  const { id: accountId } = await createBankAccount(desk.app.as(desk.app.people.admin))
  const content = createFnbHistory(premiumAccount.accountNumber, 500_00, [
    { day: "2026-10-20", text: "EFT", amountCents: 30_00 },
    { day: "2026-10-21", text: "FEE", amountCents: -2_00 },
  ])
  const { id: statementId } = await importSampleStatement(desk, desk.app.people.manager, accountId, content)
  await expectEquation("opened")
  const { rows } = await manager.banking.lines({ statementId, tab: "open", sort: "day", dir: "asc" })
  expect(rows).toHaveLength(2)
  desk.app.clock.set("2026-11-20T10:00:00Z")
  const part = { as: "receipt" as const, id: late.id, amountCents: 30_00 }
  await manager.banking.confirm({ lineId: rows[0]!.id, ...key(), parts: [part] })
  await expectEquation("the late one is the line")
  await manager.banking.notOurs({ lineIds: [rows[1]!.id], ...key(), why: { reason: "charge" } })
  await expectEquation("a late charge")
  await manager.banking.undo({ lineIds: rows.map(({ id }) => id), ...key() })
  await expectEquation("undone")
  await reverseReceiptOf(held)
  await expectEquation("what the opening holds was reversed")
  await reverseReceiptOf(late)
  await expectEquation("the late one was reversed")
  expect(await verifyLedger(desk.app.sql)).toEqual([])
  const { checks } = await manager.monthEnd.month({ month: "2026-11-01" })
  expect(checks.find(({ key: one }) => one === "bank")).toMatchObject({ isDone: true })
})

test("a receipt matched to another account's earlier line leaves the opening balance unchanged", async () => {
  const late = await openBankDesk()
  const { app } = late
  manager = app.as(app.people.manager)
  const admin = app.as(app.people.admin)
  const main = await createBankAccount(admin)
  const other = await createBankAccount(admin, { name: "Collections", accountNumber: "62000000002" })
  policyId = (await createActivePolicy(manager)).id
  const taken = await createReceipt(100_00, "2026-10-20")
  app.clock.set("2026-11-20T09:00:00Z")
  const statement = (account: BankAccountRow, openingCents: number, line: SampleLine) =>
    importSampleStatement(
      late,
      app.people.manager,
      account.id,
      createFnbHistory(account.accountNumber, openingCents, [line]),
    )
  const { id: statementId } = await statement(other, 0, { day: "2026-10-04", text: "EFT", amountCents: 100_00 })
  const [line] = (await manager.banking.lines({ statementId, tab: "open" })).rows
  const part = { as: "receipt" as const, id: taken.id, amountCents: 100_00 }
  await manager.banking.confirm({ lineId: line!.id, ...key(), parts: [part] })
  app.clock.set("2026-11-20T10:00:00Z")
  await statement(main, 500_00, { day: "2026-10-07", text: "FEE", amountCents: -2_00 })
  await expectEquation("opened")
  const { accounts } = await manager.monthEnd.bank({ month: "2026-11-01" })
  expect(accounts.map(({ expectedCents, ledgerCents }) => [expectedCents, ledgerCents])).toEqual([
    [500_00, 500_00],
    [100_00, 100_00],
  ])
  expect(accounts.map(({ unexplainedCents }) => unexplainedCents)).toEqual([0, 0])
  await manager.banking.undo({ lineIds: [line!.id], ...key() })
  await expectEquation("undone")
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})
