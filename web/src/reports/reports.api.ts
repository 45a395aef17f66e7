import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput } from "@milkwood/domain/kernel/list"
import type { AnyReportId, ReportId } from "@milkwood/domain/reports/catalogue"
import type { CustomDefinition } from "@milkwood/domain/reports/custom-report"
import type { debtorsAgeingList } from "@milkwood/domain/reports/debtors-ageing.list"
import { keepPreviousData } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export type AgeingSearch = ListInput<typeof debtorsAgeingList> & { asOf?: Day | undefined }

export const ageingQuery = (input: AgeingSearch) => api.reports.debtorsAgeing.queryOptions({ input })

export const catalogueQuery = () => api.reports.catalogue.queryOptions({ input: {} })

export type ReportParameters = Record<string, string | number | boolean>

export const reportQuery = (report: ReportId, search: object) =>
  api.reports.rows.queryOptions({ input: { report, query: reportParametersOf(search) } })

export const reportParametersOf = (search: object): ReportParameters =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ""),
  ) as ReportParameters

export const useGenerateReport = () =>
  useCommand(api.reports.generate, { failure: "Failed to generate report. Please try again." })

export const runHref = (runId: string) => `/api/reports/${runId}/file`

export const schedulesQuery = (failed?: boolean) =>
  api.reports.schedules.queryOptions({ input: failed ? { failed } : {} })

export const deliveriesQuery = (input: { report: AnyReportId; customReportId: string | null; recipients: string[] }) =>
  api.reports.deliveries.queryOptions({ input, placeholderData: keepPreviousData })

export const useScheduleCommands = () => ({
  create: useCommand(api.reports.createSchedule, {
    success: "Report schedule created successfully.",
    failure: "Failed to create report schedule. Please try again.",
  }),
  update: useCommand(api.reports.updateSchedule, {
    success: "Report schedule updated successfully.",
    failure: "Failed to update report schedule. Please try again.",
  }),
  toggle: useCommand(api.reports.toggleSchedule, {
    success: ({ isActive }) => (isActive ? "Schedule activated successfully." : "Schedule paused successfully."),
    failure: "Failed to update schedule status.",
  }),
  remove: useCommand(api.reports.deleteSchedule, {
    success: "Schedule deleted successfully.",
    failure: "Failed to delete schedule.",
  }),
  run: useCommand(api.reports.runSchedule, {
    success: (_, { isTest }) =>
      isTest
        ? "The report is being generated and will be sent only to you."
        : "The report is being generated and will be sent to its recipients.",
    failure: "Failed to run the schedule.",
  }),
})

export const customReportsQuery = () => api.reports.custom.list.queryOptions({ input: {} })

export const customReportQuery = (customReportId: string) =>
  api.reports.custom.detail.queryOptions({ input: { customReportId } })

export const customRowsQuery = (customReportId: string, search: object) =>
  api.reports.custom.rows.queryOptions({ input: { customReportId, query: reportParametersOf(search) } })

export const customPreviewQuery = (definition: CustomDefinition) =>
  api.reports.custom.preview.queryOptions({ input: { definition } })

export const useCustomReportCommands = () => ({
  create: useCommand(api.reports.custom.create, {
    success: ({ name }) => `${name} is saved under My Reports.`,
    failure: "Failed to save the report. Please try again.",
  }),
  update: useCommand(api.reports.custom.update, {
    success: ({ name }) => `${name} is saved.`,
    failure: "Failed to save the report. Please try again.",
  }),
  remove: useCommand(api.reports.custom.remove, {
    success: "The report is deleted.",
    failure: "Failed to delete the report.",
  }),
  generate: useCommand(api.reports.custom.generate, { failure: "Failed to generate report. Please try again." }),
})
