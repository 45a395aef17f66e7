import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { RunOutcome } from "@milkwood/domain/billing/billing-run"
import { finish, goOn, make } from "@milkwood/domain/billing/billing-run-steps"
import type { Wording } from "@milkwood/domain/billing/difference-words"
import { type Day, formatMonth } from "@milkwood/domain/kernel/calendar"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { Actor } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, Refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { isAway, sqlState } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { type JobCx, job, startJob } from "../platform/work/jobs.ts"
import { lockPolicy } from "../policies/policy-record.ts"
import { billPolicy, numberInvoice, Parked, type Standing, standing } from "./bill-policy.ts"
import { asRequester, countsOf, lockRun, type StoredRun, saveRun } from "./run-record.ts"
import { runDetail } from "./runs.queries.ts"
import { expectBankAccount, startSending } from "./send-run.ts"
import { settle } from "./settled.queries.ts"

interface Payload {
  runId: string
}

const startMaking = (cx: Cx, { id, number, month }: StoredRun) =>
  startJob(cx, {
    kind: "billing.makeRun",
    label: `${number}: invoices of ${formatMonth(month)}`,
    payload: { runId: id },
    resultPath: `/invoices/run?runId=${id}`,
  })

export const makeRun = command(billingContract.runs.make, async (cx) => {
  const { runId, version, outcome } = cx.input
  const run = await lockRun(cx, runId)
  expectVersion(run, version)
  if (outcome === "sent") await expectBankAccount(cx)
  const counts = await countsOf(cx.tx, runId)
  const jobId = await startMaking(cx, run)
  await saveRun(cx, run, orRefuse(make(run, { outcome, jobId }, counts, cx.now)))
  return runDetail(cx, runId)
})

export const continueRun = command(billingContract.runs.continue, async (cx) => {
  const { runId, version } = cx.input
  const run = await lockRun(cx, runId)
  expectVersion(run, version)
  const counts = await countsOf(cx.tx, runId)
  const jobId = await startMaking(cx, run)
  const change = orRefuse(goOn(run, jobId, counts))
  await cx.tx.run(sql`
    update billing_run_policies set state = 'waiting', reason_kind = null, reason = null, mend_invoice_id = null
    where run_id = ${runId} and state = 'parked'`)
  await saveRun(cx, run, change)
  return runDetail(cx, runId)
})

/**
 * Makes the invoices of a run, one transaction a policy: what was made stays, and a job that begins again after a crash
 * goes on with the policies that still wait.
 */
export const runMaking = job<Payload>("billing.makeRun", async (work) => {
  const { runId } = work.payload
  const by = await work.transaction(async (inner) => {
    const { tx, actor } = await asRequester(inner)
    const run = await tx.row<Pick<StoredRun, "month" | "outcome">>(sql`
      select month, outcome from billing_runs where id = ${runId}`)
    const { dateFormat, timezone, currency } = await readSettings(tx, platformSettings)
    const waiting = await tx.rows<{ id: string; policyId: string }>(sql`
      select r.id, r.policy_id as "policyId" from billing_run_policies r join policies p on p.id = r.policy_id
      where r.run_id = ${runId} and r.state = 'waiting' order by p.number`)
    return { waiting, actor, wording: { dateFormat, timezone, currency }, month: run!.month, outcome: run!.outcome! }
  })
  const { waiting, ...each } = by
  await inLanes(waiting, async ({ id, policyId }, index) => {
    work.signal.throwIfAborted()
    await work.progress(index, waiting.length, "Making invoices")
    await billOne(work, { id, policyId, ...each })
  })
  await work.transaction(async (inner) => {
    const cx = await asRequester(inner)
    const run = await lockRun(cx, runId)
    const counts = await countsOf(cx.tx, runId)
    if (run.status !== "making" || run.jobId !== work.jobId) return
    const made = orRefuse(finish(run, counts, cx.now))
    await saveRun(cx, run, made)
    if (run.outcome === "sent" && counts.unsent + counts.unmailed > 0)
      await startSending(cx, { ...run, ...made.value }, counts)
    await work.complete(inner)
  })
})

