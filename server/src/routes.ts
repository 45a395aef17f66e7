import { postingsInput } from "@milkwood/domain/ledger/ledger.contract"
import { backupsRoutes } from "./backups/backups.routes.ts"
import { bankingRoutes } from "./banking/banking.routes.ts"
import { productBenefits } from "./benefits/benefit-lists.queries.ts"
import { billingRoutes } from "./billing/billing.routes.ts"
import { claimsRoutes } from "./claims/claims.routes.ts"
import { collectionRoutes } from "./collection/collection.routes.ts"
import { employers } from "./employers/employer-list.queries.ts"
import type { HttpRoute } from "./http/file-route.ts"
import { exportList } from "./http/list-export.ts"
import { postings } from "./ledger/postings.queries.ts"
import { lettersRoutes } from "./letters/letters.routes.ts"
import { members } from "./members/member-list.queries.ts"
import { attachNominationDocument, readNominationDocument } from "./members/nomination-documents.ts"
import { monthEndRoutes } from "./month-end/month-end.routes.ts"
import { payoutsRoutes } from "./payouts/payouts.routes.ts"
import { policiesRoutes } from "./policies/policies.routes.ts"
import { fetchPersonFile } from "./privacy/person-file.ts"
import { receiptsRoutes } from "./receipts/receipts.routes.ts"
import { reconciliationRoutes } from "./reconciliation/reconciliation.routes.ts"
import { refunds } from "./refunds/refund-list.queries.ts"
import { reportsRoutes } from "./reports/reports.routes.ts"
import { settingsRoutes } from "./settings/settings.routes.ts"
import { outstandingLists } from "./staff-lists/outstanding-lists.queries.ts"
import { staffLists } from "./staff-lists/staff-list-list.queries.ts"
import { staffListsRoutes } from "./staff-lists/staff-lists.routes.ts"
import { accountServiceRoutes } from "./users/account-service/account-service.routes.ts"
import { users } from "./users/user-list.queries.ts"

export const routes: HttpRoute[] = [
  ...exportList(users),
  ...accountServiceRoutes,
  ...backupsRoutes,
  ...exportList(productBenefits),
  ...exportList(employers),
  ...policiesRoutes,
  ...exportList(postings, postingsInput),
  ...billingRoutes,
  ...receiptsRoutes,
  ...exportList(refunds),
  ...payoutsRoutes,
  ...bankingRoutes,
  ...collectionRoutes,
  ...reconciliationRoutes,
  ...exportList(members),
  attachNominationDocument,
  readNominationDocument,
  ...exportList(staffLists),
  ...exportList(outstandingLists),
  ...staffListsRoutes,
  ...claimsRoutes,
  ...lettersRoutes,
  ...monthEndRoutes,
  fetchPersonFile,
  ...reportsRoutes,
  ...settingsRoutes,
]
