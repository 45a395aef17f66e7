import {
  checkPayable,
  checkPayableTogether,
  checkPaymentReturn,
  type Part,
  type PaymentMatchState,
} from "@milkwood/domain/banking/matching"
import { sql } from "drizzle-orm"
import { lockBatch } from "../payouts/change-batch.ts"
import { lockPayout } from "../payouts/payout-record.ts"
import { lockPaymentsOf } from "../payouts/release-batch.ts"
import { completeByBank, returnByBank } from "../payouts/step-payout.ts"
import { completeBatchByBank } from "../payouts/step-payouts.ts"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { isPaymentInOpening } from "./bank-accounts.queries.ts"
import type { PlacedLine } from "./bank-lines.queries.ts"
import type { NewMatch } from "./place-lines.ts"

interface PayoutLineState {
  isMatched: boolean
  isHeld: boolean
  isBack: boolean
}

async function loadPayoutLineState({ tx }: Cx, line: PlacedLine, payoutId: string): Promise<PayoutLineState> {
  const live = sql`exists (select from bank_matches m where m.payout_id = o.id and m.undone_at is null and m.kind`
  const found = await tx.row<PayoutLineState>(sql`
    select ${live} in ('completed', 'paid')) as "isMatched", ${live} in ('came_back', 'back')) as "isBack",
      coalesce(${isPaymentInOpening}, false) as "isHeld"
    from payouts o, bank_accounts a where o.id = ${payoutId} and a.id = ${line.accountId}`)
  return found!
}

export async function matchPayment(
  cx: Cx,
  line: PlacedLine,
  { id, amountCents }: Pick<Part, "id" | "amountCents">,
): Promise<NewMatch> {
  const payout = await lockPayout(cx, id)
  const kind = orRefuse(
    checkPayable(payout, { ...line, amountCents }, await loadPayoutLineState(cx, line, id), cx.currency),
  )
  if (kind === "completed") await completeByBank(cx, { payoutId: id, on: line.day, bankAccountId: line.accountId })
  return { kind, id, groupId: payout.groupId, amountCents, number: payout.number }
}

export async function matchPaymentBatch(
  cx: Cx,
  line: PlacedLine,
  { id: batchId, amountCents }: Pick<Part, "id" | "amountCents">,
): Promise<NewMatch[]> {
  const batch = await lockBatch(cx, batchId)
  const held = await lockPaymentsOf(cx, batchId)
  const shown = new Map(
    (
      await cx.tx.rows<PaymentMatchState & { id: string }>(sql`
        select o.id, coalesce(${isPaymentInOpening}, false) as "isHeld", exists (select from bank_matches m
          where m.payout_id = o.id and m.undone_at is null and m.kind in ('completed', 'paid')) as "isMatched"
        from payouts o, bank_accounts a
        where o.id = any (${sql.param(held.map(({ id }) => id))}::uuid[]) and a.id = ${line.accountId}`)
    ).map((one) => [one.id, one]),
  )
  const payments = held.map((payout) => ({ ...payout, ...shown.get(payout.id)! }))
  const left = orRefuse(checkPayableTogether(batch, payments, { ...line, amountCents }, cx.currency))
  if (left.some(({ kind }) => kind === "completed")) {
    await completeBatchByBank(cx, { batchId, on: line.day, bankAccountId: line.accountId })
  }
  return left.map(({ payment: { id, groupId, number, amountCents }, kind }) => {
    return { kind, id, groupId, amountCents: -amountCents, number }
  })
}

export async function matchReturnedPayment(cx: Cx, line: PlacedLine, { id, amountCents }: Part): Promise<NewMatch> {
  const payout = await lockPayout(cx, id)
  const kind = orRefuse(
    checkPaymentReturn(payout, { ...line, amountCents }, await loadPayoutLineState(cx, line, id), cx.currency),
  )
  if (kind === "came_back")
    await returnByBank(cx, { payoutId: id, on: line.day, reason: line.text.slice(0, 500) || "Returned by the bank" })
  return { kind, id, groupId: payout.groupId, amountCents, number: payout.number }
}
