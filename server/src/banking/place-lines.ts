import { randomUUID } from "node:crypto"
import {
  daysAround,
  linkable,
  type NotOursReason,
  type PlacementKind,
  postedOn,
  reasonsFor,
} from "@milkwood/domain/banking/bank-placement"
import { bankingContract, type ReceiptCandidate } from "@milkwood/domain/banking/banking.contract"
import type { BankingFact } from "@milkwood/domain/banking/banking-facts"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { bankLineConfirmed } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { post, reverse } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, query, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { lockReceipt } from "../receipts/receipt-record.ts"
import { bankLineRowsOf, type PlacedLine, placedLines } from "./bank-lines.queries.ts"
import { postDeposits, reverseDeposits } from "./deposits.ts"

interface Placing {
  lines: PlacedLine[]
  kind: PlacementKind
  note: string
  receipt: { id: string; groupId: string; number: string } | null
}

/**
 * Puts lines where they belong. A line that stands somewhere already stops it all: the database holds each once, so
 * that of two people who match the same line the later one is told.
 */
async function place(cx: Cx, { lines, kind, note, receipt }: Placing): Promise<void> {
  const { tx, now, actor, today } = cx
  const rows = lines.map((line) => ({ ...line, placementId: randomUUID() }))
  const values = rows.map(
    ({ id, placementId }) => sql`(${placementId}::uuid, ${id}::uuid, ${kind}, ${note}, ${receipt?.id ?? null}::uuid,
      ${receipt?.groupId ?? null}::uuid, ${actorUserId(actor)}::uuid, ${now}::timestamptz)`,
  )
  const written = await tx.run(sql`
    insert into bank_placements (id, line_id, kind, note, receipt_id, group_id, placed_by, placed_at)
    values ${sql.join(values, sql`, `)} on conflict do nothing`)
  if (written < rows.length) throw refused("PLACED")
  if (kind === "charge" || kind === "interest") {
    const entries = rows.map(({ placementId, accountId, day, text, amountCents }) =>
      bankLineConfirmed({ placementId, accountId, kind, on: postedOn(day, today), text, amountCents }),
    )
    await post(cx, ...entries)
  }
  await postDeposits(
    cx,
    rows.map(({ placementId }) => placementId),
  )
  const facts = rows.map((line): BankingFact => {
    return { ...newsOf(line), type: "BankLinePlaced", kind, note, receipt: receipt?.number ?? null }
  })
  await record(cx, facts)
}

const newsOf = ({ statementId, statementNumber, text, amountCents }: PlacedLine) => ({
  record: { kind: "bank_statement" as const, id: statementId, label: statementNumber },
  groupId: null,
  ...{ text, amountCents },
})

/** Lines by their ids, as they stand now. NOT_FOUND where one of them is not there. */
async function linesOf({ tx }: Pick<Cx, "tx">, ids: readonly string[]): Promise<PlacedLine[]> {
  const wanted = [...new Set(ids)]
  const lines = await placedLines(tx, sql`l.id = any (${sql.param(wanted)}::uuid[])`)
  if (lines.length < wanted.length) throw refused("NOT_FOUND", "There is no such line.")
  return lines
}

export const setAside = command(bankingContract.notOurs, async (cx) => {
  const { lineIds, why } = cx.input
  const { reason, note } = why
  const lines = await linesOf(cx, lineIds)
  await place(cx, { lines, kind: reason satisfies NotOursReason, note, receipt: null })
  return bankLineRowsOf(cx, lineIds)
})

export const linkReceipt = command(bankingContract.linkReceipt, async (cx) => {
  const { lineId, receiptId } = cx.input
  const { receipt } = await lockReceipt(cx, receiptId)
  const [line] = await linesOf(cx, [lineId])
  orRefuse(linkable(line!, receipt))
  const linked = await cx.tx.row(
    sql`select from bank_placements where receipt_id = ${receiptId} and undone_at is null and line_id <> ${lineId}`,
  )
  if (linked) throw refused("NOT_THIS_RECEIPT", `${receipt.number} is another line's already.`)
  await place(cx, { lines: [line!], kind: "receipt", note: "", receipt })
  return bankLineRowsOf(cx, [lineId])
})

/** Takes lines from where they are; what was posted for them is reversed. */
async function takeBack(cx: Cx, lines: readonly PlacedLine[], why: string): Promise<void> {
  const { tx, now, actor, today } = cx
  const ids = lines.map(({ id }) => id)
  const undone = await tx.rows<{ id: string; kind: PlacementKind; lineId: string }>(sql`
    update bank_placements set undone_at = ${now}, undone_by = ${actorUserId(actor)}
    where line_id = any (${sql.param(ids)}::uuid[]) and undone_at is null returning id, kind, line_id as "lineId"`)
  if (undone.length < ids.length) throw refused("NOT_PLACED")
  const dayOf = (lineId: string): Day => lines.find(({ id }) => id === lineId)!.day
  const posted = undone.filter(({ kind }) => kind === "charge" || kind === "interest")
  await reverse(
    cx,
    posted.map(({ id, lineId }) => ({
      source: `bank-placement:${id}`,
      on: postedOn(dayOf(lineId), today),
      reason: why,
    })),
  )
  await reverseDeposits(
    cx,
    undone.map(({ id }) => id),
    why,
  )
  await record(
    cx,
    lines.map((line): BankingFact => ({ ...newsOf(line), type: "BankLineUndone", why })),
  )
}

export const undoPlacement = command(bankingContract.undo, async (cx) => {
  const lines = await linesOf(cx, cx.input.lineIds)
  await takeBack(cx, lines, "it was undone")
  return bankLineRowsOf(cx, cx.input.lineIds)
})

/** A receipt was reversed: its line is to be matched again. */
export async function releaseLineOf(cx: Cx, receiptId: string, number: string): Promise<void> {
  const lines = await placedLines(cx.tx, sql`p.receipt_id = ${receiptId}`)
  if (lines.length > 0) await takeBack(cx, lines, `receipt ${number} was reversed`)
}

/** So many receipts are offered for a line. */
const offered = 8

/** Receipts that may be a line's money, the likeliest first. */
export const receiptsForLine = query(bankingContract.receiptsFor, async (cx): Promise<ReceiptCandidate[]> => {
  const [line] = await linesOf(cx, [cx.input.lineId])
  const { day, amountCents } = line!
  const found = await cx.tx.rows<Omit<ReceiptCandidate, "reasons">>(sql`
    select r.id, r.number, r.received_on as "receivedOn", r.reference, r.amount_cents as "amountCents",
      g.name as "groupName", p.number as "policyNumber"
    from receipts r join employer_groups g on g.id = r.group_id join policies p on p.id = r.policy_id
    where r.amount_cents = ${amountCents} and r.reversed_at is null
      and r.received_on between ${addDays(day, -daysAround)} and ${addDays(day, daysAround)}
      and not exists (select from bank_placements b where b.receipt_id = r.id and b.undone_at is null)
    order by r.received_on desc, r.id limit 200`)
  return found
    .map((receipt) => ({ receipt, ...reasonsFor(line!, receipt) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, offered)
    .map(({ receipt, reasons }) => ({ ...receipt, reasons }))
})
