import { billingContract, type InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { invoiceStatus, openCents as openCentsOf } from "@milkwood/domain/billing/invoice"
import { invoiceActionsOf } from "@milkwood/domain/billing/invoice-lifecycle"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { timeline } from "../platform/trail/facts.ts"
import { policyRecipients } from "../policies/policy-recipients.ts"
import { lastAllocatedOn, paymentsOf, writtenOffOf } from "./billing.ports.ts"
import { loadMails, mailState } from "./delivery.queries.ts"
import { countLines, loadLinePage, loadVatParts } from "./invoice-lines.queries.ts"
import { allocatedCents, creditedCents, type MoneyRow, moneyOf, writtenOffCents } from "./invoice-money.ts"

/** Employer users see only sent invoices `i`. */
export function isVisibleTo(actor: Actor): SQL {
  return seesAllGroups(actor) ? sql`true` : sql`i.status = 'sent'`
}

type HeaderRow = MoneyRow &
  Omit<
    InvoiceDetail,
    | "status"
    | "openCents"
    | "paidOn"
    | "lines"
    | "lineCount"
    | "creditNotes"
    | "mails"
    | "payments"
    | "timeline"
    | "allowedActions"
    | "policy"
    | "vatPercent"
    | "vat"
  > &
  Omit<InvoiceDetail["policy"], "membersCovered" | "status"> & {
    policyStatus: string
    vatPercent: string
    lastPaidOn: Day | null
  }

/** NOT_FOUND unless the actor may see it. */
export async function invoiceDetail(
  cx: Pick<Cx, "tx" | "actor" | "today" | "currency">,
  invoiceId: string,
): Promise<InvoiceDetail> {
  const { tx, actor, today } = cx
  const { role } = ruleActor(actor)
  const header = await tx.row<HeaderRow>(sql`
      select i.id, i.number, i.kind, i.status as "storedStatus", i.group_id as "groupId", g.name as "groupName",
        i.policy_id as "policyId", p.number as "policyNumber", i.invoice_on as "invoiceOn", i.due_on as "dueOn",
        i.period_start_on as "periodStartOn", i.period_end_on as "periodEndOn", i.notes,
        i.subtotal_cents as "subtotalCents", i.discount_cents as "discountCents",
        i.discount_percent::float8 as "discountPercent", i.discount_reason as "discountReason", i.vat_percent as "vatPercent",
        i.vat_cents as "vatCents", i.total_cents as "totalCents",
        ${creditedCents} as "creditedCents", ${allocatedCents} as "allocatedCents", ${writtenOffCents} as "writtenOffCents",
        ${lastAllocatedOn(sql`i.id`, today)} as "lastPaidOn",
        i.created_at as "createdAt", i.approved_at as "approvedAt", i.sent_at as "sentAt", i.sent_to as "sentTo", ${mailState(actor, "invoice", sql`i.id`)} as mail,
        i.cancelled_at as "cancelledAt", i.cancel_reason as "cancelReason", i.version,
        case when p.rate_table_id is null then p.premium_cents end as "premiumCents", p.start_on as "startOn", p.end_on as "endOn", p.status as "policyStatus",
        p.contact_name as "contactName", ${policyRecipients("invoices").to} as "contactEmail"
      from invoices i
      join policies p on p.id = i.policy_id
      join employer_groups g on g.id = i.group_id
      where i.id = ${invoiceId} and ${isVisibleTo(actor)}`)
  if (!header) throw refused("NOT_FOUND")
  const { lineCount, members } = await countLines(tx, invoiceId)
  const vat = await loadVatParts(tx, invoiceId)
  const creditNotes = await tx.rows<InvoiceDetail["creditNotes"][number]>(sql`
      select id, number, kind, credited_on as "creditedOn", net_cents as "netCents", vat_cents as "vatCents",
        total_cents as "totalCents", discount_cents as "discountCents", reason, created_at as "createdAt",
        (select coalesce(jsonb_agg(jsonb_build_object('invoiceLineId', invoice_line_id, 'memberId', member_id,
            'billedMonth', billed_month, 'netCents', net_cents, 'vatCents', vat_cents) order by position), '[]')
          from credit_note_lines where credit_note_id = credit_notes.id) as lines
      from credit_notes where invoice_id = ${invoiceId} order by created_at, number`)
  const payments = hasPermission(role, "receipts.read")
    ? await tx.rows<InvoiceDetail["payments"][number]>(paymentsOf(invoiceId))
    : []
  const history = await timeline(cx, "invoice", invoiceId)
  const money = moneyOf(header)
  const {
    storedStatus,
    lastPaidOn,
    vatPercent,
    premiumCents,
    startOn,
    endOn,
    policyStatus,
    contactName,
    contactEmail,
    ...invoice
  } = header
  const status = invoiceStatus(money, today)
  return {
    ...invoice,
    status,
    vatPercent: Number(vatPercent),
    vat,
    openCents: openCentsOf(money),
    paidOn: status === "paid" ? lastPaidOn : null,
    policy: {
      premiumCents,
      startOn,
      endOn,
      status: policyStatus,
      contactName,
      contactEmail,
      membersCovered: members,
    },
    lines: await loadLinePage(tx, actor, invoiceId, 1),
    lineCount,
    creditNotes,
    mails: await loadMails(cx, "invoice", invoiceId),
    payments,
    timeline: history,
    allowedActions: invoiceActionsOf(money, role),
  }
}

/** They block deleting the tier. */
export const invoicesWithTier = (tierId: string): SQL => sql`
  select number as label from invoices i
  where exists (select from invoice_lines l where l.invoice_id = i.id and l.tier_id = ${tierId})`

/** Credits and write-offs so far: the base of the next credit. */
export async function loadSettlement(tx: Tx, invoiceId: string) {
  const credited = await tx.row<CreditTotals>(sql`
    select coalesce(sum(total_cents), 0)::bigint as "totalCents", coalesce(sum(vat_cents), 0)::bigint as "vatCents"
    from credit_notes where invoice_id = ${invoiceId}`)
  const given = await tx.row<CreditTotals>(writtenOffOf(invoiceId))
  const settled = {
    totalCents: credited!.totalCents + given!.totalCents,
    vatCents: credited!.vatCents + given!.vatCents,
  }
  return { settled, writtenOffCents: given!.totalCents }
}

export async function loadWriteOffs(tx: Tx, invoiceId: string) {
  const given = await tx.row<CreditTotals>(writtenOffOf(invoiceId))
  return { writtenOffNetCents: given!.totalCents - given!.vatCents, writtenOffVatCents: given!.vatCents }
}
type CreditTotals = { totalCents: Cents; vatCents: Cents }

export const invoiceActivity = query(billingContract.activity, async (cx) => {
  const { invoiceId } = cx.input
  const seen = await cx.tx.row(sql`select from invoices i where i.id = ${invoiceId} and ${isVisibleTo(cx.actor)}`)
  if (!seen) throw refused("NOT_FOUND")
  return timeline(cx, "invoice", invoiceId, cx.input)
})
