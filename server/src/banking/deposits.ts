import type { Day } from "@milkwood/domain/kernel/calendar"
import { receiptDeposited } from "@milkwood/domain/ledger/posting-rules"
import type { ReceiptAccount } from "@milkwood/domain/receipts/receipt"
import { type SQL, sql } from "drizzle-orm"
import { post, reverse } from "../ledger/post.ts"
import type { Cx } from "../platform/calls/commands.ts"

interface Deposit {
  depositId: string
  on: Day
  receiptId: string
  number: string
  amountCents: number
  paidInto: ReceiptAccount
  takenOn: string | null
  bankAccountId: string | null
  policyId: string
  groupId: string
}

/**
 * Matches that move money in the ledger: the receipt is posted to "undeposited" or to another account than the line's.
 * Manual receipts are posted to the main account. Others are posted to the account of the line that created them, even
 * if that line was released later.
 *
 * The move has the line's day, but never a day before the receipt's: an opening balance between the two days would
 * count the money.
 */
const depositsOf = ({ tx }: Pick<Cx, "tx">, which: SQL): Promise<Deposit[]> =>
  tx.rows<Deposit>(sql`
    select m.id as "depositId", case r.paid_into when 'bank' then greatest(l.day, taken.effective_on) else l.day end as on, r.id as "receiptId", r.number, m.amount_cents as "amountCents",
      r.paid_into as "paidInto", taken.bank_account_id as "takenOn", case when not a.is_main then a.id end as "bankAccountId",
      r.policy_id as "policyId", r.group_id as "groupId"
    from bank_matches m join bank_lines l on l.id = m.line_id join receipts r on r.id = m.receipt_id
    join bank_accounts a on a.id = l.account_id
    cross join lateral (
      select p.bank_account_id, e.effective_on from ledger_entries e join ledger_postings p on p.entry_id = e.id
      where e.record_kind = 'receipt' and e.record_id = r.id and e.kind = 'receipt_taken' and p.account = r.paid_into
      order by e.seq desc limit 1) taken
    where ${which} and m.kind = 'linked'
      and (r.paid_into = 'undeposited' or taken.bank_account_id is distinct from case when not a.is_main then a.id end)
    order by l.day, m.id`)

const isOfPlacements = (ids: readonly string[]) => sql`m.placement_id = any (${sql.param([...ids])}::uuid[])`

/** Moves receipts to the bank account of their lines, from the lines' day. */
export async function postDeposits(cx: Cx, placementIds: readonly string[]): Promise<void> {
  const deposits = await depositsOf(cx, isOfPlacements(placementIds))
  await post(
    cx,
    ...deposits.map(({ policyId, groupId, ...deposit }) =>
      receiptDeposited({ ...deposit, policy: { policyId, groupId } }),
    ),
  )
}

/**
 * Reverses the moves of lines that are no longer matched to their receipts. `except`: receipts that the bank returned.
 */
export async function reverseDeposits(
  cx: Cx,
  placementIds: readonly string[],
  reason: string,
  except: readonly string[] = [],
): Promise<void> {
  const deposits = await depositsOf(cx, isOfPlacements(placementIds))
  await undoDeposits(
    cx,
    deposits.filter(({ receiptId }) => !except.includes(receiptId)),
    reason,
  )
}

/** A returned receipt: the part that had reached the bank leaves the bank account. */
export async function returnDeposits(cx: Cx, receiptId: string, on: Day, reason: string): Promise<void> {
  const deposits = await depositsOf(cx, sql`m.receipt_id = ${receiptId} and m.undone_at is null`)
  await undoDeposits(
    cx,
    deposits.map((deposit) => ({ ...deposit, on })),
    reason,
  )
}

const undoDeposits = (cx: Cx, deposits: readonly Deposit[], reason: string) =>
  reverse(
    cx,
    deposits.map(({ depositId, on }) => ({ source: `receipt-deposit:${depositId}`, on, reason })),
  )
