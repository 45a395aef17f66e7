import type { ListWords } from "../kernel/list.ts"
import type { PermissionName } from "../platform/permission.ts"
import type { PeriodName } from "./report-period.ts"

// Words alone, no shapes: the catalogue of the screens is made of them.

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

/** How the files of a format end. */
export const fileEndings: Record<ReportFormat, string> = { pdf: "pdf", excel: "xlsx", csv: "csv" }

/** A PDF holds at most so many rows, about twelve hundred pages; nobody reads a longer one, and a spreadsheet takes it. */
export const mostPdfRows = 50_000

/** What the dialog of a report says of it. */
export interface ReportDetails {
  purpose: string
  frequency: string
  keyMetrics: readonly string[]
  dataPoints: readonly string[]
  stakeholders: readonly string[]
  insights: readonly string[]
}

/** A report as it is made: its rows and columns are those of a list. */
export interface ReportWords {
  /** Its name in addresses, in schedules and in the trail: "premium_billing". */
  id: string
  name: string
  category: ReportCategory
  list: ListWords
  /** It says something medical, or may: it never leaves the house as an attachment. */
  medical?: boolean
  /**
   * Columns whose equal values have a subtotal in the PDF while the rows are in their order. A value of a single row has
   * none.
   */
  subtotals?: readonly string[]
  /**
   * The one picture that says it faster: what is compared, by which column, added up where rows share its value. Days
   * and months follow each other.
   */
  chart?: { by: string; of: readonly string[]; as: "bars" | "lines" }
}

/** A report of the catalogue: what it is, in words. Its query stands in the server's room. */
export interface Report extends ReportWords {
  description: string
  details: ReportDetails
  /** How the figures stand in time: at the end of a day, over a period with what one starts with, or as they are now. */
  dates: { kind: "day" } | { kind: "period"; start: PeriodName } | { kind: "now" }
}

/** Declares a report. */
export const report = <const R extends Report>(declared: R): R => declared

const permissionOfCategory: Record<ReportCategory, PermissionName> = {
  financial: "reports.financial",
  group: "reports.read",
  member: "reports.read",
  claims: "reports.read",
}

/** What somebody needs to read the reports of a category. */
export const permissionOf = ({ category }: { category: ReportCategory }): PermissionName =>
  permissionOfCategory[category]

/** Where a report stands on the screens: "premium-billing". */
export const addressOf = (id: string): string => id.replaceAll("_", "-")
