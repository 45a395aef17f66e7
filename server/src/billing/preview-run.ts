import { randomUUID } from "node:crypto"
import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { RunPolicyState } from "@milkwood/domain/billing/billing-run"
import {
  checkRunMonth,
  excludePolicies,
  finishPreview,
  preview,
  runStartedFacts,
} from "@milkwood/domain/billing/billing-run-steps"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { job, startJob } from "../platform/work/jobs.ts"
import { PolicyParked } from "./bill-policy.ts"
import { billingRuns } from "./billing.tables.ts"
import { previewVat } from "./correct-billed.ts"
import { previewSql } from "./run-preview.queries.ts"
import { cxOfRequester, lockRun, type StoredRun, saveRun } from "./run-record.ts"
import { runDetail } from "./runs.queries.ts"

interface Payload {
  runId: string
}

const startPreview = (cx: Cx, { id, month }: Pick<StoredRun, "id" | "month">) =>
  startJob(cx, {
    kind: "billing.previewRun",
    label: `Preview of the premium run for ${formatMonth(month)}`,
    payload: { runId: id },
    resultPath: `/invoices/run?runId=${id}`,
  })

export const startRun = command(billingContract.runs.start, async (cx) => {
  const { tx, input, now, today } = cx
  const run = {
    id: randomUUID(),
    number: await nextNumber(tx, "billing_run", today),
    month: orRefuse(checkRunMonth(input.month, today)),
  }
  const jobId = await startPreview(cx, run)
  await tx
    .insert(billingRuns)
    .values({ ...run, policyIds: input.policyIds, jobId, createdBy: actorUserId(cx.actor), createdAt: now })
  await record(cx, runStartedFacts(run))
  return runDetail(cx, run.id)
})

export const previewRun = command(billingContract.runs.preview, async (cx) => {
  const run = await lockRun(cx, cx.input.runId)
  expectVersion(run, cx.input.version)
  const jobId = await startPreview(cx, run)
  await saveRun(cx, run, orRefuse(preview(run, jobId)))
  return runDetail(cx, run.id)
})

/** One transaction, so a restart after a crash begins with an empty preview. */
export const previewRunPolicies = job<Payload>("billing.previewRun", async (work) => {
  await work.progress(0, null, "Comparing owed and billed amounts")
  await work.transaction(async (inner) => {
    const cx = await cxOfRequester(inner)
    const run = await lockRun(cx, work.payload.runId)
    if (run.status !== "previewing" || run.jobId !== work.jobId) return
    const policies = run.policyIds
      ? sql`select unnest(${sql.param(run.policyIds)}::uuid[])`
      : sql`select id from policies where status <> 'Draft'`
    const asked = { policies, month: run.month, knownAt: cx.now }
    const leftOut = await cx.tx.rows<{ policyId: string }>(sql`
      select policy_id as "policyId" from billing_run_policies where run_id = ${run.id} and state = 'left_out'`)
    await cx.tx.run(sql`delete from billing_run_policies where run_id = ${run.id}`)
    const credited = await cx.tx.rows<{ policyId: string }>(sql`
      with found as materialized (
        select f.*, case
          when not f.differs and f.obstacle is distinct from 'no_premium' then 'nothing'
          when f.policy_id = any (${sql.param(leftOut.map(({ policyId }) => policyId))}::uuid[]) then 'left_out'
          when f.obstacle is not null then 'parked' else 'waiting' end as state
        from (${previewSql(asked)}) f
      ), inserted as (insert into billing_run_policies (id, group_id, run_id, policy_id, state, reason_kind, mend_invoice_id, members, base_cents,
        adjustment_cents, vat_cents, total_cents, last_cents, joiners_cents, leavers_cents, premium_cents, other_cents, marks)
      select gen_random_uuid(), group_id, ${run.id}::uuid, policy_id, state, case when state = 'parked' then obstacle end,
        case when state = 'parked' then invoice_id end, members, base, net - base, vat, net + vat, last,
        case when last is not null then joiners end, case when last is not null then leavers end,
        case when last is not null then premium end, case when last is not null then net - last - joiners - leavers - premium end,
        array_remove(array[
          case when last is not null and abs(net - last) * 5 > abs(last) then 'over_20' end,
          case when is_first and differs then 'first_invoice' end,
          case when is_active and members = 0 then 'no_members' end], null)
      from found)
      select policy_id as "policyId" from found where is_credited and state in ('waiting', 'left_out')`)
    await dryRunCreditsOfPolicies(
      cx,
      run,
      credited.map(({ policyId }) => policyId),
    )
    await saveRun(cx, run, orRefuse(finishPreview(run, cx.now)))
    await work.complete(inner)
  })
})

/** Sets the VAT of bills with credit notes, or parks the policies. */
async function dryRunCreditsOfPolicies(
  inner: Cx,
  { id, month }: StoredRun,
  policyIds: readonly string[],
): Promise<void> {
  const cx = { ...inner, tx: inner.tx.preparing() }
  const credited = await cx.tx.rows<{ id: string; policyId: string; state: RunPolicyState }>(sql`
    select id, policy_id as "policyId", state from billing_run_policies
    where run_id = ${id} and policy_id = any (${sql.param([...policyIds])}::uuid[])`)
  for (const row of credited)
    try {
      const vatCents = await previewVat(cx, row.policyId, month)
      await cx.tx.run(sql`
        update billing_run_policies set vat_cents = ${vatCents}::bigint, total_cents = base_cents + adjustment_cents + ${vatCents}::bigint
        where id = ${row.id}`)
    } catch (error) {
      if (!(error instanceof PolicyParked)) throw error
      // A policy left out is parked only when it is billed.
      if (row.state === "waiting")
        await cx.tx.run(sql`
          update billing_run_policies set state = 'parked', reason_kind = ${error.reason}, mend_invoice_id = ${error.invoiceId}
          where id = ${row.id}`)
    }
}

export const excludeFromRun = command(billingContract.runs.leaveOut, async (cx) => {
  const { runId, rowIds, isLeftOut } = cx.input
  const run = await lockRun(cx, runId)
  const changed = sql`run_id = ${runId} and r.id = any (${sql.param(rowIds)}::uuid[]) and state = ${isLeftOut ? "waiting" : "left_out"}`
  const numbers = await cx.tx.rows<{ number: string }>(sql`
    select p.number from billing_run_policies r join policies p on p.id = r.policy_id where ${changed} order by p.number`)
  const change = orRefuse(
    excludePolicies(
      run,
      numbers.map(({ number }) => number),
      isLeftOut,
    ),
  )
  await cx.tx.run(sql`update billing_run_policies r set state = ${isLeftOut ? "left_out" : "waiting"} where ${changed}`)
  if (numbers.length > 0) await saveRun(cx, run, change)
  return runDetail(cx, runId)
})
