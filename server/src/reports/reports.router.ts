import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { query } from "../platform/calls/commands.ts"
import { readCatalogue } from "./catalogue.queries.ts"
import {
  listCustomReports,
  previewCustomReport,
  readCustomReport,
  readCustomRows,
} from "./custom/custom-reports.queries.ts"
import {
  createCustomReport,
  generateCustomReport,
  removeCustomReport,
  updateCustomReport,
} from "./custom/custom-reports.ts"
import { readDashboardFigures, readRecentActivity } from "./dashboard.queries.ts"
import { dashboardCharts } from "./dashboard-charts.queries.ts"
import { readDebtorsAgeing } from "./debtors-ageing.queries.ts"
import { readDeliveries } from "./deliveries.queries.ts"
import { employerAccount } from "./employer-account.queries.ts"
import { readEmployerStanding } from "./employer-standing.queries.ts"
import { generateReport } from "./generate-report.ts"
import { needsYou } from "./needs-you.queries.ts"
import { policyAccount } from "./policy-account.queries.ts"
import { readReportRows } from "./report-rows.ts"
import { listReportRuns } from "./report-runs.queries.ts"
import { listSchedules } from "./schedules.queries.ts"
import { createSchedule, deleteSchedule, runSchedule, toggleSchedule, updateSchedule } from "./schedules.ts"
import { searchRecords } from "./search.queries.ts"

export const reportsRouter = {
  dashboard: query(reportsContract.dashboard, readDashboardFigures, { heavy: true }),
  dashboardCharts,
  employerStanding: readEmployerStanding,
  needsYou,
  recentActivity: query(reportsContract.recentActivity, (cx) => readRecentActivity(cx, cx.input.limit)),
  policyAccount,
  employerAccount,
  debtorsAgeing: readDebtorsAgeing,
  catalogue: readCatalogue,
  rows: readReportRows,
  generate: generateReport,
  custom: {
    preview: previewCustomReport,
    rows: readCustomRows,
    list: listCustomReports,
    detail: readCustomReport,
    create: createCustomReport,
    update: updateCustomReport,
    remove: removeCustomReport,
    generate: generateCustomReport,
  },
  runs: listReportRuns,
  schedules: listSchedules,
  deliveries: readDeliveries,
  createSchedule,
  updateSchedule,
  toggleSchedule,
  deleteSchedule,
  runSchedule,
  search: query(reportsContract.search, (cx) => searchRecords(cx, cx.input.text, cx.input.limit)),
}
