/** Kinds of records whose views are audited. Only the audit trail shows views; screens and histories do not. */
export const viewedKinds = [
  "policy",
  "member",
  "claim",
  "invoice",
  "credit_note",
  "receipt",
  "payout",
  "payout_batch",
  "refund",
  "staff_list",
] as const
export type LookedAt = (typeof viewedKinds)[number]

interface ViewFact<Type extends string, Kind extends LookedAt> {
  type: Type
  record: { kind: Kind; id: string; label: string }
  groupId: string | null
}

export type ViewedFact =
  | ViewFact<"RecordViewed", LookedAt>
  | (ViewFact<"DocumentOpened", "claim" | "member"> & { documentId: string; documentType: string })
  | (ViewFact<"MedicalDocumentOpened", "claim"> & { documentId: string; documentType: string })

export const viewFactTypes = [
  "RecordViewed",
  "DocumentOpened",
  "MedicalDocumentOpened",
] as const satisfies ViewedFact["type"][]

export const viewSentences = {
  RecordViewed: () => "viewed the record",
  DocumentOpened: () => "opened a document",
  MedicalDocumentOpened: () => "opened a medical document",
}
