import "./ports.ts"
import { bankLines } from "./banking/bank-lines.queries.ts"
import { bankPayers } from "./banking/bank-payers.queries.ts"
import { bankStatements } from "./banking/bank-statements.queries.ts"
import { benefits, productBenefits, productTypes, tiers } from "./benefits/benefit-lists.queries.ts"
import { creditNotes } from "./billing/credit-notes.queries.ts"
import { invoices } from "./billing/invoice-list.queries.ts"
import { runPolicies } from "./billing/runs.queries.ts"
import { claims, pendingClaims } from "./claims/claim-lists.queries.ts"
import { collection } from "./collection/collection-list.queries.ts"
import { employers } from "./employers/employer-list.queries.ts"
import { postings } from "./ledger/postings.queries.ts"
import { members } from "./members/member-list.queries.ts"
import { monthCredits } from "./month-end/month-credits.queries.ts"
import { monthPolicies } from "./month-end/month-policies.queries.ts"
import { vatDocuments, vatReturn } from "./month-end/vat.queries.ts"
import { batches } from "./payouts/batches.queries.ts"
import { payouts } from "./payouts/payout-list.queries.ts"
import type { List } from "./platform/lists/list.ts"
import { policyDocuments, requiredDocuments } from "./policies/policy-document-lists.queries.ts"
import { policies } from "./policies/policy-list.queries.ts"
import { receipts } from "./receipts/receipt-list.queries.ts"
import { reconciliation } from "./reconciliation/reconciliation-list.queries.ts"
import { remittanceLists, remittanceRowsOf } from "./reconciliation/remittances.queries.ts"
import { refunds } from "./refunds/refund-list.queries.ts"
import { tableReportLists } from "./reports/catalogue.ts"
import { debtorsAgeing } from "./reports/debtors-ageing.queries.ts"
import { reportRuns } from "./reports/report-runs.queries.ts"
import { auditTrail } from "./settings/audit-trail.queries.ts"
import { outbox } from "./settings/outbox-list.queries.ts"
import { outstandingLists } from "./staff-lists/outstanding-lists.queries.ts"
import { staffLists } from "./staff-lists/staff-list-list.queries.ts"
import { users } from "./users/user-list.queries.ts"
import { deliveries } from "./webhooks/webhooks.queries.ts"

export const lists = [
  users,
  productTypes,
  benefits,
  tiers,
  productBenefits,
  employers,
  policies,
  policyDocuments,
  requiredDocuments,
  members,
  staffLists,
  outstandingLists,
  postings,
  invoices,
  runPolicies,
  creditNotes,
  receipts,
  payouts,
  refunds,
  batches,
  bankStatements,
  bankLines,
  bankPayers,
  collection,
  reconciliation,
  remittanceLists,
  remittanceRowsOf,
  claims,
  pendingClaims,
  monthPolicies,
  monthCredits,
  vatReturn,
  vatDocuments,
  debtorsAgeing,
  ...tableReportLists,
  reportRuns,
  outbox,
  auditTrail,
  deliveries,
] as unknown as List<never, unknown>[]
