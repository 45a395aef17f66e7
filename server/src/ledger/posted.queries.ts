import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

/**
 * Monthly totals, less the postings of the last month after `asOf`. Returns a subquery (account, policy_id, debit,
 * credit, postings) in cents, to be summed.
 */
export const postedSumsSql = (asOf: Day): SQL => sql`(
  select account, policy_id, debit_cents as debit, credit_cents as credit, postings
    from ledger_months where month <= ${asOf}::date
  union all
  select p.account, p.policy_id, -greatest(p.amount_cents, 0), -greatest(-p.amount_cents, 0), -1
    from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.effective_on > ${asOf}::date and e.effective_on < (date_trunc('month', ${asOf}::date) + interval '1 month')::date
)`
