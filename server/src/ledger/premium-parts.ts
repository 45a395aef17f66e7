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
import { firstOpenDayOfBooks } from "./closed-months.ts"
import { premiumParts as premiumPartsTable } from "./ledger.tables.ts"
import { post } from "./post.ts"

type PremiumPostingCx = Pick<Cx, "tx" | "now" | "today">

interface PremiumDocument {
  invoiceId: string
  creditNoteId: string | null
  number: string
  on: Day
  policy: PolicyRef
}

/**
 * Posts one entry by `rule`, and one per part of another month that has begun. `releasePremium` posts later months.
 *
 *     await postPremium(cx, document, byMonth, (on, parts) => invoiceSent({ ...document, on, parts, vatCents }))
 */
export async function postPremium(
  cx: PremiumPostingCx,
  document: PremiumDocument,
  byMonth: readonly MonthPremium[],
  rule: (on: Day, parts: readonly PremiumPart[]) => LedgerEntry,
): Promise<void> {
  const firstOpen = await firstOpenDayOfBooks(cx)
  const postedOn = effectiveDay(document.on, firstOpen)
  const parts = premiumParts(byMonth, { postedOn, firstOpen, today: cx.today })
  const earned = parts.flatMap(({ earnedOn, ...part }) =>
    earnedOn === null || earnedOn === postedOn ? [] : [premiumEarned({ ...document, ...part, on: earnedOn, postedOn })],
  )
  const entry = rule(postedOn, parts)
  // A credit note that moves premium within one month has an empty entry.
  await post(cx, ...(entry.postings.length > 0 ? [entry] : []), ...earned)
  if (parts.length === 0) return
  const { invoiceId, creditNoteId, number, policy } = document
  await cx.tx
    .insert(premiumPartsTable)
    .values(parts.map((part) => ({ id: randomUUID(), ...policy, invoiceId, creditNoteId, number, ...part, postedOn })))
}

const maxReleasedAtOnce = 1_000

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
 * Posts parts whose month has begun as earned, on the first of the month or the first open day. Skips parts that
 * another server has locked. Returns the number of parts.
 */
export async function releasePremium(cx: PremiumPostingCx, limit = maxReleasedAtOnce): Promise<number> {
  const { tx, today } = cx
  // Locks in the same order as closing a month.
  const firstOpen = await firstOpenDayOfBooks(cx)
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

/** Runs before a month closes. */
export async function releaseAllPremium(cx: PremiumPostingCx): Promise<void> {
  while ((await releasePremium(cx)) === maxReleasedAtOnce);
}

/** Daily. Processes all outstanding parts, also those of missed days. */
export const releaseDaily = job("ledger.releasePremium", async ({ transaction, signal }) => {
  let released = 0
  for (;;) {
    const found = await transaction((cx) => releasePremium(cx))
    released += found
    if (found < maxReleasedAtOnce) return { released }
    signal.throwIfAborted()
  }
})
