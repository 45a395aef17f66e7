import { claimReserves, claimsRegister, decisions, outstandingClaims, turnaround } from "./catalogue/claims.ts"
import { cashBook, debtorsAgeing, premiumBilling, vatAndTrialBalance } from "./catalogue/financial.ts"
import { claimsExperience, movements, renewals, schemePortfolio } from "./catalogue/group.ts"
import { agesAndLives, dependentsReport, doubtfulData, memberRegister } from "./catalogue/member.ts"
import type { customId } from "./custom-report.ts"
import type { Report } from "./report.ts"

export const catalogue = [
  premiumBilling,
  debtorsAgeing,
  cashBook,
  vatAndTrialBalance,
  schemePortfolio,
  movements,
  claimsExperience,
  renewals,
  memberRegister,
  dependentsReport,
  agesAndLives,
  doubtfulData,
  claimsRegister,
  outstandingClaims,
  claimReserves,
  turnaround,
  decisions,
] as const satisfies readonly Report[]

export type ReportId = (typeof catalogue)[number]["id"]
export const reportIds = catalogue.map(({ id }) => id) as unknown as readonly [ReportId, ...ReportId[]]

export type AnyReportId = ReportId | typeof customId

export const reportOf = (id: ReportId): Report => catalogue.find((one) => one.id === id)!

export interface QuickReport {
  key: string
  name: string
  period: string
  report: ReportId
  asked: Readonly<Record<string, string | boolean>>
  urgent?: true
}

export const quickReports: readonly QuickReport[] = [
  { key: "billing", name: "This month's billing", period: "This month", report: "premium_billing", asked: {} },
  {
    key: "overdue",
    name: "Overdue premiums",
    period: "Today",
    report: "debtors_ageing",
    asked: { overdue: true },
    urgent: true,
  },
  {
    key: "waiting",
    name: "Claims waiting more than 7 days",
    period: "Today",
    report: "outstanding_claims",
    asked: { overdue: true },
    urgent: true,
  },
  {
    key: "joiners",
    name: "New members this month",
    period: "This month",
    report: "movements",
    asked: { movement: "joiner" },
  },
]
