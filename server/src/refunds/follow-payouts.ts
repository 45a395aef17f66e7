import type { PayoutFact } from "@milkwood/domain/payouts/payout-facts"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"

/** Copies the status of payments to their refunds. A refund with a returned payment has failed: another refund pays. */
export async function followPayouts(cx: Cx, facts: readonly PayoutFact[]): Promise<void> {
  const ids = facts.flatMap(({ subject }) => (subject.kind === "refund" ? [subject.id] : []))
  if (ids.length === 0) return
  await cx.tx.run(sql`
    update refunds r set status = case p.status when 'returned' then 'failed' else p.status end,
      refunded_on = case when p.status = 'completed' then p.completed_on end, status_reason = p.status_reason,
      version = r.version + 1
    from payouts p where p.subject_kind = 'refund' and p.subject_id = r.id and r.id = any (${sql.param(ids)}::uuid[])`)
}
