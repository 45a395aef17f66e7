import { clearPeriodMonth } from "@milkwood/domain/billing/billed-month"
import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { Invoice } from "@milkwood/domain/billing/invoice"
import {
  findLineProblem,
  type InvoiceEdit,
  type InvoiceLineInput,
  maxEditableMemberLines,
} from "@milkwood/domain/billing/invoice-form"
import { requireOnceActive } from "@milkwood/domain/billing/invoice-steps"
import { invoiceTotals } from "@milkwood/domain/billing/invoice-totals"
import { type CoveredMember, createMemberLines } from "@milkwood/domain/billing/member-lines"
import { type Day, firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { shortNameList } from "@milkwood/domain/kernel/text"
import { policiesSettings } from "@milkwood/domain/policies/policies-settings"
import { type SQL, sql } from "drizzle-orm"
import { vatOnDays } from "../benefits/vat.queries.ts"
import { type Cx, invalidInput, orRefuse, query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { hasRatesOn } from "../policies/rates.queries.ts"
import { explainPremiums } from "../premiums/explained.queries.ts"
import { owedByMonth } from "../premiums/owed.queries.ts"
import { billedByMonth } from "./billed.queries.ts"
import { loadStoredLines } from "./invoice-lines.queries.ts"
import { findPremiumInvoiceWithin, isPremiumWithin, loadVatPercent } from "./save-invoice.ts"

export const readFillLines = query(billingContract.fillLines, async ({ tx, input, now, currency }) => {
  const policy = await readPolicy(tx, input.policyId)
  const periodStartOn = firstOfMonth(input.month)
  const periodEndOn = lastOfMonth(input.month)
  return {
    periodStartOn,
    periodEndOn,
    vatPercent: await loadVatPercent(tx, policy.productTypeId, input.invoiceOn),
    ...(await fillMonth(
      { tx, now, currency },
      { policyId: policy.id, firstOn: periodStartOn, except: input.invoiceId },
    )),
    takenBy: (await findPremiumInvoiceWithin(tx, policy.id, { periodStartOn, periodEndOn })) ?? null,
  }
})

/** Omits the lines if there are too many to edit. */
async function fillMonth(cx: Pick<Cx, "tx" | "now" | "currency">, asked: MonthToFill) {
  const { policyId, firstOn } = asked
  const { defaultMemberPremiumCents } = await readSettings(cx.tx, policiesSettings)
  const sums = (await cx.tx.row<{ members: number; without: number; subtotalCents: number }>(sql`
    select count(*) as members, count(*) filter (where cents is null) as without,
      coalesce(sum(coalesce(cents, ${defaultMemberPremiumCents}::bigint)), 0)::bigint as "subtotalCents"
    from (${unbilledDifferenceSql(asked)}) o`))!
  const { members, subtotalCents } = sums
  const isToRefuse = sums.without > 0 && (await hasRatesOn(cx.tx, policyId, firstOn))
  if (members > maxEditableMemberLines && !isToRefuse) return { lines: [], members, subtotalCents }
  const lines = await loadMonthLines(cx, asked)
  return { lines, members: lines.length, subtotalCents: invoiceTotals(lines, 0).subtotalCents }
}

interface MonthToFill {
  policyId: string
  firstOn: Day
  /** The draft to fill, whose lines do not count as billed. */
  except: string | undefined
}

/**
 * Owed for the month less the amount that other invoices billed. The month's premium invoices do not count: a second
 * one is refused (PERIOD_TAKEN).
 */
const unbilledDifferenceSql = ({ policyId, firstOn, except }: MonthToFill): SQL => {
  const policies = sql`select ${policyId}::uuid`
  const period = { periodStartOn: firstOn, periodEndOn: lastOfMonth(firstOn) }
  return sql`
    select o.member_id, o.tier_id, o.cents - coalesce(b.cents, 0) as cents
    from (${owedByMonth({ policies, from: firstOn, month: firstOn })}) o
    left join (
      select member_id, sum(cents)::bigint as cents from (${billedByMonth({ policies, from: firstOn, month: firstOn })}) bill
      where ${except ? sql`invoice_id <> ${except}` : sql`true`}
        and invoice_id not in (select id from invoices where ${isPremiumWithin(policyId, period)})
      group by member_id
    ) b on b.member_id = o.member_id
    where coalesce(b.cents, 0) = 0 or o.cents > b.cents`
}

/** INVALID if rates apply but do not cover every member. */
async function loadMonthLines(
  { tx, now, currency }: Pick<Cx, "tx" | "now" | "currency">,
  asked: MonthToFill,
): Promise<InvoiceLineInput[]> {
  const { policyId, firstOn } = asked
  const { defaultMemberPremiumCents } = await readSettings(tx, policiesSettings)
  const members = await tx.rows<CoveredMember>(sql`
    select m.id as "memberId", m.first_name as "firstName", m.last_name as "lastName", t.id as "tierId", t.name as "tierName",
      o.cents as "owedCents"
    from (${unbilledDifferenceSql(asked)}) o join members m on m.id = o.member_id join benefit_tiers t on t.id = o.tier_id
    order by m.last_name_key, m.name_key, m.id`)
  const tierNames = new Map(members.flatMap(({ tierId, tierName }) => (tierId && tierName ? [[tierId, tierName]] : [])))
  const months = members.map(({ memberId }) => ({ memberId, month: firstOn }))
  const rated = await explainPremiums(tx, policyId, months, { knownAt: now, tierNames }, currency)
  const without = members.filter(({ owedCents }) => owedCents === null)
  if (without.length > 0 && (await hasRatesOn(tx, policyId, firstOn))) {
    const names = without.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
    throw invalidInput([{ path: "policyId", message: `No rate covers ${shortNameList(names, 5)}` }])
  }
  const told = members.map((member) => ({ ...member, rated: rated.get(`${member.memberId} ${firstOn}`) ?? null }))
  return createMemberLines(told, firstOn, defaultMemberPremiumCents)
}

/** Member lines first, then typed lines. INVALID as for typed lines. */
export async function completeLines(
  cx: Pick<Cx, "tx" | "now" | "currency">,
  policyId: string,
  form: InvoiceEdit,
  draft?: Pick<Invoice, "id" | "periodStartOn" | "periodEndOn">,
): Promise<InvoiceLineInput[]> {
  if (form.memberLines === "typed") return form.lines
  const ofMembers =
    form.memberLines === "fill"
      ? await loadMonthLines(cx, { policyId, firstOn: form.periodStartOn, except: draft?.id })
      : (await loadStoredLines(cx.tx, draft!.id, sql`l.member_id is not null`)).map((line) =>
          clearPeriodMonth(line, draft!),
        )
  const lines = [...ofMembers, ...form.lines]
  const wrong = findLineProblem({ ...form, lines })
  if (wrong) throw invalidInput([{ path: `invoice.${wrong.path}`, message: wrong.message }])
  return lines
}

export const readVatRates = query(billingContract.vatRates, async ({ tx, input }) => {
  const { productTypeId } = await readPolicy(tx, input.policyId)
  const vat = await vatOnDays(tx, orRefuse(requireOnceActive(productTypeId)), [...new Set(input.on)])
  return { rates: [...vat].map(([on, rate]) => ({ on, ...rate })) }
})
