import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { explain } from "@milkwood/domain/reconciliation/explain"
import { resolutionsOf } from "@milkwood/domain/reconciliation/reconciliation"
import {
  type ReconciliationDetail,
  type ReconciliationRow,
  reconciliationContract,
} from "@milkwood/domain/reconciliation/reconciliation.contract"
import { sql } from "drizzle-orm"
import { openCents } from "../billing/invoice-money.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, query, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { isUnallocatedSql, unallocatedCents } from "../receipts/credit.queries.ts"
import { createWriteOff } from "../receipts/write-off.ts"
import { loadDifferenceEvidence } from "./clues.queries.ts"
import { monthResolutions } from "./reconciliation.tables.ts"
import { readMonthRow } from "./reconciliation-list.queries.ts"
import { lastRemittance } from "./remittances.queries.ts"

async function rowOf(cx: Cx, groupId: string, month: Day): Promise<ReconciliationRow> {
  const row = await readMonthRow(cx, groupId, month)
  if (!row || row.month !== month) throw refused("NOT_FOUND")
  return row
}

const readInvoicesOf = ({ tx }: Cx, groupId: string, month: Day) =>
  tx.rows<ReconciliationDetail["invoices"][number]>(sql`
    select i.id, i.number, p.number as "policyNumber", i.total_cents - i.credited_cents as "expectedCents",
      ${openCents} as "openCents", ${lastRemittance} as "remittanceId"
    from invoices i join policies p on p.id = i.policy_id
    where i.group_id = ${groupId} and i.status = 'sent' and i.period_start_on >= ${month}::date
      and i.period_start_on < (${month}::date + interval '1 month')
    order by i.due_on, i.number`)

async function readMonthDetail(cx: Cx, groupId: string, month: Day): Promise<ReconciliationDetail> {
  const { tx } = cx
  const row = await rowOf(cx, groupId, month)
  const receipts = await tx.rows<ReconciliationDetail["receipts"][number]>(sql`
    select r.id, r.number, r.policy_id as "policyId", r.received_on as "receivedOn",
      ${unallocatedCents} as "creditCents"
    from receipts r
    where r.group_id = ${groupId} and ${isUnallocatedSql}
      and r.received_on >= ${month}::date and r.received_on < (${month}::date + interval '1 month')
    order by r.received_on, r.number`)
  const resolved = await tx.rows<ReconciliationDetail["resolved"][number]>(sql`
    select m.id, m.kind, m.difference_cents as "differenceCents", m.note, to_char(m.resolved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      u.name as "byName"
    from month_resolutions m left join users u on u.id = m.resolved_by
    where m.group_id = ${groupId} and m.month = ${month} order by m.resolved_at desc limit 20`)
  return {
    ...row,
    parts: row.status === "Matched" ? [] : explain(row, await loadDifferenceEvidence(cx, groupId, month), cx.currency),
    invoices: await readInvoicesOf(cx, groupId, month),
    receipts,
    resolved,
  }
}

export const readReconciliationMonth = query(reconciliationContract.detail, (cx) =>
  readMonthDetail(cx, cx.input.groupId, cx.input.month),
)

export const resolveMonth = command(reconciliationContract.resolve, async (cx) => {
  const { groupId, month, kind, note, differenceCents } = cx.input
  const row = await rowOf(cx, groupId, month)
  if (row.differenceCents !== differenceCents) throw refused("CHANGED")
  if (!resolutionsOf(row, true).includes(kind)) throw refused("NOT_RESOLVABLE")
  if (kind === "write_off") await writeOffShortfall(cx, row, note)
  await cx.tx.insert(monthResolutions).values({
    ...{ id: randomUUID(), groupId, month, kind, differenceCents, note },
    resolvedBy: actorUserId(cx.actor)!,
    resolvedAt: cx.now,
  })
  const about = { kind: "group" as const, id: groupId, label: row.groupName }
  await record(cx, [
    { type: "MonthResolved", record: about, groupId: null, month, kind, differenceCents, reason: note },
  ])
  return readMonthDetail(cx, groupId, month)
})

/** Writes off the shortfall, earliest due invoice first. */
async function writeOffShortfall(cx: Cx, row: ReconciliationRow, reason: string): Promise<void> {
  let missing = -row.differenceCents
  for (const { id: invoiceId, openCents: open } of await readInvoicesOf(cx, row.groupId, row.month)) {
    const amountCents = Math.min(open, missing)
    if (amountCents <= 0) continue
    await createWriteOff(cx, { invoiceId, amountCents, reason })
    missing -= amountCents
  }
  if (missing === -row.differenceCents) throw refused("NOTHING_OPEN")
}
