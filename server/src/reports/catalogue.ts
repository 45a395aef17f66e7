import { type ReportId, reportIds } from "@milkwood/domain/reports/catalogue"
import type { List } from "../platform/lists/list.ts"
import { claimReserves, claimsRegister, decisions, outstandingClaims, turnaround } from "./catalogue/claims.queries.ts"
import { cashBook, premiumBilling, vatAndTrialBalance } from "./catalogue/financial.queries.ts"
import { claimsExperience, membershipMovements, renewals, schemePortfolio } from "./catalogue/group.queries.ts"
import { agesAndLives, dependents, doubtfulData, memberRegister } from "./catalogue/member.queries.ts"
import { debtorsAgeing } from "./debtors-ageing.queries.ts"

export type ReportList = List<never, { id: string }>

export const reportLists = {
  premium_billing: premiumBilling,
  debtors_ageing: debtorsAgeing,
  cash_book: cashBook,
  vat_and_trial_balance: vatAndTrialBalance,
  scheme_portfolio: schemePortfolio,
  movements: membershipMovements,
  claims_experience: claimsExperience,
  renewals,
  member_register: memberRegister,
  dependents,
  ages_and_lives: agesAndLives,
  doubtful_data: doubtfulData,
  claims_register: claimsRegister,
  outstanding_claims: outstandingClaims,
  claim_reserves: claimReserves,
  turnaround,
  decisions,
} as unknown as Record<ReportId, ReportList>

export const tableReportLists = reportIds.filter((id) => id !== "debtors_ageing").map((id) => reportLists[id])
