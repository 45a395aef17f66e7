import { createHash, randomUUID } from "node:crypto"
import type { BankAccount } from "@milkwood/domain/banking/bank-account"
import { type CsvColumns, findTable } from "@milkwood/domain/banking/bank-csv"
import { bankingContract, type StatementPreview } from "@milkwood/domain/banking/banking.contract"
import { planImport, type StatementPlan, selectStatement } from "@milkwood/domain/banking/import-statement"
import type { StoredLine } from "@milkwood/domain/banking/known-lines"
import type { ReadStatement } from "@milkwood/domain/banking/statement"
import { bankOpening } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, invalidInput, orRefuse, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { lockRecord, readRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { ledgerCentsBefore } from "./bank-accounts.queries.ts"
import { bankStatementDetail } from "./bank-statements.queries.ts"
import { bankAccounts, bankLines, bankStatementDays, bankStatements, bankUploads } from "./banking.tables.ts"
import { gapOf, precedingFileStatement } from "./statement-gap.queries.ts"
import { discardUploads } from "./upload-statement.ts"

const uploadMissing = "The file was deleted. Choose it again."

async function loadStoredLines(tx: Tx, accountId: string, { lines }: ReadStatement): Promise<StoredLine[]> {
  const days = [...new Set(lines.map(({ day }) => day))]
  return tx.rows<StoredLine>(sql`
    select day, amount_cents as "amountCents", text, reference, balance_cents as "balanceCents"
    from bank_lines where account_id = ${accountId} and day = any (${sql.param(days)}::date[]) order by day, ordinal`)
}

const faultsOf = ({ faults }: ReadStatement) => faults.map(({ sentence }) => sentence)

const maxPreviewLines = 200
const maxPreviewLeftOut = 50
const maxPreviewRows = 6

export const previewStatement = query(bankingContract.preview, async (cx): Promise<StatementPreview> => {
  const { tx, input } = cx
  const { content, ...upload } = await readRecord(tx, bankUploads, input.uploadId, uploadMissing)
  const account = await readRecord(tx, bankAccounts, upload.accountId)
  const read = orRefuse(selectStatement(content, account, input.columns, cx.currency))
  const head = {
    ...{ uploadId: upload.id, accountId: account.id, accountName: account.name, fileName: upload.fileName },
    format: content.format,
    table: content.format === "csv" ? previewTableOf(content.rows, read?.own?.columns ?? input.columns) : null,
  }
  if (!read) return { ...head, statement: null }
  const { statement } = read
  const plan = planImport(statement, account, await loadStoredLines(tx, account.id, statement))
  const before = await tx.row<{ found: Parameters<typeof gapOf>[1] }>(
    sql`select ${precedingFileStatement(account.id, plan.fromOn)} as found`,
  )
  return { ...head, statement: { ...previewOfPlan(statement, plan), gap: gapOf(plan, before!.found, cx.currency) } }
})

function previewTableOf(rows: string[][], columns: CsvColumns | null): StatementPreview["table"] {
  const { header, headerRow } = findTable(rows)
  return { header, sample: rows.slice(headerRow + 1, headerRow + 1 + maxPreviewRows), columns }
}

function previewOfPlan(
  statement: ReadStatement,
  plan: StatementPlan,
): Omit<NonNullable<StatementPreview["statement"]>, "gap"> {
  const fresh = new Set(plan.fresh.map(({ line }) => line))
  const sum = (sign: number) =>
    plan.fresh.reduce((cents, { amountCents }) => cents + (amountCents * sign > 0 ? amountCents : 0), 0)
  return {
    ...{ fromOn: plan.fromOn, toOn: plan.toOn, openingCents: plan.openingCents, closingCents: plan.closingCents },
    lineCount: statement.lines.length,
    freshCount: plan.fresh.length,
    knownCount: plan.known.length,
    earlierCount: plan.earlier,
    emptyCount: plan.empty,
    inCents: sum(1),
    outCents: sum(-1),
    faults: statement.faults,
    leftOutCount: statement.leftOut?.length ?? 0,
    leftOut: (statement.leftOut ?? []).slice(0, maxPreviewLeftOut),
    needsOpening: plan.opens !== null && plan.openingCents === null,
    isFirst: plan.opens !== null,
    lines: statement.lines.slice(0, maxPreviewLines).map((line) => ({ ...line, isFresh: fresh.has(line.line) })),
  }
}

/**
 * Imports an uploaded file in one transaction. The lock on the account serialises imports, so that no line is added
 * twice.
 */
export const importStatement = command(bankingContract.import, async (cx) => {
  const { tx, input, now, today, actor } = cx
  const { content, ...upload } = await readRecord(tx, bankUploads, input.uploadId, uploadMissing)
  const account = await lockRecord(tx, bankAccounts, upload.accountId)
  const read = orRefuse(selectStatement(content, account, input.columns, cx.currency))
  if (!read) throw refused("COLUMNS_NEEDED")
  const { statement, own } = read
  if (statement.faults.length > 0 && !input.acceptFaults) throw refused("FAULTS")
  const plan = planImport(statement, account, await loadStoredLines(tx, account.id, statement), input.openingCents)
  // A statement without lines is stored for its balances.
  if (plan.fresh.length === 0 && statement.lines.length > 0) throw refused("NOTHING_NEW")

  const opened = await openAccount(cx, account, plan)
  const changed = own && JSON.stringify(own) !== JSON.stringify(account.columns) ? { columns: own } : {}
  if (opened || "columns" in changed) {
    await saveRecord(tx, bankAccounts, account, { ...opened, ...changed, version: account.version + 1 })
  }
  const id = randomUUID()
  const number = await nextNumber(tx, "bank_statement", today)
  await tx.insert(bankStatements).values({
    ...{ id, number, accountId: account.id, fileId: upload.fileId, fileName: upload.fileName, sha256: upload.sha256 },
    ...{ format: content.format, fromOn: plan.fromOn, toOn: plan.toOn },
    ...{ openingCents: plan.openingCents, closingCents: plan.closingCents },
    ...{ newCount: plan.fresh.length, knownCount: plan.known.length, faults: faultsOf(statement) },
    ...{ importedBy: actorUserId(actor), importedAt: now },
  })
  await insertLines(tx, { accountId: account.id, statementId: id }, plan)
  await insertDays(tx, id, plan)
  // The file now belongs to the statement; only its parsed content is deleted.
  await tx.run(sql`delete from bank_uploads where id = ${upload.id}`)
  await record(cx, [
    {
      type: "BankStatementImported",
      record: { kind: "bank_statement", id, label: number },
      groupId: null,
      ...{ account: account.name, fileName: upload.fileName, sha256: upload.sha256 },
      ...{ fresh: plan.fresh.length, known: plan.known.length, faults: faultsOf(statement) },
    },
  ])
  return bankStatementDetail(cx, id)
})

/** The first statement posts the difference between the bank's opening balance and the ledger, once. */
async function openAccount(cx: Cx, account: Omit<BankAccount, "columns">, plan: StatementPlan) {
  if (!plan.opens) return undefined
  const { on, cents } = plan.opens
  if (cents === null) {
    const message = "Enter the balance before the first line: it is not in the file."
    throw invalidInput([{ path: "openingCents", message }], message)
  }
  const before = await cx.tx.row<{ cents: number }>(
    sql`select ${ledgerCentsBefore(sql`${on}::date`)} as cents from bank_accounts a where a.id = ${account.id}`,
  )
  const amountCents = cents - before!.cents
  if (amountCents !== 0) await post(cx, bankOpening({ on, accountId: account.id, name: account.name, amountCents }))
  const of = { kind: "bank_account" as const, id: account.id, label: account.name }
  await record(cx, [{ type: "BankAccountOpened", record: of, groupId: null, openedOn: on, openingCents: cents }])
  return { openedOn: on, openingCents: cents, openingPostedCents: amountCents, openedAt: cx.now.toString() }
}

const rowsPerInsert = 1_000

async function insertLines(tx: Tx, of: { accountId: string; statementId: string }, { fresh }: StatementPlan) {
  for (let from = 0; from < fresh.length; from += rowsPerInsert) {
    const rows = fresh
      .slice(from, from + rowsPerInsert)
      .map((line, at) => ({ id: randomUUID(), ...of, ...line, line: from + at + 1 }))
    await tx.insert(bankLines).values(rows)
  }
}

/** Month end reconciles the bank with these days' balances. */
async function insertDays(tx: Tx, statementId: string, { days }: StatementPlan) {
  for (let from = 0; from < days.length; from += rowsPerInsert) {
    const rows = days.slice(from, from + rowsPerInsert).map(({ keys, ...of }) => {
      return { statementId, ...of, digest: createHash("sha256").update(keys.join("\n\n")).digest("hex") }
    })
    await tx.insert(bankStatementDays).values(rows)
  }
}

export const discardUpload = command(bankingContract.discardUpload, async (cx) => {
  const upload = await readRecord(cx.tx, bankUploads, cx.input.uploadId, uploadMissing)
  await discardUploads(cx, sql`id = ${upload.id}`)
  return {}
})
