import { isBusinessDay, nextBusinessDay } from "../kernel/business-days.ts"
import { addDays, type Day } from "../kernel/calendar.ts"
import { applyTransition, lifecycle } from "../kernel/lifecycle.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { shortNameList } from "../kernel/text.ts"
import { hasPermission, isProgram, type RuleActor } from "../platform/permission.ts"
import { type PayeeChange, refuseChangedPayee } from "./payee-guard.ts"
import type { PayoutMethod, PayoutPreparation } from "./payout.ts"

export const batchStatuses = ["open", "released", "cancelled"] as const
export type BatchStatus = (typeof batchStatuses)[number]

export const batchStatusNames: Record<BatchStatus, string> = {
  open: "Open",
  released: "Released",
  cancelled: "Cancelled",
}

export const paymentFileFormats = ["pain001", "fnb", "standard_bank"] as const
export type PaymentFileFormat = (typeof paymentFileFormats)[number]

export const paymentFileFormatNames: Record<PaymentFileFormat, string> = {
  pain001: "ISO 20022 (pain.001)",
  fnb: "FNB CSV",
  standard_bank: "Standard Bank CSV",
}

/** The banks' own CSV formats support rand only. */
export const paymentFileFormatsOf = (currency: Currency): readonly PaymentFileFormat[] =>
  currency === "ZAR" ? paymentFileFormats : ["pain001"]

/** INVALID if the format does not support the currency. */
export function checkFormat(format: PaymentFileFormat, currency: Currency): Decision<PaymentFileFormat, "INVALID"> {
  if (paymentFileFormatsOf(currency).includes(format)) return format
  const message = `${paymentFileFormatNames[format]} supports only rand, and the currency is ${currency}. Choose ${paymentFileFormatNames.pain001}`
  return refuse("INVALID", message, { fields: [{ path: "format", message }] })
}

export const withdrawals = ["not_sent", "rejected"] as const
export type Withdrawal = (typeof withdrawals)[number]

export const withdrawalNames: Record<Withdrawal, string> = {
  not_sent: "Not sent to the bank",
  rejected: "Rejected by the bank",
}

/** Maximum payments in a batch. */
export const maxBatchPayments = 10_000

export const batchLifecycle = lifecycle({
  name: "batch",
  initial: "open",
  states: batchStatuses,
  actions: {
    edit: [{ from: ["open"], to: "open" }],
    add: [{ from: ["open"], to: "open" }],
    takeOut: [{ from: ["open"], to: "open" }],
    release: { from: ["open"], to: "released" },
    cancel: { from: ["open"], to: "cancelled" },
    export: [{ from: ["released"], to: "released" }],
    withdraw: [{ from: ["released"], to: "released" }],
    replace: [{ from: ["released"], to: "released" }],
    answer: [{ from: ["released"], to: "released" }],
  },
  words: {
    record: "A batch that",
    done: {
      edit: "changed",
      add: "added to",
      takeOut: "changed by removing payments",
      release: "released",
      cancel: "cancelled",
      export: "exported",
      withdraw: "marked",
      replace: "given a new payment file",
      answer: "answered by the bank",
    },
  },
})

export type BatchAction = (typeof batchLifecycle.actions)[number]
export const batchActions = batchLifecycle.actions as [BatchAction, ...BatchAction[]]

/** Instants are ISO text. */
export interface Batch {
  id: string
  number: string
  /** The organisation's account that pays. */
  bankAccountId: string
  executionOn: Day
  format: PaymentFileFormat
  status: BatchStatus
  createdBy: string
  createdAt: string
  releasedBy: string | null
  releasedAt: string | null
  statusReason: string | null
  version: number
}

/** The batch's current file. */
export interface BatchFile {
  exportedAt: string | null
  withdrawn: Withdrawal | null
}

export interface BatchPayment extends PayoutPreparation, PayeeChange {
  id: string
  number: string
}

export interface ReleaseLimits {
  releaseLimitCents: Cents
  batchLimitCents: Cents
  payeeWaitHours: number
}

export interface LocalMoment {
  today: Day
  time: string
}

/** The first business day on which the bank still pays; after the cut-off, from tomorrow. */
export function earliestExecutionDay({ today, time }: LocalMoment, cutOff: string): Day {
  return nextBusinessDay(time < cutOff ? today : addDays(today, 1))
}

/** The bank accepts payments at most this many days ahead. */
const maxDaysAhead = 90

