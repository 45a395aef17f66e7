import { randomUUID } from "node:crypto"
import type { ParkedReason, RunOutcome } from "@milkwood/domain/billing/billing-run"
import type { Wording } from "@milkwood/domain/billing/difference-words"
import type { Invoice } from "@milkwood/domain/billing/invoice"
import { approve, generated } from "@milkwood/domain/billing/invoice-steps"
import { invoiceTotals } from "@milkwood/domain/billing/invoice-totals"
import {
  type BillCredit,
  type BilledLine,
  type BillLine,
  billOf,
  type CreditOfInvoice,
  creditReason,
  type DifferenceToBill,
  splitCredits,
} from "@milkwood/domain/billing/run-bill"
import { addDays, type Day, lastOfMonth, maxDay, minDay } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { Policy } from "@milkwood/domain/policies/policy"
import { sql } from "drizzle-orm"
import { vatOn } from "../benefits/vat.queries.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, orRefuse, Refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { lockRecord, readRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { wasRated } from "../policies/rates.queries.ts"
import { explained } from "../premiums/explained.queries.ts"
import { invoices } from "./billing.tables.ts"
import { makeCreditNote } from "./credit-invoice.ts"
import { compare, type MemberDifference } from "./difference.queries.ts"
import { saveInvoice } from "./invoice-record.ts"
import { obstacles } from "./run-preview.queries.ts"
import { insertLines, isPremiumWithin } from "./save-invoice.ts"

/** Why a policy was not billed: it stays parked, and nothing of its bill is kept. */
export class Parked extends Error {
  readonly reason: ParkedReason
  readonly invoiceId: string | null

  constructor(reason: ParkedReason, invoiceId: string | null = null) {
    super(reason)
    this.reason = reason
    this.invoiceId = invoiceId
  }
}

export interface Billed {
  invoiceId: string | null
  creditNoteIds: string[]
  /** Without VAT: of the month itself, and of what went before. */
  baseCents: Cents
  adjustmentCents: Cents
  vatCents: Cents
}

/**
 * Bills a locked policy for a month: what is owed less what was billed, as it stands under the lock. Answers undefined
 * where nothing differs; throws `Parked` where it cannot be billed.
 */
export async function billPolicy(
  cx: Cx,
  policy: Policy,
  { month, outcome, wording }: { month: Day; outcome: RunOutcome; wording: Wording },
): Promise<Billed | undefined> {
  const standing = await standingOf(cx, policy, month)
  const { obstacle } = standing
  const { found, isUnrated } = await compare(cx.tx, policy.id, month, cx.now)
  if (isUnrated) throw new Parked("no_premium")
  if (found.length === 0) return undefined
  if (obstacle) throw new Parked(obstacle.kind, obstacle.invoiceId)

  const { lines, credits } = billOf(standing.isRated ? await withRates(cx, policy.id, found) : found, month, wording)
  const notes = await creditBilled(cx, policy, credits)
  // A credit note may have freed the month.
  const isTaken = notes.length === 0 ? standing.isTaken : (await standingOf(cx, policy, month)).isTaken
  const invoice =
    lines.length > 0 ? await makeInvoice(cx, policy, lines, { ...standing, month, outcome, isTaken }) : null
  const credited = notes.reduce((sum, note) => sum + note.netCents + note.discountCents, 0)
  const of = (isAdjustment: boolean) =>
    lines.filter((line) => line.isAdjustment === isAdjustment).reduce((sum, { unitCents }) => sum + unitCents, 0)
  return {
    invoiceId: invoice?.id ?? null,
    creditNoteIds: notes.map(({ id }) => id),
    baseCents: of(false),
    adjustmentCents: of(true) - credited,
    vatCents: (invoice?.vatCents ?? 0) - notes.reduce((sum, note) => sum + note.vatCents, 0),
  }
}

interface Standing {
  /** What is in the way of billing it, the first of what there is. */
  obstacle: { kind: ParkedReason; invoiceId: string | null } | null
  /** Whether it ever had a rate table. */
  isRated: boolean
  /** Whether the month has its premium invoice. */
  isTaken: boolean
  /** The VAT of its product type today. */
  vatPercent: number
}

/** How a locked policy stands before a month of it is billed, all at once. */
async function standingOf(cx: Cx, { id, productTypeId }: Policy, month: Day): Promise<Standing> {
  const period = { periodStartOn: month, periodEndOn: lastOfMonth(month) }
  const standing = await cx.tx.preparedRow<Standing>(sql`
    select ${wasRated(sql`${id}`)} as "isRated", exists (select from invoices where ${isPremiumWithin(id, period)}) as "isTaken",
      (select json_build_object('kind', kind, 'invoiceId', invoice_id)
        from (${obstacles({ policies: sql`select ${id}::uuid`, month })}) o order by place limit 1) as obstacle,
      v.percent::float8 as "vatPercent"
    from (${vatOn(sql`${productTypeId}::uuid`, sql`${cx.today}::date`)}) v`)
  return standing!
}

