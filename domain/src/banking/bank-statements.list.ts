import { count, day, instant, list, money, record, reference, text, words } from "../kernel/list.ts"
import { statementFormatNames } from "./statement.ts"

export const bankStatementsList = list({
  key: "bank-statements",
  noun: { one: "statement", many: "statements" },
  permission: "banking.read",
  order: "-importedAt",
  search: "Search statement, file or account",
  filters: { accountId: record("Account", "bank_account") },
  columns: {
    number: reference("Statement"),
    account: text("Account", { of: "accountName" }),
    fromOn: day("From", { sort: true }),
    toOn: day("To", { sort: true }),
    opening: money("Opening balance", { of: "openingCents" }),
    closing: money("Closing balance", { of: "closingCents" }),
    lines: count("Lines", { of: "newCount" }),
    fileName: text("File"),
    format: words("Format", statementFormatNames, { hidden: true }),
    importedAt: instant("Imported", { sort: true }),
    undoneAt: instant("Undone", { hidden: true }),
  },
})
