import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { batchFactHead } from "@milkwood/domain/payouts/batch-facts"
import {
  answerDayOf,
  answerLimits,
  type PaymentAnswer,
  type PaymentAnswerLine,
} from "@milkwood/domain/payouts/payment-answer"
import { sql } from "drizzle-orm"
import type { HttpRoute } from "../http/file-route.ts"
import { uuidOrNotFound } from "../http/file-route.ts"
import { type UploadedFile, upload } from "../http/upload.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, invalidInput } from "../platform/calls/commands.ts"
import { readInSubprocess } from "../platform/files/read-apart.ts"
import { UnreadableFile } from "../platform/files/unreadable.ts"
import { record } from "../platform/trail/facts.ts"
import { type JobCx, job, startJob } from "../platform/work/jobs.ts"
import { lockBatch, lockChangeableBatch } from "./change-batch.ts"
import { markWithdrawn } from "./export-payment-file.ts"
import { paymentAnswers } from "./payouts.tables.ts"
import { applyPaymentStatuses } from "./step-payouts.ts"

const reader = join(import.meta.dirname, "payment-answer-reader.ts")

const refuseFile = (message: string) => invalidInput([{ path: "file", message }], message)

/**
 * Uploads the bank's answer (pain.002) to a payment file, parsed in a separate process. Refuses other files, answers to
 * another file, and repeats. Returns `{ jobId }` of the job that completes and fails the payments.
 */
export const uploadPaymentAnswer: HttpRoute = upload(
  {
    path: "/api/payment-batches/:batchId/answers",
    permission: "payouts.write",
    summary: "Upload the bank response to a payment file",
    words: { answers: ["jobId"] },
    accepts: () => ({
      kinds: [{ extension: "xml", mime: "text/xml", magic: "any" as const }],
      bytes: answerLimits.bytes,
    }),
  },
  async ({ transaction, params, file, app, actor, signal }) => {
    const batchId = uuidOrNotFound(params.batchId)
    await transaction((cx) => lockChangeableBatch(cx, { batchId }, "answer"))
    const content = await app.limits.readers
      .hold(() => readAnswerInSubprocess(file.content.path), signal, { owner: actorUserId(actor) ?? "" })
      .catch((error: unknown) => {
        throw error instanceof UnreadableFile ? refuseFile(`${error.message} Nothing was imported.`) : error
      })
    await app.files.put(file.content)
    return transaction((cx) => storeAnswer(cx, batchId, file, content))
  },
)

async function readAnswerInSubprocess(path: string): Promise<PaymentAnswer> {
  const { memory, time } = answerLimits
  let content: PaymentAnswer | undefined
  await readInSubprocess<{ path: string }, PaymentAnswer>(reader, { path }, { memory, time }, async (part) => {
    content = part
  })
  return content!
}

/** INVALID if the answer is not for a current file. */
export async function storeAnswer(
  cx: Cx,
  batchId: string,
  file: Pick<UploadedFile, "name" | "mime" | "content">,
  content: PaymentAnswer,
): Promise<{ jobId: string }> {
  const { tx, app, actor, now } = cx
  const batch = await lockChangeableBatch(cx, { batchId }, "answer")
  const { sha256 } = file.content
  const answered = await tx.row<{ withdrawn: boolean }>(sql`
    select withdrawn is not null as withdrawn from payment_files where batch_id = ${batchId} and message_id = ${content.messageId}`)
  if (!answered) {
    throw refuseFile(
      `The file is a response to ${content.messageId || "another payment file"}, which is not a payment file of ${batch.number}. Nothing was imported.`,
    )
  }
  if (answered.withdrawn) {
    throw refuseFile(`${content.messageId} was withdrawn. Nothing was imported.`)
  }
  const before = await tx.row(sql`select from payment_answers where batch_id = ${batchId} and sha256 = ${sha256}`)
  if (before) throw refuseFile("This bank response was already imported. Nothing was changed.")
  const { name, mime } = file
  const stored = await app.files.save(cx, { kind: "payment_answer", name, mime, groupId: null, content: file.content })
  const answerId = randomUUID()
  const jobId = await startJob(cx, {
    kind: "payment-answer",
    label: `Bank response to ${content.messageId}`,
    payload: { batchId, answerId },
    resultPath: `/finance/payment-batches/${batchId}`,
  })
  await tx.insert(paymentAnswers).values({
    ...{ id: answerId, batchId, fileId: stored.id, sha256, jobId, content },
    ...{ uploadedBy: actorUserId(actor)!, uploadedAt: now },
  })
  return { jobId }
}

