import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput } from "@milkwood/domain/kernel/list"
import type { ReportId } from "@milkwood/domain/reports/catalogue"
import type { debtorsAgeingList } from "@milkwood/domain/reports/debtors-ageing.list"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export type AgeingSearch = ListInput<typeof debtorsAgeingList> & { asOf?: Day | undefined }

export const ageingQuery = (input: AgeingSearch) => api.reports.debtorsAgeing.queryOptions({ input })

export const catalogueQuery = () => api.reports.catalogue.queryOptions({ input: {} })

/** What an address holds of a report's parameters: words, days and marks. */
export type ReportParameters = Record<string, string | number | boolean>

/** A page of a report on screen. */
export const reportQuery = (report: ReportId, search: object) =>
  api.reports.rows.queryOptions({ input: { report, query: parametersIn(search) } })

/** What is set of an address. */
export const parametersIn = (search: object): ReportParameters =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ""),
  ) as ReportParameters

export const useGenerateReport = () =>
  useCommand(api.reports.generate, { failure: "Failed to generate report. Please try again." })

/** Where a generated report is downloaded. */
export const runHref = (runId: string) => `/api/reports/${runId}/file`
