import { randomUUID } from "node:crypto"
import { type Day, firstOfMonth, maxDay } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { effectiveDay } from "@milkwood/domain/ledger/closed-months"
import { type MonthPremium, type PremiumPart, premiumParts } from "@milkwood/domain/ledger/earned-premium"
import type { LedgerEntry, PolicyRef } from "@milkwood/domain/ledger/entry"
import { premiumEarned } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { job } from "../platform/work/jobs.ts"
import { openFrom } from "./closed-months.ts"
import { premiumParts as premiumPartsTable } from "./ledger.tables.ts"
import { post } from "./post.ts"

type Posting = Pick<Cx, "tx" | "now" | "today">

/** An invoice that was sent, or a credit note of it. */
interface PremiumDocument {
  invoiceId: string
  creditNoteId: string | null
  number: string
  /** The document's own day. */
  on: Day
  policy: PolicyRef
}

/**
 * Posts a document with its premium by cover month: its own entry by `rule`, and one entry for each part that counts in
 * another month and has begun. What bills later months is released by `releasePremium`.
 *
 *     await postPremium(cx, document, byMonth, (on, parts) => invoiceSent({ ...document, on, parts, vatCents }))
 */
export async function postPremium(
  cx: Posting,
  document: PremiumDocument,
  byMonth: readonly MonthPremium[],
  rule: (on: Day, parts: readonly PremiumPart[]) => LedgerEntry,
): Promise<void> {
  const firstOpen = await openFrom(cx)
  const postedOn = effectiveDay(document.on, firstOpen)
  const parts = premiumParts(byMonth, { postedOn, firstOpen, today: cx.today })
  const earned = parts.flatMap(({ earnedOn, ...part }) =>
    earnedOn === null || earnedOn === postedOn ? [] : [premiumEarned({ ...document, ...part, on: earnedOn, postedOn })],
  )
  const entry = rule(postedOn, parts)
  // A credit note may move premium between lines of one month, and so nothing in the ledger.
  await post(cx, ...(entry.postings.length > 0 ? [entry] : []), ...earned)
  if (parts.length === 0) return
  const { invoiceId, creditNoteId, number, policy } = document
  await cx.tx
    .insert(premiumPartsTable)
    .values(parts.map((part) => ({ id: randomUUID(), ...policy, invoiceId, creditNoteId, number, ...part, postedOn })))
}

/** So many parts are released in one transaction. */
const releasedAtOnce = 1_000

interface DuePart {
  id: string
  policyId: string
  groupId: string
  invoiceId: string
  creditNoteId: string | null
  number: string
  month: Day
  netCents: Cents
  postedOn: Day
}

/**
 * Releases premium whose month has begun, up to a number of parts; answers how many. Each counts on the first of its
 * month, or on the first open day where that month was closed meanwhile. Parts that another server is releasing are
 * skipped.
 */
export async function releasePremium(cx: Posting, limit = releasedAtOnce): Promise<number> {
  const { tx, today } = cx
  // The books are held before the parts, in the same order as the closing of a month does.
  const firstOpen = await openFrom(cx)
  const due = await tx.rows<DuePart>(sql`
    select id, policy_id as "policyId", group_id as "groupId", invoice_id as "invoiceId", credit_note_id as "creditNoteId",
      number, month, net_cents as "netCents", posted_on as "postedOn"
    from premium_parts where earned_on is null and month <= ${firstOfMonth(today)}::date
    order by month, id limit ${limit} for update skip locked`)
  if (due.length === 0) return 0
  await post(
    cx,
    ...due.map(({ policyId, groupId, ...part }) =>
      premiumEarned({ ...part, on: maxDay(part.month, firstOpen), policy: { policyId, groupId } }),
    ),
  )
  await tx.run(sql`
    update premium_parts set earned_on = greatest(month, ${firstOpen}::date)
    where id = any (${sql.param(due.map(({ id }) => id))}::uuid[])`)
  return due.length
}

/** Releases all premium whose month has begun, in this transaction: a month closes with nothing of it left unearned. */
export async function releaseAllPremium(cx: Posting): Promise<void> {
  while ((await releasePremium(cx)) === releasedAtOnce);
}

/** Every day: premium whose month has begun is income. Finds only what is left, so a missed day is made up for. */
export const releaseDaily = job("ledger.releasePremium", async ({ transaction, signal }) => {
  let released = 0
  for (;;) {
    const found = await transaction((cx) => releasePremium(cx))
    released += found
    if (found < releasedAtOnce) return { released }
    signal.throwIfAborted()
  }
})
