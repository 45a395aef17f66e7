import { removeRemittance, startRemittanceComparison } from "./lay-remittance.ts"
import { listMonths } from "./reconciliation-list.queries.ts"
import { listRemittanceRows, listRemittances, readRemittance } from "./remittances.queries.ts"
import { readReconciliationMonth, resolveMonth } from "./resolve-month.ts"

export const reconciliationRouter = {
  list: listMonths,
  detail: readReconciliationMonth,
  resolve: resolveMonth,
  remittances: {
    list: listRemittances,
    detail: readRemittance,
    rows: listRemittanceRows,
    lay: startRemittanceComparison,
    remove: removeRemittance,
  },
}
