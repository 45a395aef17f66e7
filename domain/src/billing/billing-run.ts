import type { Day } from "../kernel/calendar.ts"
import { lifecycle } from "../kernel/lifecycle.ts"
import type { Cents } from "../kernel/money.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import { noVatNumber } from "./paper-rules.ts"

export const billingRunStatuses = ["previewing", "previewed", "making", "made", "cancelled"] as const
export type BillingRunStatus = (typeof billingRunStatuses)[number]

/**
 * A preview job can be repeated until the invoices are made. A second job makes them and can be continued for parked
 * policies. A run never cancels invoices.
 */
export const billingRunLifecycle = lifecycle({
  name: "premium run",
  initial: "previewing",
  states: billingRunStatuses,
  actions: {
    preview: { from: ["previewing", "previewed"], to: "previewing" },
    finishPreview: { from: ["previewing"], to: "previewed" },
    leaveOut: { from: ["previewed"], to: "previewed" },
    make: { from: ["previewed"], to: "making" },
    continue: { from: ["making", "made"], to: "making" },
    finish: { from: ["making"], to: "made" },
    send: { from: ["made"], to: "made" },
    cancel: { from: ["previewing", "previewed"], to: "cancelled" },
  },
  words: {
    record: "A premium run that",
    statuses: {
      previewing: "being previewed",
      previewed: "previewed",
      making: "being created",
      made: "made",
      cancelled: "cancelled",
    },
    done: {
      preview: "previewed",
      finishPreview: "previewed",
      leaveOut: "changed",
      make: "made",
      continue: "continued",
      finish: "finished",
      send: "sent",
      cancel: "cancelled",
    },
  },
})

/** `sent`: the run sends its invoices once all are made. */
export const runOutcomes = ["draft", "pending", "sent"] as const
export type RunOutcome = (typeof runOutcomes)[number]

export const runOutcomeNames: Record<RunOutcome, string> = {
  draft: "Save as drafts to edit and approve",
  pending: "Approve now, send later",
  sent: "Send immediately",
}

export const runPolicyStates = ["waiting", "made", "parked", "nothing", "left_out"] as const
export type RunPolicyState = (typeof runPolicyStates)[number]

export const runPolicyStateNames: Record<RunPolicyState, string> = {
  waiting: "To bill",
  made: "Billed",
  parked: "Cannot be billed",
  nothing: "Nothing to bill",
  left_out: "Left out",
}

export const parkedReasons = {
  no_premium: "The policy has no premium for some months in which members are covered. Add a premium for those months.",
  no_vat_number: noVatNumber.NO_VAT_NUMBER.message,
  no_contact: "The policy's main contact has no e-mail address.",
  typed_lines:
    "An invoice for a month has lines without members. Credit or cancel it, or choose a member on each line.",
  draft: "The amount to credit is on an invoice that was not sent yet. Send or cancel that invoice.",
  credit:
    "The credit cannot be divided among the sent invoices. Credit this invoice in full as a correction and continue the run: it then bills the month again.",
  written_off:
    "The amount to credit was written off. Reverse the write-off on this invoice and continue the run. You can then write off the remaining amount again.",
  failed:
    "An unexpected error occurred; the server log has the details. No invoices were created. Continue the run to try again.",
} as const
export type ParkedReason = keyof typeof parkedReasons
export const parkedReasonKinds = Object.keys(parkedReasons) as [ParkedReason, ...ParkedReason[]]

export const runMarks = ["over_20", "first_invoice", "no_members"] as const
export type RunMark = (typeof runMarks)[number]

export const runMarkNames: Record<RunMark, string> = {
  over_20: "Changed by more than 20 %",
  first_invoice: "First invoice",
  no_members: "No members",
}

/** Instants are ISO text. */
export interface BillingRun {
  id: string
  number: string
  /** First day of the billed month. */
  month: Day
  status: BillingRunStatus
  outcome: RunOutcome | null
  jobId: string | null
  createdBy: string | null
  createdAt: string
  previewedAt: string | null
  makingAt: string | null
  madeAt: string | null
  cancelledAt: string | null
  version: number
}

/** Policies by state; unsent invoices; credit notes not mailed. */
export interface RunCounts extends Record<RunPolicyState, number> {
  unsent: number
  unmailed: number
}

export const billingRunActions = ["preview", "leaveOut", "make", "continue", "send", "cancel"] as const
export type BillingRunAction = (typeof billingRunActions)[number]

export function billingRunActionsOf(
  run: Pick<BillingRun, "status">,
  counts: RunCounts,
  role: Role | null,
): BillingRunAction[] {
  if (!hasPermission(role, "invoices.write")) return []
  const makesSense: Partial<Record<BillingRunAction, boolean>> = {
    make: counts.waiting > 0,
    continue: counts.waiting + counts.parked > 0,
    send: counts.unsent + counts.unmailed > 0,
  }
  return billingRunActions.filter(
    (action) => billingRunLifecycle.next(run.status, action) && makesSense[action] !== false,
  )
}

/** The bill's change from the previous month, without VAT; the parts sum to `changeCents`. */
export interface RunChange {
  lastCents: Cents
  changeCents: Cents
  joinersCents: Cents
  leaversCents: Cents
  premiumCents: Cents
  /** Adjustments of earlier months, in this bill and the previous one. */
  otherCents: Cents
}

/** Change in whole per cent of the previous month; null if that was 0. */
export const changePercent = ({
  lastCents,
  changeCents,
}: Pick<RunChange, "lastCents" | "changeCents">): number | null =>
  lastCents === 0 ? null : Math.round((changeCents * 100) / lastCents)
