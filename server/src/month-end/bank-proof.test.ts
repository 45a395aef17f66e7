import { createHash, randomUUID } from "node:crypto"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { partInputs } from "@milkwood/domain/banking/matching"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type CheckKey, checkKeys } from "@milkwood/domain/month-end/checklist"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createBankAccount, storeStatementUpload } from "../banking/banking.samples.ts"
import { statementFiles, type WrittenLine } from "../banking/statement-files.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import { createCompletedPayout } from "../payouts/payouts.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"

let app: ClaimApp
let scene: ClaimScene
let manager: Client
let main: BankAccountRow
let other: BankAccountRow
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Proved Mills")
  manager = app.as(app.people.manager)
  main = await createBankAccount(app.as(app.people.admin))
  other = await createBankAccount(app.as(app.people.admin), { name: "Collections", accountNumber: "62000000002" })
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const october = "2026-10-01"
const key = () => ({ idempotencyKey: randomUUID() })
const createLine = (day: Day, text: string, amountCents: number): WrittenLine => ({
  day,
  text,
  reference: "",
  amountCents,
})
async function importFile(account: BankAccountRow, content: string) {
  const uploadId = await storeStatementUpload(app, app.people.manager, account.id, content)
  return manager.banking.import({ uploadId, ...key() })
}
const createFnbText = (openingCents: number, ...lines: WrittenLine[]) =>
  statementFiles.fnb({ accountNumber: main.accountNumber, openingCents, lines })
const readOpenItems = async (month = october) => {
  const { accounts, ...rest } = await manager.monthEnd.bank({ month })
  const of = (account: BankAccountRow) => {
    const found = accounts.find(({ accountId }) => accountId === account.id)!
    const items = found.groups.flatMap(({ items }) => items)
    return { ...found, said: items.map(({ kind, number, name, amountCents }) => [kind, number, name, amountCents]) }
  }
  return { ...rest, main: of(main), other: of(other) }
}
const readCheck = async (wanted: CheckKey, month = october) =>
  (await manager.monthEnd.month({ month })).checks.find((one) => one.key === wanted)!

/** The last balance on or before `day` in an FNB history (columns: day, amount, balance, text). */
function readBalanceInFile(content: string, day: Day): number {
  const rows = content.split(/\r?\n/).flatMap((row) => {
    const cells = row.split(",")
    return /^\d{4}\/\d\d\/\d\d$/.test(cells[0]!) ? [{ on: cells[0]!.replaceAll("/", "-"), balance: cells[2]! }] : []
  })
  // Newest first.
  const last = rows.find(({ on }) => on <= day)!
  return Math.round(Number(last.balance) * 100)
}
async function readLedger(account: BankAccountRow, day: Day): Promise<number> {
  const found = await app.sql.row<{ cents: number }>(sql`
    select coalesce(sum(p.amount_cents), 0)::bigint as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
    where p.account = 'bank' and coalesce(p.bank_account_id, ${main.id}::uuid) = ${account.id} and e.effective_on <= ${day}`)
  return found!.cents
}

let first: string
let receiptNumber: string
let payment: { number: string; amountCents: number; payeeName: string }

test("a month without statements cannot be verified and needs a reason to close", async () => {
  app.clock.set("2026-11-02T06:00:00Z")
  const { policyId } = scene
  receiptNumber = (await recordedReceipt(manager, { policyId, amountCents: 300_00, receivedOn: "2026-10-20" })).number
  expect(await readCheck("bank")).toMatchObject({
    ...{ isDone: false, isUnproved: true },
    figures: [{ value: 300_00 }, { value: 0 }],
    notes: [
      "Premium account has no statement up to 2026-10-31: the ledger balance of R\u00a0300,00 cannot be verified.",
    ],
  })
  expect((await readOpenItems()).main).toMatchObject({ statement: null, ledgerCents: 300_00, unexplainedCents: 300_00 })
  const reasons: Partial<Record<CheckKey, string>> = Object.fromEntries(
    checkKeys.map((one) => [one, "No statement yet"]),
  )
  await manager.monthEnd.close({ ...key(), month: october, reasons })
  const reopening = { ...key(), month: october, reason: "The statement came" }
  await app.as(app.people.admin).monthEnd.reopen(reopening)
})

