import { isRefusal, type Refusal } from "@milkwood/domain/kernel/refusal"
import { releaseBatch as decide, endToEndIdOf } from "@milkwood/domain/payouts/batch"
import { batchFactHead } from "@milkwood/domain/payouts/batch-facts"
import type { Payout } from "@milkwood/domain/payouts/payout"
import { markReleased } from "@milkwood/domain/payouts/payout-steps"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, Refused } from "../platform/calls/commands.ts"
import { expectPerson, expectProof } from "../platform/calls/proof.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { saveRecord } from "../platform/database/record.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { startJob } from "../platform/work/jobs.ts"
import { batchDetail, isInBatch, localTimeOf } from "./batches.queries.ts"
import { lockBatch } from "./change-batch.ts"
import { lockPayouts } from "./payout-record.ts"
import { payoutBatches } from "./payouts.tables.ts"
import { savePayoutSteps } from "./step-payout.ts"

export const lockPaymentsOf = (cx: Pick<Cx, "tx">, batchId: string): Promise<Payout[]> =>
  lockPayouts(cx, sql`select i.payout_id from payout_batch_payments i where ${isInBatch(batchId)}`)

/** Starts the job that makes the file once and survives restarts. */
export const startPaymentFile = (cx: Cx, batch: { id: string; number: string }): Promise<string> =>
  startJob(cx, {
    kind: "payment-file",
    label: `Payment file of ${batch.number}`,
    payload: { batchId: batch.id },
    resultPath: `/finance/payment-batches/${batch.id}`,
  })

export const releaseBatch = command(payoutsContract.batches.release, async (cx) => {
  const { tx, now, today, actor } = cx
  expectPerson(cx)
  const batch = await lockBatch(cx, cx.input.batchId)
  const settings = await readSettings(tx, payoutsSettings)
  const held = await lockPaymentsOf(cx, batch.id)
  const moment = { today, time: localTimeOf(cx), now }
  const released = decide(batch, held, ruleActor(actor), settings, moment, cx.currency)
  if (isRefusal(released)) throw new Refused(released as Refusal)
  const amountCents = held.reduce((sum, payout) => sum + payout.amountCents, 0)
  if (amountCents > settings.proofAboveCents) expectProof(cx)
  expectVersion(batch, cx.input.version)
  await savePayoutSteps(
    cx,
    held.map((before) => ({ before, decided: markReleased(before, ruleActor(actor), now, batch.bankAccountId) })),
  )
  const named = held.map((payout) => ({ id: payout.id, name: endToEndIdOf(payout) }))
  await tx.run(sql`
    update payout_batch_payments i set end_to_end_id = of.name
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as of (id uuid, name text)
    where ${isInBatch(batch.id)} and i.payout_id = of.id`)
  await saveRecord(tx, payoutBatches, batch, orRefuse(released))
  await record(cx, [{ ...batchFactHead(batch), type: "BatchReleased", payments: held.length, amountCents }])
  await startPaymentFile(cx, batch)
  return batchDetail(cx, batch.id)
})
