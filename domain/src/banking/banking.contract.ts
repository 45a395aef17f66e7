import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { notEnoughCredit } from "../payouts/payouts.contract.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { mostReceivedCents } from "../receipts/receipt.ts"
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
  /** The first account: transfers recorded by hand are booked to it. */
  isMain: z.boolean(),
  openedOn: day.nullable(),
  openingCents: cents.nullable(),
  /** What its opening balance was before it was corrected, the latest first. */
  corrections: z.array(
    z.object({
      beforeCents: cents,
      afterCents: cents,
      reason: z.string(),
      correctedAt: instant,
      correctedByName: z.string().nullable(),
    }),
  ),
  /** The opening balance and every line since; null before the first statement. */
  statementCents: cents.nullable(),
  lastLineOn: day.nullable(),
  lineCount: z.int(),
  /** Lines that belong nowhere yet. */
  openCount: z.int(),
  /**
   * What lies between statements and ledger, which is by statement + receipts − payments − lines: receipts and payments
   * that no statement shows yet, and the net of lines that are not posted. Null before the first statement.
   */
  receiptsToComeCents: cents.nullable(),
  paymentsToComeCents: cents.nullable(),
  notPostedCents: cents.nullable(),
  /** What the ledger has on its account, debit above zero. */
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
  /** Lines that this file brought; those that were here already are not counted. */
  newCount: z.int(),
  importedAt: instant,
  /** Its import was undone: it is on record, and its lines are gone. */
  undoneAt: instant.nullable(),
  /** Where it does not follow what is there of its account, as a sentence. */
  gap: z.string().nullable(),
})
export type BankStatementRow = z.infer<typeof bankStatementRow>

export const bankStatementDetail = bankStatementRow.extend({
  bank: z.string(),
  accountNumber: z.string(),
  knownCount: z.int(),
  inCents: cents,
  outCents: cents,
  /** What was wrong with the file, as sentences. */
  faults: z.array(z.string()),
  sha256: z.string(),
  /** whether the file is kept still; the retention of data deletes it after its years */
  hasFile: z.boolean(),
  importedByName: z.string().nullable(),
  undoneByName: z.string().nullable(),
  allowedActions: z.array(z.enum(bankStatementActions)),
  timeline: timelinePage,
})
export type BankStatementDetail = z.infer<typeof bankStatementDetail>

const fault = z.object({ line: z.int().nullable(), sentence: z.string() })

