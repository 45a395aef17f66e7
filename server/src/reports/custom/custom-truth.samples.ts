import type { CustomFilter } from "@milkwood/domain/reports/custom-filter"
import type { CustomType } from "@milkwood/domain/reports/custom-report"
import { type SQL, sql } from "drizzle-orm"

interface Told {
  field: string
  value: SQL
}

/** Expected report contents, read from the tables without the reports' own queries. */
export interface CustomTruth {
  type: CustomType
  from: SQL
  number: Told
  added: Told
  by: Told
  day: Told
  filter: CustomFilter & { condition: SQL }
}

const dayOf = (column: string): SQL => sql.raw(`(${column} at time zone 'Africa/Johannesburg')::date`)
const told = (field: string, value: string): Told => ({ field, value: sql.raw(value) })

export const customTruths: CustomTruth[] = [
  {
    type: "claims",
    from: sql`claims t join employer_groups g on g.id = t.group_id where t.status <> 'draft'`,
    number: told("claimNumber", "t.number"),
    added: told("claimAmount", "t.requested_amount_cents"),
    by: told("status", "t.status"),
    day: { field: "submittedOn", value: dayOf("t.submitted_at") },
    filter: { field: "status", operator: "isNot", value: ["rejected"], condition: sql`t.status <> 'rejected'` },
  },
  {
    type: "members",
    from: sql`members t join employer_groups g on g.id = t.group_id where true`,
    number: told("memberNumber", "t.number"),
    added: told("dependents", "(select count(*) from dependents d where d.member_id = t.id)"),
    by: told("groupName", "g.name"),
    day: told("startOn", "t.start_on"),
    filter: { field: "fullName", operator: "lacks", value: "late", condition: sql`t.first_name not ilike '%late%'` },
  },
  {
    type: "financial",
    from: sql`invoices t join employer_groups g on g.id = t.group_id where true`,
    number: told("invoiceNumber", "t.number"),
    added: told("amount", "t.total_cents"),
    by: told("groupName", "g.name"),
    day: told("invoiceOn", "t.invoice_on"),
    filter: { field: "amount", operator: "atLeast", value: 1_00, condition: sql`t.total_cents >= 100` },
  },
  {
    type: "groups",
    from: sql`policies t join employer_groups g on g.id = t.group_id where t.status <> 'Draft'`,
    number: told("policyNumber", "t.number"),
    added: told("memberCount", "(select count(*) from members m where m.policy_id = t.id and m.status = 'Active')"),
    by: told("status", "t.status"),
    day: told("startOn", "t.start_on"),
    filter: { field: "groupName", operator: "contains", value: "dairy", condition: sql`g.name ilike '%dairy%'` },
  },
  {
    type: "receipts",
    from: sql`receipts t join employer_groups g on g.id = t.group_id where true`,
    number: told("receiptNumber", "t.number"),
    added: told("amount", "t.amount_cents"),
    by: told("paymentMethod", "t.method"),
    day: told("receivedOn", "t.received_on"),
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
    number: told("paymentNumber", "t.number"),
    added: told("amount", "t.amount_cents"),
    by: told("status", "t.status"),
    day: { field: "preparedOn", value: dayOf("t.created_at") },
    filter: { field: "status", operator: "is", value: ["completed"], condition: sql`t.status = 'completed'` },
  },
  {
    type: "refunds",
    from: sql`refunds t join employer_groups g on g.id = t.group_id where true`,
    number: told("refundNumber", "t.number"),
    added: told("amount", "t.amount_cents"),
    by: told("reason", "t.reason"),
    day: { field: "requestedOn", value: dayOf("t.created_at") },
    filter: { field: "amount", operator: "atMost", value: 20_00, condition: sql`t.amount_cents <= 2000` },
  },
]
