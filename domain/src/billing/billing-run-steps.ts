import { addMonths, type Day, firstOfMonth, formatMonth } from "../kernel/calendar.ts"
import { step } from "../kernel/lifecycle.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import type { BillingFact } from "./billing-facts.ts"
import { type BillingRun, billingRunLifecycle, type RunCounts, type RunOutcome } from "./billing-run.ts"

/** A run after a rule, and the news about it. */
export interface BillingRunChange {
  value: BillingRun
  facts: BillingFact[]
}

type Change<Refused extends string = "WRONG_STATUS"> = Decision<BillingRunChange, Refused>

const news = ({ id, number }: Pick<BillingRun, "id" | "number">) =>
  ({ record: { kind: "billing_run", id, label: number }, groupId: null }) as const

/** The last month that is billed today: the next one. */
export const lastMonthToRun = (today: Day): Day => addMonths(firstOfMonth(today), 1)

/** The first day of a month that may be billed on a day; refuses TOO_EARLY for one after the next. */
export function monthToRun(month: Day, today: Day): Decision<Day, "TOO_EARLY"> {
  const first = firstOfMonth(month)
  const last = lastMonthToRun(today)
  return first <= last ? first : refuse("TOO_EARLY", `${formatMonth(first)} can be billed from the month before it on.`)
}

/** The news of a new run. */
export const runStarted = (run: Pick<BillingRun, "id" | "number" | "month">): BillingFact[] => [
  { ...news(run), type: "BillingRunStarted", month: run.month },
]

function next(
  run: BillingRun,
  action: Parameters<typeof billingRunLifecycle.next>[1],
  changes: Partial<BillingRun>,
  facts: BillingFact[] = [],
): Change {
  const status = step(billingRunLifecycle, run, action)
  return isRefusal(status) ? status : { value: { ...run, ...changes, status, version: run.version + 1 }, facts }
}

/** Works the preview out by a job; the one before counts no longer. */
export const preview = (run: BillingRun, jobId: string): Change => next(run, "preview", { jobId })

export const finishPreview = (run: BillingRun, now: Temporal.Instant): Change =>
  next(run, "finishPreview", { jobId: null, previewedAt: now.toString() })

/** Leaves policies, by their numbers, out of a run, or takes them in again. */
export function leaveOut(run: BillingRun, policies: readonly string[], isLeftOut: boolean): Change {
  return next(run, "leaveOut", {}, [{ ...news(run), type: "PoliciesLeftOut", policies: [...policies], isLeftOut }])
}

/** Has the invoices made by a job. Refuses NOTHING_TO_BILL where no policy is to be billed. */
export function make(
  run: BillingRun,
  { outcome, jobId }: { outcome: RunOutcome; jobId: string },
  counts: RunCounts,
  now: Temporal.Instant,
): Change<"WRONG_STATUS" | "NOTHING_TO_BILL"> {
  const made = next(run, "make", { outcome, jobId, makingAt: now.toString() }, [
    { ...news(run), type: "BillingRunMaking", outcome, policies: counts.waiting },
  ])
  return isRefusal(made) || counts.waiting > 0 ? made : refuse("NOTHING_TO_BILL")
}

/** Goes on with what is parked, or with what a job left. Refuses NOTHING_TO_BILL where all is done. */
export function goOn(run: BillingRun, jobId: string, counts: RunCounts): Change<"WRONG_STATUS" | "NOTHING_TO_BILL"> {
  const policies = counts.waiting + counts.parked
  const gone = next(run, "continue", { jobId }, [{ ...news(run), type: "BillingRunContinued", policies }])
  return isRefusal(gone) || policies > 0 ? gone : refuse("NOTHING_TO_BILL")
}

/** All policies were tried. */
export function finish(run: BillingRun, counts: RunCounts, now: Temporal.Instant): Change {
  return next(run, "finish", { jobId: null, madeAt: now.toString() }, [
    { ...news(run), type: "BillingRunMade", made: counts.made, parked: counts.parked },
  ])
}

/**
 * Sends what was made and not sent, by a job; credit notes, which count since they were made, are mailed if that is asked
 * for. Refuses NOTHING_TO_SEND where all is sent.
 */
export function sendAll(
  run: BillingRun,
  jobId: string,
  counts: RunCounts,
  mailCreditNotes = true,
): Change<"WRONG_STATUS" | "NOTHING_TO_SEND"> {
  const creditNotes = mailCreditNotes ? counts.unmailed : 0
  const sent = next(run, "send", { jobId }, [
    { ...news(run), type: "BillingRunSending", invoices: counts.unsent, creditNotes },
  ])
  return isRefusal(sent) || counts.unsent + creditNotes > 0 ? sent : refuse("NOTHING_TO_SEND")
}

/** Throws a preview away; nothing was made of it. */
export const cancelRun = (run: BillingRun, now: Temporal.Instant): Change =>
  next(run, "cancel", { jobId: null, cancelledAt: now.toString() }, [{ ...news(run), type: "BillingRunCancelled" }])
