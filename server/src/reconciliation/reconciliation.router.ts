import { layRemittance, removeRemittance } from "./lay-remittance.ts"
import { listMonths } from "./reconciliation-list.queries.ts"
import { listRemittanceRows, listRemittances, readRemittance } from "./remittances.queries.ts"
import { resolveMonth, showMonth } from "./resolve-month.ts"

export const reconciliationRouter = {
  list: listMonths,
  detail: showMonth,
  resolve: resolveMonth,
  remittances: {
    list: listRemittances,
    detail: readRemittance,
    rows: listRemittanceRows,
    lay: layRemittance,
    remove: removeRemittance,
  },
}
