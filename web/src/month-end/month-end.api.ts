import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const monthQuery = (month: string | undefined) =>
  api.monthEnd.month.queryOptions({ input: month === undefined ? {} : { month } })

export function useMonthEndCommands() {
  return {
    close: useCommand(api.monthEnd.close, { success: (_, { month }) => `${formatMonth(month)} is closed` }),
    reopen: useCommand(api.monthEnd.reopen, { success: (_, { month }) => `${formatMonth(month)} is open again` }),
    excuse: useCommand(api.monthEnd.excuse, {
      success: ({ excused }) => said(excused, "policy", "policies", "excused"),
    }),
    takeExcuseBack: useCommand(api.monthEnd.takeExcuseBack, { success: "The excuse was withdrawn" }),
    keepCredit: useCommand(api.monthEnd.keepCredit, {
      success: ({ kept }) => said(kept, "receipt", "receipts", "left as credit"),
    }),
    takeCreditUp: useCommand(api.monthEnd.takeCreditUp, { success: "The credit is to be allocated again" }),
  }
}

const said = (count: number, one: string, several: string, done: string) =>
  `${count} ${count === 1 ? one : several} ${done}`
