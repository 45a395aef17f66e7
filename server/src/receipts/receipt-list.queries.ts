import { hasPermission } from "@milkwood/domain/platform/permission"
import { receiptActionsFor } from "@milkwood/domain/receipts/receipt"
import { type ReceiptRow, receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { receiptsList } from "@milkwood/domain/receipts/receipts.list"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { receiptStatus } from "./receipts.queries.ts"

export const receipts = new List<typeof receiptsList, ReceiptRow>(receiptsList, {
  select: () => sql`
    select r.id, r.number, r.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      r.amount_cents as "amountCents", r.allocated_cents as "allocatedCents", r.refunded_cents as "refundedCents",
      r.method, r.received_on as "receivedOn", r.reference, d.number as "depositNumber", r.version, ${receiptStatus} as status, r.policy_id as "_policyId", lower(r.number) as _number,
      lower(r.reference) as _reference, lower(p.number) as _policy, lower(g.name) as _group,
      lower(d.number) as _deposit
    from receipts r
    left join policies p on p.id = r.policy_id
    left join employer_groups g on g.id = r.group_id
    left join deposits d on d.id = r.deposit_id`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s._reference`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._deposit`, pattern) },
  ],
  sortColumns: { groupName: ["_group"], receivedOn: ["receivedOn", "number"] },
  present: (row: Omit<ReceiptRow, "allowedActions">, { actor }) => ({
    ...row,
    allowedActions: receiptActionsFor(row, hasPermission(ruleActor(actor).role, "receipts.write")),
  }),
})

export const listReceipts = query(receiptsContract.list, async (cx) => {
  const { figures, ...answer } = await receipts.answer(cx, cx.input)
  const shown = receipts.shownValues(cx.input)!.filter((status) => status !== "Reversed")
  return { ...answer, totalCents: figures && sumOf(figures, shown, "amountCents") }
})
