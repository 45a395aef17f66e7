import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { checkParts, type Part, partRules } from "@milkwood/domain/banking/matching"
import { maxDay } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { bankLineRowsOf, type PlacedLine } from "./bank-lines.queries.ts"
import { learn } from "./learn-payers.ts"
import { matchPayment, matchPaymentBatch, matchReturnedPayment } from "./match-payouts.ts"
import {
  linkDeposit,
  linkReceipt,
  makeDeposit,
  makeReceipt,
  matchReturnedDeposit,
  matchReturnedReceipt,
  reverseReturnedReceipt,
} from "./match-receipts.ts"
import { lockOpenLines, type NewMatch, placeLines } from "./place-lines.ts"

async function createMatches(cx: Cx, line: PlacedLine, part: Part): Promise<NewMatch[]> {
  switch (part.as) {
    case "policy":
      return [await makeReceipt(cx, line, part)]
    case "receipt":
      return [await linkReceipt(cx, line, part.id, part.amountCents)]
    case "deposit":
      return linkDeposit(cx, line, part)
    case "payout":
      return [await matchPayment(cx, line, part)]
    case "batch":
      return matchPaymentBatch(cx, line, part)
    case "returned":
      return [await matchReturnedReceipt(cx, line, part)]
    case "returnedDeposit":
      return matchReturnedDeposit(cx, line, part)
    case "cameBack":
      return [await matchReturnedPayment(cx, line, part)]
  }
}

export async function confirm(cx: Cx, line: PlacedLine, parts: readonly Part[], isAutomatic = false): Promise<void> {
  orRefuse(checkParts(line.amountCents, parts, cx.currency))
  const { placed: kind } = partRules[parts[0]!.as]
  const premiums = parts.filter(({ as }) => as === "policy")
  const matches = premiums.length > 1 ? await makeDeposit(cx, line, premiums) : []
  const others = premiums.length > 1 ? parts.filter(({ as }) => as !== "policy") : parts
  // Sorted by id, to prevent deadlocks between two concurrent splits.
  for (const part of [...others].sort((a, b) => (a.id < b.id ? -1 : 1)))
    matches.push(...(await createMatches(cx, line, part)))
  const placed = await placeLines(cx, [{ line, kind, matches, isAutomatic }])
  // The line is placed before the receipt is reversed: otherwise the reversal would release the line of that receipt.
  for (const match of matches) if (match.kind === "returned") await reverseReturnedReceipt(cx, line, match)
  if (!isAutomatic) await learn(cx, placed, await lessonsOf(cx, [line], matches))
}

export async function lessonsOf({ tx }: Cx, lines: readonly PlacedLine[], matches: readonly NewMatch[]) {
  const ids = matches.flatMap(({ kind, id }) => (kind === "made" || kind === "linked" ? [id] : []))
  const owners = await tx.rows<{ policyId: string; groupId: string }>(sql`
    select distinct policy_id as "policyId", group_id as "groupId" from receipts where id = any (${sql.param(ids)}::uuid[])`)
  return lines.flatMap((line) => owners.map((owner) => ({ line, owner })))
}

export const confirmLine = command(bankingContract.confirm, async (cx) => {
  const { lineId, parts } = cx.input
  const [line] = await lockOpenLines(cx, [lineId])
  await confirm(cx, line!, parts)
  return bankLineRowsOf(cx, [lineId])
})

export const joinLines = command(bankingContract.join, async (cx) => {
  const { lineIds, to } = cx.input
  const lines = await lockOpenLines(cx, lineIds)
  if (lines.some(({ amountCents }) => amountCents < 0))
    throw refused("NOT_TOGETHER", "Only lines with money in can be matched together.")
  if (new Set(lines.map(({ accountId }) => accountId)).size > 1)
    throw refused("NOT_TOGETHER", "The lines belong to different accounts.")
  const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0)
  const day = lines.map((line) => line.day).reduce((a, b) => maxDay(a, b))
  const whole = { ...lines[0]!, day }
  const match =
    to.as === "policy"
      ? await makeReceipt(cx, whole, { ...to, amountCents })
      : await linkReceipt(cx, whole, to.id, amountCents)
  const placed = await placeLines(
    cx,
    lines.map((line) => ({ line, kind: "receipt", matches: [{ ...match, amountCents: line.amountCents }] })),
  )
  await learn(cx, placed, await lessonsOf(cx, lines, [match]))
  return bankLineRowsOf(cx, lineIds)
})
