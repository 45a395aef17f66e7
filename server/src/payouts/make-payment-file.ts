import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { type Batch, messageIdOf, type PaymentFileFormat } from "@milkwood/domain/payouts/batch"
import { batchFactHead } from "@milkwood/domain/payouts/batch-facts"
import { type FilePayment, type PaymentFileHead, paymentFileWriters } from "@milkwood/domain/payouts/payment-file"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { type JobCx, job } from "../platform/work/jobs.ts"
import { isInBatch, loadPayingAccount, type StoredBatch } from "./batches.queries.ts"
import { lockBatch } from "./change-batch.ts"
import { paymentFiles } from "./payouts.tables.ts"

/** Maximum bytes of a payment file; a payment needs less than two kilobytes. */
const maxFileBytes = 64 * 1024 * 1024
/** Payments are read in pages to limit memory. */
const paymentsPerRead = 500

interface Prepared {
  batch: StoredBatch
  nth: number
  head: PaymentFileHead
}

/** Null if a current file already exists, or no payment is in process. */
async function prepare(cx: Cx, batchId: string): Promise<Prepared | null> {
  const { tx, now } = cx
  const batch = await lockBatch(cx, batchId)
  const found = await tx.row<{ nth: number; counts: boolean }>(sql`
    select count(*) + 1 as nth, coalesce(bool_or(withdrawn is null), false) as counts from payment_files where batch_id = ${batchId}`)
  if (batch.status !== "released" || found!.counts) return null
  const sum = await tx.row<{ count: number; cents: number }>(sql`
    select count(*) as count, coalesce(sum(o.amount_cents), 0)::bigint as cents
    from payout_batch_payments i join payouts o on o.id = i.payout_id where ${isInBatch(batchId)} and o.status = 'processing'`)
  if (sum!.count === 0) return null
  const { organisation } = await readSettings(tx, platformSettings)
  const { accountNumber, branchCode, currency } = await loadPayingAccount(cx, batch.bankAccountId, batch.format)
  const { nth } = found!
  return {
    batch,
    nth,
    head: {
      messageId: messageIdOf(batch.number, nth),
      createdAt: now.toString({ smallestUnit: "second" }),
      executionOn: batch.executionOn,
      payer: { name: organisation.name, accountNumber, branchCode },
      count: sum!.count,
      controlSumCents: sum!.cents,
      currency,
    },
  }
}

async function* paymentsOf(tx: Tx, batchId: string): AsyncGenerator<FilePayment[]> {
  for (let after = ""; ; ) {
    const some = await tx.rows<FilePayment>(sql`
      select i.end_to_end_id as "endToEndId", o.amount_cents as "amountCents", o.payee_name as "payeeName",
        o.payee_branch_code as "branchCode", o.payee_account_number as "accountNumber", o.reference
      from payout_batch_payments i join payouts o on o.id = i.payout_id
      where ${isInBatch(batchId)} and o.status = 'processing' and i.end_to_end_id > ${after}
      order by i.end_to_end_id limit ${paymentsPerRead}`)
    if (some.length === 0) return
    yield some
    after = some.at(-1)!.endToEndId
  }
}

export interface Written {
  count: number
  cents: number
}

export async function* writePaymentFile(
  format: PaymentFileFormat,
  head: PaymentFileHead,
  payments: AsyncIterable<readonly FilePayment[]>,
  written: Written,
): AsyncGenerator<string> {
  const writer = paymentFileWriters[format]
  yield writer.open(head)
  for await (const some of payments) {
    for (const { amountCents } of some) {
      written.count += 1
      written.cents += amountCents
    }
    yield some.map((payment) => writer.payment(payment, head)).join("")
  }
  yield writer.close(head)
}

/**
 * Streams the file to disk, then stores its hash in one short transaction. Safe to restart: the database has one
 * current file. If a payment fails meanwhile, the totals differ and the file is made again.
 */
async function createPaymentFile({ app, payload: { batchId }, transaction, complete }: JobCx<{ batchId: string }>) {
  const prepared = await transaction((cx) => prepare(cx, batchId))
  if (!prepared) return { made: false }
  const { batch, head, nth } = prepared
  const { extension, mime } = paymentFileWriters[batch.format]
  const written = { count: 0, cents: 0 }
  const parts = writePaymentFile(batch.format, head, paymentsOf(app.database.direct("jobs"), batchId), written)
  const content = await app.files.receive(Readable.from(parts), maxFileBytes)
  try {
    if (written.count !== head.count || written.cents !== head.controlSumCents) {
      throw new Error("A payment of the batch changed while its file was created. The file is being created again.")
    }
    await app.files.put(content)
    await transaction(async (cx) => {
      const still = await prepare(cx, batchId)
      if (!still) return complete(cx, { made: false })
      const { count, controlSumCents, messageId } = head
      if (still.head.count !== count || still.head.controlSumCents !== controlSumCents || still.nth !== nth) {
        throw refused(
          "BUSY",
          "A payment of the batch changed while its file was created. The file is being created again.",
        )
      }
      const name = `${messageId}.${extension}`
      const stored = await app.files.save(cx, { kind: "payment_file", name, mime, groupId: null, content })
      await cx.tx.insert(paymentFiles).values({
        ...{
          id: randomUUID(),
          batchId,
          nth,
          messageId,
          format: batch.format,
          fileId: stored.id,
          sha256: stored.sha256,
        },
        ...{ paymentCount: count, controlSumCents, executionOn: batch.executionOn, madeAt: cx.now },
      })
      const made = { payments: count, amountCents: controlSumCents }
      await record(cx, [
        { ...batchFactHead(batch as Batch), type: "PaymentFileMade", messageId, sha256: stored.sha256, ...made },
      ])
      await complete(cx, { made: true })
    })
  } finally {
    await app.files.discard(content)
  }
}

export const paymentFile = job("payment-file", createPaymentFile)
