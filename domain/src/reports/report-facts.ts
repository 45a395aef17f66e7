/** Somebody took a list out of the house as a file; `record.label` names the list. */
interface ListExported {
  type: "ListExported"
  record: { kind: "list"; id: null; label: string }
  groupId: null
}

/** A report was made: what it was asked with, and the hash of the file. */
interface ReportGenerated {
  type: "ReportGenerated"
  record: { kind: "report_run"; id: string; label: string }
  groupId: null
  asked: Record<string, unknown>
  format: string
  rows: number
  sha256: string
}

export type ReportFact = ListExported | ReportGenerated

export const reportSentences = {
  ReportGenerated: ({ record, format, rows }: ReportGenerated) =>
    `generated the report ${record.label} (${format}, ${rows} ${rows === 1 ? "row" : "rows"})`,
  ListExported: (fact: ListExported) => `exported the list of ${fact.record.label}`,
}
