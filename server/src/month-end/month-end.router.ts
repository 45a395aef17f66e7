import { readBankReconciliation } from "./bank-proof.queries.ts"
import { closeMonth, reopenMonth } from "./close-month.ts"
import { excusePolicies, takeExcuseBack } from "./excuse-policies.ts"
import { keepCredit, takeCreditUp } from "./keep-credit.ts"
import { listMonthCredits } from "./month-credits.queries.ts"
import { readMonth } from "./month-detail.queries.ts"
import { listMonthPolicies } from "./month-policies.queries.ts"
import { listVatDocuments, readVatReturn } from "./vat.queries.ts"

export const monthEndRouter = {
  month: readMonth,
  close: closeMonth,
  reopen: reopenMonth,
  policies: listMonthPolicies,
  bank: readBankReconciliation,
  excuse: excusePolicies,
  takeExcuseBack,
  credits: listMonthCredits,
  keepCredit,
  takeCreditUp,
  vatReturn: readVatReturn,
  vatDocuments: listVatDocuments,
}
