import { addDays, type Day } from "../kernel/calendar.ts"

interface PolicyFactHeadFields {
  record: { kind: "policy"; id: string; label: string }
  groupId: string
}
interface DocumentTypeFactHead {
  record: { kind: "document_type"; id: string; label: string }
  groupId: null
}
interface Change {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export type PolicyFact =
  | ({ type: "PolicyCreated" } & PolicyFactHeadFields)
  | ({ type: "PolicyDraftDeleted"; members: number; before: Record<string, unknown> } & PolicyFactHeadFields)
  | ({ type: "PolicyUpdated"; section: string } & PolicyFactHeadFields & Change)
  /** Rates as lines of text; `ratesFromOn` is their first day. */
  | ({ type: "PolicyRatesChanged" } & PolicyFactHeadFields & Change)
  /** The start of a draft with members changed; `from` is null if it had none. */
  | ({ type: "DraftStartMoved"; from: Day | null; to: Day } & PolicyFactHeadFields)
  /** `after` contains the draft's values: draft saves are not in the audit trail. */
  | ({ type: "PolicyActivated"; startOn: Day; members: number; after: Record<string, unknown> } & PolicyFactHeadFields)
  | ({ type: "PolicySuspended"; reason: string } & PolicyFactHeadFields)
  | ({ type: "PolicyReinstated"; reason: string } & PolicyFactHeadFields)
  /** `on` is the last day in force. */
  | ({ type: "PolicyTerminated"; on: Day; reason: string } & PolicyFactHeadFields)
  | ({ type: "PolicyExpired"; on: Day } & PolicyFactHeadFields)
  | ({ type: "PolicyRenewed"; before: { endOn: Day }; after: { endOn: Day | null } } & PolicyFactHeadFields)
  /** `to` is the contact's address, empty if there is none. */
  | ({ type: "PolicyExpiryWarned"; on: Day; to: string } & PolicyFactHeadFields)
  /** `document` is the type and the file name. */
  | ({ type: "PolicyDocumentUploaded"; after: { document: string } } & PolicyFactHeadFields)
  | ({
      type: "PolicyDocumentReplaced"
      before: { document: string }
      after: { document: string }
    } & PolicyFactHeadFields)
  | ({ type: "PolicyDocumentDeleted"; before: { document: string }; reason: string } & PolicyFactHeadFields)
  | ({ type: "DocumentTypeCreated"; after: Record<string, unknown> } & DocumentTypeFactHead)
  | ({ type: "DocumentTypeUpdated" } & DocumentTypeFactHead & Change)
  | ({ type: "DocumentTypeDeleted"; before: Record<string, unknown> } & DocumentTypeFactHead)

export const policyFactHead = ({
  id,
  number,
  groupId,
}: {
  id: string
  number: string
  groupId: string
}): PolicyFactHeadFields => ({
  record: { kind: "policy", id, label: number },
  groupId,
})

const memberCountText = (count: number) => `${count} ${count === 1 ? "member" : "members"}`
type PolicyFactOf<T extends PolicyFact["type"]> = Extract<PolicyFact, { type: T }>

export const policySentences = {
  PolicyCreated: () => "created the policy",
  PolicyDraftDeleted: (fact: PolicyFactOf<"PolicyDraftDeleted">) =>
    `deleted the draft ${fact.record.label} with ${memberCountText(fact.members)}`,
  PolicyUpdated: (fact: PolicyFactOf<"PolicyUpdated">) => `changed ${fact.section}`,
  PolicyRatesChanged: (fact: PolicyFactOf<"PolicyRatesChanged">) =>
    `changed the rates from ${String(fact.after.ratesFromOn)}`,
  DraftStartMoved: (fact: PolicyFactOf<"DraftStartMoved">) => `moved the start of the draft to ${fact.to}`,
  PolicyActivated: (fact: PolicyFactOf<"PolicyActivated">) =>
    `activated the policy from ${fact.startOn} with ${memberCountText(fact.members)}`,
  PolicySuspended: () => "suspended the policy",
  PolicyReinstated: () => "reinstated the policy",
  PolicyTerminated: (fact: PolicyFactOf<"PolicyTerminated">) => `terminated the policy as of ${fact.on}`,
  PolicyExpiryWarned: ({ on, to }: PolicyFactOf<"PolicyExpiryWarned">) =>
    to === ""
      ? `could not warn that the policy ends on ${on}: no e-mail address`
      : `warned ${to} that the policy ends on ${on}`,
  PolicyExpired: (fact: PolicyFactOf<"PolicyExpired">) => `marked the policy expired after its end date ${fact.on}`,
  PolicyRenewed: ({ before, after }: PolicyFactOf<"PolicyRenewed">) =>
    `renewed the policy from ${addDays(before.endOn, 1)}${after.endOn === null ? ", without an end date" : ` until ${after.endOn}`}`,
  PolicyDocumentUploaded: () => "uploaded a document",
  PolicyDocumentReplaced: () => "replaced a document",
  PolicyDocumentDeleted: () => "deleted a document",
  DocumentTypeCreated: () => "added the document type",
  DocumentTypeUpdated: () => "edited the document type",
  DocumentTypeDeleted: () => "deleted the document type",
}
