import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { RunCounts } from "@milkwood/domain/billing/billing-run"
import { sendAll } from "@milkwood/domain/billing/billing-run-steps"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse, Refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { isAway } from "../platform/database/database.ts"
import { type JobCx, job, startJob } from "../platform/work/jobs.ts"
import { lockInvoice } from "./invoice-record.ts"
import { asRequester, countsOf, lockRun, type StoredRun, saveRun } from "./run-record.ts"
import { runDetail } from "./runs.queries.ts"
import { issue, pdfToSend } from "./send-invoice.ts"

interface Payload {
  runId: string
  /** What the sender said of the policies' credit; left out, the setting decides. */
  useCredit?: boolean
}

/** Has what a locked run made sent by a job. */
export async function startSending(cx: Cx, run: StoredRun, counts: RunCounts, useCredit?: boolean): Promise<void> {
  const jobId = await startJob(cx, {
    kind: "billing.sendRun",
    label: `${run.number}: sending the invoices of ${formatMonth(run.month)}`,
    payload: { runId: run.id, ...(useCredit !== undefined && { useCredit }) },
    resultPath: `/invoices/run?runId=${run.id}`,
  })
  await saveRun(cx, run, orRefuse(sendAll(run, jobId, counts)))
}

export const sendRun = command(billingContract.runs.send, async (cx) => {
  const { runId, version, useCredit } = cx.input
  const run = await lockRun(cx, runId)
  expectVersion(run, version)
  await startSending(cx, run, await countsOf(cx.tx, runId), useCredit)
  return runDetail(cx, runId)
})

/**
 * Sends the invoices of a run, one transaction each, which queues its mail: a mail server that is away gets them later.
 * Begun again after a crash it goes on with what is not sent.
 */
export const runSending = job<Payload>("billing.sendRun", async (work) => {
  const unsent = await work.transaction(({ tx }) =>
    tx.rows<{ id: string; invoiceId: string; version: number }>(sql`
      select r.id, i.id as "invoiceId", i.version from billing_run_policies r join invoices i on i.id = r.invoice_id
      where r.run_id = ${work.payload.runId} and i.status in ('draft', 'pending') and i.total_cents > 0 order by i.number`),
  )
  let failed = 0
  for (const [index, one] of unsent.entries()) {
    work.signal.throwIfAborted()
    await work.progress(index, unsent.length, "Sending invoices")
    if (!(await sendOne(work, one))) failed++
  }
  await work.transaction(async (inner) => {
    const run = await lockRun(inner, work.payload.runId)
    if (run.jobId === work.jobId) await saveRun(inner, run, { value: { ...run, jobId: null }, facts: [] })
    await work.complete(inner, { sent: unsent.length - failed, failed })
  })
})

/** Answers whether it was sent; what was edited or sent meanwhile is left as it is. */
async function sendOne(
  work: JobCx<Payload>,
  { id, invoiceId, version }: { id: string; invoiceId: string; version: number },
): Promise<boolean> {
  try {
    const actor = await work.transaction(async (inner) => (await asRequester(inner)).actor)
    const read = work.transaction
    const pdf = await pdfToSend({ app: work.app, input: { invoiceId, version }, read })
    await work.transaction(async (inner) => {
      const cx = { ...inner, actor }
      const held = await lockInvoice(cx, invoiceId)
      if (held.invoice.version !== version) return
      await issue(cx, held, pdf, work.payload.useCredit)
      await cx.tx.run(
        sql`update billing_run_policies set send_failure = null where id = ${id} and send_failure is not null`,
      )
    })
    return true
  } catch (error) {
    if (isAway(error) || work.signal.aborted || !(error instanceof Refused)) throw error
    const { refused, message } = error.refusal
    const failure =
      refused === "NO_CONTACT"
        ? "The policy's main contact has no e-mail address."
        : (message ?? "It could not be sent; try again.")
    await work.transaction(({ tx }) =>
      tx.run(sql`update billing_run_policies set send_failure = ${failure} where id = ${id}`),
    )
    return false
  }
}
