import "./ports.ts"
import { makeBackup } from "./backups/make-backup.ts"
import { runAutoMatching } from "./banking/auto-match.ts"
import { creditNotePaper, creditNotesMailing } from "./billing/credit-note-paper.ts"
import { runMaking } from "./billing/make-run.ts"
import { runPreview } from "./billing/preview-run.ts"
import { runSending } from "./billing/send-run.ts"
import { collectionDaily } from "./collection/collection.jobs.ts"
import { premiumMails } from "./collection/premium-mails.ts"
import { releaseDaily } from "./ledger/premium-parts.ts"
import { membersDaily } from "./members/members.jobs.ts"
import { reconciliationPaper } from "./month-end/bank-proof-paper.ts"
import { checklistPaper } from "./month-end/checklist-paper.ts"
import { notificationsDaily } from "./notifications/notifications.jobs.ts"
import { paymentFile } from "./payouts/make-payment-file.ts"
import { paymentAnswer } from "./payouts/payment-answer.ts"
import { housekeeping } from "./platform/work/housekeeping.jobs.ts"
import type { JobHandler } from "./platform/work/jobs.ts"
import { policiesDaily } from "./policies/policies.jobs.ts"
import { warnOfExpiry } from "./policies/warn-of-expiry.ts"
import { makePersonFile, privacyDaily } from "./privacy/person-file.ts"
import { retain } from "./privacy/retain.ts"
import { receiptMailing } from "./receipts/mail-receipt.ts"
import { reportFilesDaily } from "./reports/delete-report-files.ts"
import { makeReport } from "./reports/make-report.ts"
import { reportsDaily } from "./reports/reports.jobs.ts"
import { sendReport } from "./reports/send-report.ts"
import { checkTrail } from "./settings/check-trail.ts"
import { staffListCheck, staffListDivision, staffListImport } from "./staff-lists/staff-lists.jobs.ts"
import { webhooksDaily } from "./webhooks/webhooks.jobs.ts"

export const jobs: JobHandler[] = [
  housekeeping,
  makeBackup,
  policiesDaily,
  warnOfExpiry,
  membersDaily,
  releaseDaily,
  creditNotePaper,
  creditNotesMailing,
  receiptMailing,
  premiumMails,
  collectionDaily,
  notificationsDaily,
  webhooksDaily,
  paymentFile,
  paymentAnswer,
  staffListCheck,
  staffListDivision,
  staffListImport,
  runPreview,
  runMaking,
  runSending,
  runAutoMatching,
  checklistPaper,
  reconciliationPaper,
  makeReport,
  sendReport,
  reportFilesDaily,
  reportsDaily,
  checkTrail,
  makePersonFile,
  privacyDaily,
  retain,
]
