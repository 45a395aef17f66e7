import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { notEnoughCredit } from "../payouts/payouts.contract.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { maxReceivedCents } from "../receipts/receipt.ts"
import { bankAccountActions, bankStatementActions } from "./bank-account.ts"
import { bankLineRow } from "./bank-line-shape.ts"
import { bankLinesList } from "./bank-lines.list.ts"
import { bankStatementsList } from "./bank-statements.list.ts"
import { bankAccountForm, csvColumns, notOursForm } from "./banking-shape.ts"
import { matchErrors, matchingContract } from "./matching.contract.ts"
import { statementFormats } from "./statement.ts"

const tags = ["Banking"]

export const bankAccountRow = bankAccountForm.extend({
  id: z.uuid(),
  /** The first account: manual transfers are posted to it. */
  isMain: z.boolean(),
  openedOn: day.nullable(),
  openingCents: cents.nullable(),
  corrections: z.array(
    z.object({
      beforeCents: cents,
      afterCents: cents,
      reason: z.string(),
      correctedAt: instant,
      correctedByName: z.string().nullable(),
    }),
  ),
  /** The opening balance plus all lines since; null before the first statement. */
  statementCents: cents.nullable(),
  lastLineOn: day.nullable(),
  lineCount: z.int(),
  openCount: z.int(),
  /**
   * Reconciling amounts: ledger = statement + receipts − payments − lines not posted (net). Null before the first
   * statement.
   */
  receiptsToComeCents: cents.nullable(),
  paymentsToComeCents: cents.nullable(),
  notPostedCents: cents.nullable(),
  ledgerCents: cents,
  version: z.int(),
  allowedActions: z.array(z.enum(bankAccountActions)),
})
export type BankAccountRow = z.infer<typeof bankAccountRow>

export const bankStatementRow = z.object({
  id: z.uuid(),
  number: z.string(),
  accountId: z.uuid(),
  accountName: z.string(),
  format: z.enum(statementFormats),
  fileName: z.string(),
  fromOn: day,
  toOn: day,
  openingCents: cents.nullable(),
  closingCents: cents.nullable(),
  /** Excludes lines that earlier files had already imported. */
  newCount: z.int(),
  importedAt: instant,
  undoneAt: instant.nullable(),
  /** A sentence if the statement does not continue the account's earlier statements. */
  gap: z.string().nullable(),
})
export type BankStatementRow = z.infer<typeof bankStatementRow>

export const bankStatementDetail = bankStatementRow.extend({
  bank: z.string(),
  accountNumber: z.string(),
  knownCount: z.int(),
  inCents: cents,
  outCents: cents,
  faults: z.array(z.string()),
  sha256: z.string(),
  /** false once retention has deleted the file */
  hasFile: z.boolean(),
  importedByName: z.string().nullable(),
  undoneByName: z.string().nullable(),
  allowedActions: z.array(z.enum(bankStatementActions)),
  timeline: timelinePage,
})
export type BankStatementDetail = z.infer<typeof bankStatementDetail>

const fault = z.object({ line: z.int().nullable(), sentence: z.string() })

/** A preview of an uploaded file; nothing is written until the import. */
export const statementPreview = z.object({
  uploadId: z.uuid(),
  accountId: z.uuid(),
  accountName: z.string(),
  fileName: z.string(),
  format: z.enum(statementFormats),
  /** The columns of a CSV, its first rows and the columns used; null for other formats. */
  table: z
    .object({ header: z.array(z.string()), sample: z.array(z.array(z.string())), columns: csvColumns.nullable() })
    .nullable(),
  statement: z
    .object({
      fromOn: day,
      toOn: day,
      openingCents: cents.nullable(),
      closingCents: cents.nullable(),
      lineCount: z.int(),
      freshCount: z.int(),
      knownCount: z.int(),
      earlierCount: z.int(),
      emptyCount: z.int(),
      inCents: cents,
      outCents: cents,
      faults: z.array(fault),
      /** CSV rows without an amount or date, or with a balance that shows no movement. */
      leftOutCount: z.int(),
      leftOut: z.array(
        z.object({
          line: z.int(),
          text: z.string(),
          amountCents: cents,
          why: z.enum(["no amount", "no date", "balance"]),
        }),
      ),
      /** A sentence if the statement does not continue the account's earlier statements. */
      gap: z.string().nullable(),
      /** The file is the account's first statement and has no opening balance. */
      needsOpening: z.boolean(),
      isFirst: z.boolean(),
      lines: z.array(
        z.object({
          line: z.int(),
          day,
          text: z.string(),
          reference: z.string(),
          amountCents: cents,
          balanceCents: cents.nullable(),
          isFresh: z.boolean(),
        }),
      ),
    })
    .nullable(),
})
export type StatementPreview = z.infer<typeof statementPreview>

