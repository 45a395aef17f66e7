import type { invoiceFields } from "@milkwood/domain/billing/invoice-fields"
import type { claimFields } from "@milkwood/domain/claims/claim-fields"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { columnOf, type DeclaredFields, isNullable } from "@milkwood/domain/kernel/declared-field"
import { memberFields, memberFieldsInReports } from "@milkwood/domain/members/member-fields"
import type { memberReportFields } from "@milkwood/domain/members/member-report-fields"
import type { payoutFields } from "@milkwood/domain/payouts/payout-fields"
import type { policyReportFields } from "@milkwood/domain/policies/policy-report-fields"
import { receiptMethodNames } from "@milkwood/domain/receipts/receipt"
import type { receiptFields } from "@milkwood/domain/receipts/receipt-fields"
import type { refundFields } from "@milkwood/domain/refunds/refund-fields"
import type { CustomType } from "@milkwood/domain/reports/custom-report"
import { type SQL, sql } from "drizzle-orm"
import { allocatedCents, creditedCents, openCents, statusOn } from "../../billing/invoice-money.ts"
import { memberCount } from "../../members/cover.queries.ts"
import type { SourceCx } from "../../platform/lists/source.ts"
import { shownPolicyPremium, shownRatedPremium } from "../../premiums/member-premium.queries.ts"
import { lastAllocatedOn } from "../../receipts/allocated.queries.ts"
import { receiptStatus } from "../../receipts/receipts.queries.ts"
import { dayOf, decidedAt, paidCents } from "../catalogue/claims.queries.ts"
import { recordLinkSql } from "../catalogue/report-list.ts"

type SourceScope = Pick<SourceCx, "today" | "timezone">

export interface CustomSource<Name extends string = string> {
  id: SQL
  opens: SQL
  from: SQL
  where: SQL
  /** Must be written so that PostgreSQL uses an index. */
  since(day: Day, cx: SourceScope): SQL
  until(day: Day, cx: SourceScope): SQL
  fields(cx: SourceScope): Record<Name, SQL>
}

const defineSource = <Fields extends object>(of: CustomSource<keyof Fields & string>): CustomSource => of

const emptyAsNull = (column: string): SQL => sql`nullif(${sql.raw(column)}, '')`

const declaredColumnsOf = <Name extends string>(
  declared: DeclaredFields,
  offered: Readonly<Record<Name, unknown>>,
  alias: string,
) =>
  Object.fromEntries(
    Object.keys(offered).map((name) => {
      const column = `${alias}.${columnOf(name)}`
      return [name, isNullable(declared[name]!) ? sql.raw(column) : emptyAsNull(column)]
    }),
  ) as Record<Name, SQL>

const dayFilters = (column: string) => ({
  since: (day: Day) => sql`${sql.raw(column)} >= ${day}::date`,
  until: (day: Day) => sql`${sql.raw(column)} <= ${day}::date`,
})

const instantFilters = (column: string) => ({
  since: (day: Day, { timezone }: SourceScope) =>
    sql`${sql.raw(column)} >= (${day}::date::timestamp at time zone ${timezone})`,
  until: (day: Day, { timezone }: SourceScope) =>
    sql`${sql.raw(column)} < ((${day}::date + 1)::timestamp at time zone ${timezone})`,
})

const receiptMethodNamesJson = sql.param(JSON.stringify(receiptMethodNames))

