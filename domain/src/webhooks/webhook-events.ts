import { stages } from "../claims/claim.ts"
import type { Fact } from "../facts.ts"

/** Event names as sent, with their labels. */
export const webhookEvents = {
  "policy.activated": "Policy activated",
  "policy.updated": "Policy changed",
  "policy.suspended": "Policy suspended",
  "policy.reinstated": "Policy reinstated",
  "policy.terminated": "Policy terminated",
  "policy.expired": "Policy expired",
  "policy.renewed": "Policy renewed",
  "member.added": "Member added",
  "member.updated": "Member changed",
  "member.suspended": "Member suspended",
  "member.reinstated": "Member reinstated",
  "member.terminated": "Member terminated",
  "member.tier_changed": "Member moved to another tier",
  "staff_list.imported": "Staff list imported",
  "staff_list.undone": "Staff list import undone",
  "claim.submitted": "Claim submitted",
  "claim.documents_requested": "Documents requested for a claim",
  "claim.sent_back": "Claim sent back",
  "claim.approved": "Claim approved",
  "claim.rejected": "Claim rejected",
  "claim.paid": "Claim paid",
  "claim.reopened": "Claim reopened after an appeal",
  "claim.approval_withdrawn": "Approval of a claim withdrawn",
  "claim.withdrawn": "Claim withdrawn",
  "invoice.sent": "Invoice sent",
  "invoice.credited": "Invoice credited",
  "invoice.written_off": "Invoice written off",
  "receipt.recorded": "Receipt recorded",
  "receipt.allocated": "Receipt allocated",
  "receipt.reversed": "Receipt reversed",
  "payment.released": "Payment released",
  "payment.completed": "Payment completed",
  "payment.failed": "Payment failed",
  "payment.returned": "Payment returned",
  "refund.made": "Premium refund prepared",
  "month.closed": "Month closed",
  "month.reopened": "Month reopened",
} as const satisfies Record<string, string>
export type WebhookEvent = keyof typeof webhookEvents

export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]]

/** The test message; not selectable. */
export const testEvent = "webhook.test"

/** The label of an event; an event that no longer exists is shown by its name. */
export const eventLabel = (event: string): string =>
  event === testEvent ? "Test" : ((webhookEvents as Record<string, string>)[event] ?? event)

/** Events by fact. Only the approval of a claim's last stage is an event. */
const eventsByFact: {
  [T in Fact["type"]]?: WebhookEvent | ((fact: Extract<Fact, { type: T }>) => WebhookEvent | null)
} = {
  PolicyActivated: "policy.activated",
  PolicyUpdated: "policy.updated",
  PolicyRatesChanged: "policy.updated",
  PolicySuspended: "policy.suspended",
  PolicyReinstated: "policy.reinstated",
  PolicyTerminated: "policy.terminated",
  PolicyExpired: "policy.expired",
  PolicyRenewed: "policy.renewed",
  MemberAdded: "member.added",
  MemberUpdated: "member.updated",
  MemberSuspended: "member.suspended",
  MemberReinstated: "member.reinstated",
  MemberTerminated: "member.terminated",
  MemberTierChanged: "member.tier_changed",
  StaffListImported: "staff_list.imported",
  StaffListImportUndone: "staff_list.undone",
  ClaimSubmitted: "claim.submitted",
  ClaimDocumentsRequested: "claim.documents_requested",
  ClaimSentBack: "claim.sent_back",
  ClaimRejected: "claim.rejected",
  ClaimDecided: ({ decision, stage }) => {
    if (decision === "rejected") return "claim.rejected"
    return stage === stages.at(-1) ? "claim.approved" : null
  },
  ClaimPaid: "claim.paid",
  ClaimReopened: "claim.reopened",
  ClaimApprovalWithdrawn: "claim.approval_withdrawn",
  SubmittedClaimWithdrawn: "claim.withdrawn",
  InvoiceSent: "invoice.sent",
  InvoiceCredited: "invoice.credited",
  InvoiceWrittenOff: "invoice.written_off",
  ReceiptRecorded: "receipt.recorded",
  ReceiptAllocated: "receipt.allocated",
  ReceiptReversed: "receipt.reversed",
  PayoutReleased: "payment.released",
  PayoutCompleted: "payment.completed",
  PayoutFailed: "payment.failed",
  PayoutReturned: "payment.returned",
  RefundMade: "refund.made",
  MonthClosed: "month.closed",
  MonthReopened: "month.reopened",
}

export const announcedFacts = Object.keys(eventsByFact) as Fact["type"][]

/** Null if no event is sent. */
export function eventOf(fact: Fact): WebhookEvent | null {
  const event = eventsByFact[fact.type]
  return typeof event === "function" ? event(fact as never) : (event ?? null)
}

/** Records labelled by a number. Other labels may contain a person's name and are never sent. */
const numberedKinds: readonly string[] = ["policy", "member", "claim", "invoice", "receipt", "payout", "refund"]

/** Contains ids and record numbers only. Receivers read more through the API, with their key's rights. */
export interface MessageRecord {
  kind: string
  id: string | null
  number?: string
  groupId: string | null
}

export function messageRecord(fact: Fact): MessageRecord {
  const { kind, id, label } = fact.record
  return { kind, id, ...(numberedKinds.includes(kind) ? { number: label } : {}), groupId: fact.groupId }
}

/** Body in Standard Webhooks format; `at` is the instant of the fact. */
export const messageBody = (event: string, at: Temporal.Instant, data: object): string =>
  JSON.stringify({ type: event, timestamp: at.toString(), data })
