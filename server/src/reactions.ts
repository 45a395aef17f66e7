import "./ports.ts"
import { matchImported } from "./banking/auto-match.ts"
import { releaseLinesOf } from "./banking/undo-placement.ts"
import { oweClaims, settleClaims } from "./claims/settle-claim.ts"
import { endDeceased } from "./members/end-deceased.ts"
import { continueMembers, coverMembers, endMembers, expireMembers, moveStarts } from "./members/follow-policy.ts"
import { backupsAreWell, tellBackupFailed } from "./notifications/backup-news.ts"
import {
  tellDecided,
  tellDocumentCame,
  tellDocumentsRequested,
  tellPaid,
  tellReassigned,
  tellRejected,
  tellRouted,
  tellSentBack,
  tellSubmitted,
  tellTaken,
} from "./notifications/claim-news.ts"
import {
  payoutsAreOff,
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
import { giveBack, takeAgain, useKeptFor } from "./refunds/hold-credit.ts"
import { scheduleIsWell, tellScheduleFailed, tellScheduleStopped } from "./reports/schedule-news.ts"
import { withAnnouncements } from "./webhooks/announce.ts"

/** Reactions run in the fact's transaction; webhooks are last. */
export const reactions: Reactions = withAnnouncements({
  BackupMade: [backupsAreWell],
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
    (cx, { record, policyId }) => useKeptFor(cx, { id: record.id, number: record.label, policyId }),
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
  ClaimReviewStarted: [tellTaken],
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
  PayoutReleased: [{ together: payoutsAreOff }],
  PayoutCompleted: [{ together: settleClaims }],
  PayoutFailed: [giveBack, tellPayoutFailed],
  PayoutCancelled: [giveBack, { together: payoutsAreOff }],
  PayoutRetried: [takeAgain, tellToRelease],
  PayoutReturned: [{ together: oweClaims }, giveBack, tellPayoutFailed],
  PayoutCompletionTakenBack: [{ together: oweClaims }],
  PayoutReturnTakenBack: [takeAgain, { together: settleClaims }, { together: payoutsAreOff }],
  WriteOffAsked: [tellWriteOffAsked],
  InvoiceWrittenOff: [writeOffIsDecided],
  WriteOffDeclined: [writeOffIsDecided],
  ReportScheduleFailed: [tellScheduleFailed],
  ReportScheduleStopped: [tellScheduleStopped],
  ReportSchedulePaused: [scheduleIsWell],
  ReportScheduleActivated: [scheduleIsWell],
  ReportScheduleDeleted: [scheduleIsWell],
})
