import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { query } from "../platform/calls/commands.ts"
import { dashboardFigures, recentActivity } from "./dashboard.queries.ts"
import { readDebtorsAgeing } from "./debtors-ageing.queries.ts"
import { policyAccount } from "./policy-account.queries.ts"
import { searchRecords } from "./search.queries.ts"

export const reportsRouter = {
  dashboard: query(reportsContract.dashboard, dashboardFigures, { heavy: true }),
  recentActivity: query(reportsContract.recentActivity, (cx) => recentActivity(cx, cx.input.limit)),
  policyAccount,
  debtorsAgeing: readDebtorsAgeing,
  search: query(reportsContract.search, (cx) => searchRecords(cx, cx.input.text, cx.input.limit)),
}
