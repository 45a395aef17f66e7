import { addDays, type Day } from "../kernel/calendar.ts"

interface OfPolicy {
  record: { kind: "policy"; id: string; label: string }
  groupId: string
}
interface OfDocumentType {
  record: { kind: "document_type"; id: string; label: string }
  groupId: null
}
interface Change {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export type PolicyFact =
  | ({ type: "PolicyCreated" } & OfPolicy)
  | ({ type: "PolicyDraftDeleted"; members: number; before: Record<string, unknown> } & OfPolicy)
  | ({ type: "PolicyUpdated"; section: string } & OfPolicy & Change)
  /** Rates as lines of text; `ratesFromOn` is their first day. */
  | ({ type: "PolicyRatesChanged" } & OfPolicy & Change)
  /** The start of a draft with members changed; `from` is null if it had none. */
  | ({ type: "DraftStartMoved"; from: Day | null; to: Day } & OfPolicy)
  /** `after` contains the draft's values: draft saves are not in the audit trail. */
  | ({ type: "PolicyActivated"; startOn: Day; members: number; after: Record<string, unknown> } & OfPolicy)
  | ({ type: "PolicySuspended"; reason: string } & OfPolicy)
  | ({ type: "PolicyReinstated"; reason: string } & OfPolicy)
  /** `on` is the last day in force. */
  | ({ type: "PolicyTerminated"; on: Day; reason: string } & OfPolicy)
  | ({ type: "PolicyExpired"; on: Day } & OfPolicy)
  | ({ type: "PolicyRenewed"; before: { endOn: Day }; after: { endOn: Day | null } } & OfPolicy)
  /** `to` is the contact's address, empty if there is none. */
  | ({ type: "PolicyExpiryWarned"; on: Day; to: string } & OfPolicy)
  /** `document` is the type and the file name. */
  | ({ type: "PolicyDocumentUploaded"; after: { document: string } } & OfPolicy)
  | ({ type: "PolicyDocumentReplaced"; before: { document: string }; after: { document: string } } & OfPolicy)
  | ({ type: "PolicyDocumentDeleted"; before: { document: string }; reason: string } & OfPolicy)
  | ({ type: "DocumentTypeCreated"; after: Record<string, unknown> } & OfDocumentType)
  | ({ type: "DocumentTypeUpdated" } & OfDocumentType & Change)
  | ({ type: "DocumentTypeDeleted"; before: Record<string, unknown> } & OfDocumentType)

export const policyFactHead = ({ id, number, groupId }: { id: string; number: string; groupId: string }): OfPolicy => ({
  record: { kind: "policy", id, label: number },
  groupId,
})

const people = (count: number) => `${count} ${count === 1 ? "member" : "members"}`
type Said<T extends PolicyFact["type"]> = Extract<PolicyFact, { type: T }>

export const policySentences = {
  PolicyCreated: () => "created the policy",
  PolicyDraftDeleted: (fact: Said<"PolicyDraftDeleted">) =>
    `deleted the draft ${fact.record.label} with ${people(fact.members)}`,
  PolicyUpdated: (fact: Said<"PolicyUpdated">) => `changed ${fact.section}`,
  PolicyRatesChanged: (fact: Said<"PolicyRatesChanged">) => `changed the rates from ${String(fact.after.ratesFromOn)}`,
  DraftStartMoved: (fact: Said<"DraftStartMoved">) => `moved the start of the draft to ${fact.to}`,
  PolicyActivated: (fact: Said<"PolicyActivated">) =>
    `activated the policy from ${fact.startOn} with ${people(fact.members)}`,
  PolicySuspended: () => "suspended the policy",
  PolicyReinstated: () => "reinstated the policy",
  PolicyTerminated: (fact: Said<"PolicyTerminated">) => `terminated the policy as of ${fact.on}`,
  PolicyExpiryWarned: ({ on, to }: Said<"PolicyExpiryWarned">) =>
    to === ""
      ? `could not warn that the policy ends on ${on}: no e-mail address`
      : `warned ${to} that the policy ends on ${on}`,
  PolicyExpired: (fact: Said<"PolicyExpired">) => `marked the policy expired after its end date ${fact.on}`,
  PolicyRenewed: ({ before, after }: Said<"PolicyRenewed">) =>
    `renewed the policy from ${addDays(before.endOn, 1)}${after.endOn === null ? ", without an end date" : ` until ${after.endOn}`}`,
  PolicyDocumentUploaded: () => "uploaded a document",
  PolicyDocumentReplaced: () => "replaced a document",
  PolicyDocumentDeleted: () => "deleted a document",
  DocumentTypeCreated: () => "added the document type",
  DocumentTypeUpdated: () => "edited the document type",
  DocumentTypeDeleted: () => "deleted the document type",
}
