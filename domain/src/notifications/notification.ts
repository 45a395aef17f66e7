import { stageNames } from "../claims/claim.ts"
import { type Day, type DayFormat, formatDay } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { permissions, type Role } from "../platform/permission.ts"

/** A user's choice per kind. Mailed notifications also appear in the product. */
export const channels = ["product", "mail", "digest", "none"] as const
export type Channel = (typeof channels)[number]

export const channelNames: Record<Channel, string> = {
  product: "In Milkwood",
  mail: "In Milkwood and by e-mail immediately",
  digest: "In Milkwood and in the morning e-mail",
  none: "Off",
}

interface NotificationKindDetails {
  label: string
  when: string
  /** Roles that can act on the notification or own the record. */
  roles: readonly Role[]
  usual: Channel
}

const employerRoles = ["group_admin", "policy_holder"] as const

export const notificationKinds = {
  claim_to_decide: {
    label: "Claims to decide",
    when: "A claim is ready for your decision, with a reminder after 3 days",
    roles: permissions["claims.decide"],
    usual: "mail",
  },
  claim_late: {
    label: "Claims without a decision",
    when: "A claim has waited 7 days at one stage",
    roles: ["manager"],
    usual: "digest",
  },
  claim_due: {
    label: "Claims due",
    when: "A claim must be decided today to keep its promise, or is late",
    roles: permissions["claims.review"],
    usual: "digest",
  },
  claim_submitted: {
    label: "New claims",
    when: "A claim was submitted for review, or assigned to you",
    roles: ["manager"],
    usual: "product",
  },
  claim_documents: {
    label: "Documents for claims",
    when: "Documents were added to a claim that you review, or that has no reviewer",
    roles: permissions["claims.review"],
    usual: "product",
  },
  claim_returned: {
    label: "Your claims that need action",
    when: "A claim that you captured or handled needs documents, or was sent back",
    roles: permissions["claims.capture"],
    usual: "mail",
  },
  claim_decided: {
    label: "Your claims that were decided",
    when: "A claim that you captured or handled was approved, rejected, paid, withdrawn or reopened",
    roles: permissions["claims.capture"],
    usual: "mail",
  },
  invoice_sent: {
    label: "New invoices",
    when: "An invoice was issued to your group",
    roles: employerRoles,
    usual: "product",
  },
  invoice_overdue: {
    label: "Overdue invoices",
    when: "An invoice of your group is unpaid after its due date",
    roles: employerRoles,
    usual: "digest",
  },
  promise_broken: {
    label: "Broken promises",
    when: "A payment that was promised to you did not arrive",
    roles: permissions["collection.write"],
    usual: "digest",
  },
  payout_to_release: {
    label: "Payments to release",
    when: "Another user prepared a payment that needs your release",
    roles: permissions["payouts.write"],
    usual: "product",
  },
  payout_failed: {
    label: "Failed payments",
    when: "A payment that you prepared failed or was returned",
    roles: permissions["payouts.write"],
    usual: "digest",
  },
  write_off_to_confirm: {
    label: "Write-offs to confirm",
    when: "Another user requested a write-off that needs your confirmation",
    roles: permissions["receipts.write"],
    usual: "product",
  },
  policy_expiring: {
    label: "Policies ending soon",
    when: "A policy is ending soon, and its contact is warned",
    roles: ["manager", ...employerRoles],
    usual: "digest",
  },
  report_failed: {
    label: "Failed scheduled reports",
    when: "A report that you scheduled failed or was paused; administrators are notified if its owner has left",
    roles: permissions["reports.read"],
    usual: "digest",
  },
  backup_failed: {
    label: "Failed backups",
    when: "A backup failed, or none was created on schedule",
    roles: permissions["settings.manage"],
    usual: "mail",
  },
  webhook_failed: {
    label: "Failed webhooks",
    when: "A webhook message was retried for three days without success",
    roles: permissions["integrations.manage"],
    usual: "mail",
  },
  retention_due: {
    label: "Data past its retention period",
    when: "Members, e-mails and documents are past their retention period, and you can confirm their removal",
    roles: permissions["privacy.manage"],
    usual: "digest",
  },
} as const satisfies Record<string, NotificationKindDetails>
export type NotificationKind = keyof typeof notificationKinds

const kindDetails: Record<NotificationKind, NotificationKindDetails> = notificationKinds

export const notificationKindsOf = (role: Role | null): NotificationKind[] =>
  (Object.keys(notificationKinds) as NotificationKind[]).filter(
    (kind) => role !== null && kindDetails[kind].roles.includes(role),
  )

