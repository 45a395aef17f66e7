import { findBankByName } from "@milkwood/domain/kernel/bank-details"
import {
  allowedBatchActions,
  type Batch,
  checkFormat,
  earliestExecutionDay,
  type PaymentFileFormat,
  paymentsPreparedBy,
} from "@milkwood/domain/payouts/batch"
import type { BatchDetail, BatchPaymentRow, BatchRow, PaymentFileRow } from "@milkwood/domain/payouts/batches.contract"
import { batchesList } from "@milkwood/domain/payouts/batches.list"
import { refuseChangedPayee } from "@milkwood/domain/payouts/payee-guard"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, invalidInput, orRefuse, query, refused } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { readSettings } from "../platform/settings/store.ts"
import { timeline } from "../platform/trail/facts.ts"
import { accountsToPayFrom } from "./payouts.ports.ts"
import { guardSql, type PayoutGuard } from "./payouts.queries.ts"

const row = sql`
  b.id, b.number, b.bank_account_id as "bankAccountId", a.name as "accountName", b.execution_on as "executionOn", b.format,
  b.status, b.payment_count as "paymentCount", b.amount_cents as "amountCents", b.created_at as "createdAt", b.version`

/** Open batches `b` that the actor may release: the actor prepared no payment and changed no payee. */
export function isBatchWaitingForRelease(actor: Actor): SQL {
  const { userId } = ruleActor(actor)
  return sql`b.status = 'open' and not exists (
    select from payout_batch_payments i join payouts o on o.id = i.payout_id
    where i.batch_id = b.id and i.removed_at is null
      and (${userId}::uuid = any (o.prepared_by) or o.payee_changed_by = ${userId}::uuid))`
}

