import {
  checkLinkable,
  checkLinkableTogether,
  checkReceiptReturn,
  checkReturnableTogether,
  type MatchedLineState,
  type Part,
} from "@milkwood/domain/banking/matching"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { Receipt } from "@milkwood/domain/receipts/receipt"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { lockReceipt, lockReceiptsOf } from "../receipts/receipt-record.ts"
import { readDepositDetail } from "../receipts/receipts.queries.ts"
import { recordPartsOfDeposit, recordSingleReceipt } from "../receipts/record-receipt.ts"
import { reverseOneReceipt } from "../receipts/reverse-receipt.ts"
import { receiptCentsInOpening } from "./bank-accounts.queries.ts"
import type { PlacedLine } from "./bank-lines.queries.ts"
import { returnDeposits } from "./deposits.ts"
import type { NewMatch } from "./place-lines.ts"

const receiptFactsOf = (line: PlacedLine) => ({
  bankAccountId: ledgerAccountOf(line),
  method: "bank_transfer" as const,
  receivedOn: line.day,
  reference: (line.reference || line.text).slice(0, 140),
  notes: `${line.statementNumber}: ${line.text}`,
})

/** Null for the main account. */
export const ledgerAccountOf = ({ isMain, accountId }: Pick<PlacedLine, "isMain" | "accountId">): string | null =>
  isMain ? null : accountId

type PolicyPart = Pick<Part, "id" | "amountCents" | "allocations">

const allocationsOfPart = ({ id: policyId, amountCents, allocations }: PolicyPart) => ({
  ...{ policyId, amountCents },
  ...(allocations ? { allocations: [...allocations] } : {}),
})

export async function makeReceipt(cx: Cx, line: PlacedLine, part: PolicyPart): Promise<NewMatch> {
  const { id, groupId, number } = await recordSingleReceipt(cx, {
    ...receiptFactsOf(line),
    ...allocationsOfPart(part),
    number: "",
  })
  return { kind: "made", id, groupId, number, amountCents: part.amountCents }
}

export async function makeDeposit(cx: Cx, line: PlacedLine, parts: readonly PolicyPart[]): Promise<NewMatch[]> {
  const amountCents = parts.reduce((sum, part) => sum + part.amountCents, 0)
  const { receipts } = await recordPartsOfDeposit(cx, {
    ...receiptFactsOf(line),
    amountCents,
    parts: parts.map(allocationsOfPart),
  })
  return receipts.map(({ id, groupId, number }, at) => {
    return { kind: "made", id, groupId, number, amountCents: parts[at]!.amountCents }
  })
}

async function loadReceiptLineState({ tx }: Cx, line: PlacedLine, receiptId: string): Promise<MatchedLineState> {
  const found = await tx.row<MatchedLineState>(sql`
    select coalesce(sum(m.amount_cents), 0)::bigint as "matchedCents", held.is as "isHeld",
      coalesce(bool_or(b.account_id <> ${line.accountId}), held.is and not ${line.isMain}) as "isElsewhere"
    from receipts r join bank_accounts a on a.is_main
    cross join lateral (select coalesce(r.paid_into = 'bank' and ${receiptCentsInOpening} <> 0, false) as is) held
    left join bank_matches m on m.receipt_id = r.id and m.undone_at is null and m.kind in ('made', 'linked')
    left join bank_lines b on b.id = m.line_id
    where r.id = ${receiptId} group by held.is`)
  return found!
}

export async function linkReceipt(cx: Cx, line: PlacedLine, receiptId: string, amountCents: Cents): Promise<NewMatch> {
  const { receipt } = await lockReceipt(cx, receiptId)
  orRefuse(checkLinkable(receipt, { ...(await loadReceiptLineState(cx, line, receiptId)), amountCents }, cx.currency))
  return { kind: "linked", id: receiptId, groupId: receipt.groupId, amountCents, number: receipt.number }
}

export async function linkDeposit(cx: Cx, line: PlacedLine, { id: depositId, amountCents }: Part): Promise<NewMatch[]> {
  const deposit = await readDepositDetail(cx.tx, depositId)
  const standing = await lockUnreversedReceipts(cx, line, depositId)
  return orRefuse(checkLinkableTogether(deposit, standing, amountCents, cx.currency)).map(
    ({ id, groupId, number, amountCents }) => {
      return { kind: "linked", id, groupId, number, amountCents }
    },
  )
}

async function lockUnreversedReceipts(
  cx: Cx,
  line: PlacedLine,
  depositId: string,
): Promise<(Receipt & MatchedLineState)[]> {
  const standing = []
  for (const receipt of await lockReceiptsOf(cx, depositId)) {
    standing.push({ ...receipt, ...(await loadReceiptLineState(cx, line, receipt.id)) })
  }
  return standing
}

export async function matchReturnedReceipt(cx: Cx, line: PlacedLine, { id, amountCents }: Part): Promise<NewMatch> {
  const { receipt } = await lockReceipt(cx, id)
  orRefuse(checkReceiptReturn(receipt, { ...(await loadReceiptLineState(cx, line, id)), amountCents }, cx.currency))
  return { kind: "returned", id, groupId: receipt.groupId, amountCents, number: receipt.number }
}

export async function matchReturnedDeposit(
  cx: Cx,
  line: PlacedLine,
  { id: depositId, amountCents }: Part,
): Promise<NewMatch[]> {
  const deposit = await readDepositDetail(cx.tx, depositId)
  const standing = await lockUnreversedReceipts(cx, line, depositId)
  return orRefuse(checkReturnableTogether(deposit, standing, amountCents, cx.currency)).map(
    ({ id, groupId, number, amountCents }) => {
      return { kind: "returned", id, groupId, number, amountCents: -amountCents }
    },
  )
}

export async function reverseReturnedReceipt(cx: Cx, line: PlacedLine, { id, number }: NewMatch): Promise<void> {
  await returnDeposits(cx, id, line.day, `the bank returned ${number}`)
  await reverseOneReceipt(cx, id, `Returned by the bank on ${line.day}: ${line.text}`.slice(0, 500), { on: line.day })
}
