import type { Day } from "@milkwood/domain/kernel/calendar"
import { receiptDeposited } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { post, reverse } from "../ledger/post.ts"
import type { Cx } from "../platform/calls/commands.ts"

interface Deposit {
  depositId: string
  on: Day
  receiptId: string
  number: string
  amountCents: number
  policyId: string
  groupId: string
}

/** Which of these placements show receipts that waited in "undeposited". */
const depositsOf = ({ tx }: Pick<Cx, "tx">, placementIds: readonly string[]): Promise<Deposit[]> =>
  tx.rows<Deposit>(sql`
    select m.id as "depositId", l.day as on, r.id as "receiptId", r.number, m.amount_cents as "amountCents",
      r.policy_id as "policyId", r.group_id as "groupId"
    from bank_matches m join bank_lines l on l.id = m.line_id join receipts r on r.id = m.receipt_id
    where m.placement_id = any (${sql.param([...placementIds])}::uuid[]) and m.kind = 'linked' and r.paid_into = 'undeposited'
    order by l.day, m.id`)

/** Lines show receipts: what of these waited in "undeposited" is in the bank from the line's day on. */
export async function postDeposits(cx: Cx, placementIds: readonly string[]): Promise<void> {
  const deposits = await depositsOf(cx, placementIds)
  await post(
    cx,
    ...deposits.map(({ policyId, groupId, ...deposit }) =>
      receiptDeposited({ ...deposit, policy: { policyId, groupId } }),
    ),
  )
}

/** The lines do not show them after all: they wait again. */
export async function reverseDeposits(cx: Cx, placementIds: readonly string[], reason: string): Promise<void> {
  const deposits = await depositsOf(cx, placementIds)
  await reverse(
    cx,
    deposits.map(({ depositId, on }) => ({ source: `receipt-deposit:${depositId}`, on, reason })),
  )
}
