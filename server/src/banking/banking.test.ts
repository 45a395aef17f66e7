import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
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
let manager: Client
let admin: Client
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  admin = desk.app.as(desk.app.people.admin)
})
afterAll(() => desk.app.close())

let account: Awaited<ReturnType<typeof createBankAccount>>
let next = 62_000_000_000
beforeEach(async () => {
  account = await createBankAccount(admin, { accountNumber: String(next++), name: `Account ${next}` })
})

const lines: SampleLine[] = [
  { day: "2026-11-02", text: "EFT SOWETO RETAIL", amountCents: 5_000_00 },
  { day: "2026-11-03", text: "CASH DEPOSIT", amountCents: 100_00 },
  { day: "2026-11-03", text: "CASH DEPOSIT", amountCents: 100_00 },
  { day: "2026-11-04", text: "#MONTHLY ACCOUNT FEE", amountCents: -75_00 },
]
const createHistory = (made = lines, openingCents = 1_000_00) =>
  createFnbHistory(account.accountNumber, openingCents, made)
const uploadHistory = (content = createHistory()) =>
  uploadStatementFile(desk, desk.app.people.manager, account.id, content)
const importHistory = (content = createHistory()) =>
  importSampleStatement(desk, desk.app.people.manager, account.id, content)
const readAccount = async () => (await manager.banking.accounts({})).find(({ id }) => id === account.id)!
const readLines = async () =>
  (await manager.banking.lines({ accountId: account.id, tab: "all", sort: "day", dir: "asc" })).rows

describe("a bank account", () => {
  test("is added and edited by an administrator, with a unique number", async () => {
    const form = { name: "Claims", bank: "Absa", accountNumber: "4050000001", branchCode: "" }
    await expect(createBankAccount(manager)).rejects.toMatchObject({ code: "FORBIDDEN" })
    const added = await createBankAccount(admin, form)
    await expect(createBankAccount(admin, form)).rejects.toMatchObject({ code: "ACCOUNT_EXISTS" })
    const edit = { accountId: added.id, version: added.version, account: { ...form, accountNumber: "4050000002" } }
    expect(await admin.banking.editAccount(edit)).toMatchObject({ accountNumber: "4050000002", version: 2 })
    await expect(admin.banking.editAccount(edit)).rejects.toMatchObject({ code: "STALE" })
  })

  test("cannot change its number after an import, also enforced by the database", async () => {
    await importHistory()
    const { id, name, bank, branchCode, version } = await readAccount()
    const edit = { accountId: id, version, account: { name, bank, branchCode, accountNumber: "4050000009" } }
    await expect(admin.banking.editAccount(edit)).rejects.toMatchObject({ code: "HAS_STATEMENTS" })
    const staff = desk.app.app.database.direct("staff")
    for (const change of [
      sql`update bank_accounts set account_number = '4050000009' where id = ${id}`,
      sql`update bank_accounts set opening_cents = 1 where id = ${id}`,
    ]) {
      await expect(staff.run(change)).rejects.toThrow(/keeps its number/)
    }
    for (const table of ["bank_lines", "bank_statements"]) {
      await expect(staff.run(sql.raw(`update ${table} set line = 1`))).rejects.toThrow()
      await expect(staff.run(sql.raw(`delete from ${table}`))).rejects.toThrow(/never changed|permission denied/)
      await expect(desk.app.sql.run(sql.raw(`delete from ${table}`))).rejects.toThrow(/never changed/)
    }
  })
})

