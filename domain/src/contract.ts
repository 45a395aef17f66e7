import { backupsContract } from "./backups/backups.contract.ts"
import { bankingContract } from "./banking/banking.contract.ts"
import { benefitsContract } from "./benefits/benefits.contract.ts"
import { billingContract } from "./billing/billing.contract.ts"
import { claimsContract } from "./claims/claims.contract.ts"
import { collectionContract } from "./collection/collection.contract.ts"
import { employersContract } from "./employers/employers.contract.ts"
import { ledgerContract } from "./ledger/ledger.contract.ts"
import { lettersContract } from "./letters/letters.contract.ts"
import { membersContract } from "./members/members.contract.ts"
import { monthEndContract } from "./month-end/month-end.contract.ts"
import { notificationsContract } from "./notifications/notifications.contract.ts"
import { payoutsContract } from "./payouts/payouts.contract.ts"
import { platformContract } from "./platform/platform.contract.ts"
import { policiesContract } from "./policies/policies.contract.ts"
import { premiumsContract } from "./premiums/premiums.contract.ts"
import { privacyContract } from "./privacy/privacy.contract.ts"
import { receiptsContract } from "./receipts/receipts.contract.ts"
import { reconciliationContract } from "./reconciliation/reconciliation.contract.ts"
import { refundsContract } from "./refunds/refunds.contract.ts"
import { reportsContract } from "./reports/reports.contract.ts"
import { settingsContract } from "./settings/settings.contract.ts"
import { staffListsContract } from "./staff-lists/staff-lists.contract.ts"
import { usersContract } from "./users/users.contract.ts"
import { webhooksContract } from "./webhooks/webhooks.contract.ts"

export const contract = {
  platform: platformContract,
  users: usersContract,
  backups: backupsContract,
  settings: settingsContract,
  benefits: benefitsContract,
  employers: employersContract,
  policies: policiesContract,
  members: membersContract,
  staffLists: staffListsContract,
  premiums: premiumsContract,
  ledger: ledgerContract,
  billing: billingContract,
  receipts: receiptsContract,
  payouts: payoutsContract,
  refunds: refundsContract,
  banking: bankingContract,
  collection: collectionContract,
  reconciliation: reconciliationContract,
  claims: claimsContract,
  letters: lettersContract,
  notifications: notificationsContract,
  webhooks: webhooksContract,
  monthEnd: monthEndContract,
  privacy: privacyContract,
  reports: reportsContract,
}

export type Contract = typeof contract
