import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { causeSentence } from "@milkwood/domain/billing/difference-words"
import type { MemberMonth } from "@milkwood/domain/billing/owed-and-billed-shape"
import { addMonths, type Day, firstOfMonth, minDay } from "@milkwood/domain/kernel/calendar"
import type { Cents, Currency } from "@milkwood/domain/kernel/money"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { calculateOwedPremium, type OwedPremium } from "@milkwood/domain/premiums/owed"
import { ratedPartsText, uncoveredText } from "@milkwood/domain/premiums/rated-words"
import { type SQL, sql } from "drizzle-orm"
import { readMember } from "../members/member-record.ts"
import { seesAllGroups } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { readMemberFacts, readPolicyFacts } from "../premiums/facts.queries.ts"
import { firstBilledAt } from "./billed.queries.ts"
import { loadMemberCauses } from "./causes.ts"
import { isVisibleTo } from "./invoices.queries.ts"
import { findNextMonthToBill } from "./next-period.ts"

export const readMemberMonths = query(billingContract.memberMonths, async (cx) => {
  const { tx, now, today, actor, timezone, currency } = cx
  const member = await readMember(tx, cx.input.memberId)
  const { id: policyId, startOn, status, billedFromOn } = await readPolicy(tx, member.policyId)
  if (!startOn || status === "Draft") return { months: [] }
  const policy = (await readPolicyFacts(tx, [policyId])).get(policyId)!
  const facts = (await readMemberFacts(tx, [member.id])).get(member.id)!
  const documents = Map.groupBy(await loadDocuments(tx, member.id, isVisibleTo(actor)), ({ month }) => month)

  const tiers = await tx.rows<{ id: string; name: string }>(sql`select id, name from benefit_tiers`)
  const tierNames = new Map(tiers.map(({ id, name }) => [id, name]))
  const at = now.toString()
  const first = minDay(
    firstOfMonth(startOn),
    ...facts.covers.map(({ from }) => firstOfMonth(from)),
    ...documents.keys(),
  )
  const last = await findNextMonthToBill(tx, { id: policyId, startOn, billedFromOn }, today)
  const found: (Omit<MemberMonth, "why"> & { isEarlier: boolean })[] = []
  for (let month = first; month <= last; month = addMonths(month, 1)) {
    const due = calculateOwedPremium(policy, facts, month, at)
    const of = (documents.get(month) ?? []).map(({ month: _, ...document }) => document)
    const billedCents = of.reduce((sum, { cents }) => sum + cents, 0)
    if (due.cents === 0 && of.length === 0) continue
    const isEarlier = "nothing" in due && due.nothing === "before billed here from"
    const differs = seesAllGroups(actor) && due.cents !== null && !isEarlier
    found.push({
      ...{
        month,
        owedCents: due.cents,
        rated: premiumText(due, tierNames, cx.currency),
        billedCents,
        documents: of,
        isEarlier,
      },
      differenceCents: differs ? (due.cents ?? 0) - billedCents : null,
    })
  }

  const different = found.filter(({ differenceCents }) => differenceCents)
  const billedAt = await loadFirstBilled(
    tx,
    policyId,
    different.map(({ month }) => month),
  )
  const months = different.map(({ month, billedCents, documents: of }) => ({
    month,
    billedCents,
    policyBilledAt: billedAt.get(month) ?? null,
    isBilled: of.length > 0,
  }))
  const { dateFormat } = await readSettings(tx, platformSettings)
  const explained = { memberId: member.id, facts, months }
  const causes = (await loadMemberCauses(tx, { policyId, policy, knownAt: now }, [explained])).get(member.id)!
  const name = `${member.firstName} ${member.lastName}`
  const why = (month: Day) =>
    causes.flatMap((cause) => {
      const ofMonth = cause.months.filter((of) => of.month === month)
      if (ofMonth.length === 0) return []
      return cause.kind === "month"
        ? ["Not billed yet"]
        : [causeSentence({ ...cause, months: ofMonth }, name, { dateFormat, timezone, currency })]
    })
  return { months: found.reverse().map(({ isEarlier: _, ...month }) => ({ ...month, why: why(month.month) })) }
})

function premiumText(due: OwedPremium, tierNames: ReadonlyMap<string, string>, currency: Currency): string | null {
  if ("basis" in due && due.basis.parts.length > 0)
    return ratedPartsText(due.basis.parts, tierNames.get(due.basis.tierId) ?? "", currency)
  return "uncovered" in due && due.uncovered ? uncoveredText(due.uncovered) : null
}

interface BillingDocument {
  month: Day
  kind: "invoice" | "creditNote"
  invoiceId: string
  number: string
  cents: Cents
}

/** Same rule as `billedByMonth`, in order of creation. */
const loadDocuments = (tx: Tx, memberId: string, visible: SQL): Promise<BillingDocument[]> =>
  tx.rows<BillingDocument>(sql`
    select month, kind, "invoiceId", number, cents from (
      select l.billed_month as month, 'invoice' as kind, i.id as "invoiceId", i.number, i.created_at as at,
        sum(l.total_cents)::bigint as cents
      from invoice_lines l join invoices i on i.id = l.invoice_id
      where l.member_id = ${memberId} and l.billed_month is not null and i.status <> 'cancelled' and ${visible}
      group by l.billed_month, i.id
      union all
      select l.billed_month, 'creditNote', c.invoice_id, c.number, c.created_at, -sum(l.net_cents)::bigint
      from credit_note_lines l join credit_notes c on c.id = l.credit_note_id join invoices i on i.id = c.invoice_id
      where l.member_id = ${memberId} and l.billed_month is not null and c.kind = 'correction' and ${visible}
      group by l.billed_month, c.id
    ) each order by month, at, kind desc, number`)

async function loadFirstBilled(tx: Tx, policyId: string, months: readonly Day[]): Promise<Map<Day, string>> {
  const rows = await tx.rows<{ month: Day; at: string | null }>(sql`
    select m.month, ${firstBilledAt(sql`${policyId}`, sql`m.month`)} as at
    from unnest(${sql.param([...months])}::date[]) as m (month)`)
  return new Map(rows.flatMap(({ month, at }) => (at === null ? [] : [[month, at] as const])))
}
