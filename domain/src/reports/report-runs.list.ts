import { choice, count, instant, list, status, text, words } from "../kernel/list.ts"
import { reportFormatNames, reportFormats } from "./report.ts"

export const reportRunStates = ["making", "done", "failed", "skipped"] as const
export type ReportRunState = (typeof reportRunStates)[number]

export const reportRunStateNames: Record<ReportRunState, string> = {
  making: "Processing",
  done: "Ready",
  failed: "Failed",
  skipped: "Skipped",
}

export const reportRunsList = list({
  key: "report-runs",
  noun: { one: "report", many: "reports" },
  permission: "reports.read",
  order: "-askedAt",
  filters: { format: choice("Format", reportFormats, reportFormatNames) },
  columns: {
    name: text("Report"),
    words: text("Parameters"),
    format: words("Format", reportFormatNames),
    rows: count("Rows"),
    askedAt: instant("Generated", { sort: true }),
    size: count("Bytes", { hidden: true }),
    sha256: text("SHA-256", { none: "" }),
    state: status("Status", reportRunStateNames),
  },
})
