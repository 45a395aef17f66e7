import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { RunCounts } from "@milkwood/domain/billing/billing-run"
import { sendAll } from "@milkwood/domain/billing/billing-run-steps"
import { noBankAccount, noVatNumber, refuseWithoutBankAccount } from "@milkwood/domain/billing/paper-rules"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse, Refused, retryBusy } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { isDatabaseUnavailable } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { type JobCx, job, startJob } from "../platform/work/jobs.ts"
import { lockInvoice } from "./invoice-record.ts"
import { mailCreditNotes } from "./mail-document.ts"
import { countRunPolicies, cxOfRequester, lockRun, type StoredRun, saveRun, unmailedNotes } from "./run-record.ts"
import { runDetail } from "./runs.queries.ts"
import { createPdfToSend, issueInvoice } from "./send-invoice.ts"

interface Payload {
  runId: string
  /** Without it the setting decides. */
  useCredit?: boolean
  mailCreditNotes?: boolean
}

export async function startSending(
  cx: Cx,
  run: StoredRun,
  counts: RunCounts,
  { useCredit, mailCreditNotes = true }: Omit<Payload, "runId"> = {},
): Promise<void> {
  const jobId = await startJob(cx, {
    kind: "billing.sendRun",
    label: `${run.number}: sending the invoices for ${formatMonth(run.month)}`,
    payload: { runId: run.id, mailCreditNotes, ...(useCredit !== undefined && { useCredit }) },
    resultPath: `/invoices/run?runId=${run.id}`,
  })
  await saveRun(cx, run, orRefuse(sendAll(run, jobId, counts, mailCreditNotes)))
}

/** Refuses NO_BANK_ACCOUNT without a bank account. */
export async function expectBankAccount({ tx }: Pick<Cx, "tx">): Promise<void> {
  const { organisation } = await readSettings(tx, platformSettings)
  orRefuse(refuseWithoutBankAccount(organisation))
}

export const sendRun = command(billingContract.runs.send, async (cx) => {
  const { runId, version, useCredit, mailCreditNotes } = cx.input
  const run = await lockRun(cx, runId)
  expectVersion(run, version)
  const counts = await countRunPolicies(cx.tx, runId)
  if (counts.unsent > 0) await expectBankAccount(cx)
  await startSending(cx, run, counts, {
    mailCreditNotes,
    ...(useCredit !== undefined && { useCredit }),
  })
  return runDetail(cx, runId)
})

/**
 * One transaction per invoice, which queues its mail; then one per policy for credit notes. A restart after a crash
 * continues with what is unsent.
 */
export const sendRunInvoices = job<Payload>("billing.sendRun", async (work) => {
  const unsent = await work.transaction(({ tx }) =>
    tx.rows<{ id: string; invoiceId: string; version: number }>(sql`
      select r.id, i.id as "invoiceId", i.version from billing_run_policies r join invoices i on i.id = r.invoice_id
      where r.run_id = ${work.payload.runId} and i.status in ('draft', 'pending') and i.total_cents > 0 order by i.number`),
  )
  const credited =
    work.payload.mailCreditNotes === false
      ? []
      : await work.transaction(({ tx }) =>
          tx.rows<{ id: string }>(sql`
            select r.id from billing_run_policies r join policies p on p.id = r.policy_id
            where r.run_id = ${work.payload.runId} and r.credit_note_ids <> '{}' and exists (${unmailedNotes})
            order by p.number`),
        )
  const steps: (() => Promise<boolean>)[] = []
  for (const one of unsent) steps.push(() => sendRunInvoice(work, one))
  for (const { id } of credited) steps.push(() => mailRunNotes(work, id))
  let failed = 0
  for (const [index, step] of steps.entries()) {
    work.signal.throwIfAborted()
    await work.progress(index, steps.length, index < unsent.length ? "Sending invoices" : "Emailing credit notes")
    if (!(await step())) failed++
  }
  await work.transaction(async (inner) => {
    const run = await lockRun(inner, work.payload.runId)
    if (run.jobId === work.jobId) await saveRun(inner, run, { value: { ...run, jobId: null }, facts: [] })
    await work.complete(inner, { sent: steps.length - failed, failed })
  })
})

/** Skips an invoice edited or sent in the meantime. */
function sendRunInvoice(
  work: JobCx<Payload>,
  { id, invoiceId, version }: { id: string; invoiceId: string; version: number },
): Promise<boolean> {
  const { useCredit } = work.payload
  const once = async () => {
    const actor = await work.transaction(async (inner) => (await cxOfRequester(inner)).actor)
    const read = work.transaction
    const pdf = await createPdfToSend({ app: work.app, input: { invoiceId, version, useCredit }, read })
    await work.transaction(async (inner) => {
      const cx = { ...inner, actor }
      const held = await lockInvoice(cx, invoiceId)
      if (held.invoice.version !== version) return
      await issueInvoice(cx, held, pdf, useCredit)
      await clearFailure(cx, id)
    })
  }
  return sendOrRecordRefusal(work, id, () => retryBusy(once))
}

/** Sends one mail per policy, without credit notes already mailed. */
function mailRunNotes(work: JobCx<Payload>, id: string): Promise<boolean> {
  return sendOrRecordRefusal(work, id, () =>
    work.transaction(async (inner) => {
      const cx = await cxOfRequester(inner)
      await cx.tx.rows(sql`select from billing_run_policies where id = ${id} for update`)
      const notes = await cx.tx.rows<{ id: string }>(sql`
        select c.id from billing_run_policies r join credit_notes c on c.id in (${unmailedNotes})
        where r.id = ${id} order by c.number`)
      if (notes.length === 0) return
      await mailCreditNotes(
        cx,
        notes.map(({ id }) => id),
      )
      await cx.tx.run(sql`update billing_run_policies set credit_notes_mailed_at = ${cx.now} where id = ${id}`)
      await clearFailure(cx, id)
    }),
  )
}

const clearFailure = (cx: Cx, id: string) =>
  cx.tx.run(sql`
    update billing_run_policies r set send_failure = null
    where id = ${id} and send_failure is not null
      and not exists (select from invoices i where i.id = r.invoice_id and i.status in ('draft', 'pending'))`)

const failureTexts: Partial<Record<string, string>> = {
  NO_CONTACT: "The policy's main contact has no e-mail address.",
  NO_VAT_NUMBER: noVatNumber.NO_VAT_NUMBER.message,
  NO_BANK_ACCOUNT: noBankAccount.NO_BANK_ACCOUNT.message,
}

/** Writes a refusal to the policy's row instead of failing the job. */
async function sendOrRecordRefusal(work: JobCx<Payload>, id: string, send: () => Promise<void>): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    if (isDatabaseUnavailable(error) || work.signal.aborted || !(error instanceof Refused)) throw error
    const { refused, message } = error.refusal
    const failure = message ?? failureTexts[refused] ?? "It could not be sent. Try again."
    await work.transaction(({ tx }) =>
      tx.run(sql`update billing_run_policies set send_failure = ${failure} where id = ${id}`),
    )
    return false
  }
}
