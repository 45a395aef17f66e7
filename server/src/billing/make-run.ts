import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { RunOutcome } from "@milkwood/domain/billing/billing-run"
import { continueBillingRun, finish, make } from "@milkwood/domain/billing/billing-run-steps"
import type { TextFormats } from "@milkwood/domain/billing/difference-words"
import { type Day, formatMonth } from "@milkwood/domain/kernel/calendar"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { Actor } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, Refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { isDatabaseUnavailable, sqlState } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { type JobCx, job, startJob } from "../platform/work/jobs.ts"
import { lockPolicy } from "../policies/policy-record.ts"
import { type BillingState, billingStateColumns, billPolicy, numberInvoice, PolicyParked } from "./bill-policy.ts"
import { countRunPolicies, cxOfRequester, lockRun, type StoredRun, saveRun } from "./run-record.ts"
import { runDetail } from "./runs.queries.ts"
import { expectBankAccount, startSending } from "./send-run.ts"
import { markMonthSettled } from "./settled.queries.ts"

interface Payload {
  runId: string
}

const startMaking = (cx: Cx, { id, number, month }: StoredRun) =>
  startJob(cx, {
    kind: "billing.makeRun",
    label: `${number}: invoices for ${formatMonth(month)}`,
    payload: { runId: id },
    resultPath: `/invoices/run?runId=${id}`,
  })

export const makeRun = command(billingContract.runs.make, async (cx) => {
  const { runId, version, outcome } = cx.input
  const run = await lockRun(cx, runId)
  expectVersion(run, version)
  if (outcome === "sent") await expectBankAccount(cx)
  const counts = await countRunPolicies(cx.tx, runId)
  const jobId = await startMaking(cx, run)
  await saveRun(cx, run, orRefuse(make(run, { outcome, jobId }, counts, cx.now)))
  return runDetail(cx, runId)
})

export const continueRun = command(billingContract.runs.continue, async (cx) => {
  const { runId, version } = cx.input
  const run = await lockRun(cx, runId)
  expectVersion(run, version)
  const counts = await countRunPolicies(cx.tx, runId)
  const jobId = await startMaking(cx, run)
  const change = orRefuse(continueBillingRun(run, jobId, counts))
  await cx.tx.run(sql`
    update billing_run_policies set state = 'waiting', reason_kind = null, reason = null, mend_invoice_id = null
    where run_id = ${runId} and state = 'parked'`)
  await saveRun(cx, run, change)
  return runDetail(cx, runId)
})

/** One transaction per policy, so a restart after a crash continues with the waiting policies. */
export const makeRunInvoices = job<Payload>("billing.makeRun", async (work) => {
  const { runId } = work.payload
  const by = await work.transaction(async (inner) => {
    const { tx, actor } = await cxOfRequester(inner)
    const run = await tx.row<Pick<StoredRun, "month" | "outcome">>(sql`
      select month, outcome from billing_runs where id = ${runId}`)
    const { dateFormat, timezone, currency } = await readSettings(tx, platformSettings)
    const waiting = await tx.rows<{ id: string; policyId: string }>(sql`
      select r.id, r.policy_id as "policyId" from billing_run_policies r join policies p on p.id = r.policy_id
      where r.run_id = ${runId} and r.state = 'waiting' order by p.number`)
    return { waiting, actor, wording: { dateFormat, timezone, currency }, month: run!.month, outcome: run!.outcome! }
  })
  const { waiting, ...each } = by
  await forEachInParallel(waiting, async ({ id, policyId }, index) => {
    work.signal.throwIfAborted()
    await work.progress(index, waiting.length, "Creating invoices")
    await billRunPolicy(work, { id, policyId, ...each })
  })
  await work.transaction(async (inner) => {
    const cx = await cxOfRequester(inner)
    const run = await lockRun(cx, runId)
    const counts = await countRunPolicies(cx.tx, runId)
    if (run.status !== "making" || run.jobId !== work.jobId) return
    const made = orRefuse(finish(run, counts, cx.now))
    await saveRun(cx, run, made)
    if (run.outcome === "sent" && counts.unsent + counts.unmailed > 0)
      await startSending(cx, { ...run, ...made.value }, counts)
    await work.complete(inner)
  })
})

