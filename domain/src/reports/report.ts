import type { ListWords } from "../kernel/list.ts"
import type { PermissionName } from "../platform/permission.ts"
import type { PeriodName } from "./report-period.ts"

// No schemas here: the web app imports this catalogue.

export const reportCategories = ["financial", "group", "member", "claims"] as const
export type ReportCategory = (typeof reportCategories)[number]

export const reportCategoryNames: Record<ReportCategory, string> = {
  financial: "Financial",
  group: "Group",
  member: "Member",
  claims: "Claims",
}

export const reportFormats = ["pdf", "excel", "csv"] as const
export type ReportFormat = (typeof reportFormats)[number]

export const reportFormatNames: Record<ReportFormat, string> = { pdf: "PDF", excel: "Excel", csv: "CSV" }

export const fileExtensions: Record<ReportFormat, string> = { pdf: "pdf", excel: "xlsx", csv: "csv" }

/** About twelve hundred pages. */
export const maxPdfRows = 50_000

export interface ReportDetails {
  purpose: string
  frequency: string
  keyMetrics: readonly string[]
  dataPoints: readonly string[]
  stakeholders: readonly string[]
  insights: readonly string[]
}

export interface ReportWords {
  /** Used in URLs, schedules and the audit trail: "premium_billing". */
  id: string
  name: string
  category: ReportCategory
  list: ListWords
  /** May contain medical details: never sent as an attachment. */
  medical?: boolean
  /** Columns whose equal values get a subtotal in the PDF; a value with a single row gets none. */
  subtotals?: readonly string[]
  /** Sums the figures `of` over equal values of column `by`. Dates are in chronological order. */
  chart?: { by: string; of: readonly string[]; as: "bars" | "lines" }
}

export interface Report extends ReportWords {
  description: string
  details: ReportDetails
  /** At the end of a day, over a period, or now. */
  dates: { kind: "day" } | { kind: "period"; start: PeriodName } | { kind: "now" }
}

export const report = <const R extends Report>(declared: R): R => declared

const permissionOfCategory: Record<ReportCategory, PermissionName> = {
  financial: "reports.financial",
  group: "reports.read",
  member: "reports.read",
  claims: "reports.read",
}

export const permissionOf = ({ category }: { category: ReportCategory }): PermissionName =>
  permissionOfCategory[category]

/** The URL part of a report: "premium-billing". */
export const reportPathOf = (id: string): string => id.replaceAll("_", "-")
