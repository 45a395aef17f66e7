import { addMonths, type Day, firstOfMonth, formatMonth } from "../kernel/calendar.ts"
import { applyTransition } from "../kernel/lifecycle.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import type { BillingFact } from "./billing-facts.ts"
import { type BillingRun, billingRunLifecycle, type RunCounts, type RunOutcome } from "./billing-run.ts"

export interface BillingRunChange {
  value: BillingRun
  facts: BillingFact[]
}

type RunDecision<Refused extends string = "WRONG_STATUS"> = Decision<BillingRunChange, Refused>

const runFactHead = ({ id, number }: Pick<BillingRun, "id" | "number">) =>
  ({ record: { kind: "billing_run", id, label: number }, groupId: null }) as const

/** Next month is the latest that can be billed. */
export const lastMonthToRun = (today: Day): Day => addMonths(firstOfMonth(today), 1)

/** Returns the first day of the month; refuses TOO_EARLY for a month after the next. */
export function checkRunMonth(month: Day, today: Day): Decision<Day, "TOO_EARLY"> {
  const first = firstOfMonth(month)
  const last = lastMonthToRun(today)
  return first <= last
    ? first
    : refuse("TOO_EARLY", `${formatMonth(first)} cannot be billed before ${formatMonth(addMonths(first, -1))}.`)
}

/** Facts to record when a run starts. */
export const runStartedFacts = (run: Pick<BillingRun, "id" | "number" | "month">): BillingFact[] => [
  { ...runFactHead(run), type: "BillingRunStarted", month: run.month },
]

function applyRunStep(
  run: BillingRun,
  action: Parameters<typeof billingRunLifecycle.next>[1],
  changes: Partial<BillingRun>,
  facts: BillingFact[] = [],
): RunDecision {
  const status = applyTransition(billingRunLifecycle, run, action)
  return isRefusal(status) ? status : { value: { ...run, ...changes, status, version: run.version + 1 }, facts }
}

/** Starts a preview job, which replaces the previous one. */
export const preview = (run: BillingRun, jobId: string): RunDecision => applyRunStep(run, "preview", { jobId })

export const finishPreview = (run: BillingRun, now: Temporal.Instant): RunDecision =>
  applyRunStep(run, "finishPreview", { jobId: null, previewedAt: now.toString() })

/** Excludes policies (given by number) from a run, or includes them again. */
export function excludePolicies(run: BillingRun, policies: readonly string[], isLeftOut: boolean): RunDecision {
  return applyRunStep(run, "leaveOut", {}, [
    { ...runFactHead(run), type: "PoliciesLeftOut", policies: [...policies], isLeftOut },
  ])
}

/** Starts the job that makes the invoices. Refuses NOTHING_TO_BILL without a waiting policy. */
export function make(
  run: BillingRun,
  { outcome, jobId }: { outcome: RunOutcome; jobId: string },
  counts: RunCounts,
  now: Temporal.Instant,
): RunDecision<"WRONG_STATUS" | "NOTHING_TO_BILL"> {
  const made = applyRunStep(run, "make", { outcome, jobId, makingAt: now.toString() }, [
    { ...runFactHead(run), type: "BillingRunMaking", outcome, policies: counts.waiting },
  ])
  return isRefusal(made) || counts.waiting > 0 ? made : refuse("NOTHING_TO_BILL")
}

/** Starts a job for waiting and parked policies. Refuses NOTHING_TO_BILL without any. */
export function continueBillingRun(
  run: BillingRun,
  jobId: string,
  counts: RunCounts,
): RunDecision<"WRONG_STATUS" | "NOTHING_TO_BILL"> {
  const policies = counts.waiting + counts.parked
  const gone = applyRunStep(run, "continue", { jobId }, [
    { ...runFactHead(run), type: "BillingRunContinued", policies },
  ])
  return isRefusal(gone) || policies > 0 ? gone : refuse("NOTHING_TO_BILL")
}

/** Marks a run as made, after all policies were tried. */
export function finish(run: BillingRun, counts: RunCounts, now: Temporal.Instant): RunDecision {
  return applyRunStep(run, "finish", { jobId: null, madeAt: now.toString() }, [
    { ...runFactHead(run), type: "BillingRunMade", made: counts.made, parked: counts.parked },
  ])
}

/**
 * Starts the job that sends unsent invoices and, unless `mailCreditNotes` is false, mails credit notes. Refuses
 * NOTHING_TO_SEND without any.
 */
export function sendAll(
  run: BillingRun,
  jobId: string,
  counts: RunCounts,
  mailCreditNotes = true,
): RunDecision<"WRONG_STATUS" | "NOTHING_TO_SEND"> {
  const creditNotes = mailCreditNotes ? counts.unmailed : 0
  const sent = applyRunStep(run, "send", { jobId }, [
    { ...runFactHead(run), type: "BillingRunSending", invoices: counts.unsent, creditNotes },
  ])
  return isRefusal(sent) || counts.unsent + creditNotes > 0 ? sent : refuse("NOTHING_TO_SEND")
}

/** Discards a preview. */
export const cancelRun = (run: BillingRun, now: Temporal.Instant): RunDecision =>
  applyRunStep(run, "cancel", { jobId: null, cancelledAt: now.toString() }, [
    { ...runFactHead(run), type: "BillingRunCancelled" },
  ])
