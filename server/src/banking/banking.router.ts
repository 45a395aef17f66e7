import { autoMatch } from "./auto-match.ts"
import { listBankAccounts } from "./bank-accounts.queries.ts"
import { listBankLines } from "./bank-lines.queries.ts"
import { listBankPayers } from "./bank-payers.queries.ts"
import { listBankStatements, readBankStatement, readStatementActivity } from "./bank-statements.queries.ts"
import { confirmLine, joinLines } from "./confirm-line.ts"
import { correctOpeningBalance } from "./correct-opening.ts"
import { discardUpload, importStatement, previewStatement } from "./import-bank-statement.ts"
import { declineCandidate, forgetPayer, listPayers } from "./learn-payers.ts"
import { readProgress } from "./progress.queries.ts"
import { addBankAccount, editBankAccount } from "./save-bank-account.ts"
import { setLinesAside } from "./set-aside.ts"
import { suggestForLines } from "./suggestions.queries.ts"
import { undoImport } from "./undo-import.ts"
import { undoPlacement } from "./undo-placement.ts"

export const bankingRouter = {
  accounts: listBankAccounts,
  addAccount: addBankAccount,
  editAccount: editBankAccount,
  correctOpening: correctOpeningBalance,
  preview: previewStatement,
  import: importStatement,
  discardUpload,
  undoImport,
  statements: listBankStatements,
  statement: readBankStatement,
  activity: readStatementActivity,
  lines: listBankLines,
  suggestions: suggestForLines,
  confirm: confirmLine,
  join: joinLines,
  decline: declineCandidate,
  autoMatch,
  progress: readProgress,
  payers: listPayers,
  forgetPayer,
  learntPayers: listBankPayers,
  notOurs: setLinesAside,
  undo: undoPlacement,
}
