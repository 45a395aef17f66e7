import type { Day } from "@milkwood/domain/kernel/calendar"
import { receiptDeposited } from "@milkwood/domain/ledger/posting-rules"
import type { PaidInto } from "@milkwood/domain/receipts/receipt"
import { type SQL, sql } from "drizzle-orm"
import { post, reverse } from "../ledger/post.ts"
import type { Cx } from "../platform/calls/commands.ts"

interface Deposit {
  depositId: string
  on: Day
  receiptId: string
  number: string
  amountCents: number
  paidInto: PaidInto
  bankAccountId: string | null
  policyId: string
  groupId: string
}

/**
 * The matches of these that move money in the ledger: of receipts in "undeposited", and of receipts recorded by hand on
 * the main account that a line of another account shows.
 */
const depositsOf = ({ tx }: Pick<Cx, "tx">, which: SQL): Promise<Deposit[]> =>
  tx.rows<Deposit>(sql`
    select m.id as "depositId", l.day as on, r.id as "receiptId", r.number, m.amount_cents as "amountCents",
      r.paid_into as "paidInto", case when not a.is_main then a.id end as "bankAccountId",
      r.policy_id as "policyId", r.group_id as "groupId"
    from bank_matches m join bank_lines l on l.id = m.line_id join receipts r on r.id = m.receipt_id
    join bank_accounts a on a.id = l.account_id
    where ${which} and m.kind = 'linked' and (r.paid_into = 'undeposited' or not a.is_main)
    order by l.day, m.id`)

const ofPlacements = (ids: readonly string[]) => sql`m.placement_id = any (${sql.param([...ids])}::uuid[])`

/** Lines show receipts: what the ledger has elsewhere is on the lines' bank account from their day on. */
export async function postDeposits(cx: Cx, placementIds: readonly string[]): Promise<void> {
  const deposits = await depositsOf(cx, ofPlacements(placementIds))
  await post(
    cx,
    ...deposits.map(({ policyId, groupId, ...deposit }) =>
      receiptDeposited({ ...deposit, policy: { policyId, groupId } }),
    ),
  )
}

/** The lines do not show them after all: their money moves back. `except` are receipts that the bank had taken back. */
export async function reverseDeposits(
  cx: Cx,
  placementIds: readonly string[],
  reason: string,
  except: readonly string[] = [],
): Promise<void> {
  const deposits = await depositsOf(cx, ofPlacements(placementIds))
  await undo(
    cx,
    deposits.filter(({ receiptId }) => !except.includes(receiptId)),
    reason,
  )
}

/** The bank took a receipt back: what of it had reached the bank has left it. */
export async function returnDeposits(cx: Cx, receiptId: string, on: Day, reason: string): Promise<void> {
  const deposits = await depositsOf(cx, sql`m.receipt_id = ${receiptId} and m.undone_at is null`)
  await undo(
    cx,
    deposits.map((deposit) => ({ ...deposit, on })),
    reason,
  )
}

const undo = (cx: Cx, deposits: readonly Deposit[], reason: string) =>
  reverse(
    cx,
    deposits.map(({ depositId, on }) => ({ source: `receipt-deposit:${depositId}`, on, reason })),
  )
