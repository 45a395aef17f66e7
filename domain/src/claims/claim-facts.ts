import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { ClaimContent, DocumentType, Stage } from "./claim.ts"
import { stageNames } from "./claim.ts"

interface ClaimFactHead {
  record: { kind: "claim"; id: string; label: string }
  groupId: string
}

/**
 * Facts about a claim from its submission on; draft saves are not recorded. `before`, `after` and `reason` may contain
 * medical data, so filter them through claim-privacy before showing them.
 */
export type ClaimFact = ClaimFactHead &
  (
    | { type: "ClaimSubmitted"; after: ClaimContent }
    | { type: "ClaimEdited"; before: Partial<ClaimContent>; after: Partial<ClaimContent> }
    | { type: "ClaimReviewStarted" }
    | { type: "ClaimReassigned"; to: string; after: { assignedTo: string } }
    | { type: "ClaimWithdrawn" }
    | { type: "ClaimRouted" }
    | { type: "ClaimFactsAccepted" }
    | { type: "ClaimDocumentsRequested"; documents: DocumentType[]; reason: string; after: { documents: string } }
    | { type: "ClaimDocumentsWaived"; documents: DocumentType[]; reason: string; after: { waivedDocuments: string } }
    | { type: "ClaimWaiverWithdrawn"; documents: DocumentType[]; reason: string; before: { waivedDocuments: string } }
    | { type: "ClaimDocumentAttached"; documentType: DocumentType; documentName: string; after: { document: string } }
    | { type: "ClaimDocumentRemoved"; documentType: DocumentType; documentName: string; before: { document: string } }
    | { type: "ClaimSentBack"; reason: string; fromStage: Stage | null }
    | { type: "ClaimRejected"; reason: string }
    | {
        type: "ClaimDecided"
        stage: Stage
        decision: "approved" | "rejected"
        approvedAmountCents: Cents | null
        reason: string | null
        reductionReason: string | null
      }
    /** `death`: the member died, or the dependent if one is named. */
    | { type: "ClaimPaid"; paidOn: Day; death: { memberId: string; dependentId: string | null; on: Day } | null }
    | { type: "ClaimOwedAgain"; paymentLabel: string }
    | { type: "ClaimReopened"; receivedOn: Day; isLate: boolean; reason: string }
    | { type: "ClaimApprovalWithdrawn"; approvedAmountCents: Cents; reason: string }
    | { type: "SubmittedClaimWithdrawn"; reason: string }
    /** `reserve` is an amount in the organisation's currency, or "Proposed amount". */
    | { type: "ClaimReserveSet"; before: { reserve: string }; after: { reserve: string; reserveReason: string } }
    /** Payees are named with their shares, without ID numbers and accounts. */
    | { type: "ClaimPayeesRecorded"; before?: RecordedPayees; after: RecordedPayees }
    | { type: "ClaimPayeeChanged"; payee: string; before: PayeeReceiverText; after: PayeeReceiverText }
  )

interface RecordedPayees {
  payees: string
  payeeBasis: string
  payeeReason?: string
}

interface PayeeReceiverText {
  payeeReceiver: string
  payeeAccount: string
}

export type ClaimFactType = ClaimFact["type"]
type FactOf<T extends ClaimFactType> = Extract<ClaimFact, { type: T }>

/** Audit trail sentences. They must not contain medical facts, file names or comments. */
export const claimSentences: { [T in ClaimFactType]: (fact: FactOf<T>, currency: Currency) => string } = {
  ClaimSubmitted: () => "submitted the claim",
  ClaimEdited: () => "edited the claim",
  ClaimReviewStarted: () => "started the review",
  ClaimReassigned: (fact) => `assigned the claim to ${fact.after.assignedTo}`,
  ClaimWithdrawn: () => "withdrew the draft",
  ClaimRouted: () => "routed the claim for approval",
  ClaimFactsAccepted: () => "accepted facts recorded after submission",
  ClaimDocumentsRequested: () => "requested documents",
  ClaimDocumentsWaived: () => "waived a required document",
  ClaimWaiverWithdrawn: () => "withdrew the waiver of a required document",
  ClaimDocumentAttached: () => "added a document",
  ClaimDocumentRemoved: () => "removed a document",
  ClaimSentBack: () => "sent the claim back",
  ClaimRejected: () => "rejected the claim before routing",
  ClaimDecided: (fact, currency) =>
    fact.decision === "approved"
      ? `approved the ${stageNames[fact.stage].toLowerCase()} stage with ${formatMoney(fact.approvedAmountCents ?? 0, currency)}`
      : `rejected the claim at the ${stageNames[fact.stage].toLowerCase()} stage`,
  ClaimPaid: () => "marked the claim as paid",
  ClaimPayeesRecorded: () => "recorded the payees",
  ClaimPayeeChanged: () => "changed the account of a payee",
  ClaimOwedAgain: (fact) => `returned the claim to approved: ${fact.paymentLabel} was not completed`,
  ClaimReopened: ({ receivedOn, isLate }) =>
    `reopened the claim after an appeal received on ${receivedOn}${isLate ? ", after the time limit" : ""}`,
  ClaimApprovalWithdrawn: ({ approvedAmountCents }, currency) =>
    `withdrew the approval of ${formatMoney(approvedAmountCents, currency)}`,
  SubmittedClaimWithdrawn: () => "withdrew the claim",
  ClaimReserveSet: () => "changed the reserve",
}

export function claimFactHead(claim: { id: string; number: string; groupId: string }): ClaimFactHead {
  return { record: { kind: "claim", id: claim.id, label: claim.number }, groupId: claim.groupId }
}
