import "./ports.ts"
import { matchImported } from "./banking/auto-match.ts"
import { releaseLinesOf } from "./banking/undo-placement.ts"
import { markClaimsOwedAgain, settleClaims } from "./claims/settle-claim.ts"
import { endDeceased } from "./members/end-deceased.ts"
import { continueMembers, coverMembers, endMembers, expireMembers, moveStarts } from "./members/follow-policy.ts"
import { settleBackupNotifications, tellBackupFailed } from "./notifications/backup-news.ts"
import {
  settleSubmittedClaim,
  tellDecided,
  tellDocumentCame,
  tellDocumentsRequested,
  tellPaid,
  tellReassigned,
  tellRejected,
  tellRouted,
  tellSentBack,
  tellSubmitted,
} from "./notifications/claim-news.ts"
import {
  settlePayoutNotifications,
  tellInvoiceSent,
  tellPayoutFailed,
  tellToRelease,
  tellWriteOffAsked,
  writeOffIsDecided,
} from "./notifications/money-news.ts"
import { tellExpiring } from "./notifications/policy-news.ts"
import type { Reactions } from "./platform/trail/facts.ts"
import { releaseBeyond } from "./receipts/allocations.ts"
import { useCredit } from "./receipts/use-credit.ts"
import { followPayouts } from "./refunds/follow-payouts.ts"
import { freeCreditOfPayment, holdCreditAgain, payFromKeptCredit } from "./refunds/hold-credit.ts"
import { clearScheduleFailure, notifyScheduleFailed, notifyScheduleStopped } from "./reports/schedule-news.ts"
import { withAnnouncements } from "./webhooks/announce.ts"

/** Reactions run in the fact's transaction; webhooks are last. */
export const reactions: Reactions = withAnnouncements({
  BackupMade: [settleBackupNotifications],
  BackupFailed: [tellBackupFailed],
  PolicyExpiryWarned: [tellExpiring],
  DraftStartMoved: [moveStarts],
  PolicyActivated: [coverMembers],
  PolicyTerminated: [endMembers],
  PolicyExpired: [expireMembers],
  PolicyRenewed: [continueMembers],
  InvoiceSent: [
    (cx, { record, policyId, totalCents, useCredit: said }) =>
      useCredit(cx, { id: record.id, number: record.label, policyId, totalCents, useCredit: said }),
    (cx, { record, policyId }) => payFromKeptCredit(cx, { id: record.id, number: record.label, policyId }),
    tellInvoiceSent,
  ],
  InvoiceCredited: [
    (cx, fact) =>
      releaseBeyond(cx, {
        id: fact.record.id,
        number: fact.record.label,
        allowedCents: fact.payableCents,
        reason: `credit note ${fact.creditNote}`,
      }),
  ],
  BankStatementImported: [(cx, { record }) => matchImported(cx, record.id)],
  ReceiptReversed: [(cx, { record }) => releaseLinesOf(cx, record.id, record.label)],
  ClaimSubmitted: [tellSubmitted],
  ClaimReviewStarted: [settleSubmittedClaim],
  ClaimReassigned: [tellReassigned],
  ClaimDocumentsRequested: [tellDocumentsRequested],
  ClaimDocumentAttached: [tellDocumentCame],
  ClaimRouted: [tellRouted],
  ClaimSentBack: [tellSentBack],
  ClaimRejected: [tellRejected],
  ClaimDecided: [tellDecided],
  ClaimPaid: [
    (cx, { death, record }) => (death ? endDeceased(cx, { ...death, claim: record.label }) : Promise.resolve()),
    { together: tellPaid },
  ],
  PayoutMade: [tellToRelease],
  PayoutReleased: [{ together: followPayouts }, { together: settlePayoutNotifications }],
  PayoutCompleted: [{ together: followPayouts }, { together: settleClaims }],
  PayoutFailed: [{ together: followPayouts }, freeCreditOfPayment, tellPayoutFailed],
  PayoutCancelled: [{ together: followPayouts }, freeCreditOfPayment, { together: settlePayoutNotifications }],
  PayoutRetried: [{ together: followPayouts }, holdCreditAgain, tellToRelease],
  PayoutReturned: [
    { together: followPayouts },
    { together: markClaimsOwedAgain },
    freeCreditOfPayment,
    tellPayoutFailed,
  ],
  PayoutCompletionTakenBack: [{ together: followPayouts }, { together: markClaimsOwedAgain }],
  PayoutReturnTakenBack: [
    { together: followPayouts },
    holdCreditAgain,
    { together: settleClaims },
    { together: settlePayoutNotifications },
  ],
  WriteOffAsked: [tellWriteOffAsked],
  InvoiceWrittenOff: [writeOffIsDecided],
  WriteOffDeclined: [writeOffIsDecided],
  ReportScheduleFailed: [notifyScheduleFailed],
  ReportScheduleStopped: [notifyScheduleStopped],
  ReportSchedulePaused: [clearScheduleFailure],
  ReportScheduleActivated: [clearScheduleFailure],
  ReportScheduleDeleted: [clearScheduleFailure],
})
