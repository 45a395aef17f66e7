/** Somebody took a list out of the house as a file; `record.label` names the list. */
interface ListExported {
  type: "ListExported"
  record: { kind: "list"; id: null; label: string }
  groupId: null
}

export type ReportFact = ListExported

export const reportSentences = {
  ListExported: (fact: ListExported) => `exported the list of ${fact.record.label}`,
}
