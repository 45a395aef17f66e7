import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { checkParts, linkable, type Part, waysOf } from "@milkwood/domain/banking/matching"
import { maxDay } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { lockReceipt } from "../receipts/receipt-record.ts"
import { takeReceipt } from "../receipts/record-receipt.ts"
import { bankLineRowsOf, type PlacedLine } from "./bank-lines.queries.ts"
import { learn } from "./learn-payers.ts"
import { holdOpenLines, type NewMatch, place } from "./place-lines.ts"

/** Makes the receipt of what came in for a policy, as the bank says it. */
async function makeReceipt(
  cx: Cx,
  line: PlacedLine,
  part: Pick<Part, "id" | "amountCents" | "allocations">,
): Promise<NewMatch> {
  const { id, amountCents, allocations } = part
  const {
    id: receiptId,
    groupId,
    number,
  } = await takeReceipt(cx, {
    number: "",
    policyId: id,
    amountCents,
    method: "bank_transfer",
    receivedOn: line.day,
    reference: (line.reference || line.text).slice(0, 140),
    notes: `${line.statementNumber}: ${line.text}`,
    ...(allocations ? { allocations: [...allocations] } : {}),
  })
  return { kind: "made", id: receiptId, groupId, amountCents, number }
}

/** Takes a receipt that is there for a part of a line, or for all of several. */
async function takeUp(cx: Cx, line: PlacedLine, receiptId: string, amountCents: Cents): Promise<NewMatch> {
  const { receipt } = await lockReceipt(cx, receiptId)
  const { groupId, number } = receipt
  const found = await cx.tx.row<{ matchedCents: Cents; isHeld: boolean }>(sql`
    select coalesce((select sum(amount_cents) from bank_matches
        where receipt_id = r.id and undone_at is null and kind in ('made', 'linked')), 0)::bigint as "matchedCents",
      coalesce(r.paid_into = 'bank' and r.received_on < a.opened_on and r.created_at <= a.opened_at, false) as "isHeld"
    from receipts r, bank_accounts a where r.id = ${receiptId} and a.id = ${line.accountId}`)
  orRefuse(linkable(receipt, { ...found!, amountCents }))
  return { kind: "linked", id: receiptId, groupId, amountCents, number }
}

async function matchOf(cx: Cx, line: PlacedLine, part: Part): Promise<NewMatch> {
  switch (part.as) {
    case "policy":
      return makeReceipt(cx, line, part)
    case "receipt":
      return takeUp(cx, line, part.id, part.amountCents)
    default:
      throw refused("NOT_TOGETHER")
  }
}

/** Refuses what receipts and payments are not booked to. */
function expectMain(lines: readonly PlacedLine[]): void {
  if (lines.some(({ isMain }) => !isMain)) {
    throw refused("NOT_TOGETHER", "Receipts and payments are booked to another bank account.")
  }
}

/** Does what the parts of a held line say, and puts it there. */
export async function confirm(cx: Cx, line: PlacedLine, parts: readonly Part[], byItself = false): Promise<void> {
  expectMain([line])
  orRefuse(checkParts(line.amountCents, parts))
  const matches: NewMatch[] = []
  // In the order of the policies and receipts, so that two who split at once do not wait for each other.
  for (const part of [...parts].sort((a, b) => (a.id < b.id ? -1 : 1))) matches.push(await matchOf(cx, line, part))
  const placed = await place(cx, [{ line, kind: waysOf[parts[0]!.as].placed, matches, byItself }])
  if (!byItself) await learn(cx, placed, await lessonsOf(cx, [line], matches))
}

/** The policies that a line was premium of: the payer's text is theirs from now on. */
async function lessonsOf({ tx }: Cx, lines: readonly PlacedLine[], matches: readonly NewMatch[]) {
  const ids = matches.flatMap(({ kind, id }) => (kind === "made" || kind === "linked" ? [id] : []))
  const owners = await tx.rows<{ policyId: string; groupId: string }>(sql`
    select distinct policy_id as "policyId", group_id as "groupId" from receipts where id = any (${sql.param(ids)}::uuid[])`)
  return lines.flatMap((line) => owners.map((owner) => ({ line, owner })))
}

export const confirmLine = command(bankingContract.confirm, async (cx) => {
  const { lineId, parts } = cx.input
  const [line] = await holdOpenLines(cx, [lineId])
  await confirm(cx, line!, parts)
  return bankLineRowsOf(cx, [lineId])
})

export const joinLines = command(bankingContract.join, async (cx) => {
  const { lineIds, to } = cx.input
  const lines = await holdOpenLines(cx, lineIds)
  expectMain(lines)
  if (lines.some(({ amountCents }) => amountCents < 0))
    throw refused("NOT_TOGETHER", "Only money that came in is joined.")
  if (new Set(lines.map(({ accountId }) => accountId)).size > 1)
    throw refused("NOT_TOGETHER", "The lines are of several accounts.")
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0)
  const day = lines.map((line) => line.day).reduce((a, b) => maxDay(a, b))
  const whole = { ...lines[0]!, day }
  const match =
    to.as === "policy"
      ? await makeReceipt(cx, whole, { ...to, amountCents })
      : await takeUp(cx, whole, to.id, amountCents)
  const placed = await place(
    cx,
    lines.map((line) => ({ line, kind: "receipt", matches: [{ ...match, amountCents: line.amountCents }] })),
  )
  await learn(cx, placed, await lessonsOf(cx, lines, [match]))
  return bankLineRowsOf(cx, lineIds)
})
