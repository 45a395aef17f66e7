/** What somebody looked at. Nothing on screen is another for it, and no history shows it: the trail alone does. */
export const lookedAt = [
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
export type LookedAt = (typeof lookedAt)[number]

interface About<Type extends string, Kind extends LookedAt> {
  type: Type
  record: { kind: Kind; id: string; label: string }
  groupId: string | null
}

export type LookFact =
  | About<"RecordViewed", LookedAt>
  | (About<"DocumentOpened", "claim"> & { documentType: string })
  | (About<"MedicalDocumentOpened", "claim"> & { documentType: string })

/** The facts that are looks, for what shows a record's history. */
export const looks = ["RecordViewed", "DocumentOpened", "MedicalDocumentOpened"] as const satisfies LookFact["type"][]

export const lookSentences = {
  RecordViewed: () => "viewed it",
  DocumentOpened: () => "opened a document of it",
  MedicalDocumentOpened: () => "opened one of its medical documents",
}
