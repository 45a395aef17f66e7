import { type BackupFact, backupSentences } from "./backups/backup-facts.ts"
import { type BankingFact, bankingSentences } from "./banking/banking-facts.ts"
import { type BenefitFact, benefitSentences } from "./benefits/benefit-facts.ts"
import { type BillingFact, billingSentences } from "./billing/billing-facts.ts"
import { type ClaimFact, claimSentences } from "./claims/claim-facts.ts"
import { type StandInFact, standInSentences } from "./claims/stand-in.ts"
import { type CollectionFact, collectionSentences } from "./collection/collection-facts.ts"
import { type EmployerFact, employerSentences } from "./employers/employer-facts.ts"
import { type LedgerFact, ledgerSentences } from "./ledger/ledger-facts.ts"
import { type LetterFact, letterSentences } from "./letters/letter-facts.ts"
import { type MemberFact, memberSentences } from "./members/member-facts.ts"
import { type MonthEndFact, monthEndSentences } from "./month-end/month-end-facts.ts"
import { type BatchFact, batchSentences } from "./payouts/batch-facts.ts"
import { type PayoutFact, payoutSentences } from "./payouts/payout-facts.ts"
import { type ViewedFact, viewSentences } from "./platform/look-facts.ts"
import { type NoteFact, noteSentences } from "./platform/note-facts.ts"
import { type PolicyFact, policySentences } from "./policies/policy-facts.ts"
import { type PrivacyFact, privacySentences } from "./privacy/privacy-facts.ts"
import { type ReceiptFact, receiptSentences, type WriteOffFact } from "./receipts/receipt-facts.ts"
import { type ReconciliationFact, reconciliationSentences } from "./reconciliation/reconciliation-facts.ts"
import { type RefundFact, refundSentences } from "./refunds/refund-facts.ts"
import { type ReportFact, reportSentences } from "./reports/report-facts.ts"
import { type SettingsFact, settingsSentences } from "./settings/settings-facts.ts"
import { type StaffListFact, staffListSentences } from "./staff-lists/staff-list-facts.ts"
import { type ServiceKeyFact, serviceKeySentences } from "./users/service-key-facts.ts"
import { type UserFact, userSentences } from "./users/user-facts.ts"
import { type WebhookFact, webhookSentences } from "./webhooks/webhook-facts.ts"

export type Fact =
  | UserFact
  | ServiceKeyFact
  | BackupFact
  | SettingsFact
  | BenefitFact
  | EmployerFact
  | PolicyFact
  | MemberFact
  | StaffListFact
  | LedgerFact
  | BillingFact
  | ReceiptFact
  | WriteOffFact
  | PayoutFact
  | RefundFact
  | BatchFact
  | BankingFact
  | CollectionFact
  | ReconciliationFact
  | ClaimFact
  | StandInFact
  | LetterFact
  | WebhookFact
  | MonthEndFact
  | PrivacyFact
  | ReportFact
  | NoteFact
  | ViewedFact

/** Audit trail text per fact, without its subject. */
export const sentences = {
  ...userSentences,
  ...serviceKeySentences,
  ...backupSentences,
  ...settingsSentences,
  ...benefitSentences,
  ...employerSentences,
  ...policySentences,
  ...memberSentences,
  ...staffListSentences,
  ...ledgerSentences,
  ...billingSentences,
  ...receiptSentences,
  ...payoutSentences,
  ...refundSentences,
  ...batchSentences,
  ...bankingSentences,
  ...collectionSentences,
  ...reconciliationSentences,
  ...claimSentences,
  ...standInSentences,
  ...letterSentences,
  ...webhookSentences,
  ...monthEndSentences,
  ...privacySentences,
  ...reportSentences,
  ...noteSentences,
  ...viewSentences,
}
