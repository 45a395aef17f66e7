import { acceptClaimFacts } from "./accept-facts.ts"
import { readClaimDeciders } from "./claim-deciders.queries.ts"
import { removeClaimDocument } from "./claim-documents.ts"
import { listClaims, listPendingClaims, nextClaimForMe } from "./claim-lists.queries.ts"
import { addClaimNote, completeClaimFollowUp, listClaimNotes, strikeClaimNote } from "./claim-notes.ts"
import { readClaimPayees } from "./claim-payees.queries.ts"
import { readClaimReserve } from "./claim-reserve.queries.ts"
import { listClaimBenefits, readClaim, readClaimActivity } from "./claims.queries.ts"
import { decideClaim } from "./decide-claim.ts"
import { listDocumentOpenings } from "./document-openings.ts"
import { listFollowUps } from "./follow-ups.queries.ts"
import { payClaim } from "./pay-claim.ts"
import { payPayees } from "./pay-payees.ts"
import { readPayableClaims } from "./payable-claims.queries.ts"
import { listReviewers, reassignClaim } from "./reassign-claim.ts"
import { changeClaimPayee, recordClaimPayees } from "./record-claim-payees.ts"
import { rejectClaim } from "./reject-claim.ts"
import { reopenClaim } from "./reopen-claim.ts"
import { requestClaimDocuments } from "./request-claim-documents.ts"
import { routeClaimForApproval } from "./route-claim-for-approval.ts"
import { saveClaimDraft } from "./save-claim-draft.ts"
import { sendClaimBack } from "./send-claim-back.ts"
import { setClaimReserve } from "./set-reserve.ts"
import { endStandIn, listStandInChoices, listStandIns, nameStandIn } from "./stand-ins.ts"
import { startClaimReview } from "./start-claim-review.ts"
import { submitClaim } from "./submit-claim.ts"
import { waiveClaimDocuments } from "./waive-claim-documents.ts"
import { withdrawApproval } from "./withdraw-approval.ts"
import { withdrawClaim } from "./withdraw-claim.ts"
import { withdrawSubmittedClaim } from "./withdraw-submitted-claim.ts"
import { withdrawWaiver } from "./withdraw-waiver.ts"

export const claimsRouter = {
  reserve: { detail: readClaimReserve, set: setClaimReserve },
  payees: { detail: readClaimPayees, record: recordClaimPayees, change: changeClaimPayee, pay: payPayees },
  list: listClaims,
  pending: listPendingClaims,
  nextForMe: nextClaimForMe,
  detail: readClaim,
  activity: readClaimActivity,
  benefits: listClaimBenefits,
  deciders: readClaimDeciders,
  standIns: listStandIns,
  standInChoices: listStandInChoices,
  nameStandIn,
  endStandIn,
  payable: readPayableClaims,
  pay: payClaim,
  saveDraft: saveClaimDraft,
  submit: submitClaim,
  withdraw: withdrawClaim,
  startReview: startClaimReview,
  reviewers: listReviewers,
  reassign: reassignClaim,
  route: routeClaimForApproval,
  requestDocuments: requestClaimDocuments,
  waiveDocuments: waiveClaimDocuments,
  withdrawWaiver,
  reject: rejectClaim,
  sendBack: sendClaimBack,
  acceptFacts: acceptClaimFacts,
  decide: decideClaim,
  openings: listDocumentOpenings,
  notes: listClaimNotes,
  addNote: addClaimNote,
  strikeNote: strikeClaimNote,
  completeFollowUp: completeClaimFollowUp,
  followUps: listFollowUps,
  withdrawSubmitted: withdrawSubmittedClaim,
  reopen: reopenClaim,
  withdrawApproval,
  removeDocument: removeClaimDocument,
}