export const customSourcesSql: Record<CustomType, CustomSource> = {
  claims: defineSource<typeof claimFields>({
    id: sql`c.id`,
    opens: recordLinkSql("claim", "c.id"),
    from: sql`claims c join members m on m.id = c.member_id join policies p on p.id = c.policy_id
      join employer_groups g on g.id = c.group_id left join benefits b on b.id = c.benefit_id`,
    where: sql`c.status <> 'draft'`,
    ...instantFilters("c.submitted_at"),
    fields: ({ timezone }) => ({
      claimNumber: sql`c.number`,
      memberName: sql`m.first_name || ' ' || m.last_name`,
      policyNumber: sql`p.number`,
      claimAmount: sql`c.requested_amount_cents`,
      status: sql`c.status`,
      incidentOn: sql`c.incident_on`,
      submittedOn: dayOf(sql`c.submitted_at`, timezone),
      claimType: sql`c.claim_type`,
      diagnosis: emptyAsNull("c.diagnosis"),
      hospitalName: emptyAsNull("c.hospital_name"),
      causeOfDeath: sql`c.cause_of_death`,
      groupName: sql`g.name`,
      benefit: sql`b.name`,
      decidedOn: dayOf(decidedAt, timezone),
      approvedAmount: sql`c.approved_amount_cents`,
      paidAmount: paidCents,
    }),
  }),
  members: defineSource<typeof memberReportFields>({
    id: sql`m.id`,
    opens: recordLinkSql("member", "m.id"),
    from: sql`members m join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
      left join benefit_tiers t on t.id = m.tier_id`,
    where: sql`true`,
    ...dayFilters("m.start_on"),
    fields: ({ today }) => ({
      memberNumber: sql`m.number`,
      fullName: sql`m.first_name || ' ' || m.last_name`,
      policyNumber: sql`p.number`,
      status: sql`m.status`,
      startOn: sql`m.start_on`,
      tier: sql`t.name`,
      contact: sql`nullif(concat_ws(', ', ${emptyAsNull("m.email")}, ${emptyAsNull("m.phone")}), '')`,
      groupName: sql`g.name`,
      idNumber: sql`coalesce(m.id_number, m.passport_number)`,
      ...declaredColumnsOf(memberFields, memberFieldsInReports, "m"),
      endOn: sql`m.end_on`,
      dependents: sql`(select count(*)::int from dependents d where d.member_id = m.id and d.from_on <= ${today}::date
        and coalesce(d.until_on >= ${today}::date, true))`,
      premium: sql`case when p.rate_table_id is null then p.premium_cents
        else (select r.cents from (${shownRatedPremium(today)}) r) end`,
    }),
  }),
  financial: defineSource<typeof invoiceFields>({
    id: sql`i.id`,
    opens: recordLinkSql("invoice", "i.id"),
    from: sql`invoices i join policies p on p.id = i.policy_id join employer_groups g on g.id = i.group_id`,
    where: sql`true`,
    ...dayFilters("i.invoice_on"),
    fields: ({ today }) => ({
      invoiceNumber: sql`i.number`,
      policyNumber: sql`p.number`,
      amount: sql`i.total_cents`,
      paymentStatus: statusOn(today),
      dueOn: sql`i.due_on`,
      paymentOn: lastAllocatedOn(sql`i.id`, today),
      paymentMethod: sql`(select string_agg(distinct method, ', ' order by method) from (
        select ${receiptMethodNamesJson}::jsonb ->> r.method as method from receipt_allocations l join receipts r on r.id = l.receipt_id
        where l.invoice_id = i.id and l.released_at is null) paid)`,
      groupName: sql`g.name`,
      invoiceOn: sql`i.invoice_on`,
      periodStartOn: sql`i.period_start_on`,
      vat: sql`i.vat_cents`,
      credited: creditedCents,
      paid: allocatedCents,
      outstanding: openCents,
    }),
  }),
  groups: defineSource<typeof policyReportFields>({
    id: sql`p.id`,
    opens: recordLinkSql("policy", "p.id"),
    from: sql`policies p join employer_groups g on g.id = p.group_id left join product_types t on t.id = p.product_type_id`,
    where: sql`p.status <> 'Draft'`,
    ...dayFilters("p.start_on"),
    fields: ({ today }) => ({
      policyNumber: sql`p.number`,
      groupName: sql`g.name`,
      memberCount: memberCount(sql`p.id`),
      premiumAmount: sql`(select r.cents from (${shownPolicyPremium(today)}) r)`,
      memberPremium: sql`case when p.rate_table_id is null then p.premium_cents end`,
      status: sql`p.status`,
      startOn: sql`p.start_on`,
      endOn: sql`p.end_on`,
      productType: sql`t.name`,
      sumAssured: sql`p.sum_assured_cents`,
    }),
  }),
  receipts: defineSource<typeof receiptFields>({
    id: sql`r.id`,
    opens: recordLinkSql("receipt", "r.id"),
    from: sql`receipts r join policies p on p.id = r.policy_id join employer_groups g on g.id = r.group_id`,
    where: sql`true`,
    ...dayFilters("r.received_on"),
    fields: () => ({
      receiptNumber: sql`r.number`,
      policyNumber: sql`p.number`,
      groupName: sql`g.name`,
      amount: sql`r.amount_cents`,
      allocated: sql`r.allocated_cents`,
      refunded: sql`r.refunded_cents`,
      unallocated: sql`case when r.reversed_at is null then r.amount_cents - r.allocated_cents - r.refunded_cents else 0 end`,
      paymentMethod: sql`r.method`,
      receivedOn: sql`r.received_on`,
      status: receiptStatus,
      reference: emptyAsNull("r.reference"),
      reversedOn: sql`r.reversed_on`,
    }),
  }),
  payments: defineSource<typeof payoutFields>({
    id: sql`o.id`,
    opens: recordLinkSql("payout", "o.id"),
    from: sql`payouts o join policies p on p.id = o.policy_id join employer_groups g on g.id = o.group_id
      left join members m on m.id = o.member_id`,
    where: sql`o.subject_kind = 'claim'`,
    ...instantFilters("o.created_at"),
    fields: ({ timezone }) => ({
      paymentNumber: sql`o.number`,
      claimNumber: sql`o.subject_label`,
      memberName: sql`m.first_name || ' ' || m.last_name`,
      policyNumber: sql`p.number`,
      groupName: sql`g.name`,
      amount: sql`o.amount_cents`,
      paymentMethod: sql`o.method`,
      payeeName: sql`o.payee_name`,
      status: sql`o.status`,
      preparedOn: dayOf(sql`o.created_at`, timezone),
      completedOn: sql`o.completed_on`,
      reference: emptyAsNull("o.reference"),
    }),
  }),
  refunds: defineSource<typeof refundFields>({
    id: sql`f.id`,
    opens: recordLinkSql("refund", "f.id"),
    from: sql`refunds f join policies p on p.id = f.policy_id join employer_groups g on g.id = f.group_id
      left join members m on m.id = f.member_id`,
    where: sql`true`,
    ...instantFilters("f.created_at"),
    fields: ({ timezone }) => ({
      refundNumber: sql`f.number`,
      policyNumber: sql`p.number`,
      groupName: sql`g.name`,
      memberName: sql`m.first_name || ' ' || m.last_name`,
      amount: sql`f.amount_cents`,
      reason: sql`f.reason`,
      refundMethod: sql`f.method`,
      status: sql`f.status`,
      requestedOn: dayOf(sql`f.created_at`, timezone),
      refundedOn: sql`f.refunded_on`,
      periodFromOn: sql`f.period_from_on`,
      periodToOn: sql`f.period_to_on`,
      reference: emptyAsNull("f.reference"),
    }),
  }),
}
