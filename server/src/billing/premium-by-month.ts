import { setCoverMonth } from "@milkwood/domain/billing/billed-month"
import type { Invoice } from "@milkwood/domain/billing/invoice"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { MonthPremium } from "@milkwood/domain/ledger/earned-premium"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

type Period = Pick<Invoice, "kind" | "periodStartOn" | "periodEndOn">

/** Without VAT and before discount. */
export const loadInvoicePremium = (tx: Tx, invoice: Period & { id: string }): Promise<MonthPremium[]> =>
  sumByCoverMonth(
    tx,
    invoice,
    sql`select billed_month as "billedMonth", sum(total_cents)::bigint as "netCents"
      from invoice_lines where invoice_id = ${invoice.id} group by 1`,
  )

/** Without VAT and before discount. */
export const loadCreditPremium = (tx: Tx, creditNoteId: string, invoice: Period): Promise<MonthPremium[]> =>
  sumByCoverMonth(
    tx,
    invoice,
    sql`select billed_month as "billedMonth", sum(net_cents)::bigint as "netCents"
      from credit_note_lines where credit_note_id = ${creditNoteId} group by 1`,
  )

async function sumByCoverMonth(tx: Tx, invoice: Period, lines: SQL): Promise<MonthPremium[]> {
  const found = await tx.rows<{ billedMonth: Day | null; netCents: Cents }>(lines)
  return found.map(({ billedMonth, netCents }) => ({ month: setCoverMonth(billedMonth, invoice), netCents }))
}
