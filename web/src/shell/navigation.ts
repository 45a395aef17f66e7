import type { PermissionName } from "@milkwood/domain/platform/permission"
import {
  IconChartBar,
  IconClipboardHeart,
  IconCoins,
  IconFileCertificate,
  IconHeartHandshake,
  IconLayoutDashboard,
  IconSettings,
  IconUsers,
} from "@tabler/icons-react"
import type { ComponentType } from "react"

export const groups = {
  policies: { label: "Group Policies", icon: IconFileCertificate },
  members: { label: "Group Members", icon: IconUsers },
  claims: { label: "Claims", icon: IconClipboardHeart },
  finance: { label: "Finance", icon: IconCoins },
} satisfies Record<string, { label: string; icon: ComponentType<{ size?: number; stroke?: number }> }>

export type GroupName = keyof typeof groups

export interface NavigationEntry {
  label: string
  path: string
  permission: PermissionName
  group?: GroupName
  icon?: ComponentType<{ size?: number; stroke?: number }>
  key?: string
  words?: string
}

export const navigation: NavigationEntry[] = [
  { label: "Dashboard", path: "/", permission: "dashboard.read", icon: IconLayoutDashboard, key: "d", words: "home" },
  { label: "View Policies", path: "/policies", permission: "policies.read", group: "policies", key: "p" },
  { label: "New Policy", path: "/policies/new", permission: "policies.write", group: "policies" },
  {
    label: "Policy Documents",
    path: "/policies/documents",
    permission: "policies.read",
    group: "policies",
    words: "papers contracts application forms required missing",
  },
  {
    label: "Employers",
    path: "/groups",
    permission: "policies.read",
    group: "policies",
    words: "employer groups companies schemes",
  },
  { label: "All Members", path: "/members", permission: "members.read", group: "members", key: "m" },
  { label: "Add Member", path: "/members/new", permission: "members.write", group: "members", words: "new member" },
  {
    label: "Bulk Import",
    path: "/members/import",
    permission: "members.import",
    group: "members",
    words: "staff list",
  },
  {
    label: "Lists outstanding",
    path: "/members/import/outstanding",
    permission: "members.import",
    group: "members",
    words: "staff lists late missing expected",
  },
  { label: "All Claims", path: "/claims", permission: "claims.read", group: "claims", key: "c" },
  { label: "New Claim", path: "/claims/new", permission: "claims.capture", group: "claims" },
  { label: "Pending Approval", path: "/claims/pending", permission: "claims.read", group: "claims" },
  { label: "Invoices", path: "/invoices", permission: "invoices.read", group: "finance", key: "i", words: "billing" },
  {
    label: "Run billing",
    path: "/invoices/run",
    permission: "invoices.write",
    group: "finance",
    words: "premium run month invoices all policies",
  },
  {
    label: "Credit Notes",
    path: "/invoices/credit-notes",
    permission: "invoices.read",
    group: "finance",
    words: "corrections concessions credits",
  },
  {
    label: "Premium Collection",
    path: "/invoices/collection",
    permission: "collection.read",
    group: "finance",
    words: "debtors arrears reminders calls owed",
  },
  {
    label: "Reconciliation",
    path: "/invoices/reconciliation",
    permission: "collection.read",
    group: "finance",
    words: "months of employers expected received difference",
  },
  {
    label: "Bank Lines",
    path: "/invoices/reconciliation/lines",
    permission: "banking.read",
    group: "finance",
    words: "bank statements import lines accounts matching",
  },
  {
    label: "Receipting",
    path: "/finance/receipting",
    permission: "receipts.read",
    group: "finance",
    words: "receipts",
  },
  {
    label: "Claims Payments",
    path: "/finance/claims-payments",
    permission: "payouts.read",
    group: "finance",
    words: "payouts",
  },
  {
    label: "Payment Batches",
    path: "/finance/payment-batches",
    permission: "payouts.read",
    group: "finance",
    words: "release payment file bank pain.001 EFT",
  },
  {
    label: "Premium Refunds",
    path: "/finance/premium-refunds",
    permission: "payouts.read",
    group: "finance",
    words: "overpayment credit refund",
  },
  {
    label: "Trial Balance",
    path: "/finance/trial-balance",
    permission: "ledger.read",
    group: "finance",
    words: "ledger",
  },
  {
    label: "Month end",
    path: "/finance/month-end",
    permission: "monthEnd.read",
    group: "finance",
    words: "close month checklist VAT return reopen",
  },
  {
    label: "Benefits",
    path: "/benefits",
    permission: "benefits.read",
    icon: IconHeartHandshake,
    words: "tiers product types",
  },
  { label: "Reports", path: "/reports", permission: "reports.read", icon: IconChartBar, key: "r" },
  {
    label: "Settings",
    path: "/settings",
    permission: "settings.manage",
    icon: IconSettings,
    words: "users outbox audit",
  },
]
