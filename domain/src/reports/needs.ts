import { type Day, isoMonthOf } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { PermissionName, Role } from "../platform/permission.ts"
import { permissions } from "../platform/permission.ts"
import { expiringWithinDays } from "../policies/policy.ts"

/** A work queue item. Its count equals the row count of its list. */
export interface WorkItemKind {
  roles: readonly Role[]
  one: string
  many: string
  action: string
  list: string
  search?: Record<string, string | true>
  isOfMonth?: true
}

const rolesWith = (permission: PermissionName): readonly Role[] => permissions[permission]
const employerRoles = ["group_admin", "policy_holder"] as const

/** The order when deadline and amount at risk are equal. */
export const workItemKinds = {
  claimsToDecide: {
    roles: rolesWith("claims.decide"),
    one: "claim to decide",
    many: "claims to decide",
    action: "Decide",
    list: "/claims/pending",
    search: { forMe: true },
  },
  unusualCovers: {
    roles: ["underwriter"],
    one: "claim at your stage with a cover exception",
    many: "claims at your stage with cover exceptions",
    action: "Review",
    list: "/claims/pending",
    search: { forMe: true, unusual: true },
  },
  claimsDue: {
    roles: rolesWith("claims.review"),
    one: "claim is late or due today",
    many: "claims are late or due today",
    action: "Decide",
    list: "/claims/pending",
    search: { due: true },
  },
  claimsToReview: {
    roles: rolesWith("claims.review"),
    one: "claim to review",
    many: "claims to review",
    action: "Review",
    list: "/claims/pending",
    search: { state: "Pending Review" },
  },
  claimsToRoute: {
    roles: rolesWith("claims.review"),
    one: "claim to route",
    many: "claims to route",
    action: "Route",
    list: "/claims",
    search: { status: "under_review" },
  },
  claimsToComplete: {
    roles: ["group_admin"],
    one: "claim needs documents",
    many: "claims need documents",
    action: "Add documents",
    list: "/claims/pending",
    search: { state: "Documentation Required" },
  },
  claimDrafts: {
    roles: rolesWith("claims.capture"),
    one: "captured claim to submit",
    many: "captured claims to submit",
    action: "Finish",
    list: "/claims",
    search: { status: "draft", mine: true },
  },
  followUps: {
    roles: rolesWith("notes.write"),
    one: "follow-up is due",
    many: "follow-ups are due",
    action: "Follow up",
    list: "/claims/follow-ups",
  },
  invoicesOverdue: {
    roles: employerRoles,
    one: "invoice is overdue",
    many: "invoices are overdue",
    action: "View invoices",
    list: "/invoices",
    search: { tab: "overdue" },
  },
  claimsToPay: {
    roles: rolesWith("payouts.write"),
    one: "approved claim to pay",
    many: "approved claims to pay",
    action: "Prepare payment",
    list: "/finance/claims-payments",
    search: { tab: "waiting" },
  },
  paymentsToRelease: {
    roles: rolesWith("payouts.write"),
    one: "claim payment to release",
    many: "claim payments to release",
    action: "Release",
    list: "/finance/claims-payments",
    search: { forMe: true },
  },
  batchesToRelease: {
    roles: rolesWith("payouts.write"),
    one: "payment batch to release",
    many: "payment batches to release",
    action: "Release",
    list: "/finance/payment-batches",
    search: { forMe: true },
  },
  refundsToRelease: {
    roles: rolesWith("payouts.write"),
    one: "premium refund to release",
    many: "premium refunds to release",
    action: "Release",
    list: "/finance/premium-refunds",
    search: { forMe: true },
  },
  refundsFailed: {
    roles: rolesWith("payouts.write"),
    one: "premium refund failed",
    many: "premium refunds failed",
    action: "Try again",
    list: "/finance/premium-refunds",
    search: { status: "failed" },
  },
  paymentsFailed: {
    roles: rolesWith("payouts.write"),
    one: "claim payment failed",
    many: "claim payments failed",
    action: "Try again",
    list: "/finance/claims-payments",
    search: { tab: "failed" },
  },
  writeOffsToConfirm: {
    roles: rolesWith("receipts.write"),
    one: "write-off to confirm",
    many: "write-offs to confirm",
    action: "Confirm",
    list: "/invoices/collection",
  },
  promisesBroken: {
    roles: rolesWith("collection.write"),
    one: "promise to pay was broken",
    many: "promises to pay were broken",
    action: "Call",
    list: "/invoices/collection",
    search: { standing: "broken", month: "all" },
  },
  graceOver: {
    roles: rolesWith("collection.write"),
    one: "policy is unpaid past its grace period",
    many: "policies are unpaid past their grace period",
    action: "Decide",
    list: "/invoices/collection",
    search: { task: "grace_over", month: "all" },
  },
  noticesDue: {
    roles: rolesWith("collection.write"),
    one: "notice of non-payment (15A) is due",
    many: "notices of non-payment (15A) are due",
    action: "Send",
    list: "/invoices/collection",
    search: { task: "notice", month: "all" },
  },
  groupsToCall: {
    roles: rolesWith("collection.write"),
    one: "policy has an overdue premium: call the employer",
    many: "policies have overdue premiums: call the employers",
    action: "Call",
    list: "/invoices/collection",
    search: { task: "call", month: "all" },
  },
  monthToBill: {
    roles: rolesWith("invoices.write"),
    one: "policy not billed for this month",
    many: "policies not billed for this month",
    action: "Create invoices",
    list: "/finance/month-end/policies",
    search: { tab: "open" },
    isOfMonth: true,
  },
  monthToClose: {
    roles: rolesWith("monthEnd.write"),
    one: "month to close",
    many: "months to close",
    action: "Close",
    list: "/finance/month-end",
  },
  statementsDue: {
    roles: rolesWith("banking.write"),
    one: "bank account without a statement up to the end of last month",
    many: "bank accounts without a statement up to the end of last month",
    action: "Import",
    list: "/invoices/reconciliation/statements",
  },
  linesToMatch: {
    roles: rolesWith("banking.write"),
    one: "bank line to match",
    many: "bank lines to match",
    action: "Match",
    list: "/invoices/reconciliation/lines",
  },
  invoicesToApprove: {
    roles: rolesWith("invoices.write"),
    one: "draft invoice",
    many: "draft invoices",
    action: "Approve or send",
    list: "/invoices",
    search: { tab: "drafts" },
  },
  invoicesToSend: {
    roles: rolesWith("invoices.write"),
    one: "approved invoice to send",
    many: "approved invoices to send",
    action: "Send",
    list: "/invoices",
    search: { status: "pending" },
  },
  invoicesUndelivered: {
    roles: rolesWith("invoices.write"),
    one: "unpaid invoice was not delivered",
    many: "unpaid invoices were not delivered",
    action: "Send again",
    list: "/invoices",
    search: { tab: "unpaid", undelivered: true },
  },
  policiesExpiring: {
    roles: rolesWith("policies.write"),
    one: `policy ends within ${expiringWithinDays} days`,
    many: `policies end within ${expiringWithinDays} days`,
    action: "Renew",
    list: "/policies",
    search: { expiring: true },
  },
  staffListsToImport: {
    roles: rolesWith("members.import"),
    one: "checked staff list to import",
    many: "checked staff lists to import",
    action: "Import",
    list: "/members/import",
    search: { status: "ready" },
  },
  staffListsLate: {
    roles: rolesWith("members.import").filter((role) => role !== "group_admin"),
    one: "employer's staff list is late",
    many: "employers' staff lists are late",
    action: "Review",
    list: "/members/import/outstanding",
    search: { tab: "late" },
  },
  staffListsToSend: {
    roles: ["group_admin"],
    one: "staff list to send",
    many: "staff lists to send",
    action: "Upload",
    list: "/members/import/outstanding",
  },
  membersToComplete: {
    roles: rolesWith("members.write"),
    one: "member with missing details",
    many: "members with missing details",
    action: "Complete",
    list: "/members",
    search: { toComplete: true },
  },
  policyDrafts: {
    roles: rolesWith("policies.write"),
    one: "draft policy to finish",
    many: "draft policies to finish",
    action: "Finish",
    list: "/policies",
    search: { tab: "Draft" },
  },
  schedulesFailed: {
    roles: rolesWith("reports.read"),
    one: "scheduled report failed",
    many: "scheduled reports failed",
    action: "Review",
    list: "/reports/scheduled",
    search: { failed: true },
  },
  mailServerMissing: {
    roles: rolesWith("settings.manage"),
    one: "mail server to set up: e-mails stay in the outbox until then",
    many: "mail servers to set up",
    action: "Set up",
    list: "/settings/email",
  },
  backupKeyMissing: {
    roles: rolesWith("backups.manage"),
    one: "backup key to create: backups start after that",
    many: "backup keys to create",
    action: "Create key",
    list: "/settings/security",
  },
  mailsFailed: {
    roles: rolesWith("outbox.read"),
    one: "e-mail was not delivered",
    many: "e-mails were not delivered",
    action: "Review",
    list: "/settings/email",
    search: { tab: "failed" },
  },
} as const satisfies Record<string, WorkItemKind>
export type NeedKey = keyof typeof workItemKinds

