import { type Day, formatMonth } from "@milkwood/domain/kernel/calendar"
import { signOff } from "@milkwood/domain/month-end/checklist"
import { monthEndContract } from "@milkwood/domain/month-end/month-end.contract"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import * as ledger from "../ledger/closed-months.ts"
import { releaseAllPremium } from "../ledger/premium-parts.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { startJob } from "../platform/work/jobs.ts"
import { bankProofOf } from "./bank-proof.queries.ts"
import { reconciliationJob } from "./bank-proof-paper.ts"
import { checklistOf } from "./checklist.queries.ts"
import { checklistJob } from "./checklist-paper.ts"
import { monthDetailOf } from "./month-detail.queries.ts"
import { signedChecklists, signedReconciliations } from "./month-end.tables.ts"

const closingRecordOf = (id: string, month: Day) => ({
  record: { kind: "closed_month" as const, id, label: formatMonth(month) },
  groupId: null,
  month,
})

/** Locks the books first, so that nothing is posted between checklist and closing. */
export const closeMonth = command(monthEndContract.close, async (cx) => {
  const { month, reasons } = cx.input
  await ledger.lockBooks(cx.tx)
  await releaseAllPremium(cx)
  const id = await ledger.closeMonth(cx, month)
  const { dateFormat } = await readSettings(cx.tx, platformSettings)
  const { checks } = orRefuse(signOff(month, await checklistOf(cx, month, dateFormat), reasons))
  await cx.tx.insert(signedChecklists).values({ closedMonthId: id, checks })
  await cx.tx.insert(signedReconciliations).values({ closedMonthId: id, content: await bankProofOf(cx, month) })
  const given = checks.flatMap(({ key, reason }) => (reason === null ? [] : [{ key, reason }]))
  await record(cx, [{ ...closingRecordOf(id, month), type: "MonthClosed", reasons: given }])
  await startJob(cx, checklistJob(month, { closedMonthId: id }))
  await startJob(cx, reconciliationJob(month, { closedMonthId: id }))
  return monthDetailOf(cx, month)
})

export const reopenMonth = command(monthEndContract.reopen, async (cx) => {
  expectProof(cx)
  const { month, reason } = cx.input
  await ledger.lockBooks(cx.tx)
  const id = await ledger.reopenMonth(cx, month, reason)
  await record(cx, [{ ...closingRecordOf(id, month), type: "MonthReopened", reason }])
  return monthDetailOf(cx, month)
})
