import "./ports.ts"
import { matchImported } from "./banking/auto-match.ts"
import { releaseLinesOf } from "./banking/undo-placement.ts"
import { followSettings } from "./claims/claim-clocks.ts"
import { markClaimsOwedAgain, settleClaims } from "./claims/settle-claim.ts"
import { endDeceased } from "./members/end-deceased.ts"
import {
  continueMembers,
  endMembers,
  expireMembers,
  moveMemberStarts,
  startMemberCovers,
} from "./members/follow-policy.ts"
import { notifyBackupFailed, settleBackupNotifications } from "./notifications/backup-news.ts"
import {
  notifyApprovalWithdrawn,
  notifyClaimDecided,
  notifyClaimReassigned,
  notifyClaimRejected,
  notifyClaimReopened,
  notifyClaimRouted,
  notifyClaimSentBack,
  notifyClaimSubmitted,
  notifyClaimsPaid,
  notifyClaimWithdrawn,
  notifyDocumentAttached,
  notifyDocumentsRequested,
  settleSubmittedClaim,
} from "./notifications/claim-news.ts"
import {
  markWriteOffDecided,
  notifyInvoiceSent,
  notifyPaymentToRelease,
  notifyPayoutFailed,
  notifyWriteOffRequested,
  settlePayoutNotifications,
} from "./notifications/money-news.ts"
import { notifyExpiring } from "./notifications/policy-news.ts"
import type { Reactions } from "./platform/trail/facts.ts"
import { renewPolicyVersions } from "./policies/renamed-group.ts"
import { releaseExcessAllocations } from "./receipts/allocations.ts"
import { applyCredit } from "./receipts/use-credit.ts"
import { followPayouts } from "./refunds/follow-payouts.ts"
import { holdCreditAgain, payFromHeldCredit, releaseCreditOfPayment } from "./refunds/hold-credit.ts"
import { clearScheduleFailure, notifyScheduleFailed, notifyScheduleStopped } from "./reports/schedule-news.ts"
import { withAnnouncements } from "./webhooks/announce.ts"

/** Reactions run in the fact's transaction; webhooks are last. */
export const reactions: Reactions = withAnnouncements({
  BackupMade: [settleBackupNotifications],
  BackupFailed: [notifyBackupFailed],
  GroupRenamed: [renewPolicyVersions],
  PolicyExpiryWarned: [notifyExpiring],
  DraftStartMoved: [moveMemberStarts],
  PolicyActivated: [startMemberCovers],
  PolicyTerminated: [endMembers],
  PolicyExpired: [expireMembers],
  PolicyRenewed: [continueMembers],
  InvoiceSent: [
    (cx, { record, policyId, totalCents, useCredit: said }) =>
      applyCredit(cx, { id: record.id, number: record.label, policyId, totalCents, useCredit: said }),
    (cx, { record, policyId }) => payFromHeldCredit(cx, { id: record.id, number: record.label, policyId }),
    notifyInvoiceSent,
  ],
  InvoiceCredited: [
    (cx, fact) =>
      releaseExcessAllocations(cx, {
        id: fact.record.id,
        number: fact.record.label,
        allowedCents: fact.payableCents,
        reason: `credit note ${fact.creditNote}`,
      }),
  ],
  BankStatementImported: [(cx, { record }) => matchImported(cx, record.id)],
  ReceiptReversed: [(cx, { record }) => releaseLinesOf(cx, record.id, record.label)],
  SettingsSaved: [followSettings],
  SettingsReset: [followSettings],
  ClaimSubmitted: [notifyClaimSubmitted],
  ClaimReviewStarted: [settleSubmittedClaim],
  ClaimReassigned: [notifyClaimReassigned],
  ClaimDocumentsRequested: [notifyDocumentsRequested],
  ClaimDocumentAttached: [notifyDocumentAttached],
  ClaimRouted: [notifyClaimRouted],
  ClaimSentBack: [notifyClaimSentBack],
  ClaimRejected: [notifyClaimRejected],
  ClaimDecided: [notifyClaimDecided],
  ClaimReopened: [notifyClaimReopened],
  ClaimApprovalWithdrawn: [notifyApprovalWithdrawn],
  SubmittedClaimWithdrawn: [notifyClaimWithdrawn],
  ClaimPaid: [
    (cx, { death, record }) => (death ? endDeceased(cx, { ...death, claim: record.label }) : Promise.resolve()),
    { together: notifyClaimsPaid },
  ],
  PayoutMade: [notifyPaymentToRelease],
  PayoutReleased: [{ together: followPayouts }, { together: settlePayoutNotifications }],
  PayoutCompleted: [{ together: followPayouts }, { together: settleClaims }],
  PayoutFailed: [{ together: followPayouts }, releaseCreditOfPayment, notifyPayoutFailed],
  PayoutCancelled: [{ together: followPayouts }, releaseCreditOfPayment, { together: settlePayoutNotifications }],
  PayoutRetried: [{ together: followPayouts }, holdCreditAgain, notifyPaymentToRelease],
  PayoutReturned: [
    { together: followPayouts },
    { together: markClaimsOwedAgain },
    releaseCreditOfPayment,
    notifyPayoutFailed,
  ],
  PayoutCompletionTakenBack: [{ together: followPayouts }, { together: markClaimsOwedAgain }],
  PayoutReturnTakenBack: [
    { together: followPayouts },
    holdCreditAgain,
    { together: settleClaims },
    { together: settlePayoutNotifications },
  ],
  WriteOffAsked: [notifyWriteOffRequested],
  InvoiceWrittenOff: [markWriteOffDecided],
  WriteOffDeclined: [markWriteOffDecided],
  ReportScheduleFailed: [notifyScheduleFailed],
  ReportScheduleStopped: [notifyScheduleStopped],
  ReportSchedulePaused: [clearScheduleFailure],
  ReportScheduleActivated: [clearScheduleFailure],
  ReportScheduleDeleted: [clearScheduleFailure],
})