export const kindDetailsOf = (kind: NotificationKind): NotificationKindDetails => kindDetails[kind]

/** Data beyond the record: no personal names or medical facts. Amounts in cents. */
export interface NotificationDetail {
  days?: number
  stage?: keyof typeof stageNames
  outcome?:
    | "approved"
    | "rejected"
    | "paid"
    | "reopened"
    | "approval_withdrawn"
    | "withdrawn"
    | "documents"
    | "sent_back"
    | "failed"
    | "returned"
    | "paused"
    | "assigned"
    | "late"
  cents?: Cents
  on?: Day
}

/** Completes "The claim was …". */
export const claimOutcomeText = (outcome: NotificationDetail["outcome"] = undefined): string =>
  outcome === "approval_withdrawn" ? "returned to review: its approval was withdrawn" : (outcome ?? "decided")

/** Days a claim waits at a stage until its approvers are reminded, and until managers are notified. */
export const remindAfterDays = 3
export const escalateAfterDays = 7

/** Invoices overdue for longer are not notified, so that an imported old book sends none. */
export const overdueWithinDays = 7

/** Days until a notification is deleted. */
export const notificationRetentionDays = 400

/** The notification's text, on screen and in mails. `label` is the record number. */
export function notificationText(
  { kind, label, detail }: { kind: NotificationKind; label: string; detail: NotificationDetail },
  dateFormat: DayFormat,
  currency: Currency,
): string {
  const { days, stage, outcome, cents = 0, on } = detail
  const day = on ? formatDay(on, dateFormat) : ""
  switch (kind) {
    case "claim_to_decide":
      return days ? `Claim ${label} has waited ${days} days for your decision` : `Claim ${label} to decide`
    case "claim_late":
      return `Claim ${label} has waited ${days} days for the ${stage ? stageNames[stage].toLowerCase() : "next stage"}`
    case "claim_due":
      return outcome === "late" ? `Claim ${label} was due on ${day}` : `Claim ${label} is due on ${day}`
    case "claim_submitted":
      return outcome === "assigned" ? `Claim ${label} was assigned to you` : `Claim ${label} was submitted`
    case "claim_documents":
      return `Documents were added to claim ${label}`
    case "claim_returned":
      return outcome === "documents" ? `Claim ${label} needs documents` : `Claim ${label} was sent back`
    case "claim_decided":
      return `Claim ${label} was ${claimOutcomeText(outcome)}`
    case "invoice_sent":
      return `Invoice ${label} of ${formatMoney(cents, currency)} is due on ${day}`
    case "invoice_overdue":
      return `Invoice ${label} was due on ${day}; ${formatMoney(cents, currency)} is unpaid`
    case "promise_broken":
      return `${formatMoney(cents, currency)} promised by ${day} for policy ${label} did not arrive`
    case "payout_to_release":
      return `Payment ${label} of ${formatMoney(cents, currency)} to release`
    case "payout_failed":
      return outcome === "returned" ? `Payment ${label} was returned` : `Payment ${label} failed`
    case "write_off_to_confirm":
      return `Write-off of ${formatMoney(cents, currency)} on invoice ${label} to confirm`
    case "policy_expiring":
      return `Policy ${label} ends on ${day}`
    case "backup_failed":
      if (outcome !== "late") return `Backup ${label} failed`
      return on ? `No backup has been created since ${day}` : "No backup has been created yet"
    case "report_failed":
      return outcome === "paused" ? `Scheduled report "${label}" is paused` : `Scheduled report "${label}" failed`
    case "webhook_failed":
      return `Webhook "${label}" failed for three days and its message was dropped`
    case "retention_due":
      return `${label}: confirm the removal of data past its retention period`
  }
}

export type NotifiedRecord =
  | "claim"
  | "invoice"
  | "policy"
  | "payout"
  | "report_schedule"
  | "backup"
  | "webhook"
  | "retention"

/** The page where the user acts on the notification; once that is done, the record's page. */
export function notificationPath(
  kind: NotificationKind,
  record: { kind: NotifiedRecord; id: string },
  isDone = false,
): string {
  if (kind === "claim_to_decide" && !isDone) return `/claims/${record.id}/approve`
  if (record.kind === "report_schedule") return "/reports/scheduled"
  if (record.kind === "backup" || record.kind === "retention") return "/settings/security"
  if (record.kind === "webhook") return `/settings/integrations/${record.id}`
  const folder = { claim: "/claims", invoice: "/invoices", policy: "/policies", payout: "/finance/claims-payments" }
  return `${folder[record.kind]}/${record.id}`
}
