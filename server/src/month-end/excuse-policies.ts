import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { monthEndContract } from "@milkwood/domain/month-end/month-end.contract"
import type { MonthEndFact } from "@milkwood/domain/month-end/month-end-facts"
import { sql } from "drizzle-orm"
import { loadLastClosedMonth } from "../ledger/closed-months.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"

interface ExcusedPolicy {
  id: string
  number: string
  reason: string
}

async function expectMonthOpen({ tx }: Pick<Cx, "tx">, month: string): Promise<void> {
  const last = await loadLastClosedMonth(tx)
  if (last && month <= last.month) throw refused("CLOSED", `${formatMonth(month)} is closed.`)
}

export const excusePolicies = command(monthEndContract.excuse, async (cx) => {
  const { tx, now, actor, input } = cx
  const { month, reason, policyIds } = input
  await expectMonthOpen(cx, month)
  const rows = await tx.rows<ExcusedPolicy>(sql`
    with excused as (
      insert into month_excuses (id, group_id, policy_id, month, reason, excused_by, excused_at)
      select gen_random_uuid(), group_id, id, ${month}::date, ${reason}, ${actorUserId(actor)}::uuid, ${now}::timestamptz
      from policies where id = any (${sql.param(policyIds)}::uuid[]) and status <> 'Draft' order by id
      on conflict do nothing returning policy_id, reason
    ) select p.id, p.number, e.reason from excused e join policies p on p.id = e.policy_id`)
  await record(
    cx,
    rows.map((row): MonthEndFact => ({ ...excuseFactHead(row, month), type: "PolicyExcused" })),
  )
  return { excused: rows.length }
})

export const withdrawExcuses = command(monthEndContract.withdrawExcuses, async (cx) => {
  const { tx, now, actor, input } = cx
  const { month, policyIds } = input
  await expectMonthOpen(cx, month)
  const rows = await tx.rows<ExcusedPolicy>(sql`
    with back as (
      update month_excuses set withdrawn_at = ${now}, withdrawn_by = ${actorUserId(actor)}
      where month = ${month} and policy_id = any (${sql.param(policyIds)}::uuid[]) and withdrawn_at is null
      returning policy_id, reason
    ) select p.id, p.number, b.reason from back b join policies p on p.id = b.policy_id`)
  await record(
    cx,
    rows.map((row): MonthEndFact => ({ ...excuseFactHead(row, month), type: "PolicyExcuseTakenBack" })),
  )
  return { takenBack: rows.length }
})

const excuseFactHead = ({ id, number, reason }: ExcusedPolicy, month: string) => ({
  record: { kind: "policy" as const, id, label: number },
  groupId: null,
  month,
  reason,
})