/** Differences with how the amounts of months that nobody was billed for came about, where a rate table says it. */
export async function withRates(
  cx: Pick<Cx, "tx" | "now">,
  policyId: string,
  found: readonly MemberDifference[],
): Promise<DifferenceToBill[]> {
  const ofMonth = found.flatMap(({ memberId, causes }) =>
    causes.flatMap(({ kind, months }) => (kind === "month" ? months.map((of) => ({ memberId, month: of.month })) : [])),
  )
  const names = found.flatMap(({ months }) =>
    months.flatMap(({ tierId, tierName }) => (tierId && tierName ? [[tierId, tierName] as const] : [])),
  )
  const rated = await explained(cx.tx, policyId, ofMonth, { knownAt: cx.now, tierNames: new Map(names) })
  if (rated.size === 0) return [...found]
  return found.map((one) => ({
    ...one,
    months: one.months.map((of) => ({ ...of, rated: rated.get(`${one.memberId} ${of.month}`) ?? null })),
  }))
}

async function makeInvoice(
  cx: Cx,
  policy: Policy,
  lines: readonly BillLine[],
  { month, outcome, isTaken, vatPercent }: Standing & { month: Day; outcome: RunOutcome },
): Promise<{ id: string; vatCents: Cents }> {
  const { tx, now, today } = cx
  const period = { periodStartOn: month, periodEndOn: lastOfMonth(month) }
  // Also where others of the policy were billed for it otherwise: the month has no other invoice of its own.
  const isOfMonth = lines.some(({ billedMonth }) => billedMonth === month) && !isTaken
  // What is adjusted after the month was billed has no period of its own: it names the months that it is about.
  const months = lines.map(({ billedMonth }) => billedMonth)
  const about = isOfMonth
    ? period
    : { periodStartOn: minDay(months[0]!, ...months), periodEndOn: lastOfMonth(maxDay(months[0]!, ...months)) }
  const totals = invoiceTotals(lines, vatPercent)
  const made = { id: randomUUID(), groupId: policy.groupId, number: await nextNumber(tx, "invoice", today) }
  await tx.insert(invoices).values({
    ...made,
    ...totals,
    ...about,
    policyId: policy.id,
    kind: isOfMonth ? "premium" : "other",
    invoiceOn: today,
    dueOn: addDays(today, policy.dueDays),
    createdBy: actorUserId(cx.actor),
    createdAt: now,
  })
  await insertLines(
    tx,
    made,
    lines.map(({ isAdjustment: _, ...line }) => line),
  )
  await record(cx, generated({ ...made, policyId: policy.id, totalCents: totals.totalCents }))
  if (outcome !== "draft") {
    const invoice = await readRecord(tx, invoices, made.id)
    await saveInvoice(cx, invoice, orRefuse(approve(invoice, now)))
  }
  return { id: made.id, vatCents: totals.vatCents }
}

/** What is taken back of which sent invoices, newest first. Throws `Parked` where they do not hold it. */
export async function creditsOfInvoices(
  tx: Tx,
  policyId: string,
  credits: readonly BillCredit[],
): Promise<CreditOfInvoice[]> {
  if (credits.length === 0) return []
  const billed = await tx.rows<BilledLine>(sql`
    with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(credits)}::jsonb) as ("memberId" uuid, month date)
    ), taken as (
      select c.invoice_line_id, n.invoice_id, sum(c.net_cents)::bigint as cents
      from credit_notes n join credit_note_lines c on c.credit_note_id = n.id
      where n.policy_id = ${policyId} and n.kind = 'correction' group by 1, 2
    )
    select l.id, l.invoice_id as "invoiceId", l.member_id as "memberId", l.billed_month as month,
      l.total_cents - coalesce(t.cents, 0) as "restCents",
      i.subtotal_cents - coalesce((select sum(cents) from taken o where o.invoice_id = i.id), 0)::bigint as "leftOfInvoiceCents"
    from asked a
    join invoice_lines l on l.member_id = a."memberId" and l.billed_month = a.month
    join invoices i on i.id = l.invoice_id and i.policy_id = ${policyId} and i.status = 'sent'
    left join taken t on t.invoice_line_id = l.id
    where l.total_cents > coalesce(t.cents, 0)
    order by i.invoice_on desc, i.number desc, l.position`)
  const split = splitCredits(credits, billed)
  if (split.shortCents > 0) {
    const unsent = await tx.row<{ id: string }>(sql`
      select id from invoices where policy_id = ${policyId} and status in ('draft', 'pending') order by created_at limit 1`)
    throw new Parked(unsent ? "draft" : "credit", unsent?.id ?? null)
  }
  return split.invoices
}

/** Takes back what was billed and is not owed, over the sent invoices that billed it. */
export async function creditBilled(cx: Cx, policy: Policy, credits: readonly BillCredit[]) {
  const notes = []
  for (const { invoiceId, lines, sentences } of await creditsOfInvoices(cx.tx, policy.id, credits)) {
    const invoice = await lockRecord(cx.tx, invoices, invoiceId)
    const note = makeCreditNote(cx, invoice, { kind: "correction", lines }, creditReason(sentences))
    notes.push(await note.catch((error) => parkWrittenOff(invoice, error)))
  }
  return notes
}

/** Credited and given up as well, it would leave the debtors by twice as much: who gave it up takes that back first. */
function parkWrittenOff(invoice: Pick<Invoice, "id" | "writtenOffCents">, error: unknown): never {
  const isTooMuch = error instanceof Refused && error.refusal.refused === "CREDIT_TOO_LARGE"
  throw isTooMuch && invoice.writtenOffCents > 0 ? new Parked("written_off", invoice.id) : error
}