/** Returns the day, or INVALID with the reason. */
export function checkExecutionDay(day: Day, moment: LocalMoment, cutOff: string): Decision<Day, "INVALID"> {
  const wrong = (message: string) => refuse("INVALID", message, { fields: [{ path: "executionOn", message }] })
  const first = earliestExecutionDay(moment, cutOff)
  if (!isBusinessDay(day)) return wrong(`This is not a business day. The next business day is ${nextBusinessDay(day)}`)
  if (day < first) return wrong(`The earliest execution day is ${first}`)
  if (day > addDays(moment.today, maxDaysAhead)) return wrong(`Choose a day at most ${maxDaysAhead} days ahead`)
  return day
}

/** Cheques and cash are completed by hand. */
export const isBatchable = (method: PayoutMethod): boolean => method === "bank_transfer" || method === "eft"

/** Payments that the actor made or whose payee the actor entered; they block the actor's release. */
export function paymentsPreparedBy<P extends BatchPayment>(
  payments: readonly P[],
  { userId }: RuleActor,
  releaseLimitCents: Cents,
): P[] {
  const total = payments.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return payments.filter(
    ({ payeeChangedBy, preparedBy }) =>
      payeeChangedBy === userId || (preparedBy.includes(userId) && total > releaseLimitCents),
  )
}

const paymentNumbersText = (payments: readonly { number: string }[]) =>
  shortNameList(payments.map(({ number }) => number))

/**
 * Releases the batch (docs/payouts.md). Refusals: EMPTY; FOUR_EYES for the actor's own payments unless the batch is
 * within the release limit; LIMIT above the largest batch; PAYEE_WAITS for a changed payee; INVALID for a day that is
 * no longer possible.
 */
export function releaseBatch(
  batch: Batch,
  payments: readonly BatchPayment[],
  actor: RuleActor,
  limits: ReleaseLimits & { bankCutOff: string },
  moment: LocalMoment & { now: Temporal.Instant },
  currency: Currency,
): Decision<Batch, "WRONG_STATUS" | "EMPTY" | "FOUR_EYES" | "LIMIT" | "PAYEE_WAITS" | "INVALID"> {
  const status = applyTransition(batchLifecycle, batch, "release")
  if (isRefusal(status)) return status
  if (payments.length === 0) return refuse("EMPTY", "This batch has no payments.")
  const own = paymentsPreparedBy(payments, actor, limits.releaseLimitCents)
  if (own.length > 0) {
    return refuse(
      "FOUR_EYES",
      `You prepared ${paymentNumbersText(own)} or changed the payee. Someone else must release this batch.`,
    )
  }
  const total = payments.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (limits.batchLimitCents > 0 && total > limits.batchLimitCents) {
    return refuse(
      "LIMIT",
      `This batch totals ${formatMoney(total, currency)}, which is above the limit of ${formatMoney(limits.batchLimitCents, currency)}.`,
    )
  }
  const waiting = payments.filter((payment) => refuseChangedPayee(payment, limits.payeeWaitHours, moment.now))
  if (waiting.length > 0) {
    return refuse(
      "PAYEE_WAITS",
      `The payee of ${paymentNumbersText(waiting)} changed, and the change is not confirmed yet or its waiting hours are not over. Remove the payment, or release the batch later.`,
    )
  }
  const day = checkExecutionDay(batch.executionOn, moment, limits.bankCutOff)
  if (isRefusal(day)) return day
  return {
    ...batch,
    status,
    releasedBy: actor.userId,
    releasedAt: moment.now.toString(),
    version: batch.version + 1,
  }
}

/** `file` is the newest payment file, or null. */
export function allowedBatchActions(
  batch: Pick<Batch, "status">,
  file: BatchFile | null,
  holdsOwn: boolean,
  actor: RuleActor,
): BatchAction[] {
  if (!hasPermission(actor.role, "payouts.write")) return []
  const possible: Partial<Record<BatchAction, boolean>> = {
    release: !isProgram(actor) && !holdsOwn,
    export: file !== null && file.exportedAt === null && file.withdrawn === null,
    withdraw: file !== null && file.withdrawn === null,
    replace: file !== null && file.withdrawn !== null,
    answer: file !== null,
  }
  return batchLifecycle.actionsFrom(batch.status).filter((action) => possible[action] ?? true)
}

/** The bank's end-to-end ID: the payment number, with a suffix from the second release on. */
export const endToEndIdOf = ({ number, releasesUndone }: { number: string; releasesUndone: number }): string =>
  releasesUndone === 0 ? number : `${number}-${releasesUndone + 1}`

export const messageIdOf = (batchNumber: string, nth: number): string => `${batchNumber}-${nth}`
