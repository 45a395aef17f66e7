import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { BankReconciliation } from "@milkwood/domain/month-end/month-end.contract"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const monthQuery = (month: string | undefined) =>
  api.monthEnd.month.queryOptions({ input: month === undefined ? {} : { month } })

export const bankReconciliationQuery = (month: string) => ({
  ...api.monthEnd.bank.queryOptions({ input: { month } }),
  // Polls for the signed files: no event announces them.
  refetchInterval: ({ state }: { state: { data?: BankReconciliation | undefined } }) =>
    state.data?.signed?.pdfSha256 === null ? 2_000 : (false as const),
})

export function useMonthEndCommands() {
  return {
    close: useCommand(api.monthEnd.close, { success: (_, { month }) => `${formatMonth(month)} is closed` }),
    reopen: useCommand(api.monthEnd.reopen, { success: (_, { month }) => `${formatMonth(month)} is reopened` }),
    excuse: useCommand(api.monthEnd.excuse, {
      success: ({ excused }) => countText(excused, "policy", "policies", "excused"),
    }),
    withdrawExcuses: useCommand(api.monthEnd.withdrawExcuses, { success: "Excuse withdrawn" }),
    keepCredit: useCommand(api.monthEnd.keepCredit, {
      success: ({ kept }) => countText(kept, "receipt", "receipts", "kept as credit"),
    }),
    stopKeepingCredit: useCommand(api.monthEnd.stopKeepingCredit, { success: "No longer kept as credit" }),
  }
}

const countText = (count: number, one: string, several: string, done: string) =>
  `${count} ${count === 1 ? one : several} ${done}`
