import { monthEndContract } from "@milkwood/domain/month-end/month-end.contract"
import type { MonthEndFact } from "@milkwood/domain/month-end/month-end-facts"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { command } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { isUnallocatedSql } from "../receipts/credit.queries.ts"

interface HeldReceipt {
  id: string
  number: string
  reason: string
}

const creditFactHead = ({ id, number, reason }: HeldReceipt) => ({
  record: { kind: "receipt" as const, id, label: number },
  groupId: null,
  reason,
})

export const keepCredit = command(monthEndContract.keepCredit, async (cx) => {
  const { tx, now, actor, input } = cx
  const rows = await tx.rows<HeldReceipt>(sql`
    with kept as (
      insert into held_credits (id, group_id, receipt_id, reason, held_by, held_at)
      select gen_random_uuid(), r.group_id, r.id, ${input.reason}, ${actorUserId(actor)}::uuid, ${now}::timestamptz
      from receipts r where r.id = any (${sql.param(input.receiptIds)}::uuid[]) and ${isUnallocatedSql} order by r.id
      on conflict do nothing returning receipt_id, reason
    ) select r.id, r.number, k.reason from kept k join receipts r on r.id = k.receipt_id`)
  await record(
    cx,
    rows.map((row): MonthEndFact => ({ ...creditFactHead(row), type: "CreditKept" })),
  )
  return { kept: rows.length }
})

export const stopKeepingCredit = command(monthEndContract.stopKeepingCredit, async (cx) => {
  const { tx, now, actor, input } = cx
  const rows = await tx.rows<HeldReceipt>(sql`
    with taken as (
      update held_credits set released_at = ${now}, released_by = ${actorUserId(actor)}
      where receipt_id = any (${sql.param(input.receiptIds)}::uuid[]) and released_at is null returning receipt_id, reason
    ) select r.id, r.number, t.reason from taken t join receipts r on r.id = t.receipt_id`)
  await record(
    cx,
    rows.map((row): MonthEndFact => ({ ...creditFactHead(row), type: "CreditTakenUp" })),
  )
  return { takenUp: rows.length }
})
