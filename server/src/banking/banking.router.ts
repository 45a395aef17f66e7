import { listBankAccounts } from "./bank-accounts.queries.ts"
import { listBankLines } from "./bank-lines.queries.ts"
import { listBankStatements, readBankStatement, readStatementActivity } from "./bank-statements.queries.ts"
import { discardUpload, importStatement, previewStatement } from "./import-bank-statement.ts"
import { linkReceipt, receiptsForLine, setAside, undoPlacement } from "./place-lines.ts"
import { addBankAccount, editBankAccount } from "./save-bank-account.ts"

export const bankingRouter = {
  accounts: listBankAccounts,
  addAccount: addBankAccount,
  editAccount: editBankAccount,
  preview: previewStatement,
  import: importStatement,
  discardUpload,
  statements: listBankStatements,
  statement: readBankStatement,
  activity: readStatementActivity,
  lines: listBankLines,
  receiptsFor: receiptsForLine,
  linkReceipt,
  notOurs: setAside,
  undo: undoPlacement,
}