/**
 * So many policies are billed side by side: while one waits for the disk and the lines of another are written, the months
 * of a third are laid out.
 */
const lanes = 3

/** Does all, in order but for those side by side; after a failure no more is begun. */
async function inLanes<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  const queue = all.entries()
  const failures: unknown[] = []
  const lane = async () => {
    for (const [index, one] of queue) {
      if (failures.length > 0) return
      await work(one, index).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  if (failures.length > 0) throw failures[0]
}

interface ToBill {
  /** The row of the run. */
  id: string
  policyId: string
  actor: Actor
  wording: Wording
  month: Day
  outcome: RunOutcome
}

/**
 * The commit of a policy does not wait for the disk, as the job's last one does: what a crash takes of the policies before
 * it are the last ones, whole, and the job makes them again. Nobody acts on one that is not on disk: what acts is a later
 * commit, which brings all before it there.
 */
const withoutDisk = sql`set_config('synchronous_commit', 'off', true)`

async function billOne(work: JobCx<Payload>, { id, policyId, actor, wording, month, outcome }: ToBill): Promise<void> {
  try {
    await work.transaction(async (inner) => {
      const cx = { ...inner, actor, tx: inner.tx.preparing() }
      const policy = await lockPolicy(cx.tx, policyId)
      const found = await cx.tx.row<Standing & { isWaiting: boolean }>(sql`
        select r.state = 'waiting' and r.status = 'making' as "isWaiting", ${standing(cx, policy, month)}, ${withoutDisk}
        from (
          select r.state, u.status from billing_run_policies r join billing_runs u on u.id = r.run_id
          where r.id = ${id} for update of r) r`)
      // Made meanwhile: by a job that was taken for dead, or by somebody who went on with the run too.
      if (!found?.isWaiting) return
      const billed = await billPolicy(cx, policy, { month, wording, standing: found })
      await settle(cx, { policyId, month })
      if (!billed) {
        await cx.tx.run(sql`
          update billing_run_policies set state = 'nothing', base_cents = 0, adjustment_cents = 0, vat_cents = 0, total_cents = 0,
            last_cents = null, joiners_cents = null, leavers_cents = null, premium_cents = null, other_cents = null
          where id = ${id}`)
        return
      }
      const { invoice, creditNoteIds, baseCents, adjustmentCents, vatCents } = billed
      // The causes of the change are those of the preview; what came in between is the last of them.
      await cx.tx.run(sql`
        update billing_run_policies set state = 'made', invoice_id = ${invoice?.id ?? null}, credit_note_ids = ${sql.param(creditNoteIds)}::uuid[],
          base_cents = ${baseCents}::bigint, adjustment_cents = ${adjustmentCents}::bigint, vat_cents = ${vatCents}::bigint,
          total_cents = ${baseCents + adjustmentCents + vatCents}::bigint,
          other_cents = ${baseCents + adjustmentCents}::bigint - last_cents - joiners_cents - leavers_cents - premium_cents
        where id = ${id}`)
      if (invoice) await numberInvoice(cx, invoice, outcome)
      // A credit note is told to programs, which act on it at once.
      if (creditNoteIds.length > 0) await cx.tx.run(sql`select set_config('synchronous_commit', 'on', true)`)
    })
  } catch (error) {
    if (isAway(error) || work.signal.aborted) throw error
    const why = error instanceof Refused && error.refusal.refused === "CREDIT_TOO_LARGE" ? "credit" : "failed"
    if (!(error instanceof Parked) && why === "failed")
      work.app.log.error(
        { job: work.jobId, code: sqlState(error), err: error instanceof Error ? error.name : "" },
        "a policy of a premium run failed",
      )
    await park(work, id, error instanceof Parked ? error : new Parked(why))
  }
}

const park = (work: JobCx<Payload>, id: string, { reason, invoiceId }: Parked): Promise<void> =>
  work.transaction(async ({ tx }) => {
    await tx.run(sql`
      update billing_run_policies set state = 'parked', reason_kind = ${reason}, mend_invoice_id = ${invoiceId}
      where id = ${id} and state = 'waiting'`)
  })
