import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { paymentFileFormats } from "@milkwood/domain/payouts/batch"
import { type SQL, sql } from "drizzle-orm"
import { createPainAnswer } from "../../payouts/batches.samples.ts"
import { storeAnswer } from "../../payouts/payment-answer.ts"
import { readPaymentAnswer } from "../../payouts/read-payment-answer.ts"
import { isOnceIn, pickRow, reason, type SimulatedActions, type SimulationContext } from "./hand.ts"
import { runJobsOfKind } from "./jobs-done.ts"

interface PickedBatch {
  id: string
  version: number
}

const pickBatch = (hand: SimulationContext, where: SQL) =>
  pickRow<PickedBatch>(hand, sql`select b.id, b.version from payout_batches b where ${where} order by b.number`)

const isOpenSql = sql`b.status = 'open'`
const hasFileSql = (which: SQL) =>
  sql`b.status = 'released' and exists (select from payment_files f where f.batch_id = b.id and ${which})`

const batchStepInput = ({ id: batchId, version }: PickedBatch) => ({ batchId, version, idempotencyKey: randomUUID() })

async function createBatchForm({ maker, draw }: SimulationContext) {
  const { accounts, firstDay: executionOn } = await maker.payouts.batches.choices()
  return {
    bankAccountId: draw.of(accounts).id,
    executionOn,
    format: draw.of(["pain001", ...paymentFileFormats] as const),
  }
}

async function createBankAnswer(hand: SimulationContext) {
  const { app, draw } = hand
  const file = await pickRow<{ batchId: string; messageId: string; ids: string[] }>(
    hand,
    sql`select f.batch_id as "batchId", f.message_id as "messageId", array_agg(i.end_to_end_id order by i.end_to_end_id) as ids
      from payment_files f join payout_batch_payments i on i.batch_id = f.batch_id and i.removed_at is null and i.end_to_end_id is not null
      where f.withdrawn is null and f.exported_at is not null group by f.id order by f.message_id`,
  )
  if (!file) return false
  const { batchId, messageId } = file
  const said = file.ids.map((endToEndId) => {
    const status = draw.of(["ACSC", "RJCT", "PDNG"])
    return { endToEndId, status, ...(status === "RJCT" ? { code: "AC04" } : {}) }
  })
  // One time in eight the bank rejects the whole file without payment details.
  const whole = isOnceIn(hand, 8) ? "RJCT" : "PART"
  // Every answer needs a unique id.
  const bytes = Buffer.from(
    createPainAnswer(messageId, whole === "RJCT" ? [] : said, whole).replace(
      "BANK-1",
      `BANK-${randomUUID().slice(0, 8)}`,
    ),
  )
  const content = await app.app.files.receive(Readable.from([bytes]), 1_000_000)
  const sent = { name: "answer.xml", mime: "text/xml", content }
  try {
    await app.transaction(hand.makerActor, (cx) => storeAnswer(cx, batchId, sent, readPaymentAnswer(bytes)))
  } catch (error) {
    if (await pickRow(hand, sql`select from payment_files where message_id = ${messageId} and withdrawn is not null`))
      return false
    throw error
  }
  await runJobsOfKind(hand, "payment-")
}

export const batchActions: SimulatedActions = {
  "make a batch": {
    weight: 3,
    async act(hand) {
      const { waiting } = await hand.maker.payouts.batches.choices()
      if (waiting.count === 0) return false
      return hand.maker.payouts.batches.make({ idempotencyKey: randomUUID(), ...(await createBatchForm(hand)) })
    },
  },
  "change a batch": {
    weight: 2,
    async act(hand) {
      const batch = await pickBatch(hand, isOpenSql)
      if (!batch) return batch
      const { idempotencyKey: _, ...step } = batchStepInput(batch)
      return hand.maker.payouts.batches.edit({ ...step, ...(await createBatchForm(hand)) })
    },
  },
  "add to a batch": {
    weight: 1,
    async act(hand) {
      const batch = await pickBatch(hand, isOpenSql)
      return batch && hand.maker.payouts.batches.add(batchStepInput(batch))
    },
  },
  "take out of a batch": {
    weight: 1,
    async act(hand) {
      const one = await pickRow<PickedBatch & { payoutId: string }>(
        hand,
        sql`select b.id, b.version, i.payout_id as "payoutId" from payout_batches b
          join payout_batch_payments i on i.batch_id = b.id and i.removed_at is null join payouts o on o.id = i.payout_id
          where ${isOpenSql} order by b.number, o.number`,
      )
      return one && hand.maker.payouts.batches.takeOut({ ...batchStepInput(one), payoutIds: [one.payoutId] })
    },
  },
  "release a batch": {
    weight: 4,
    async act(hand) {
      const batch = await pickBatch(hand, isOpenSql)
      if (!batch) return false
      await hand.second.payouts.batches.release(batchStepInput(batch))
      await runJobsOfKind(hand, "payment-")
    },
  },
  "call off a batch": {
    weight: 1,
    async act(hand) {
      const batch = await pickBatch(hand, isOpenSql)
      return batch && hand.maker.payouts.batches.cancel({ ...batchStepInput(batch), reason })
    },
  },
  "export a file": {
    weight: 3,
    async act(hand) {
      const batch = await pickBatch(hand, hasFileSql(sql`f.withdrawn is null and f.exported_at is null`))
      return batch && hand.maker.payouts.batches.export({ batchId: batch.id, idempotencyKey: randomUUID() })
    },
  },
  "withdraw a file": {
    weight: 1,
    async act(hand) {
      const batch = await pickBatch(hand, hasFileSql(sql`f.withdrawn is null`))
      return batch && hand.maker.payouts.batches.withdraw({ ...batchStepInput(batch), why: "not_sent", reason })
    },
  },
  "replace a file": {
    weight: 3,
    async act(hand) {
      const batch = await pickBatch(
        hand,
        sql`b.status = 'released' and not exists (select from payment_files f where f.batch_id = b.id and f.withdrawn is null)
          and exists (select from payout_batch_payments i join payouts o on o.id = i.payout_id
            where i.batch_id = b.id and i.removed_at is null and o.status = 'processing')`,
      )
      if (!batch) return false
      const { firstDay } = await hand.maker.payouts.batches.choices()
      await hand.maker.payouts.batches.replace({ ...batchStepInput(batch), executionOn: firstDay })
      await runJobsOfKind(hand, "payment-")
    },
  },
  "the bank's answer": { weight: 2, act: createBankAnswer },
}
