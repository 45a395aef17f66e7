import { assignLineMonths, type MonthAssignedLine } from "@milkwood/domain/billing/billed-month"
import type { InvoiceEdit } from "@milkwood/domain/billing/invoice-form"
import { requireOnceActive } from "@milkwood/domain/billing/invoice-steps"
import { type Discount, discountOf, type InvoiceTotals, invoiceTotals } from "@milkwood/domain/billing/invoice-totals"
import { refuseWithoutVatNumber } from "@milkwood/domain/billing/paper-rules"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { openYearsError } from "@milkwood/domain/ledger/open-years"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type SQL, sql } from "drizzle-orm"
import { vatOnDays, vatPercentOn } from "../benefits/vat.queries.ts"
import { type Cx, invalidInput, orRefuse, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import type { lockPolicy } from "../policies/policy-record.ts"

interface Period {
  periodStartOn: Day
  periodEndOn: Day
}

/** The policy's premium invoice that overlaps the period, apart from `except`. */
export function findPremiumInvoiceWithin(tx: Tx, policyId: string, period: Period, except?: string) {
  return tx.row<{ invoiceId: string; number: string }>(sql`
    select id as "invoiceId", number from invoices
    where ${isPremiumWithin(policyId, period)} and ${except ? sql`id <> ${except}` : sql`true`}
    order by period_start_on limit 1`)
}

/** A valid premium invoice of the policy that overlaps the period. */
export const isPremiumWithin = (policyId: string, { periodStartOn, periodEndOn }: Period): SQL => sql`
  policy_id = ${policyId} and kind = 'premium' and status <> 'cancelled' and credited_whole_at is null
    and daterange(period_start_on, period_end_on, '[]') && daterange(${periodStartOn}, ${periodEndOn}, '[]')`

export async function loadVatPercent(tx: Tx, productTypeId: string | null, on: Day): Promise<number> {
  return vatPercentOn(tx, orRefuse(requireOnceActive(productTypeId)), on)
}

/**
 * Returns totals and lines with months and VAT. Lock the policy first, so that no other invoice can take the period.
 * Refuses PERIOD_TAKEN, NO_VAT_NUMBER and INVALID.
 */
export async function checkInvoice(
  cx: Cx,
  policy: Awaited<ReturnType<typeof lockPolicy>>,
  form: Omit<InvoiceEdit, "memberLines">,
  except?: string,
): Promise<{ totals: InvoiceTotals & Discount; lines: MonthAssignedLine[] }> {
  const closed = (["invoiceOn", "dueOn"] as const).flatMap((field) => {
    const message = openYearsError(form[field], cx.today)
    return message ? [{ path: `invoice.${field}`, message }] : []
  })
  if (closed.length > 0) throw invalidInput(closed)
  if (form.kind === "premium") {
    const taken = await findPremiumInvoiceWithin(cx.tx, policy.id, form, except)
    if (taken) {
      throw refused("PERIOD_TAKEN", `${taken.number} already bills ${policy.number} for part of this period.`, taken)
    }
  }
  const memberIds = [...new Set(form.lines.map((line) => line.memberId).filter((id) => id !== null))]
  const tierIds = [...new Set(form.lines.map((line) => line.tierId).filter((id) => id !== null))]
  const known = await cx.tx.row<{ members: number; tiers: number }>(sql`
    select
      (select count(*) from members where policy_id = ${policy.id} and id = any (${sql.param(memberIds)}::uuid[])) as members,
      (select count(*) from benefit_tiers where id = any (${sql.param(tierIds)}::uuid[])) as tiers`)
  if (known!.members !== memberIds.length) {
    throw invalidInput([{ path: "invoice.lines", message: "A line names a member who is not on this policy." }])
  }
  if (known!.tiers !== tierIds.length) {
    throw invalidInput([{ path: "invoice.lines", message: "A line names a benefit tier that does not exist." }])
  }
  const lines = await assignMonthsToLines(cx.tx, policy.productTypeId, form)
  const vatPercent = await loadVatPercent(cx.tx, policy.productTypeId, form.invoiceOn)
  const discount = discountOf(invoiceTotals(lines, vatPercent).subtotalCents, form)
  const totals = { ...invoiceTotals(lines, vatPercent, discount.discountCents), ...discount }
  const { organisation } = await readSettings(cx.tx, platformSettings)
  orRefuse(refuseWithoutVatNumber(organisation, totals))
  return { totals, lines }
}

/** Lines without a month use the invoice date's VAT. */
async function assignMonthsToLines(
  tx: Tx,
  productTypeId: string | null,
  form: Omit<InvoiceEdit, "memberLines">,
): Promise<MonthAssignedLine[]> {
  const lines = assignLineMonths(form, form.lines)
  const days = [...new Set(lines.map(({ billedMonth }) => billedMonth ?? form.invoiceOn))]
  const vat = await vatOnDays(tx, orRefuse(requireOnceActive(productTypeId)), days)
  return lines.map((line) => ({ ...line, vat: vat.get(line.billedMonth ?? form.invoiceOn)! }))
}

/** Limits the size of a statement. */
const linesPerInsert = 10_000

/** Line ids share the invoice id's prefix, so that they are adjacent in indexes; random ids would touch a page each. */
export async function insertLines(
  tx: Tx,
  invoice: { id: string; groupId: string },
  lines: readonly MonthAssignedLine[],
): Promise<void> {
  for (let from = 0; from < lines.length; from += linesPerInsert) {
    const some = JSON.stringify(lines.slice(from, from + linesPerInsert))
    await tx.run(sql`
      insert into invoice_lines (id, group_id, invoice_id, position, description, quantity, unit_cents, total_cents, member_id,
        tier_id, billed_month, vat_class, vat_percent)
      select (left(${invoice.id}, 19) || right(gen_random_uuid()::text, 17))::uuid, ${invoice.groupId}, ${invoice.id}, ${from}::int + place - 1, description, quantity, "unitCents",
        quantity * "unitCents", "memberId", "tierId", "billedMonth", vat ->> 'class', (vat ->> 'percent')::numeric
      from rows from (
        jsonb_to_recordset(${some}::jsonb)
          as (description text, quantity integer, "unitCents" bigint, "memberId" uuid, "tierId" uuid, "billedMonth" date, vat jsonb)
      ) with ordinality as line (description, quantity, "unitCents", "memberId", "tierId", "billedMonth", vat, place)`)
  }
}
