import { randomUUID } from "node:crypto"
import type { ParkedReason, RunOutcome } from "@milkwood/domain/billing/billing-run"
import type { TextFormats } from "@milkwood/domain/billing/difference-words"
import type { Invoice } from "@milkwood/domain/billing/invoice"
import { approve, invoiceGeneratedFacts } from "@milkwood/domain/billing/invoice-steps"
import { invoiceTotals } from "@milkwood/domain/billing/invoice-totals"
import { refuseWithoutVatNumber } from "@milkwood/domain/billing/paper-rules"
import {
  type BillCredit,
  type BillLine,
  billOf,
  type DifferenceToBill,
  joinCreditReasons,
} from "@milkwood/domain/billing/run-bill"
import { type BilledLine, type CreditOfInvoice, splitCredits } from "@milkwood/domain/billing/split-credits"
import { addDays, type Day, lastOfMonth, maxDay, minDay } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import type { Policy } from "@milkwood/domain/policies/policy"
import { type SQL, sql } from "drizzle-orm"
import { vatOn } from "../benefits/vat.queries.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, orRefuse, Refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { nextNumberSql } from "../platform/database/numbering.ts"
import { lockRecord, readRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { wasRated } from "../policies/rates.queries.ts"
import { explainPremiums } from "../premiums/explained.queries.ts"
import { invoices } from "./billing.tables.ts"
import { makeCreditNote } from "./credit-invoice.ts"
import { comparePolicyMonth, type MemberDifference } from "./difference.queries.ts"
import { saveInvoice } from "./invoice-record.ts"
import { obstaclesSql, organisationVatNumber } from "./run-preview.queries.ts"
import { insertLines, isPremiumWithin } from "./save-invoice.ts"

/** Thrown to roll back the policy's transaction; the run then parks the policy with the reason. */
export class PolicyParked extends Error {
  readonly reason: ParkedReason
  readonly invoiceId: string | null

  constructor(reason: ParkedReason, invoiceId: string | null = null) {
    super(reason)
    this.reason = reason
    this.invoiceId = invoiceId
  }
}

export interface BillResult {
  /** Not numbered yet; call `numberInvoice` after all other writes. */
  invoice: UnnumberedInvoice | null
  creditNoteIds: string[]
  /** Without VAT: the month's own premium, and differences of earlier months. */
  baseCents: Cents
  adjustmentCents: Cents
  vatCents: Cents
}

/** Bills a locked policy. Returns undefined if there is nothing to bill; throws `PolicyParked`. */
export async function billPolicy(
  cx: Cx,
  policy: Policy,
  { month, wording, standing }: { month: Day; wording: TextFormats; standing: BillingState },
): Promise<BillResult | undefined> {
  const { obstacle } = standing
  const { found, isUnrated } = await comparePolicyMonth(cx.tx, policy.id, month, cx.now)
  if (isUnrated) throw new PolicyParked("no_premium")
  if (found.length === 0) return undefined
  if (obstacle) throw new PolicyParked(obstacle.kind, obstacle.invoiceId)

  const { lines, credits } = billOf(standing.isRated ? await addRates(cx, policy.id, found) : found, month, wording)
  const notes = await creditBilledLines(cx, policy, credits)
  // A credit note made above may have released the period.
  const isTaken = notes.length === 0 ? standing.isTaken : (await readBillingState(cx, policy, month)).isTaken
  const invoice = lines.length > 0 ? await makeInvoice(cx, policy, lines, { ...standing, month, isTaken }) : null
  if (invoice && isRefusal(refuseWithoutVatNumber(standing, invoice))) throw new PolicyParked("no_vat_number")
  const credited = notes.reduce((sum, note) => sum + note.netCents + note.discountCents, 0)
  const of = (isAdjustment: boolean) =>
    lines.filter((line) => line.isAdjustment === isAdjustment).reduce((sum, { unitCents }) => sum + unitCents, 0)
  return {
    invoice,
    creditNoteIds: notes.map(({ id }) => id),
    baseCents: of(false),
    adjustmentCents: of(true) - credited,
    vatCents: (invoice?.vatCents ?? 0) - notes.reduce((sum, note) => sum + note.vatCents, 0),
  }
}

export interface BillingState {
  obstacle: { kind: ParkedReason; invoiceId: string | null } | null
  isRated: boolean
  /** Whether the month has a premium invoice. */
  isTaken: boolean
  vatPercent: number
  /** Empty if the organisation has no VAT number. */
  vatNumber: string
}

const readBillingState = async (cx: Cx, policy: Policy, month: Day): Promise<BillingState> =>
  (await cx.tx.preparedRow<BillingState>(sql`select ${billingStateColumns(cx, policy, month)}`))!

export function billingStateColumns({ today }: Pick<Cx, "today">, { id, productTypeId }: Policy, month: Day): SQL {
  const period = { periodStartOn: month, periodEndOn: lastOfMonth(month) }
  return sql`
    ${wasRated(sql`${id}`)} as "isRated", exists (select from invoices where ${isPremiumWithin(id, period)}) as "isTaken",
    (select json_build_object('kind', kind, 'invoiceId', invoice_id)
      from (${obstaclesSql({ policies: sql`select ${id}::uuid`, month })}) o order by place limit 1) as obstacle,
    (select v.percent::float8 from (${vatOn(sql`${productTypeId}::uuid`, sql`${today}::date`)}) v) as "vatPercent",
    ${organisationVatNumber} as "vatNumber"`
}

/** Explains rated amounts of months billed for the first time. */
export async function addRates(
  cx: Pick<Cx, "tx" | "now" | "currency">,
  policyId: string,
  found: readonly MemberDifference[],
): Promise<DifferenceToBill[]> {
  const ofMonth = found.flatMap(({ memberId, causes }) =>
    causes.flatMap(({ kind, months }) => (kind === "month" ? months.map((of) => ({ memberId, month: of.month })) : [])),
  )
  const names = found.flatMap(({ months }) =>
    months.flatMap(({ tierId, tierName }) => (tierId && tierName ? [[tierId, tierName] as const] : [])),
  )
  const rated = await explainPremiums(
    cx.tx,
    policyId,
    ofMonth,
    { knownAt: cx.now, tierNames: new Map(names) },
    cx.currency,
  )
  if (rated.size === 0) return [...found]
  return found.map((one) => ({
    ...one,
    months: one.months.map((of) => ({ ...of, rated: rated.get(`${one.memberId} ${of.month}`) ?? null })),
  }))
}

type UnnumberedInvoice = Pick<Invoice, "id" | "groupId" | "policyId" | "vatCents" | "totalCents">

async function makeInvoice(
  { tx, now, today, actor }: Cx,
  policy: Policy,
  lines: readonly BillLine[],
  { month, isTaken, vatPercent }: BillingState & { month: Day },
): Promise<UnnumberedInvoice> {
  const period = { periodStartOn: month, periodEndOn: lastOfMonth(month) }
  // Also a premium invoice if adjustments billed other members, as long as the month has no premium invoice yet.
  const isOfMonth = lines.some(({ billedMonth }) => billedMonth === month) && !isTaken
  // Otherwise the invoice spans the months that it adjusts.
  const months = lines.map(({ billedMonth }) => billedMonth)
  const about = isOfMonth
    ? period
    : { periodStartOn: minDay(months[0]!, ...months), periodEndOn: lastOfMonth(maxDay(months[0]!, ...months)) }
  const made = { id: randomUUID(), groupId: policy.groupId, policyId: policy.id, ...invoiceTotals(lines, vatPercent) }
  await tx.insert(invoices).values({
    ...made,
    ...about,
    // A temporary number, unique among concurrent invoices.
    number: policy.number,
    kind: isOfMonth ? "premium" : "other",
    invoiceOn: today,
    dueOn: addDays(today, policy.dueDays),
    createdBy: actorUserId(actor),
    createdAt: now,
  })
  await insertLines(
    tx,
    made,
    lines.map(({ isAdjustment: _, ...line }) => line),
  )
  return made
}

/**
 * Numbers have no gaps, so every other invoice waits from here until commit. Numbering is therefore the last write:
 * lines written after it would serialise policies.
 */
export async function numberInvoice(cx: Cx, invoice: UnnumberedInvoice, outcome: RunOutcome): Promise<void> {
  const numbered = await cx.tx.row<{ number: string }>(sql`
    with taken as (${nextNumberSql("invoice", cx.today)})
    update invoices set number = taken.number from taken where id = ${invoice.id} returning taken.number`)
  await record(cx, invoiceGeneratedFacts({ ...invoice, ...numbered! }))
  if (outcome !== "draft") {
    const made = await readRecord(cx.tx, invoices, invoice.id)
    await saveInvoice(cx, made, orRefuse(approve(made, cx.now)))
  }
}

/** Splits credits over invoices, newest first. Throws `PolicyParked` if the invoices do not suffice. */
export async function splitOverInvoices(
  tx: Tx,
  policyId: string,
  credits: readonly BillCredit[],
): Promise<CreditOfInvoice[]> {
  if (credits.length === 0) return []
  const ofMonths = splitCredits(credits, await loadBilledLines(tx, policyId, credits))
  if (ofMonths.shortCents === 0) return ofMonths.invoices
  // Other adjustments lowered these invoices, so retry with all lines.
  const ofAll = splitCredits(credits, await loadBilledLines(tx, policyId, null))
  if (ofAll.shortCents === 0) return ofAll.invoices
  const mends = await tx.row<{ id: string; status: string }>(sql`
    select id, status from invoices where policy_id = ${policyId} and status in ('draft', 'pending', 'sent')
    order by status = 'sent', case when status <> 'sent' then created_at end, invoice_on desc, number desc limit 1`)
  throw new PolicyParked(mends && mends.status !== "sent" ? "draft" : "credit", mends?.id ?? null)
}

/** Lines of the newest invoice first; null `credits` selects all lines. */
async function loadBilledLines(tx: Tx, policyId: string, credits: readonly BillCredit[] | null): Promise<BilledLine[]> {
  const ofCredits = sql`
    join jsonb_to_recordset(${JSON.stringify(credits)}::jsonb) as asked ("memberId" uuid, month date)
      on l.member_id = asked."memberId" and l.billed_month = asked.month`
  return tx.rows<BilledLine>(sql`
    with taken as (
      select c.invoice_line_id, sum(c.net_cents)::bigint as cents
      from credit_notes n join credit_note_lines c on c.credit_note_id = n.id
      where n.policy_id = ${policyId} and n.kind = 'correction' group by 1
    ), found as materialized (
      select l.id, l.invoice_id, l.member_id, l.billed_month, l.vat_class, l.vat_percent, l.total_cents, l.position,
        i.invoice_on, i.number
      from invoice_lines l join invoices i on i.id = l.invoice_id ${credits ? ofCredits : sql``}
      where i.policy_id = ${policyId} and i.status = 'sent' and l.billed_month is not null
    ), rates as (
      select l.invoice_id, l.vat_class, l.vat_percent, sum(l.total_cents - coalesce(t.cents, 0))::bigint as cents
      from invoice_lines l left join taken t on t.invoice_line_id = l.id
      where l.invoice_id in (select invoice_id from found) group by 1, 2, 3
    )
    select f.id, f.invoice_id as "invoiceId", f.member_id as "memberId", f.billed_month as month,
      f.vat_class || ' ' || f.vat_percent as rate, f.total_cents - coalesce(t.cents, 0) as "restCents",
      r.cents as "restOfRateCents", n.cents as "restOfInvoiceCents"
    from found f
    join rates r using (invoice_id, vat_class, vat_percent)
    join (select invoice_id, sum(cents)::bigint as cents from rates group by 1) n using (invoice_id)
    left join taken t on t.invoice_line_id = f.id
    where f.total_cents <> coalesce(t.cents, 0)
    order by f.invoice_on desc, f.number desc, f.position`)
}

export async function creditBilledLines(cx: Cx, policy: Policy, credits: readonly BillCredit[]) {
  const notes = []
  for (const { invoiceId, lines, sentences } of await splitOverInvoices(cx.tx, policy.id, credits)) {
    const invoice = await lockRecord(cx.tx, invoices, invoiceId)
    const note = makeCreditNote(cx, invoice, { kind: "correction", lines }, joinCreditReasons(sentences))
    notes.push(await note.catch((error) => parkIfUncreditable(invoice, error)))
  }
  return notes
}

/**
 * Parks the policy if a write-off must be reversed first, or if a partial correction with negative VAT would exceed the
 * rest.
 */
function parkIfUncreditable(invoice: Pick<Invoice, "id" | "writtenOffCents">, error: unknown): never {
  if (!(error instanceof Refused) || !uncreditableCodes.includes(error.refusal.refused)) throw error
  throw new PolicyParked(invoice.writtenOffCents > 0 ? "written_off" : "credit", invoice.id)
}

const uncreditableCodes: readonly string[] = ["CREDIT_TOO_LARGE", "NOTHING_TO_CREDIT"]
