import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const bankAccountsQuery = () => api.banking.accounts.queryOptions({ input: {} })

export const statementsDueQuery = () => api.banking.accounts.queryOptions({ input: { statementDue: true } })

export const useBankAccountCommands = () => ({
  add: useCommand(api.banking.addAccount, { success: "Bank account added", failure: "Failed to add the bank account" }),
  edit: useCommand(api.banking.editAccount, {
    success: "Bank account saved",
    failure: "Failed to save the bank account",
  }),
  correctOpening: useCommand(api.banking.correctOpening, {
    success: "Opening balance corrected",
    failure: "Failed to correct the opening balance",
  }),
})

function matchesText({ matches, matchCount }: BankLineRow): string {
  const shown = matchCount > 4 ? matches.slice(0, 3) : matches
  const more = matchCount > shown.length ? ` and ${matchCount - shown.length} more` : ""
  return shown.map(({ number }) => number).join(", ") + more
}

export const useLineCommands = () => ({
  confirm: useCommand(api.banking.confirm, {
    success: ([line]) => `Matched with ${line && matchesText(line)}`,
    failure: "Failed to match the line",
  }),
  notOurs: useCommand(api.banking.notOurs, {
    success: (lines) => (lines.length === 1 ? "Line marked" : `${lines.length} lines marked`),
    failure: "Failed to mark the lines",
  }),
  undo: useCommand(api.banking.undo, { success: "Match undone", failure: "Failed to undo the match" }),
})

export const payersQuery = (policyId: string | null) => api.banking.payers.queryOptions({ input: { policyId } })

export const useForgetPayer = () =>
  useCommand(api.banking.forgetPayer, { success: "Payer removed", failure: "Failed to remove the payer" })

export const useStatementCommands = () => ({
  import: useCommand(api.banking.import, {
    success: ({ newCount, number }) =>
      newCount === 0
        ? `Balances imported as ${number}`
        : `${newCount === 1 ? "1 line" : `${newCount} lines`} imported as ${number}`,
    failure: "Failed to import the statement",
    quiet: ["FAULTS", "NOTHING_NEW"],
  }),
  undo: useCommand(api.banking.undoImport, {
    success: ({ number }) => `Import of ${number} undone`,
    failure: "Failed to undo the import",
  }),
  discard: useCommand(api.banking.discardUpload, { failure: "Failed to discard the file" }),
})
