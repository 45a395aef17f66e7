import { randomUUID } from "node:crypto"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import { type BankDesk, createBankAccount, openBankDesk, uploadStatementFile } from "./banking.samples.ts"

let desk: BankDesk
let manager: Client
let admin: Client
let account: BankAccountRow
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  admin = desk.app.as(desk.app.people.admin)
  account = await createBankAccount(admin)
})
afterAll(() => desk.app.close())

const key = () => ({ idempotencyKey: randomUUID() })
const readAccount = async () => (await manager.banking.accounts({})).find(({ id }) => id === account.id)!
const correctOpening = async (openingCents: number, more: object = {}) =>
  admin.banking.correctOpening({
    ...{
      ...key(),
      accountId: account.id,
      version: (await readAccount()).version,
      openingCents,
      reason: "Typed a zero too much",
    },
    ...more,
  })
/**
 * Ledger bank = statement + receipts not yet on a statement − payments not yet on a statement − net of lines not
 * posted.
 */
async function expectEquation(when: string): Promise<void> {
  const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = await readAccount()
  expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!, when).toBe(ledgerCents)
  expect(await verifyLedger(desk.app.sql), when).toEqual([])
}

test("corrects a wrong opening balance repeatedly, with a reason, and keeps the books balanced", async () => {
  await expect(correctOpening(5_00)).rejects.toMatchObject({ code: "NOT_OPENED" })
  const { id: policyId } = await createActivePolicy(manager)
  // The September receipt is already in the ledger and is not posted again.
  await createUnallocatedReceipt(manager, { policyId, amountCents: 150_00, receivedOn: "2026-09-20" })
  const content = "Date;Details;Amount\n02/10/2026;EFT SOMEBODY;100.00\n05/10/2026;FEE;-20.00\n"
  const columns = { day: 0, text: 1, amount: 2, dayOrder: "DMY" as const }
  const uploadId = await uploadStatementFile(desk, desk.app.people.manager, account.id, content)
  await manager.banking.import({ uploadId, columns, ...key(), openingCents: 10_000_00 })
  expect(await readAccount()).toMatchObject({
    openingCents: 10_000_00,
    statementCents: 10_080_00,
    ledgerCents: 10_000_00,
  })
  await expectEquation("opened")

  const first = await correctOpening(1_000_00)
  expect(first).toMatchObject({
    ...{ openingCents: 1_000_00, statementCents: 1_080_00, ledgerCents: 1_000_00, openedOn: "2026-10-02" },
    corrections: [
      { beforeCents: 10_000_00, afterCents: 1_000_00, reason: "Typed a zero too much", correctedByName: "Ada Admin" },
    ],
  })
  await expectEquation("corrected")
  const { rows } = await manager.ledger.postings({ account: "opening_balances", asOf: "2026-11-30" })
  expect(rows).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ effectiveOn: "2026-10-02", debitCents: 9_000_00, kind: "bank_opening" },
        description: "Opening balance of Premium account corrected: Typed a zero too much",
      }),
    ]),
  )
  const trail = await desk.app.sql.rows<{ fact: string }>(
    sql`select fact from audit_log where record_id = ${account.id}`,
  )
  expect(trail.map(({ fact }) => fact).sort()).toEqual([
    "BankAccountAdded",
    "BankAccountOpened",
    "BankOpeningCorrected",
  ])

  const again = await correctOpening(-40_00, { reason: "It was overdrawn" })
  expect(again.corrections.map(({ afterCents }) => afterCents)).toEqual([-40_00, 1_000_00])
  await correctOpening(10_000_00, { reason: "It was right" })
  await correctOpening(1_000_00)
  expect((await readAccount()).corrections).toHaveLength(4)
  await expectEquation("four times")
  const more = "Date;Details;Amount;Balance\n06/10/2026;EFT;1.00;1081.00\n"
  const next = await uploadStatementFile(desk, desk.app.people.manager, account.id, more)
  const imported = await manager.banking.import({ uploadId: next, columns: { ...columns, balance: 3 }, ...key() })
  expect(imported.gap).toBe(null)
})

