import type { CustomFilter } from "@milkwood/domain/reports/custom-filter"
import type { CustomType } from "@milkwood/domain/reports/custom-report"
import { type SQL, sql } from "drizzle-orm"

interface ExpectedField {
  field: string
  value: SQL
}

/** Expected report contents, read from the tables without the reports' own queries. */
export interface CustomTruth {
  type: CustomType
  from: SQL
  number: ExpectedField
  added: ExpectedField
  by: ExpectedField
  day: ExpectedField
  filter: CustomFilter & { condition: SQL }
}

const dayOf = (column: string): SQL => sql.raw(`(${column} at time zone 'Africa/Johannesburg')::date`)
const expectedField = (field: string, value: string): ExpectedField => ({ field, value: sql.raw(value) })

export const customTruths: CustomTruth[] = [
  {
    type: "claims",
    from: sql`claims t join employer_groups g on g.id = t.group_id where t.status <> 'draft'`,
    number: expectedField("claimNumber", "t.number"),
    added: expectedField("claimAmount", "t.requested_amount_cents"),
    by: expectedField("status", "t.status"),
    day: { field: "submittedOn", value: dayOf("t.submitted_at") },
    filter: { field: "status", operator: "isNot", value: ["rejected"], condition: sql`t.status <> 'rejected'` },
  },
  {
    type: "members",
    from: sql`members t join employer_groups g on g.id = t.group_id where true`,
    number: expectedField("memberNumber", "t.number"),
    added: expectedField("dependents", "(select count(*) from dependents d where d.member_id = t.id)"),
    by: expectedField("groupName", "g.name"),
    day: expectedField("startOn", "t.start_on"),
    filter: { field: "fullName", operator: "lacks", value: "late", condition: sql`t.first_name not ilike '%late%'` },
  },
  {
    type: "financial",
    from: sql`invoices t join employer_groups g on g.id = t.group_id where true`,
    number: expectedField("invoiceNumber", "t.number"),
    added: expectedField("amount", "t.total_cents"),
    by: expectedField("groupName", "g.name"),
    day: expectedField("invoiceOn", "t.invoice_on"),
    filter: { field: "amount", operator: "atLeast", value: 1_00, condition: sql`t.total_cents >= 100` },
  },
  {
    type: "groups",
    from: sql`policies t join employer_groups g on g.id = t.group_id where t.status <> 'Draft'`,
    number: expectedField("policyNumber", "t.number"),
    added: expectedField(
      "memberCount",
      "(select count(*) from members m where m.policy_id = t.id and m.status = 'Active')",
    ),
    by: expectedField("status", "t.status"),
    day: expectedField("startOn", "t.start_on"),
    filter: { field: "groupName", operator: "contains", value: "dairy", condition: sql`g.name ilike '%dairy%'` },
  },
  {
    type: "receipts",
    from: sql`receipts t join employer_groups g on g.id = t.group_id where true`,
    number: expectedField("receiptNumber", "t.number"),
    added: expectedField("amount", "t.amount_cents"),
    by: expectedField("paymentMethod", "t.method"),
    day: expectedField("receivedOn", "t.received_on"),
    filter: {
      field: "receivedOn",
      operator: "until",
      value: "2026-09-20",
      condition: sql`t.received_on <= '2026-09-20'`,
    },
  },
  {
    type: "payments",
    from: sql`payouts t join employer_groups g on g.id = t.group_id where t.subject_kind = 'claim'`,
    number: expectedField("paymentNumber", "t.number"),
    added: expectedField("amount", "t.amount_cents"),
    by: expectedField("status", "t.status"),
    day: { field: "preparedOn", value: dayOf("t.created_at") },
    filter: { field: "status", operator: "is", value: ["completed"], condition: sql`t.status = 'completed'` },
  },
  {
    type: "refunds",
    from: sql`refunds t join employer_groups g on g.id = t.group_id where true`,
    number: expectedField("refundNumber", "t.number"),
    added: expectedField("amount", "t.amount_cents"),
    by: expectedField("reason", "t.reason"),
    day: { field: "requestedOn", value: dayOf("t.created_at") },
    filter: { field: "amount", operator: "atMost", value: 20_00, condition: sql`t.amount_cents <= 2000` },
  },
]
