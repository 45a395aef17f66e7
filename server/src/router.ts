import "./ports.ts"
import { backupsRouter } from "./backups/backups.router.ts"
import { bankingRouter } from "./banking/banking.router.ts"
import { benefitsRouter } from "./benefits/benefits.router.ts"
import { billingRouter } from "./billing/billing.router.ts"
import { claimsRouter } from "./claims/claims.router.ts"
import { collectionRouter } from "./collection/collection.router.ts"
import { employersRouter } from "./employers/employers.router.ts"
import { ledgerRouter } from "./ledger/ledger.router.ts"
import { lettersRouter } from "./letters/letters.router.ts"
import { membersRouter } from "./members/members.router.ts"
import { monthEndRouter } from "./month-end/month-end.router.ts"
import { notificationsRouter } from "./notifications/notifications.router.ts"
import { payoutsRouter } from "./payouts/payouts.router.ts"
import { platformRouter } from "./platform/platform.router.ts"
import { policiesRouter } from "./policies/policies.router.ts"
import { premiumMonth } from "./premiums/premium-month.ts"
import { privacyRouter } from "./privacy/privacy.router.ts"
import { receiptsRouter } from "./receipts/receipts.router.ts"
import { reconciliationRouter } from "./reconciliation/reconciliation.router.ts"
import { refundsRouter } from "./refunds/refunds.router.ts"
import { reportsRouter } from "./reports/reports.router.ts"
import { settingsRouter } from "./settings/settings.router.ts"
import { staffListsRouter } from "./staff-lists/staff-lists.router.ts"
import { usersRouter } from "./users/users.router.ts"
import { webhooksRouter } from "./webhooks/webhooks.router.ts"

export const router = {
  platform: platformRouter,
  users: usersRouter,
  backups: backupsRouter,
  settings: settingsRouter,
  benefits: benefitsRouter,
  employers: employersRouter,
  policies: policiesRouter,
  members: membersRouter,
  staffLists: staffListsRouter,
  premiums: { month: premiumMonth },
  ledger: ledgerRouter,
  billing: billingRouter,
  receipts: receiptsRouter,
  payouts: payoutsRouter,
  refunds: refundsRouter,
  banking: bankingRouter,
  collection: collectionRouter,
  reconciliation: reconciliationRouter,
  claims: claimsRouter,
  letters: lettersRouter,
  notifications: notificationsRouter,
  webhooks: webhooksRouter,
  monthEnd: monthEndRouter,
  privacy: privacyRouter,
  reports: reportsRouter,
}