/** What an uploaded file would add; nothing is written until it is imported. */
export const statementPreview = z.object({
  uploadId: z.uuid(),
  accountId: z.uuid(),
  accountName: z.string(),
  fileName: z.string(),
  format: z.enum(statementFormats),
  /** A CSV's columns, the first rows below them, and which of them are used; null for other formats. */
  table: z
    .object({ header: z.array(z.string()), sample: z.array(z.array(z.string())), columns: csvColumns.nullable() })
    .nullable(),
  /** Null while it is not known which column is what. */
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
      /** How many rows of a CSV are no payments, and the first of them: a row without an amount or a date, or one whose balance shows that no money moved. */
      leftOutCount: z.int(),
      leftOut: z.array(
        z.object({
          line: z.int(),
          text: z.string(),
          amountCents: cents,
          why: z.enum(["no amount", "no date", "balance"]),
        }),
      ),
      /** Where it does not follow what is there of its account, as a sentence. */
      gap: z.string().nullable(),
      /** The first statement of its account, and the file does not say at which balance it begins. */
      needsOpening: z.boolean(),
      isFirst: z.boolean(),
      /** The first lines of the file, each new or known. */
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
const placed = {
  PLACED: { status: 409, message: "Somebody else has matched this line meanwhile. Nothing was changed." },
} as const

const balanceCents = cents.min(-mostReceivedCents).max(mostReceivedCents)
const columns = csvColumns.nullable().default(null)

export const bankingContract = {
  /**
   * The organisation's bank accounts with what their statements and the ledger say; with `statementDue` only those without
   * a statement up to the end of last month. Units: cents.
   */
  accounts: read("banking.read")
    .route({ method: "GET", path: "/bank-accounts", summary: "Bank accounts", tags })
    .input(z.object({ statementDue: z.boolean().optional() }))
    .output(z.array(bankAccountRow)),

  /** Adds a bank account. The first one is the main account: transfers recorded by hand are booked to it. */
  addAccount: write("banking.accounts", { idempotent: true })
    .route({ method: "POST", path: "/bank-accounts", summary: "Add a bank account", tags })
    .errors({
      ...proofRequired,
      ACCOUNT_EXISTS: { status: 409, message: "There is already an account with this number." },
    })
    .input(z.object({ idempotencyKey: z.uuid(), account: bankAccountForm }))
    .output(bankAccountRow),

  /** Edits a bank account. Its number stays once a statement was imported: the lines are that account's. */
  editAccount: write("banking.accounts")
    .route({ method: "PUT", path: "/bank-accounts/{accountId}", summary: "Edit a bank account", tags })
    .errors({
      ...proofRequired,
      ACCOUNT_EXISTS: { status: 409, message: "There is already an account with this number." },
      HAS_STATEMENTS: {
        status: 409,
        message: "The account number stays as it is: statements of this account have been imported.",
      },
    })
    .input(z.object({ accountId: z.uuid(), version: z.int(), account: bankAccountForm }))
    .output(bankAccountRow),

  /**
   * Corrects the balance with which an account's statements begin, where it was typed wrongly: the difference is posted
   * against opening balances on the account's first day, and the reason stays. NOT_OPENED before its first statement;
   * CLOSED where the month of its first day is; SAME where nothing would change.
   */
  correctOpening: write("banking.accounts", { idempotent: true })
    .route({ method: "POST", path: "/bank-accounts/{accountId}/opening", summary: "Correct an opening balance", tags })
    .errors({
      NOT_OPENED: { status: 409, message: "No statement of this account has been imported yet." },
      CLOSED: { status: 409, message: "The month in which this account begins is closed." },
      SAME: { status: 409, message: "The account begins with this balance already." },
    })
    .input(
      z.object({
        accountId: z.uuid(),
        version: z.int(),
        idempotencyKey: z.uuid(),
        openingCents: balanceCents,
        reason: line(500).min(1, "Give the reason"),
      }),
    )
    .output(bankAccountRow),

  /**
   * What an uploaded file would add to its account; `columns` says which column of a CSV is what. NOT_READ, with a
   * sentence, where nothing can be made of it.
   */
  preview: read("banking.write")
    .route({ method: "POST", path: "/bank-uploads/{uploadId}/preview", summary: "Preview of a bank statement", tags })
    .errors({ NOT_READ: { status: 422, message: "The file cannot be read." } })
    .input(z.object({ uploadId: z.uuid(), columns }))
    .output(statementPreview),

  /**
   * Imports an uploaded file: its new lines, and with an account's first one the opening balance, all or nothing.
   * `openingCents` is wanted where the first file says no balance; `acceptFaults` where something is wrong with it.
   */
  import: write("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-uploads/{uploadId}/import", summary: "Import a bank statement", tags })
    .errors({
      NOT_READ: { status: 422, message: "The file cannot be read." },
      COLUMNS_NEEDED: { status: 409, message: "Say first which column is what." },
      FAULTS: { status: 409, message: "Something is wrong with this file; it is imported only once you say so." },
      NOTHING_NEW: { status: 409, message: "Every line of this file is here already. Nothing was imported." },
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

  /** Throws an uploaded file away that is not imported. */
  discardUpload: write("banking.write")
    .route({ method: "DELETE", path: "/bank-uploads/{uploadId}", summary: "Discard an uploaded statement", tags })
    .input(z.object({ uploadId: z.uuid() }))
    .output(z.object({})),

  /**
   * Undoes an import as a whole: its lines go, the statement stays on record, and its file can be imported again. MATCHED
   * while one of its lines is matched; POSTED where the ledger keeps one; SHARED while a later statement knew some of its
   * lines; CLOSED where one lies in a closed month; UNDONE where it is undone already.
   */
  undoImport: write("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-statements/{statementId}/undo", summary: "Undo a statement's import", tags })
    .errors({
      MATCHED: { status: 409, message: "Some of its lines are matched. Undo that first." },
      POSTED: { status: 409, message: "The ledger keeps some of its lines." },
      SHARED: { status: 409, message: "A later statement has some of its lines. Undo that first." },
      CLOSED: { status: 409, message: "Some of its lines are of a month that is closed." },
      UNDONE: { status: 409, message: "This import is undone already." },
    })
    .input(z.object({ statementId: z.uuid(), idempotencyKey: z.uuid() }))
    .output(bankStatementDetail),

  /** The statements that were imported. */
  statements: read("banking.read")
    .route({ method: "GET", path: "/bank-statements", summary: "Bank statements", tags })
    .input(listInput(bankStatementsList))
    .output(listOutput(bankStatementsList, bankStatementRow)),

  /** One statement with its figures, what was wrong with its file, and its history. */
  statement: read("banking.read")
    .route({ method: "GET", path: "/bank-statements/{statementId}", summary: "A bank statement", tags })
    .input(z.object({ statementId: z.uuid() }))
    .output(bankStatementDetail),

  ...matchingContract,

  /** Says why lines are nobody's premium, all or none. Charges and interest are posted. Answers the lines. */
  notOurs: write("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/not-ours", summary: "Say that lines are not ours", tags })
    .errors(placed)
    .input(z.object({ lineIds, idempotencyKey: z.uuid(), why: notOursForm }))
    .output(z.array(bankLineRow)),

  /**
   * Takes lines back to be matched, all or none, and exactly what was done for them: what was posted is reversed, a
   * receipt that was made for a line is reversed, with every line that it is, a payment is on its way again, a link is
   * let go of; a receipt that the bank took back is recorded anew with what it paid. Answers the lines.
   */
  undo: write("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/undo", summary: "Undo where lines were put", tags })
    .errors({
      ...matchErrors,
      NOT_PLACED: { status: 409, message: "This line is already waiting to be matched. Nothing was changed." },
      ...notEnoughCredit,
    })
    .input(z.object({ lineIds, idempotencyKey: z.uuid() }))
    .output(z.array(bankLineRow)),

  /** A page of what happened to a statement, newest first. NOT_FOUND as for it. */
  activity: read("banking.read")
    .route({
      method: "GET",
      path: "/bank-statements/{statementId}/activity",
      summary: "The trail of a statement",
      tags,
    })
    .input(z.object({ statementId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /** Lines of the bank; `totalCents` is their sum, out below zero. */
  lines: read("banking.read")
    .route({ method: "GET", path: "/bank-lines", summary: "Lines of the bank", tags })
    .input(listInput(bankLinesList))
    .output(listOutput(bankLinesList, bankLineRow, { totalCents: cents.nullable() })),
}
