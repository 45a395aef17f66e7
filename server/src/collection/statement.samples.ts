import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import type { BillingApp } from "../billing/billing-scene.samples.ts"

/** Compares statement balances with ledger postings; empty if all agree. */
export async function findStatementFaults(app: BillingApp, policyIds: readonly string[], days: readonly Day[]) {
  const faults: string[] = []
  const posted = async (policyId: string, to: Day) =>
    (await app.sql.row<{ debtors: number; credit: number }>(sql`
      select coalesce(sum(p.amount_cents) filter (where p.account = 'premium_debtors'), 0)::bigint as debtors,
        coalesce(-sum(p.amount_cents) filter (where p.account = 'unallocated_receipts'), 0)::bigint as credit
      from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where p.policy_id = ${policyId} and e.effective_on <= ${to}::date`))!
  for (const policyId of policyIds) {
    for (const [index, from] of days.entries()) {
      for (const to of days.slice(index)) {
        const statement = await app.manager.collection.statement({ policyId, from, to })
        const [before, after] = [await posted(policyId, addDays(from, -1)), await posted(policyId, to)]
        const where = `${policyId} ${from} to ${to}`
        if (statement.openingCents !== before.debtors - before.credit) faults.push(`opening of ${where}`)
        if (statement.debtorsCents !== after.debtors || statement.creditCents !== after.credit)
          faults.push(`closing of ${where}`)
        let balance = statement.openingCents
        for (const { chargeCents, paymentCents, balanceCents } of statement.lines) {
          balance += chargeCents - paymentCents
          if (balance !== balanceCents) faults.push(`a line of ${where}`)
        }
        if (balance !== statement.closingCents) faults.push(`the lines of ${where}`)
      }
    }
  }
  return faults
}