describe("an import", () => {
  test("is previewed, adds its lines once and opens its account", async () => {
    const uploadId = await uploadHistory()
    const preview = await manager.banking.preview({ uploadId })
    expect(preview.statement).toMatchObject({
      ...{ fromOn: "2026-11-02", toOn: "2026-11-04", openingCents: 1_000_00, closingCents: 6_125_00 },
      ...{ lineCount: 4, freshCount: 4, knownCount: 0, inCents: 5_200_00, outCents: -75_00, faults: [] },
      ...{ needsOpening: false, isFirst: true },
    })
    expect((await readAccount()).statementCents).toBe(null)

    const key = randomUUID()
    const statement = await manager.banking.import({ uploadId, idempotencyKey: key })
    expect(await manager.banking.import({ uploadId, idempotencyKey: key })).toEqual(statement)
    expect(statement).toMatchObject({
      ...{ newCount: 4, knownCount: 0, inCents: 5_200_00, outCents: -75_00, faults: [], importedByName: "Max Manager" },
      timeline: [{ sentence: "imported 4 lines from statement.csv" }],
    })
    expect((await readLines()).map(({ amountCents }) => amountCents)).toEqual([5_000_00, 100_00, 100_00, -75_00])
    expect((await readLines()).map(({ balanceCents }) => balanceCents)).toEqual([
      6_000_00, 6_100_00, 6_200_00, 6_125_00,
    ])
    // Lines post nothing: the ledger has only the opening balance.
    expect(await readAccount()).toMatchObject({
      ...{ openedOn: "2026-11-02", openingCents: 1_000_00, statementCents: 6_125_00, ledgerCents: 1_000_00 },
      ...{ lastLineOn: "2026-11-04", lineCount: 4 },
    })
    const file = await fetch(`${desk.server.url}/api/bank-statements/${statement.id}/file`, {
      headers: desk.server.headersOf(desk.app.people.manager),
    })
    expect(await file.text()).toBe(createHistory())
    expect(await desk.app.sql.rows(sql`select from bank_uploads`)).toEqual([])
  })

  test("adds nothing twice from overlapping files and counts two equal payments of a day", async () => {
    await importHistory(createHistory(lines.slice(0, 2)))
    const more = { day: "2026-11-05", text: "EFT CAPE WINES", amountCents: 700_00 }
    const uploadId = await uploadHistory(createHistory([...lines, more]))
    expect((await manager.banking.preview({ uploadId })).statement).toMatchObject({ freshCount: 3, knownCount: 2 })
    const second = await manager.banking.import({ uploadId, idempotencyKey: randomUUID() })
    expect(second).toMatchObject({ newCount: 3, knownCount: 2 })
    expect(await readLines()).toHaveLength(5)
    expect(await readAccount()).toMatchObject({ ledgerCents: 1_000_00, statementCents: 6_825_00 })
  })

  test("without new lines is refused with a sentence", async () => {
    const { number } = await importHistory()
    const again = await postStatementFile(desk, desk.app.people.manager, account.id, "again.csv", createHistory())
    expect(again.status).toBe(422)
    expect(await again.text()).toContain(`This file was already imported as ${number}. Nothing was imported.`)
    const uploadId = await uploadHistory(`${createHistory()}\n`)
    await expect(manager.banking.import({ uploadId, idempotencyKey: randomUUID() })).rejects.toMatchObject({
      code: "NOTHING_NEW",
    })
  })

  test("by two users at once adds every line once", async () => {
    const [one, other] = [
      await uploadHistory(),
      await uploadStatementFile(desk, desk.app.people.manager2, account.id, `${createHistory()}\n`),
    ]
    const elsewhere = desk.app.another(desk.app.people.manager2)
    const outcomes = await Promise.allSettled([
      manager.banking.import({ uploadId: one, idempotencyKey: randomUUID() }),
      elsewhere.banking.import({ uploadId: other, idempotencyKey: randomUUID() }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
    expect(await readLines()).toHaveLength(4)
    expect(await readAccount()).toMatchObject({ ledgerCents: 1_000_00 })
  })

  test("is rolled back completely if it fails part-way", async () => {
    const uploadId = await uploadHistory()
    await desk.app.sql.run(sql`
      create function break_here() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`)
    await desk.app.sql.run(sql`
      create trigger break_here before insert on bank_lines for each row when (new.amount_cents = -7500) execute function break_here()`)
    await expect(manager.banking.import({ uploadId, idempotencyKey: randomUUID() })).rejects.toThrow()
    await desk.app.sql.run(sql`drop trigger break_here on bank_lines`)
    expect(await readAccount()).toMatchObject({ openedOn: null, lineCount: 0, ledgerCents: 0 })
    expect((await manager.banking.statements({ accountId: account.id })).total).toBe(0)
    expect(await manager.banking.import({ uploadId, idempotencyKey: randomUUID() })).toMatchObject({ newCount: 4 })
  })

  test("with inconsistent balances requires confirmation and records the faults", async () => {
    const broken = createHistory().replace("6100.00", "6150.00")
    const uploadId = await uploadHistory(broken)
    const { statement } = await manager.banking.preview({ uploadId })
    expect(statement?.faults).toHaveLength(1)
    expect(statement?.faults[0]?.sentence).toMatch(/^Line 10 \(2026-11-03, CASH DEPOSIT\): the balance is/)
    const asked = { uploadId, idempotencyKey: randomUUID() }
    await expect(manager.banking.import(asked)).rejects.toMatchObject({ code: "FAULTS" })
    const imported = await manager.banking.import({ ...asked, acceptFaults: true })
    expect(imported.faults).toHaveLength(1)
  })

  test("leaves out lines before the account's first day, which the opening balance includes", async () => {
    await importHistory()
    const earlier = { day: "2026-10-30", text: "EFT EARLIER", amountCents: 300_00 }
    const more = { day: "2026-11-05", text: "EFT CAPE WINES", amountCents: 700_00 }
    const uploadId = await uploadHistory(createHistory([earlier, ...lines, more], 700_00))
    expect((await manager.banking.preview({ uploadId })).statement).toMatchObject({ earlierCount: 1, freshCount: 1 })
    await manager.banking.import({ uploadId, idempotencyKey: randomUUID() })
    expect(await readLines()).toHaveLength(5)
  })

  test("needs the columns of an unknown CSV only once", async () => {
    const own = (rows: string) => `Boekdatum;Omschrijving;Bedrag\n${rows}`
    const columns = { day: 0, text: 1, amount: 2, dayOrder: "DMY" as const }
    const uploadId = await uploadHistory(own("03-11-2026;Premie;250,50\n04-11-2026;Fooi;-5,00"))
    expect(await manager.banking.preview({ uploadId })).toMatchObject({
      statement: null,
      table: { header: ["Boekdatum", "Omschrijving", "Bedrag"], columns: null },
    })
    const asked = { uploadId, idempotencyKey: randomUUID() }
    await expect(manager.banking.import(asked)).rejects.toMatchObject({ code: "COLUMNS_NEEDED" })
    const { statement } = await manager.banking.preview({ uploadId, columns })
    expect(statement).toMatchObject({ needsOpening: true, freshCount: 2, openingCents: null })
    await expect(manager.banking.import({ ...asked, columns })).rejects.toMatchObject({ code: "INVALID" })
    await manager.banking.import({ ...asked, columns, openingCents: -20_00 })
    expect(await readAccount()).toMatchObject({ openingCents: -20_00, ledgerCents: -20_00, statementCents: 225_50 })

    const nextFile = await uploadHistory(own("05-11-2026;Premie;100,00"))
    expect(await manager.banking.preview({ uploadId: nextFile })).toMatchObject({
      table: { columns },
      statement: { freshCount: 1, needsOpening: false },
    })
  })
})

test("opening the main account posts only the part that is not in the ledger yet", async () => {
  const main = (await manager.banking.accounts({})).find(({ isMain }) => isMain)!
  const { id: policyId } = await createActivePolicy(manager)
  const [before, after] = [700_00, 200_00]
  await recordedReceipt(manager, { policyId, amountCents: before, receivedOn: "2026-11-01" })
  await recordedReceipt(manager, { policyId, amountCents: after, receivedOn: "2026-11-03" })
  const content = createFnbHistory(main.accountNumber, 1_000_00, lines)
  await importSampleStatement(desk, desk.app.people.manager, main.id, content)
  const found = (await manager.banking.accounts({})).find(({ isMain }) => isMain)!
  // The bank had R 1 000 before the 2nd; R 700 of it was in the ledger. The receipt of the 3rd is added.
  expect(found).toMatchObject({ openingCents: 1_000_00, ledgerCents: 1_000_00 + after })
  const { accounts } = await manager.ledger.trialBalance({ asOf: "2026-11-02" })
  expect(accounts.find((each) => each.account === "opening_balances")?.creditCents).toBeGreaterThanOrEqual(300_00)
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

test("an unreadable file or another account's file stores nothing", async () => {
  const held = () =>
    desk.app.sql.row(sql`select (select count(*) from bank_uploads) as uploads, (select count(*) from files) as files`)
  const before = await held()
  const wrong: [string, string][] = [
    ["letter.txt", "Dear sir,\nplease find enclosed"],
    ["other.csv", createFnbHistory("62999999999", 0, lines)],
    ["empty.csv", createFnbHistory(account.accountNumber, 0, [])],
    ["hostile.xml", `<!DOCTYPE a [<!ENTITY b "c">]><Document/>`],
    ["cut.ofx", "OFXHEADER:100\n<OFX><STMTRS>"],
  ]
  for (const [name, content] of wrong) {
    const answer = await postStatementFile(desk, desk.app.people.manager, account.id, name, content)
    expect(answer.status, name).toBe(422)
    expect(((await answer.json()) as { message: string }).message, name).toMatch(/Nothing was imported\.$/)
  }
  expect(await held()).toEqual(before)
})

describe("a file with amounts above the limit is refused with a clear message", () => {
  const ofx = (entries: string) => `OFXHEADER:100\n<OFX><STMTRS><CURDEF>ZAR<BANKTRANLIST>${entries}</STMTRS></OFX>`
  const entryOf = (amount: string) => `<STMTTRN><DTPOSTED>20261102<TRNAMT>${amount}<NAME>EFT</STMTTRN>`
  test.each([
    ["an OFX of 300,000 entries", ofx("<STMTTRN>".repeat(300_000)), /more than 20000 lines/],
    ["a camt.053 of 100,000 entries", createCamt("<Ntry/>".repeat(100_000)), /more than 20000 lines/],
    ["a line beyond the largest receipt", ofx(entryOf("90000000000000.00")), /has an amount or a balance of/],
    [
      "lines that are too large together",
      ofx(entryOf("99999999999.99").repeat(2)),
      /The total money in of the file is/,
    ],
  ])("%s", async (_, content, sentence) => {
    const answer = await postStatementFile(desk, desk.app.people.manager, account.id, "statement.ofx", content)
    expect(answer.status).toBe(422)
    expect(((await answer.json()) as { message: string }).message).toMatch(sentence)
  })

  test("the database also refuses a line with an amount above the limit", async () => {
    await importHistory()
    const { id } = (await manager.banking.statements({ accountId: account.id })).rows[0]!
    const insert = (cents: number) =>
      desk.app.sql.run(sql`
        insert into bank_lines (id, account_id, statement_id, line, day, amount_cents, text, reference, ordinal)
        values (${randomUUID()}, ${account.id}, ${id}, 99, '2026-11-04', ${cents}, 'EFT', '', 1)`)
    await expect(insert(9_000_000_000_000_000)).rejects.toThrow()
    await insert(10_000_000_000_000)
  })
})

const camtBalance = (code: string, amount: string, on: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="ZAR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${on}</Dt></Dt></Bal>`
function createCamt(inside: string): string {
  return `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>${account?.accountNumber ?? ""}</Id></Othr></Id></Acct>${inside}</Stmt></BkToCstmrStmt></Document>`
}

test("a camt.053 without entries is imported for its balances, and the next file follows", async () => {
  await importHistory()
  const balances = camtBalance("OPBD", "6125.00", "2026-11-05") + camtBalance("CLBD", "6125.00", "2026-11-05")
  const uploadId = await uploadHistory(createCamt(balances))
  expect((await manager.banking.preview({ uploadId })).statement).toMatchObject({
    ...{ fromOn: "2026-11-05", toOn: "2026-11-05", openingCents: 6_125_00, closingCents: 6_125_00 },
    ...{ lineCount: 0, freshCount: 0, faults: [], gap: null },
  })
  const imported = await manager.banking.import({ uploadId, idempotencyKey: randomUUID() })
  expect(imported).toMatchObject({ newCount: 0, openingCents: 6_125_00, closingCents: 6_125_00, gap: null })
  expect(await readAccount()).toMatchObject({ lineCount: 4, statementCents: 6_125_00 })
  expect((await manager.banking.statements({ accountId: account.id })).total).toBe(2)
})

test("finds no gap before a file that begins part-way through a known day", async () => {
  await importHistory()
  const more = { day: "2026-11-05", text: "EFT CAPE WINES", amountCents: 700_00 }
  // The next file begins with the second deposit of the 3rd.
  const uploadId = await uploadHistory(createHistory([...lines.slice(2), more], 6_100_00))
  expect((await manager.banking.preview({ uploadId })).statement).toMatchObject({
    ...{ openingCents: 6_100_00, knownCount: 2, freshCount: 1, gap: null },
  })
  expect(await manager.banking.import({ uploadId, idempotencyKey: randomUUID() })).toMatchObject({ gap: null })
  const { rows } = await manager.banking.statements({ accountId: account.id })
  expect(rows.map(({ gap }) => gap)).toEqual([null, null])
  // No stored line of that day ends at this balance.
  const other = await uploadHistory(createHistory([{ ...more, day: "2026-11-03", text: "EFT OTHER" }], 6_150_00))
  expect((await manager.banking.preview({ uploadId: other })).statement?.gap).toMatch(/^Its opening balance is/)
})

test("an upload is deleted on the next upload, on Cancel or on expiry", async () => {
  const first = await uploadHistory()
  const second = await uploadHistory()
  await expect(manager.banking.preview({ uploadId: first })).rejects.toMatchObject({ code: "NOT_FOUND" })
  await manager.banking.discardUpload({ uploadId: second })
  await uploadStatementFile(desk, desk.app.people.manager2, account.id, createHistory())
  desk.app.clock.set("2026-11-21T09:00:00Z")
  const third = await uploadHistory()
  expect(await desk.app.sql.rows(sql`select id from bank_uploads`)).toEqual([{ id: third }])
  const statement = await postStatementFile(desk, desk.app.people.underwriter, account.id, "a.csv", createHistory())
  expect(statement.status).toBe(403)
})