test("the statement balance plus outstanding items equals the ledger balance", async () => {
  app.clock.set("2026-11-03T09:00:00Z")
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  const paid = await createCompletedPayout(manager, app.as(app.people.manager2), claim.id, "2026-11-03")
  payment = { number: paid.number, amountCents: paid.amountCents, payeeName: paid.payeeName }
  first = createFnbText(
    1_000_00,
    createLine("2026-10-05", "EFT UNKNOWN", 500_00),
    createLine("2026-10-28", "SERVICE FEE", -20_00),
  )
  await importFile(main, first)
  // This statement has no line balances, and no lines after the 9th.
  const collections = { accountNumber: other.accountNumber, openingCents: 70_00 }
  const camt = statementFiles.camt053({ ...collections, lines: [createLine("2026-10-09", "INTEREST", 5_00)] })
  await importFile(other, camt)

  const found = await readOpenItems()
  expect(found.main.statement).toMatchObject({
    cents: readBalanceInFile(first, "2026-10-31"),
    lastLineOn: "2026-10-28",
  })
  expect(found.main.ledgerCents).toBe(await readLedger(main, "2026-10-31"))
  expect(found.main.said).toEqual([
    ["deposit", receiptNumber, "Proved Mills", 300_00],
    ["unposted", expect.stringMatching(/^BST-/), "EFT UNKNOWN", -500_00],
    ["unposted", expect.stringMatching(/^BST-/), "SERVICE FEE", 20_00],
  ])
  expect(found.main).toMatchObject({ expectedCents: found.main.ledgerCents, unexplainedCents: 0 })
  expect(found.other).toMatchObject({ statement: { cents: 75_00 }, unexplainedCents: 0 })
  expect(found.other.ledgerCents).toBe(await readLedger(other, "2026-10-31"))
  expect(found.ledgerCents).toBe(found.main.ledgerCents + found.other.ledgerCents)
  expect(await readCheck("bank")).toMatchObject({ isDone: true })

  // In November the payment is outstanding too.
  const november = await readOpenItems("2026-11-01")
  expect(november.main.said).toContainEqual(["payment", payment.number, payment.payeeName, -payment.amountCents])
  expect(november.main.unexplainedCents).toBe(0)
  expect(november.main.ledgerCents).toBe(await readLedger(main, "2026-11-30"))
})

test("items on November's statement are outstanding at the end of October", async () => {
  app.clock.set("2026-11-20T09:00:00Z")
  const second = createFnbText(
    1_500_00,
    ...[createLine("2026-10-28", "SERVICE FEE", -20_00), createLine("2026-11-02", `EFT ${receiptNumber}`, 300_00)],
    createLine("2026-11-04", `EFT ${payment.number}`, -payment.amountCents),
  )
  await importFile(main, second)
  const lines = (await manager.banking.lines({ tab: "open", bookedFrom: "2026-11-01" })).rows
  for (const { id: lineId } of lines) {
    const [suggested] = await manager.banking.suggestions({ lineIds: [lineId] })
    await manager.banking.confirm({ lineId, ...key(), parts: partInputs(suggested!.candidates[0]!.parts) })
  }
  const found = await readOpenItems()
  expect(found.main.said).toContainEqual(["deposit", receiptNumber, "Proved Mills", 300_00])
  expect(found.main).toMatchObject({
    unexplainedCents: 0,
    statement: { cents: readBalanceInFile(first, "2026-10-31") },
  })
  const november = await readOpenItems("2026-11-01")
  expect(november.main.said.map(([kind]) => kind)).toEqual(["unposted", "unposted"])
  expect(november.main).toMatchObject({
    ...{ unexplainedCents: 0, statement: { cents: readBalanceInFile(second, "2026-11-30"), lastLineOn: "2026-11-04" } },
    ledgerCents: await readLedger(main, "2026-11-30"),
  })
  // The two files overlap without a conflict.
  expect((await readCheck("statements")).notes.filter((note) => note.startsWith("Premium"))).toEqual([])
})

