import { wasMatchedToBankLine } from "./banking/linked.queries.ts"
import { accountsToPayFrom } from "./banking/paid-from.queries.ts"
import * as benefits from "./benefits/benefits.ports.ts"
import * as billing from "./billing/billing.ports.ts"
import { isInvoiced } from "./billing/invoiced.queries.ts"
import { invoicesWithTier } from "./billing/invoices.queries.ts"
import {
  claimsAffectedByTerms,
  claimsAtTier,
  claimsForBenefit,
  claimsUnderProductBenefit,
} from "./claims/claim-cover.queries.ts"
import { hasClaims } from "./claims/claimed.queries.ts"
import { copyMembersToClaims } from "./claims/copy-members.ts"
import { claimsToPay, loadWaitingForPayment } from "./claims/payable-claims.queries.ts"
import * as employers from "./employers/employers.ports.ts"
import { countGroups, groupNamesWhere, groupsWhere } from "./employers/employers.queries.ts"
import { groupMemberCount, hasMembers, memberCount, memberCounts, membersWithTier } from "./members/cover.queries.ts"
import * as members from "./members/members.ports.ts"
import * as payouts from "./payouts/payouts.ports.ts"
import { connect } from "./platform/ports.ts"
import * as policies from "./policies/policies.ports.ts"
import {
  openPolicyNumbers,
  policiesOfProductType,
  policiesWithLongWaiting,
  policyCount,
} from "./policies/policies.queries.ts"
import { ratesWithTier } from "./policies/rates.queries.ts"
import { shownPolicyPremium, shownRatedPremium } from "./premiums/member-premium.queries.ts"
import { unratedMembers } from "./premiums/unrated.queries.ts"
import { lastAllocatedOn, paymentsOf, writtenOffOf } from "./receipts/allocated.queries.ts"
import { creditUsedBy } from "./receipts/credit.queries.ts"
import * as receipts from "./receipts/receipts.ports.ts"
import { creditReservedForInvoices } from "./refunds/credit-reserved.queries.ts"
import { refundsOfReceipt, wasRefunded } from "./refunds/refunds.queries.ts"
import * as staffLists from "./staff-lists/staff-lists.ports.ts"
import { hasStaffListInProgress, hasStaffLists, staffListsWithTier } from "./staff-lists/staff-lists.queries.ts"
import * as users from "./users/users.ports.ts"

connect(users, { groupsWhere, groupNamesWhere, countGroups })
connect(benefits, {
  policiesOfProductType,
  policiesWithLongWaiting,
  ratesWithTier,
  membersWithTier,
  staffListsWithTier,
  invoicesWithTier,
  claimsForBenefit,
  claimsAtTier,
  claimsUnderProductBenefit,
  claimsAffectedByTerms,
})
connect(employers, { policyCount, openPolicyNumbers, groupMemberCount })
connect(policies, {
  hasMembers,
  memberCount,
  memberCounts,
  shownPolicyPremium,
  unratedMembers,
  hasStaffLists,
  hasStaffListInProgress,
})
connect(members, { shownRatedPremium, copyMembersToClaims })
connect(staffLists, { isInvoiced, hasClaims })
connect(billing, { lastAllocatedOn, paymentsOf, writtenOffOf, creditUsedBy })
connect(receipts, {
  creditReservedForInvoices,
  wasRefunded,
  refundsOfReceipt,
  wasMatchedToBankLine,
})
connect(payouts, { accountsToPayFrom, claimsToPay: () => claimsToPay, waitingForPayment: loadWaitingForPayment })
