import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { paymentFileFormats } from "@milkwood/domain/payouts/batch"
import { type SQL, sql } from "drizzle-orm"
import { painAnswer } from "../../payouts/batches.samples.ts"
import { keepAnswer } from "../../payouts/payment-answer.ts"
import { readPaymentAnswer } from "../../payouts/read-payment-answer.ts"
import { type Deeds, type Hand, onceIn, pick, reason } from "./hand.ts"
import { jobsDone } from "./jobs-done.ts"

interface Drawn {
  id: string
  version: number
}

const aBatch = (hand: Hand, where: SQL) =>
  pick<Drawn>(hand, sql`select b.id, b.version from payout_batches b where ${where} order by b.number`)

const open = sql`b.status = 'open'`
const withFile = (which: SQL) =>
  sql`b.status = 'released' and exists (select from payment_files f where f.batch_id = b.id and ${which})`

const stepOf = ({ id: batchId, version }: Drawn) => ({ batchId, version, idempotencyKey: randomUUID() })

async function paidAnew({ maker, draw }: Hand) {
  const { accounts, firstDay: executionOn } = await maker.payouts.batches.choices()
  return {
    bankAccountId: draw.of(accounts).id,
    executionOn,
    format: draw.of(["pain001", ...paymentFileFormats] as const),
  }
}

async function answered(hand: Hand) {
  const { app, draw } = hand
  const file = await pick<{ batchId: string; messageId: string; ids: string[] }>(
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
  const whole = onceIn(hand, 8) ? "RJCT" : "PART"
  // Every answer needs a unique id.
  const bytes = Buffer.from(
    painAnswer(messageId, whole === "RJCT" ? [] : said, whole).replace("BANK-1", `BANK-${randomUUID().slice(0, 8)}`),
  )
  const content = await app.app.files.receive(Readable.from([bytes]), 1_000_000)
  const sent = { name: "answer.xml", mime: "text/xml", content }
  try {
    await app.transaction(hand.makerActor, (cx) => keepAnswer(cx, batchId, sent, readPaymentAnswer(bytes)))
  } catch (error) {
    if (await pick(hand, sql`select from payment_files where message_id = ${messageId} and withdrawn is not null`))
      return false
    throw error
  }
  await jobsDone(hand, "payment-")
}

export const batchDeeds: Deeds = {
  "make a batch": {
    weight: 3,
    async act(hand) {
      const { waiting } = await hand.maker.payouts.batches.choices()
      if (waiting.count === 0) return false
      return hand.maker.payouts.batches.make({ idempotencyKey: randomUUID(), ...(await paidAnew(hand)) })
    },
  },
  "change a batch": {
    weight: 2,
    async act(hand) {
      const batch = await aBatch(hand, open)
      if (!batch) return batch
      const { idempotencyKey: _, ...step } = stepOf(batch)
      return hand.maker.payouts.batches.edit({ ...step, ...(await paidAnew(hand)) })
    },
  },
  "add to a batch": {
    weight: 1,
    async act(hand) {
      const batch = await aBatch(hand, open)
      return batch && hand.maker.payouts.batches.add(stepOf(batch))
    },
  },
  "take out of a batch": {
    weight: 1,
    async act(hand) {
      const one = await pick<Drawn & { payoutId: string }>(
        hand,
        sql`select b.id, b.version, i.payout_id as "payoutId" from payout_batches b
          join payout_batch_payments i on i.batch_id = b.id and i.removed_at is null join payouts o on o.id = i.payout_id
          where ${open} order by b.number, o.number`,
      )
      return one && hand.maker.payouts.batches.takeOut({ ...stepOf(one), payoutIds: [one.payoutId] })
    },
  },
  "release a batch": {
    weight: 4,
    async act(hand) {
      const batch = await aBatch(hand, open)
      if (!batch) return false
      await hand.second.payouts.batches.release(stepOf(batch))
      await jobsDone(hand, "payment-")
    },
  },
  "call off a batch": {
    weight: 1,
    async act(hand) {
      const batch = await aBatch(hand, open)
      return batch && hand.maker.payouts.batches.cancel({ ...stepOf(batch), reason })
    },
  },
  "export a file": {
    weight: 3,
    async act(hand) {
      const batch = await aBatch(hand, withFile(sql`f.withdrawn is null and f.exported_at is null`))
      return batch && hand.maker.payouts.batches.export({ batchId: batch.id, idempotencyKey: randomUUID() })
    },
  },
  "withdraw a file": {
    weight: 1,
    async act(hand) {
      const batch = await aBatch(hand, withFile(sql`f.withdrawn is null`))
      return batch && hand.maker.payouts.batches.withdraw({ ...stepOf(batch), why: "not_sent", reason })
    },
  },
  "replace a file": {
    weight: 3,
    async act(hand) {
      const batch = await aBatch(
        hand,
        sql`b.status = 'released' and not exists (select from payment_files f where f.batch_id = b.id and f.withdrawn is null)
          and exists (select from payout_batch_payments i join payouts o on o.id = i.payout_id
            where i.batch_id = b.id and i.removed_at is null and o.status = 'processing')`,
      )
      if (!batch) return false
      const { firstDay } = await hand.maker.payouts.batches.choices()
      await hand.maker.payouts.batches.replace({ ...stepOf(batch), executionOn: firstDay })
      await jobsDone(hand, "payment-")
    },
  },
  "the bank's answer": { weight: 2, act: answered },
}