test("a closed month's reconciliation is signed, stored as hashed PDF and CSV, and never changes", async () => {
  const reasons: Partial<Record<CheckKey, string>> = Object.fromEntries(checkKeys.map((one) => [one, "For a test"]))
  const signed = await readOpenItems()
  await manager.monthEnd.close({ ...key(), month: october, reasons })
  await app.runJobs()
  const server = await app.serve()
  const headers = server.headersOf(app.people.manager)
  const { closings } = await manager.monthEnd.month({ month: october })
  const kept = (await readOpenItems()).signed!
  expect(kept).toMatchObject({ closingId: closings[0]!.id, closedByName: "Max Manager" })
  expect(closings[0]!.reconciliationSha256).toBe(kept.pdfSha256)
  for (const [format, sha256] of [
    ["pdf", kept.pdfSha256],
    ["csv", kept.csvSha256],
  ] as const) {
    for (const path of [`bank/2026-10/${format}`, `${kept.closingId}/bank/${format}`]) {
      const answer = await fetch(`${server.url}/api/month-end/${path}`, { headers })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256)
      if (format === "pdf") expect(bytes.subarray(0, 5).toString()).toBe("%PDF-")
      else expectCsvAddsUp(bytes.toString(), signed.main.ledgerCents)
    }
  }
  // The fee is posted after October was closed, so it takes effect in November.
  const { rows } = await manager.banking.lines({ tab: "open", bookedTo: "2026-10-31", search: "SERVICE FEE" })
  await manager.banking.notOurs({ lineIds: [rows[0]!.id], ...key(), why: { reason: "charge" } })
  expect(await readOpenItems()).toMatchObject({ main: { said: signed.main.said }, signed: kept })
  await expect(app.sql.run(sql`update signed_reconciliations set content = '{}'`)).rejects.toThrow(/never changed/)
  await expect(app.sql.run(sql`delete from signed_reconciliations`)).rejects.toThrow()
  const refused = await fetch(`${server.url}/api/month-end/bank/2026-10/pdf`, {
    headers: server.headersOf(app.people.underwriter),
  })
  expect(refused.status).toBe(403)

  // After reopening, October lists the fee as posted later; November does not list it.
  await app.as(app.people.admin).monthEnd.reopen({ ...key(), month: october, reason: "For the fee" })
  const again = await readOpenItems()
  expect(again.signed).toBeNull()
  const late = again.main.groups.find(({ kind }) => kind === "later")!
  expect(late.items).toMatchObject([
    { name: "SERVICE FEE", on: "2026-10-28", countsOn: "2026-11-01", amountCents: 20_00 },
  ])
  expect(again.main.unexplainedCents).toBe(0)
  expect((await readOpenItems("2026-11-01")).main).toMatchObject({ unexplainedCents: 0 })
  const openAgain = await fetch(`${server.url}/api/month-end/bank/2026-10/csv`, { headers })
  expectCsvAddsUp(await openAgain.text(), again.main.ledgerCents)
})

/** The statement balance and the items add up to the required ledger balance. */
function expectCsvAddsUp(text: string, ledgerCents: number) {
  const rows = text
    .trim()
    .split("\r\n")
    .slice(1)
    .map((row) => row.split(","))
  const own = rows.filter(([account]) => account === "Premium account")
  const cents = (row: string[]) => Math.round(Number(row.at(-1)) * 100)
  const at = (section: string) => own.findIndex((row) => row[2] === section)
  const sum = own.slice(0, at("Expected ledger balance")).reduce((all, row) => all + cents(row), 0)
  expect(sum).toBe(cents(own[at("Expected ledger balance")]!))
  expect(cents(own[at("Ledger balance")]!)).toBe(ledgerCents)
  expect(cents(own[at("Unexplained difference")]!)).toBe(0)
}

test("a wrong opening balance causes an unexplained difference and a gap", async () => {
  const before = await readOpenItems("2026-11-01")
  const off = 215_390_12
  const closing = before.main.statement!.cents
  await importFile(main, createFnbText(closing + off, createLine("2026-11-18", "CREDIT INTEREST", 1_00)))
  const found = await readOpenItems("2026-11-01")
  expect(found.main).toMatchObject({ statement: { cents: closing + off + 1_00 }, unexplainedCents: -off })
  expect(await readCheck("bank", "2026-11-01")).toMatchObject({ isDone: false, isUnproved: false })
  const { notes } = await readCheck("statements", "2026-11-01")
  expect(notes.join().replaceAll("\u00a0", " ")).toMatch(
    /The opening balance of BST-.* differs from the closing balance of BST-.* by R 215 390,12/,
  )
  const reasons: Partial<Record<CheckKey, string>> = Object.fromEntries(checkKeys.map((one) => [one, "For a test"]))
  app.clock.set("2026-12-02T09:00:00Z")
  await manager.monthEnd.close({ ...key(), month: october, reasons })
  await expect(manager.monthEnd.close({ ...key(), month: "2026-11-01", reasons })).rejects.toMatchObject({
    code: "MONEY_DIFFERS",
  })
})
