import { randomUUID } from "node:crypto"
import { addDays, type Day, isoMonthOf, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { type CheckKey, moneyCheckKeys } from "@milkwood/domain/month-end/checklist"
import type { Diary } from "./diary.ts"
import type { DemoStage } from "./play.ts"
import { runWaitingJobs } from "./year.ts"

const reasons: Partial<Record<CheckKey, string>> = {
  lines: "The bank was asked who paid this in",
  payouts: "Released at the end of the month; the bank pays them in the next days",
}

/** Closes each month a week after its end; receipts still unallocated by then are deliberate credit. */
export function playMonthEnds(stage: DemoStage, diary: Diary, months: readonly Day[]): void {
  for (const month of months) diary.on(addDays(lastOfMonth(month), 8), () => closeMonthWithReasons(stage, month))
}

async function closeMonthWithReasons(stage: DemoStage, month: Day): Promise<void> {
  const { monthEnd } = stage.as(stage.manager)
  const { rows } = await monthEnd.credits({ month: isoMonthOf(month), pageSize: 100 })
  const receiptIds = rows.map(({ id }) => id)
  if (receiptIds.length > 0) {
    const reason = "Paid in advance: set against the next invoices"
    await monthEnd.keepCredit({ receiptIds, idempotencyKey: randomUUID(), reason })
  }
  const { checks } = await monthEnd.month({ month })
  const open = checks.filter(({ isDone, key }) => !isDone && !moneyCheckKeys.includes(key))
  const given = Object.fromEntries(
    open.map(({ key }) => [key, reasons[key] ?? "Looked at, and left for the next month"]),
  )
  await monthEnd.close({ month, idempotencyKey: randomUUID(), reasons: given })
  await runWaitingJobs(stage)
}
