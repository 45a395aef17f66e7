import { clearPeriodMonth } from "@milkwood/domain/billing/billed-month"
import type { InvoiceLineInput } from "@milkwood/domain/billing/invoice-form"
import type { InvoiceLine } from "@milkwood/domain/billing/invoice-shape"
import type { VatPart } from "@milkwood/domain/billing/invoice-totals"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { maskIdNumber } from "@milkwood/domain/members/member"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import type { Tx } from "../platform/database/database.ts"

const linesPerPage = 100

interface LineCounts {
  lineCount: number
  /** Distinct members. */
  members: number
}

/** For a sent invoice the stored counts are returned. */
export async function countLines(tx: Tx, invoiceId: string): Promise<LineCounts> {
  const found = await tx.row<LineCounts>(sql`
    select coalesce(i.line_count, l.line_count)::integer as "lineCount", coalesce(i.member_count, l.member_count)::integer as members
    from invoices i
    cross join lateral (
      select count(*) as line_count, count(distinct member_id) as member_count
      from invoice_lines where invoice_id = i.id and i.line_count is null
    ) l
    where i.id = ${invoiceId}`)
  return found ?? { lineCount: 0, members: 0 }
}

export async function sumMemberCents(tx: Tx, invoiceId: string): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    select coalesce(sum(total_cents), 0)::bigint as cents
    from invoice_lines where invoice_id = ${invoiceId} and member_id is not null`)
  return found!.cents
}

/** Cents per month; a null month is the month of the period. */
export async function loadMemberMonths(tx: Tx, invoiceId: string): Promise<{ month: Day | null; cents: Cents }[]> {
  const rows = await tx.rows<{ month: Day | null; cents: Cents; periodStartOn: Day; periodEndOn: Day }>(sql`
    select l.billed_month as month, sum(l.total_cents)::bigint as cents, i.period_start_on as "periodStartOn",
      i.period_end_on as "periodEndOn"
    from invoice_lines l join invoices i on i.id = l.invoice_id
    where i.id = ${invoiceId} and l.member_id is not null group by l.billed_month, i.id order by l.billed_month`)
  return rows.map(({ month, cents, ...period }) => ({
    month: clearPeriodMonth({ billedMonth: month }, period).billedMonth,
    cents,
  }))
}

/** Same rule as the domain's `vatParts`. */
export function loadVatParts(tx: Tx, invoiceId: string): Promise<VatPart[]> {
  return tx.rows<VatPart>(sql`
    select vat_class as class, vat_percent::float8 as percent, net::bigint as "netCents",
      round(net * vat_percent / 100)::bigint as "vatCents"
    from (
      select vat_class, vat_percent, net_cents as net, position from invoice_vat where invoice_id = ${invoiceId}
      union all
      select vat_class, vat_percent, sum(total_cents), min(position) from invoice_lines
      where invoice_id = ${invoiceId} and not exists (select from invoice_vat where invoice_id = ${invoiceId})
      group by vat_class, vat_percent
    ) parts order by position`)
}

/** ID numbers are masked according to the actor. */
export async function loadLinePage(tx: Tx, actor: Actor, invoiceId: string, page: number): Promise<InvoiceLine[]> {
  const lines = await tx.rows<InvoiceLine>(sql`
    select l.id, l.description, l.quantity, l.unit_cents as "unitCents", l.total_cents as "totalCents",
      l.member_id as "memberId", l.tier_id as "tierId", t.name as "tierName", l.billed_month as "billedMonth",
      l.vat_class as "vatClass", l.vat_percent::float8 as "vatPercent",
      case when m.id is not null then
        jsonb_build_object('firstName', m.first_name, 'lastName', m.last_name, 'idNumber', coalesce(m.id_number, m.passport_number))
      end as member
    from (select * from invoice_lines where invoice_id = ${invoiceId}
      order by position limit ${linesPerPage} offset ${(page - 1) * linesPerPage}) l
    left join members m on m.id = l.member_id
    left join benefit_tiers t on t.id = l.tier_id
    order by l.position`)
  return ruleActor(actor).role === "policy_holder" ? lines.map(maskLine) : lines
}

function maskLine(line: InvoiceLine): InvoiceLine {
  return line.member ? { ...line, member: { ...line.member, idNumber: maskIdNumber(line.member.idNumber) } } : line
}

/** `which` filters `invoice_lines l`. */
export function loadStoredLines(tx: Tx, invoiceId: string, which: SQL = sql`true`): Promise<InvoiceLineInput[]> {
  return tx.rows<InvoiceLineInput>(sql`
    select l.description, l.quantity, l.unit_cents as "unitCents", l.member_id as "memberId", l.tier_id as "tierId",
      l.billed_month as "billedMonth"
    from invoice_lines l where l.invoice_id = ${invoiceId} and ${which} order by l.position`)
}
