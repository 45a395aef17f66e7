import "./ports.ts"
import { makeBackup } from "./backups/make-backup.ts"
import { runAutoMatching } from "./banking/auto-match.ts"
import { createCreditNotePdf, mailQueuedNotes } from "./billing/credit-note-paper.ts"
import { makeRunInvoices } from "./billing/make-run.ts"
import { previewRunPolicies } from "./billing/preview-run.ts"
import { sendRunInvoices } from "./billing/send-run.ts"
import { claimsDaily } from "./claims/claims.jobs.ts"
import { collectionDaily } from "./collection/collection.jobs.ts"
import { sendPremiumMails } from "./collection/premium-mails.ts"
import { releaseDaily } from "./ledger/premium-parts.ts"
import { membersDaily } from "./members/members.jobs.ts"
import { createReconciliationPdf } from "./month-end/bank-proof-paper.ts"
import { createChecklistPdf } from "./month-end/checklist-paper.ts"
import { notificationsDaily } from "./notifications/notifications.jobs.ts"
import { paymentFile } from "./payouts/make-payment-file.ts"
import { paymentAnswer } from "./payouts/payment-answer.ts"
import { housekeeping } from "./platform/work/housekeeping.jobs.ts"
import type { JobHandler } from "./platform/work/jobs.ts"
import { policiesDaily } from "./policies/policies.jobs.ts"
import { warnOfExpiry } from "./policies/warn-of-expiry.ts"
import { makePersonFile, privacyDaily } from "./privacy/person-file.ts"
import { retain } from "./privacy/retain.ts"
import { receiptMailJob } from "./receipts/mail-receipt.ts"
import { reportFilesDaily } from "./reports/delete-report-files.ts"
import { makeReport } from "./reports/make-report.ts"
import { reportsDaily } from "./reports/reports.jobs.ts"
import { sendReport } from "./reports/send-report.ts"
import { checkTrail } from "./settings/check-trail.ts"
import { staffListCheck, staffListImport, staffListSplit } from "./staff-lists/staff-lists.jobs.ts"
import { webhooksDaily } from "./webhooks/webhooks.jobs.ts"

export const jobs: JobHandler[] = [
  housekeeping,
  makeBackup,
  policiesDaily,
  warnOfExpiry,
  membersDaily,
  releaseDaily,
  claimsDaily,
  createCreditNotePdf,
  mailQueuedNotes,
  receiptMailJob,
  sendPremiumMails,
  collectionDaily,
  notificationsDaily,
  webhooksDaily,
  paymentFile,
  paymentAnswer,
  staffListCheck,
  staffListSplit,
  staffListImport,
  previewRunPolicies,
  makeRunInvoices,
  sendRunInvoices,
  runAutoMatching,
  createChecklistPdf,
  createReconciliationPdf,
  makeReport,
  sendReport,
  reportFilesDaily,
  reportsDaily,
  checkTrail,
  makePersonFile,
  privacyDaily,
  retain,
]
