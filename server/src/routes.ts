import { billingRoutes } from "./billing/billing.routes.ts"
import { claimsRoutes } from "./claims/claims.routes.ts"
import type { HttpRoute } from "./http/file-route.ts"
import { exportMembers } from "./members/member-export.ts"
import { exportPayouts } from "./payouts/payout-export.ts"
import { exportPolicies } from "./policies/policy-export.ts"
import { exportReceipts } from "./receipts/receipt-export.ts"
import { reportsRoutes } from "./reports/reports.routes.ts"
import { settingsRoutes } from "./settings/settings.routes.ts"
import { staffListsRoutes } from "./staff-lists/staff-lists.routes.ts"

/** Every upload, download and stream of the house, beside the contract's procedures. */
export const routes: HttpRoute[] = [
  exportPolicies,
  ...billingRoutes,
  exportReceipts,
  exportPayouts,
  exportMembers,
  ...staffListsRoutes,
  ...claimsRoutes,
  ...reportsRoutes,
  ...settingsRoutes,
]