/** Number of policies billed concurrently: one waits for the disk, one writes lines, one is compared. */
const maxParallelPolicies = 3

/** Starts no further work after a failure. */
async function forEachInParallel<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  const queue = all.entries()
  const failures: unknown[] = []
  const lane = async () => {
    for (const [index, one] of queue) {
      if (failures.length > 0) return
      await work(one, index).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: maxParallelPolicies }, lane))
  if (failures.length > 0) throw failures[0]
}

interface PolicyToBill {
  /** Id of the row of `billing_run_policies`. */
  id: string
  policyId: string
  actor: Actor
  wording: TextFormats
  month: Day
  outcome: RunOutcome
}

/**
 * A policy's commit does not wait for the disk. A crash loses only the latest commits, whole, and the job repeats them.
 * A later durable commit also flushes earlier ones.
 */
const asyncCommit = sql`set_config('synchronous_commit', 'off', true)`

async function billRunPolicy(
  work: JobCx<Payload>,
  { id, policyId, actor, wording, month, outcome }: PolicyToBill,
): Promise<void> {
  try {
    await work.transaction(async (inner) => {
      const cx = { ...inner, actor, tx: inner.tx.preparing() }
      const policy = await lockPolicy(cx.tx, policyId)
      const found = await cx.tx.row<BillingState & { isWaiting: boolean }>(sql`
        select r.state = 'waiting' and r.status = 'making' as "isWaiting", ${billingStateColumns(cx, policy, month)}, ${asyncCommit}
        from (
          select r.state, u.status from billing_run_policies r join billing_runs u on u.id = r.run_id
          where r.id = ${id} for update of r) r`)
      // Another job already billed the policy: one presumed dead, or one started by a concurrent continue.
      if (!found?.isWaiting) return
      const billed = await billPolicy(cx, policy, { month, wording, standing: found })
      await markMonthSettled(cx, { policyId, month })
      if (!billed) {
        await cx.tx.run(sql`
          update billing_run_policies set state = 'nothing', base_cents = 0, adjustment_cents = 0, vat_cents = 0, total_cents = 0,
            last_cents = null, joiners_cents = null, leavers_cents = null, premium_cents = null, other_cents = null
          where id = ${id}`)
        return
      }
      const { invoice, creditNoteIds, baseCents, adjustmentCents, vatCents } = billed
      // Causes stay as in the preview; changes made since then count as `other`.
      await cx.tx.run(sql`
        update billing_run_policies set state = 'made', invoice_id = ${invoice?.id ?? null}, credit_note_ids = ${sql.param(creditNoteIds)}::uuid[],
          base_cents = ${baseCents}::bigint, adjustment_cents = ${adjustmentCents}::bigint, vat_cents = ${vatCents}::bigint,
          total_cents = ${baseCents + adjustmentCents + vatCents}::bigint,
          other_cents = ${baseCents + adjustmentCents}::bigint - last_cents - joiners_cents - leavers_cents - premium_cents
        where id = ${id}`)
      if (invoice) await numberInvoice(cx, invoice, outcome)
      // Webhooks act on credit notes at once, so this commit must be durable.
      if (creditNoteIds.length > 0) await cx.tx.run(sql`select set_config('synchronous_commit', 'on', true)`)
    })
  } catch (error) {
    if (isDatabaseUnavailable(error) || work.signal.aborted) throw error
    const why = error instanceof Refused && error.refusal.refused === "CREDIT_TOO_LARGE" ? "credit" : "failed"
    if (!(error instanceof PolicyParked) && why === "failed")
      work.app.log.error(
        { job: work.jobId, code: sqlState(error), err: error instanceof Error ? error.name : "" },
        "a policy of a premium run failed",
      )
    await parkPolicy(work, id, error instanceof PolicyParked ? error : new PolicyParked(why))
  }
}

const parkPolicy = (work: JobCx<Payload>, id: string, { reason, invoiceId }: PolicyParked): Promise<void> =>
  work.transaction(async ({ tx }) => {
    await tx.run(sql`
      update billing_run_policies set state = 'parked', reason_kind = ${reason}, mend_invoice_id = ${invoiceId}
      where id = ${id} and state = 'waiting'`)
  })