const paymentsPerTransaction = 100

interface AnswerPayload {
  batchId: string
  answerId: string
}

/**
 * Applies the answer in small transactions and skips payments already processed, so it can restart. A rejected file is
 * withdrawn.
 */
async function applyAnswer({
  payload: { batchId, answerId },
  transaction,
  progress,
  complete,
  signal,
}: JobCx<AnswerPayload>) {
  const { content, executionOn, releasedAt } = await transaction(async ({ tx }) => {
    const found = await tx.row<{ content: PaymentAnswer; executionOn: string; releasedAt: string }>(sql`
      select a.content, b.execution_on as "executionOn", b.released_at as "releasedAt"
      from payment_answers a join payout_batches b on b.id = a.batch_id where a.id = ${answerId}`)
    return found!
  })
  const lines = content.whole === "completed" ? await completeRemaining(transaction, batchId, content) : content.lines
  for (let from = 0; from < lines.length; from += paymentsPerTransaction) {
    signal.throwIfAborted()
    await transaction((cx) => {
      const releasedOn = todayInTimezone(Temporal.Instant.from(releasedAt), cx.timezone)
      const on = answerDayOf(content.day, executionOn, releasedOn, cx.today)
      return applyPaymentStatuses(cx, batchId, lines.slice(from, from + paymentsPerTransaction), on)
    })
    await progress(Math.min(from + paymentsPerTransaction, lines.length), lines.length)
  }
  await transaction(async (cx) => {
    const batch = await lockBatch(cx, batchId)
    if (content.whole === "rejected" && content.lines.every(({ status }) => status === "underway")) {
      const file = await cx.tx.row<{ id: string; messageId: string; sha256: string }>(sql`
        select id, message_id as "messageId", sha256 from payment_files
        where batch_id = ${batchId} and message_id = ${content.messageId} and withdrawn is null`)
      if (file) await markWithdrawn(cx, batch, file, "rejected", content.reason)
    }
    const counted = (status: string) => lines.filter((line) => line.status === status).length
    const [completed, failed] = [counted("completed"), counted("failed")]
    const left = await cx.tx.row<{ count: number }>(sql`
      select count(*) as count from payout_batch_payments i join payouts o on o.id = i.payout_id
      where i.batch_id = ${batchId} and i.removed_at is null and o.status = 'processing'`)
    await record(cx, [{ ...batchFactHead(batch), type: "BatchAnswered", completed, failed, left: left!.count }])
    await complete(cx, { completed, failed, left: left!.count })
  })
}

/** The bank paid the whole file: completes every payment except those listed separately. */
async function completeRemaining(
  transaction: JobCx<AnswerPayload>["transaction"],
  batchId: string,
  { lines }: PaymentAnswer,
): Promise<PaymentAnswerLine[]> {
  const named = new Map(lines.map((line) => [line.endToEndId, line]))
  const ids = await transaction(({ tx }) =>
    tx.rows<{ endToEndId: string }>(sql`
      select end_to_end_id as "endToEndId" from payout_batch_payments where batch_id = ${batchId} and removed_at is null`),
  )
  return ids.map(({ endToEndId }) => named.get(endToEndId) ?? { endToEndId, status: "completed", reason: "" })
}

export const paymentAnswer = job("payment-answer", applyAnswer)
