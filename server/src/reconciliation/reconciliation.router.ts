import { listMonths } from "./reconciliation-list.queries.ts"
import { resolveMonth, showMonth } from "./resolve-month.ts"

export const reconciliationRouter = { list: listMonths, detail: showMonth, resolve: resolveMonth }
