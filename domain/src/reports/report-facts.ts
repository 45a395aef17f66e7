import type { Day } from "../kernel/calendar.ts"

/** A list was exported as a file; `record.label` is its name. */
interface ListExported {
  type: "ListExported"
  record: { kind: "list"; id: null; label: string }
  groupId: null
}

interface ReportGenerated {
  type: "ReportGenerated"
  record: { kind: "report_run"; id: string; label: string }
  groupId: null
  asked: Record<string, unknown>
  format: string
  rows: number
  sha256: string
}

interface ScheduleFact<Type extends string> {
  type: Type
  record: { kind: "report_schedule"; id: string; label: string }
  groupId: null
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  reason?: string
}

interface ReportFilesDeleted {
  type: "ReportFilesDeleted"
  record: { kind: "report_run"; id: null; label: string }
  groupId: null
  count: number
  before: Day
}

interface CustomReportFact<Type extends string> {
  type: Type
  record: { kind: "custom_report"; id: string; label: string }
  groupId: null
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

export type ReportFact =
  | ListExported
  | CustomReportFact<"CustomReportSaved">
  | CustomReportFact<"CustomReportChanged">
  | CustomReportFact<"CustomReportDeleted">
  | ReportGenerated
  | ReportFilesDeleted
  | ScheduleFact<"ReportScheduled">
  | ScheduleFact<"ReportScheduleChanged">
  | ScheduleFact<"ReportSchedulePaused">
  | ScheduleFact<"ReportScheduleActivated">
  | ScheduleFact<"ReportScheduleDeleted">
  | ScheduleFact<"ReportScheduleFailed">
  | ScheduleFact<"ReportScheduleStopped">

export const reportSentences = {
  ReportGenerated: ({ record, format, rows }: ReportGenerated) =>
    `generated the report ${record.label} (${format}, ${rows} ${rows === 1 ? "row" : "rows"})`,
  ReportFilesDeleted: ({ count, before }: ReportFilesDeleted) =>
    `deleted the ${count === 1 ? "file" : "files"} of ${count} ${count === 1 ? "report" : "reports"} generated before ${before}`,
  CustomReportSaved: () => "saved the custom report",
  CustomReportChanged: () => "edited the custom report",
  CustomReportDeleted: () => "deleted the custom report",
  ReportScheduled: () => "scheduled the report",
  ReportScheduleChanged: () => "edited the schedule",
  ReportSchedulePaused: () => "paused the schedule",
  ReportScheduleActivated: () => "activated the schedule",
  ReportScheduleDeleted: () => "deleted the schedule",
  ReportScheduleFailed: ({ reason }: ScheduleFact<"ReportScheduleFailed">) => `could not run the schedule: ${reason}`,
  ReportScheduleStopped: ({ reason }: ScheduleFact<"ReportScheduleStopped">) => `paused the schedule: ${reason}`,
  ListExported: (fact: ListExported) => `exported the list of ${fact.record.label}`,
}
