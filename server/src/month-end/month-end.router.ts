import { readBankReconciliation } from "./bank-proof.queries.ts"
import { closeMonth, reopenMonth } from "./close-month.ts"
import { excusePolicies, withdrawExcuses } from "./excuse-policies.ts"
import { keepCredit, stopKeepingCredit } from "./keep-credit.ts"
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
  withdrawExcuses,
  credits: listMonthCredits,
  keepCredit,
  stopKeepingCredit,
  vatReturn: readVatReturn,
  vatDocuments: listVatDocuments,
}