export const batches = new List<typeof batchesList, BatchRow>(batchesList, {
  select: () => sql`
    select ${row}, lower(b.number) as _number, lower(a.name) as _account
    from payout_batches b
    left join ${accountsToPayFrom()} a on a.id = b.bank_account_id`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s._account`, pattern) },
  ],
  sortColumns: { createdAt: ["createdAt", "number"] },
  filters: {
    forMe: (_: true, { actor }) =>
      sql`s.id in (select b.id from payout_batches b where ${isBatchWaitingForRelease(actor)})`,
  },
  present: (found: BatchRow) => found,
})

export const listBatches = query(payoutsContract.batches.list, async (cx) => {
  const { figures: _, ...answer } = await batches.answer(cx, cx.input)
  return answer
})

export const localTimeOf = ({ now, timezone }: Pick<Cx, "now" | "timezone">): string =>
  now.toZonedDateTimeISO(timezone).toPlainTime().toString({ smallestUnit: "minute" })

/**
 * With branch code and the installation's currency. INVALID for an unknown account, or a format that does not support
 * the currency.
 */
export async function loadPayingAccount({ tx }: Pick<Cx, "tx">, accountId: string, format: PaymentFileFormat) {
  const { currency } = await readSettings(tx, { currency: platformSettings.currency })
  orRefuse(checkFormat(format, currency))
  const account = await tx.row<{ name: string; bank: string; accountNumber: string; branchCode: string }>(sql`
    select name, bank, account_number as "accountNumber", branch_code as "branchCode" from ${accountsToPayFrom()} a where a.id = ${accountId}`)
  const wrong = (message: string) => invalidInput([{ path: "bankAccountId", message }], message)
  if (!account) throw wrong("Choose the account to pay from")
  const branchCode = account.branchCode || (findBankByName(account.bank)?.universal ?? "")
  if (format === "pain001" && branchCode === "") {
    throw wrong("This account has no branch code. Ask an administrator to add it in Settings, General")
  }
  return { ...account, branchCode, currency }
}

export const isInBatch = (batchId: string): SQL => sql`i.batch_id = ${batchId} and i.removed_at is null`

const loadGuards = ({ tx }: Pick<Cx, "tx">, batchId: string) =>
  tx.rows<PayoutGuard & { id: string; number: string }>(sql`
    select o.id, o.number, o.status, o.amount_cents as "amountCents", o.prepared_by as "preparedBy", o.created_by as "createdBy",
      o.created_at as "createdAt", o.former_payee as "formerPayee", o.payee_changed_by as "payeeChangedBy",
      o.payee_changed_at as "payeeChangedAt", o.payee_confirmed_by as "payeeConfirmedBy"
    from payout_batch_payments i join payouts o on o.id = i.payout_id where ${isInBatch(batchId)}`)

const loadFiles = ({ tx }: Pick<Cx, "tx">, batchId: string) =>
  tx.rows<PaymentFileRow>(sql`
    select f.id, f.message_id as "messageId", f.format, f.sha256, f.payment_count as "paymentCount",
      f.control_sum_cents as "controlSumCents", f.execution_on as "executionOn", f.made_at as "madeAt",
      u.name as "exportedByName", f.exported_at as "exportedAt", f.withdrawn, f.withdrawn_reason as "withdrawnReason"
    from payment_files f left join users u on u.id = f.exported_by where f.batch_id = ${batchId} order by f.nth desc`)

/** NOT_FOUND if there is none. */
export async function batchDetail(cx: Cx, batchId: string): Promise<BatchDetail> {
  const { tx, actor } = cx
  type Found = Omit<BatchDetail, "files" | "allowedActions" | "timeline">
  const found = await tx.row<Found>(sql`
    select ${row}, a.bank, a.account_number as "accountNumber", maker.name as "createdByName", releaser.name as "releasedByName",
      b.released_at as "releasedAt", b.status_reason as "statusReason", held.*,
      (select j.id from jobs j where j.kind in ('payment-file', 'payment-answer') and j.state in ('queued', 'running')
        and j.payload ->> 'batchId' = b.id::text order by j.created_at desc limit 1) as "jobId"
    from payout_batches b
    join ${accountsToPayFrom()} a on a.id = b.bank_account_id
    left join users maker on maker.id = b.created_by
    left join users releaser on releaser.id = b.released_by
    cross join lateral (
      select count(*) filter (where i.removed_at is null and o.status = 'processing') as underway,
        count(*) filter (where i.removed_at is null and o.status = 'completed') as completed,
        count(*) filter (where i.removed_at is null and o.status = 'returned') as returned,
        count(*) filter (where i.removed_at is not null and i.end_to_end_id is not null) as failed
      from payout_batch_payments i join payouts o on o.id = i.payout_id where i.batch_id = b.id
    ) held
    where b.id = ${batchId}`)
  if (!found) throw refused("NOT_FOUND", "This batch does not exist.")
  const made = await loadFiles(cx, batchId)
  const settings = await readSettings(tx, payoutsSettings)
  const own =
    found.status === "open"
      ? paymentsPreparedBy(await loadGuards(cx, batchId), ruleActor(actor), settings.releaseLimitCents)
      : []
  return {
    ...found,
    files: made,
    allowedActions: allowedBatchActions(found, made[0] ?? null, own.length > 0, ruleActor(actor)),
    timeline: await timeline(cx, "payout_batch", batchId),
  }
}

export const readBatch = query(payoutsContract.batches.detail, (cx) => batchDetail(cx, cx.input.batchId))

export const readBatchActivity = query(payoutsContract.batches.activity, async (cx) => {
  const { batchId, before } = cx.input
  await expectBatch(cx, batchId)
  return timeline(cx, "payout_batch", batchId, { before })
})

async function expectBatch({ tx }: Pick<Cx, "tx">, batchId: string): Promise<void> {
  const found = await tx.row(sql`select from payout_batches where id = ${batchId}`)
  if (!found) throw refused("NOT_FOUND", "This batch does not exist.")
}

const paymentsPerPage = 100

export const readBatchPayments = query(payoutsContract.batches.payments, async (cx) => {
  const { batchId, page } = cx.input
  const { tx, actor, now } = cx
  await expectBatch(cx, batchId)
  type Stored = Omit<BatchPaymentRow, "isOwn" | "payeeWaits"> & { guard: PayoutGuard; isOpen: boolean }
  const rows = await tx.rows<Stored>(sql`
    select o.id as "payoutId", o.number, o.subject_label as "subjectLabel", o.payee_name as "payeeName", o.payee_bank as "payeeBank",
      o.payee_account_number as "payeeAccountNumber", o.amount_cents as "amountCents", o.status, o.status_reason as "statusReason",
      i.end_to_end_id as "endToEndId", i.removed_at is not null as "hasLeft", ${guardSql(sql`o`)} as guard, b.status = 'open' as "isOpen"
    from payout_batch_payments i join payouts o on o.id = i.payout_id join payout_batches b on b.id = i.batch_id
    where i.batch_id = ${batchId} and (i.removed_at is null or i.end_to_end_id is not null)
    order by i.removed_at is null, (o.former_payee is null), o.number limit ${paymentsPerPage} offset ${(page - 1) * paymentsPerPage}`)
  const total = await tx.row<{ total: number }>(sql`
    select count(*) as total from payout_batch_payments i
    where i.batch_id = ${batchId} and (i.removed_at is null or i.end_to_end_id is not null)`)
  const { payeeWaitHours } = await readSettings(tx, payoutsSettings)
  const { userId } = ruleActor(actor)
  return {
    rows: rows.map(({ guard, isOpen, ...shown }) => ({
      ...shown,
      isOwn: isOpen && (guard.payeeChangedBy === userId || guard.preparedBy.includes(userId)),
      payeeWaits: isOpen && refuseChangedPayee(guard, payeeWaitHours, now) !== null,
    })),
    total: total!.total,
    pageSize: paymentsPerPage,
  }
})

export const isWaitingForBatch = sql.raw(`o.status = 'pending' and o.method in ('bank_transfer', 'eft') and not exists (
  select from payout_batch_payments i where i.payout_id = o.id and i.removed_at is null)`)

export const batchChoices = query(payoutsContract.batches.choices, async (cx) => {
  const { tx } = cx
  const { bankCutOff } = await readSettings(tx, payoutsSettings)
  const accounts = await tx.rows<{ id: string; name: string; bank: string; isMain: boolean }>(sql`
    select id, name, bank, is_main as "isMain" from ${accountsToPayFrom()} a order by is_main desc, lower(name), id`)
  const waiting = await tx.row<{ count: number; cents: number }>(sql`
    select count(*) as count, coalesce(sum(o.amount_cents), 0)::bigint as cents from payouts o where ${isWaitingForBatch}`)
  return {
    accounts,
    firstDay: earliestExecutionDay({ today: cx.today, time: localTimeOf(cx) }, bankCutOff),
    waiting: waiting!,
  }
})

export type StoredBatch = Batch & Pick<BatchRow, "paymentCount" | "amountCents">