const lineIds = z.array(z.uuid()).min(1).max(200)
const lineAlreadyMatched = {
  PLACED: { status: 409, message: "Someone else matched this line in the meantime. Nothing was changed." },
} as const

const balanceCents = cents.min(-maxReceivedCents).max(maxReceivedCents)
const columns = csvColumns.nullable().default(null)

export const bankingContract = {
  /**
   * The organisation's bank accounts with statement and ledger balances in cents; with `statementDue` only those
   * without a statement up to the end of last month.
   */
  accounts: readProcedure("banking.read")
    .route({ method: "GET", path: "/bank-accounts", summary: "List bank accounts", tags })
    .input(z.object({ statementDue: z.boolean().optional() }))
    .output(z.array(bankAccountRow)),

  /** Adds a bank account. The first one is the main account: manual transfers are posted to it. */
  addAccount: writeProcedure("banking.accounts", { idempotent: true })
    .route({ method: "POST", path: "/bank-accounts", summary: "Add a bank account", tags })
    .errors({
      ...proofRequired,
      ACCOUNT_EXISTS: { status: 409, message: "There is already an account with this number." },
    })
    .input(z.object({ idempotencyKey: z.uuid(), account: bankAccountForm }))
    .output(bankAccountRow),

  /** Edits a bank account. Its number is fixed once a statement was imported. */
  editAccount: writeProcedure("banking.accounts")
    .route({ method: "PUT", path: "/bank-accounts/{accountId}", summary: "Edit a bank account", tags })
    .errors({
      ...proofRequired,
      ACCOUNT_EXISTS: { status: 409, message: "There is already an account with this number." },
      HAS_STATEMENTS: {
        status: 409,
        message: "You cannot change the account number after a statement of the account was imported.",
      },
    })
    .input(z.object({ accountId: z.uuid(), version: z.int(), account: bankAccountForm }))
    .output(bankAccountRow),

  /**
   * Corrects an account's opening balance and posts the difference on its first day. NOT_OPENED before the first
   * statement; CLOSED if that month is closed; SAME if nothing changes.
   */
  correctOpening: writeProcedure("banking.accounts", { idempotent: true })
    .route({ method: "POST", path: "/bank-accounts/{accountId}/opening", summary: "Correct an opening balance", tags })
    .errors({
      NOT_OPENED: { status: 409, message: "No statement of this account has been imported yet." },
      CLOSED: { status: 409, message: "The month in which this account starts is closed. Reopen it first." },
      SAME: { status: 409, message: "This is already the opening balance of the account." },
    })
    .input(
      z.object({
        accountId: z.uuid(),
        version: z.int(),
        idempotencyKey: z.uuid(),
        openingCents: balanceCents,
        reason: line(500).min(1, "Enter a reason"),
      }),
    )
    .output(bankAccountRow),

  /**
   * Previews an uploaded file; `columns` gives the meaning of a CSV's columns. NOT_READ, with a sentence, if the file
   * cannot be read.
   */
  preview: readProcedure("banking.write")
    .route({ method: "POST", path: "/bank-uploads/{uploadId}/preview", summary: "Preview a bank statement", tags })
    .errors({ NOT_READ: { status: 422, message: "The file cannot be read." } })
    .input(z.object({ uploadId: z.uuid(), columns }))
    .output(statementPreview),

  /**
   * Imports an uploaded file in one transaction. `openingCents` is required if the first file has no balance,
   * `acceptFaults` if the file has faults.
   */
  import: writeProcedure("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-uploads/{uploadId}/import", summary: "Import a bank statement", tags })
    .errors({
      NOT_READ: { status: 422, message: "The file cannot be read." },
      COLUMNS_NEEDED: { status: 409, message: "Choose the columns of the file first." },
      FAULTS: { status: 409, message: "The file has errors. Confirm to import it anyway." },
      NOTHING_NEW: { status: 409, message: "All lines of this file are already imported. Nothing was changed." },
    })
    .input(
      z.object({
        uploadId: z.uuid(),
        idempotencyKey: z.uuid(),
        columns,
        openingCents: balanceCents.nullable().default(null),
        acceptFaults: z.boolean().default(false),
      }),
    )
    .output(bankStatementDetail),

  /** Deletes an uploaded file before its import. */
  discardUpload: writeProcedure("banking.write")
    .route({ method: "DELETE", path: "/bank-uploads/{uploadId}", summary: "Discard an uploaded statement", tags })
    .input(z.object({ uploadId: z.uuid() }))
    .output(z.object({})),

  /**
   * Undoes an import: removes its lines and keeps its record; the file can be imported again. Refusals: MATCHED,
   * POSTED, SHARED (a later statement contains its lines), CLOSED, UNDONE.
   */
  undoImport: writeProcedure("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-statements/{statementId}/undo", summary: "Undo a statement's import", tags })
    .errors({
      MATCHED: { status: 409, message: "Some lines of this statement are matched. Undo the matches first." },
      POSTED: { status: 409, message: "Some lines of this statement are posted to the ledger." },
      SHARED: {
        status: 409,
        message: "A later statement contains some of the same lines. Undo the import of the later statement first.",
      },
      CLOSED: { status: 409, message: "Some lines of this statement are in a closed month." },
      UNDONE: { status: 409, message: "This import is already undone." },
    })
    .input(z.object({ statementId: z.uuid(), idempotencyKey: z.uuid() }))
    .output(bankStatementDetail),

  statements: readProcedure("banking.read")
    .route({ method: "GET", path: "/bank-statements", summary: "List bank statements", tags })
    .input(listInput(bankStatementsList))
    .output(listOutput(bankStatementsList, bankStatementRow)),

  statement: readProcedure("banking.read")
    .route({ method: "GET", path: "/bank-statements/{statementId}", summary: "Read a bank statement", tags })
    .input(z.object({ statementId: z.uuid() }))
    .output(bankStatementDetail),

  ...matchingContract,

  /** Marks lines as not ours with a reason, all or none. Charges and interest are posted. Returns the lines. */
  notOurs: writeProcedure("banking.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/bank-lines/not-ours",
      summary: "Mark lines as not a premium or claim payment",
      tags,
    })
    .errors(lineAlreadyMatched)
    .input(z.object({ lineIds, idempotencyKey: z.uuid(), why: notOursForm }))
    .output(z.array(bankLineRow)),

  /**
   * Undoes placements, all or none: reverses postings and receipts made for the lines, makes payments pending again and
   * removes links. Receipts returned by the bank are recorded again. Returns the lines.
   */
  undo: writeProcedure("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/undo", summary: "Undo the matches of lines", tags })
    .errors({
      ...matchErrors,
      NOT_PLACED: { status: 409, message: "This line is already unmatched. Nothing was changed." },
      ...notEnoughCredit,
    })
    .input(z.object({ lineIds, idempotencyKey: z.uuid() }))
    .output(z.array(bankLineRow)),

  /** A page of a statement's history, newest first. NOT_FOUND as for the statement. */
  activity: readProcedure("banking.read")
    .route({
      method: "GET",
      path: "/bank-statements/{statementId}/activity",
      summary: "Read the audit trail of a statement",
      tags,
    })
    .input(z.object({ statementId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /** Bank lines; `totalCents` is their sum, money out is negative. */
  lines: readProcedure("banking.read")
    .route({ method: "GET", path: "/bank-lines", summary: "List bank lines", tags })
    .input(listInput(bankLinesList))
    .output(listOutput(bankLinesList, bankLineRow, { totalCents: cents.nullable() })),
}
