import { randomUUID } from "node:crypto"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { verifyLedger } from "../reports/verify-ledger.ts"
import {
  type BankDesk,
  createBankAccount,
  createFnbHistory,
  importSampleStatement,
  openBankDesk,
  postStatementFile,
  type SampleLine,
  uploadStatementFile,
} from "./banking.samples.ts"

let desk: BankDesk
let manager: ReturnType<BankDesk["app"]["as"]>
let account: BankAccountRow
let accountCount = 0
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
})
afterAll(() => desk.app.close())
beforeEach(async () => {
  const accountNumber = `6200000${String(++accountCount).padStart(4, "0")}`
  account = await createBankAccount(desk.app.as(desk.app.people.admin), {
    accountNumber,
    name: `Account ${accountCount}`,
  })
})

const key = () => ({ idempotencyKey: randomUUID() })
const createLine = (day: string, amountCents: number): SampleLine => ({
  day,
  text: `EFT ${day} ${amountCents}`,
  amountCents,
})
const first = [createLine("2026-11-02", 100_00), createLine("2026-11-03", -20_00)]
const second = [createLine("2026-11-04", 50_00), createLine("2026-11-05", 70_00)]
const createFile = (lines: readonly SampleLine[], openingCents: number) =>
  createFnbHistory(account.accountNumber, openingCents, lines)
const importLines = (lines: readonly SampleLine[], openingCents: number) =>
  importSampleStatement(desk, desk.app.people.manager, account.id, createFile(lines, openingCents))
const readLines = async () =>
  (await manager.banking.lines({ accountId: account.id, tab: "all", sort: "day", dir: "asc" })).rows
const undoImportOf = (statementId: string) => manager.banking.undoImport({ statementId, ...key() })
const readAccount = async () => (await manager.banking.accounts({})).find(({ id }) => id === account.id)!

test("undo removes an import's lines, keeps its record and allows importing the file again", async () => {
  await importLines(first, 1_000_00)
  const { id, number } = await importLines(second, 1_080_00)
  expect(await readAccount()).toMatchObject({ statementCents: 1_200_00, lineCount: 4 })
  const undone = await undoImportOf(id)
  expect(undone).toMatchObject({
    ...{ undoneAt: expect.any(String), undoneByName: "Max Manager", newCount: 2, allowedActions: [], gap: null },
    timeline: [{ sentence: "undid the import of statement.csv and removed 2 lines" }, {}],
  })
  expect(await readLines()).toHaveLength(2)
  expect(await readAccount()).toMatchObject({ statementCents: 1_080_00, lineCount: 2, ledgerCents: 1_000_00 })
  await expect(undoImportOf(id)).rejects.toMatchObject({ code: "UNDONE" })
  const again = await importLines(second, 1_080_00)
  expect(again.number).not.toBe(number)
  expect(await readAccount()).toMatchObject({ statementCents: 1_200_00, lineCount: 4 })
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

test("an import with a matched line can be undone only after the match is undone", async () => {
  const { id } = await importLines(first, 0)
  const [line] = await readLines()
  const why = { reason: "unknown" as const, note: "Nobody knows" }
  await manager.banking.notOurs({ lineIds: [line!.id], ...key(), why })
  await expect(undoImportOf(id)).rejects.toMatchObject({
    code: "MATCHED",
    message: "1 line of this statement is matched. Undo all matches first. Nothing was changed.",
  })
  expect(await readLines()).toHaveLength(2)
  await manager.banking.undo({ lineIds: [line!.id], ...key() })
  await undoImportOf(id)
  expect(await readLines()).toEqual([])
  // The account's opening balance was posted once and remains.
  expect(await readAccount()).toMatchObject({ openedOn: "2026-11-02", lineCount: 0 })
})

test("an import with a line posted as a charge cannot be undone", async () => {
  const { id } = await importLines(first, 0)
  const lineId = (await readLines())[1]!.id
  await manager.banking.notOurs({ lineIds: [lineId], ...key(), why: { reason: "charge", note: "" } })
  await manager.banking.undo({ lineIds: [lineId], ...key() })
  await expect(undoImportOf(id)).rejects.toMatchObject({ code: "POSTED" })
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

test("refuses to undo an import while a later statement contains its lines", async () => {
  const one = await importLines(first, 0)
  // This import waited for the account's lock, so its timestamp is earlier.
  desk.app.clock.set("2026-11-20T07:59:59Z")
  const other = await importLines([first[1]!, ...second], 100_00)
  desk.app.clock.set("2026-11-20T08:00:00Z")
  await expect(undoImportOf(one.id)).rejects.toMatchObject({
    code: "SHARED",
    message: expect.stringContaining(other.number),
  })
  await undoImportOf(other.id)
  await undoImportOf(one.id)
  expect(await readLines()).toEqual([])
})

test("the second of a concurrent undo and match is refused without partial changes", async () => {
  const { id } = await importLines(first, 0)
  const lineIds = [(await readLines())[0]!.id]
  const other = desk.app.another(desk.app.people.manager2)
  const why = { reason: "transfer" as const, note: "" }
  const outcomes = await Promise.allSettled([undoImportOf(id), other.banking.notOurs({ lineIds, ...key(), why })])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  const [refusal] = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
  expect(refusal).toMatchObject({ code: expect.stringMatching(/MATCHED|NOT_FOUND/) })
})

test("the database deletes lines only with an undone statement", async () => {
  const { id } = await importLines(first, 0)
  const staff = desk.app.app.database.direct("staff")
  await expect(staff.run(sql`delete from bank_lines where statement_id = ${id}`)).rejects.toThrow(/never changed/)
  await expect(staff.run(sql`delete from bank_statements where id = ${id}`)).rejects.toThrow()
  await expect(staff.run(sql`update bank_statements set file_name = 'x' where id = ${id}`)).rejects.toThrow()
  await undoImportOf(id)
  await expect(desk.app.sql.run(sql`update bank_statements set undone_at = null where id = ${id}`)).rejects.toThrow()
})

test("an underwriter cannot undo an import", async () => {
  const { id: statementId } = await importLines(first, 0)
  const underwriter = desk.app.as(desk.app.people.underwriter)
  await expect(underwriter.banking.undoImport({ statementId, ...key() })).rejects.toMatchObject({ code: "FORBIDDEN" })
})

test("reports a gap between two statements until the statement between them is imported", async () => {
  await importLines(first, 1_000_00)
  const late = [createLine("2026-11-10", 10_00)]
  const uploadId = await uploadStatementFile(desk, desk.app.people.manager, account.id, createFile(late, 1_200_00))
  const { statement } = await manager.banking.preview({ uploadId })
  const words = (text: string | null | undefined) => text?.replaceAll("\u00a0", " ") ?? null
  const gap =
    "Its opening balance is R 1 200,00, but the account balance before 2026-11-10 is R 1 080,00: lines of R 120,00 are missing after 2026-11-03."
  expect(words(statement?.gap)).toBe(gap)
  const imported = await manager.banking.import({ uploadId, ...key() })
  expect(words(imported.gap)).toBe(gap)
  const gaps = async () =>
    (await manager.banking.statements({ accountId: account.id, sort: "fromOn", dir: "asc" })).rows.map(({ gap }) => gap)
  expect((await gaps()).map(words)).toEqual([null, gap])
  await importLines(second, 1_080_00)
  expect(await gaps()).toEqual([null, null, null])
  const again = await postStatementFile(
    desk,
    desk.app.people.manager,
    account.id,
    "a.csv",
    createFile(second, 1_080_00),
  )
  expect(again.status).toBe(422)
})
