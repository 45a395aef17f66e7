import { type Day, formatMonth } from "@milkwood/domain/kernel/calendar"
import type { Clue } from "@milkwood/domain/reconciliation/reconciliation"
import { remittanceClues } from "@milkwood/domain/reconciliation/remittance"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import type { Tx } from "../platform/database/database.ts"
import { lastRemittance, remittanceTotals } from "./remittances.queries.ts"

const people = (count: number, verb: string) => `${count} ${count === 1 ? "member" : "members"} ${verb}`

/** What a member was billed for a month, with VAT, over the sent invoices of a group. */
const billed = (groupId: string, month: ReturnType<typeof sql>) => sql`
  select l.member_id, sum(round(l.total_cents * (100 + l.vat_percent) / 100.0))::bigint as cents
  from invoices i join invoice_lines l on l.invoice_id = i.id
  where i.group_id = ${groupId} and i.status = 'sent' and l.billed_month = ${month} and l.member_id is not null
  group by l.member_id`

type Changes = Record<"joined" | "left" | "changed" | "joinedCents" | "leftCents" | "changedCents", number>

/**
 * What may be behind the difference of a group's month, from the employer's lists where they were laid, else from what was billed for it and for the month before, what is
 * open of earlier months, and what came twice. Amounts with VAT and before discount, in cents.
 */
export async function cluesOf(tx: Tx, groupId: string, month: Day): Promise<Clue[]> {
  const changes = (await tx.row<Changes>(
    sql`
    select count(*) filter (where before.member_id is null) as joined,
      count(*) filter (where now.member_id is null) as "left",
      count(*) filter (where now.cents <> before.cents) as changed,
      coalesce(sum(now.cents) filter (where before.member_id is null), 0)::bigint as "joinedCents",
      coalesce(sum(before.cents) filter (where now.member_id is null), 0)::bigint as "leftCents",
      coalesce(sum(now.cents - before.cents) filter (where now.cents <> before.cents), 0)::bigint as "changedCents"
    from (${billed(groupId, sql`${month}::date`)}) now
    full join (${billed(groupId, sql`(${month}::date - interval '1 month')`)}) before on before.member_id = now.member_id
    -- The first month of all has nobody who joined it.
    where exists (select from (${billed(groupId, sql`(${month}::date - interval '1 month')`)}) earlier)`,
  ))!
  const arrears = await tx.rows<{ month: Day; cents: number }>(sql`
    select date_trunc('month', i.period_start_on)::date as month, sum(${openCents})::bigint as cents
    from invoices i where i.group_id = ${groupId} and ${isOpen} and i.period_start_on < ${month}::date
    group by 1 order by 1 limit 4`)
  const twice = await tx.rows<{ cents: number; on: Day }>(sql`
    select r.amount_cents as cents, max(r.received_on) as on from receipts r
    where r.group_id = ${groupId} and r.reversed_at is null and r.received_on >= ${month}::date
      and r.received_on < (${month}::date + interval '1 month')
    group by r.policy_id, r.amount_cents having count(*) > 1 order by 1 desc limit 2`)
  const listed = await listedClues(tx, groupId, month)
  return [
    ...(listed ?? guessed(changes)),
    ...arrears.map(({ month: open, cents }) => ({
      kind: "arrears" as const,
      cents,
      words: `As much is open of ${formatMonth(open)}`,
    })),
    ...twice.map(({ cents, on }) => ({
      kind: "paid_twice" as const,
      cents,
      words: `The same amount came twice, last on ${on}`,
    })),
  ]
}

/** What the employer's own lists say, of the month's invoices that have one; null where none has. */
async function listedClues(tx: Tx, groupId: string, month: Day): Promise<Clue[] | null> {
  const lists = await tx.rows<{ id: string }>(sql`
    select ${lastRemittance} as id from invoices i
    where i.group_id = ${groupId} and i.status = 'sent' and i.period_start_on >= ${month}::date
      and i.period_start_on < (${month}::date + interval '1 month') and ${lastRemittance} is not null`)
  if (lists.length === 0) return null
  const clues: Clue[] = []
  for (const { id } of lists) clues.push(...remittanceClues(await remittanceTotals(tx, id)))
  return clues
}

/** From what was billed for the month and for the month before. */
function guessed(changes: Changes): Clue[] {
  return [
    ...(changes.joined > 0
      ? [
          {
            kind: "joiners" as const,
            cents: -changes.joinedCents,
            words: `${people(changes.joined, "joined")} with this month`,
          },
        ]
      : []),
    ...(changes.left > 0
      ? [
          {
            kind: "leavers" as const,
            cents: changes.leftCents,
            words: `${people(changes.left, "left")} after the month before`,
          },
        ]
      : []),
    ...(changes.changed > 0
      ? [
          {
            kind: "old_premium" as const,
            cents: -changes.changedCents,
            words: `${people(changes.changed, changes.changed === 1 ? "has" : "have")} another premium since this month`,
          },
        ]
      : []),
  ]
}