export const workItemKindOf = (key: NeedKey): WorkItemKind => workItemKinds[key]

export function workItemSearch(key: NeedKey, today: Day): Record<string, string | true> {
  const { search = {}, isOfMonth } = workItemKindOf(key)
  return isOfMonth ? { ...search, month: isoMonthOf(today) } : search
}

export const workItemKeys = Object.keys(workItemKinds) as NeedKey[]

export const workItemKeysOf = (role: Role | null): NeedKey[] =>
  workItemKeys.filter((key) => role !== null && workItemKindOf(key).roles.includes(role))

/** Counts of an item, and its amount at risk in cents (null if no money is involved). */
export interface WaitingItem {
  key: NeedKey
  count: number
  late: number
  cents: Cents | null
  dueOn: Day | null
  /** Page of the first record or of the action; null = the list. */
  next: string | null
}

const farFuture = "9999-12-31"

/**
 * Late items first, by amount at risk. The others by deadline (no deadline last), then by amount at risk. Ties have
 * declaration order. Drops empty items.
 */
export function sortWaiting(waiting: readonly WaitingItem[]): WaitingItem[] {
  return waiting
    .filter(({ count }) => count > 0)
    .sort(
      (a, b) =>
        Number(b.late > 0) - Number(a.late > 0) ||
        (a.late > 0 ? 0 : (a.dueOn ?? farFuture).localeCompare(b.dueOn ?? farFuture)) ||
        (b.cents ?? 0) - (a.cents ?? 0) ||
        workItemKeys.indexOf(a.key) - workItemKeys.indexOf(b.key),
    )
}