test("refuses other roles, a missing reason, no change and a concurrent correction", async () => {
  const { version } = await readAccount()
  const input = { accountId: account.id, version, openingCents: 2_00, reason: "Wrong" }
  await expect(manager.banking.correctOpening({ ...input, ...key() })).rejects.toMatchObject({ code: "FORBIDDEN" })
  await expect(correctOpening(2_00, { reason: " " })).rejects.toMatchObject({ code: "INVALID" })
  await expect(correctOpening(1_000_00)).rejects.toMatchObject({ code: "SAME" })
  await expect(correctOpening(2_00, { version: version - 1 })).rejects.toMatchObject({ code: "STALE" })
  await expect(correctOpening(2_00, { accountId: randomUUID() })).rejects.toMatchObject({ code: "NOT_FOUND" })
  const at = { ...input, openingCents: 900_00 }
  const outcomes = await Promise.allSettled([
    admin.banking.correctOpening({ ...at, ...key() }),
    desk.app.another(desk.app.people.admin).banking.correctOpening({ ...at, openingCents: 800_00, ...key() }),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  const told = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult
  expect(told.reason).toMatchObject({ code: "STALE" })
  await expectEquation("at once")
})

test("the database changes an opening balance only by a correction and keeps every correction", async () => {
  const { openingCents } = await readAccount()
  const run = (query: ReturnType<typeof sql>) => desk.app.sql.run(query)
  const change = sql`update bank_accounts set opening_cents = opening_cents + 1, opening_posted_cents = opening_posted_cents + 1 where id = ${account.id}`
  await expect(run(change)).rejects.toThrow(/opening balance/)
  await expect(run(sql`update bank_accounts set opening_posted_cents = 0 where id = ${account.id}`)).rejects.toThrow()
  await expect(run(sql`update bank_opening_corrections set reason = 'x'`)).rejects.toThrow()
  await expect(run(sql`delete from bank_opening_corrections`)).rejects.toThrow()
  const corrected = (before: number, nth: number) =>
    run(sql`insert into bank_opening_corrections (id, account_id, nth, before_cents, after_cents, reason, corrected_at)
      values (gen_random_uuid(), ${account.id}, ${nth}, ${before}, 7, 'x', now())`)
  const nth = (await readAccount()).corrections.length + 1
  await expect(corrected(openingCents! + 1, nth)).rejects.toMatchObject({
    constraint: "bank_opening_corrections_follow",
  })
  await expect(corrected(openingCents!, nth + 1)).rejects.toMatchObject({
    constraint: "bank_opening_corrections_follow",
  })
  await expect(corrected(openingCents!, nth)).rejects.toMatchObject({ constraint: "bank_opening_corrections_count" })
})

test("an account's opening balance in a closed month is fixed until the month is reopened", async () => {
  const month = "2026-10-01"
  const reasons = { billed: "x", sent: "x", statements: "x", lines: "x", receipts: "x", payouts: "x" }
  await expect(manager.monthEnd.close({ ...key(), month, reasons })).rejects.toMatchObject({
    message: "These checks must pass before the month can close: Bank balance reconciled with the statements.",
  })
  await correctOpening(1_000_00)
  await manager.monthEnd.close({ ...key(), month, reasons })
  await expect(correctOpening(5_00)).rejects.toMatchObject({
    code: "CLOSED",
    message: "Premium account starts in Oct 2026, which is closed. Reopen the month first. Nothing was changed.",
  })
  const { openingCents, corrections } = await readAccount()
  await expect(
    desk.app.sql.run(sql`insert into bank_opening_corrections (id, account_id, nth, before_cents, after_cents, reason, corrected_at)
      values (gen_random_uuid(), ${account.id}, ${corrections.length + 1}, ${openingCents}, 7, 'x', now())`),
  ).rejects.toMatchObject({ constraint: "bank_opening_corrections_in_open_month" })
  await admin.monthEnd.reopen({ ...key(), month, reason: "The opening balance was wrong" })
  await correctOpening(5_00)
  await expectEquation("opened again")
})
