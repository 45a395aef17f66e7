import { hasPermission } from "@milkwood/domain/platform/permission"
import { reconciliationContract } from "@milkwood/domain/reconciliation/reconciliation.contract"
import {
  type RemittanceComparisonRow,
  type RemittanceTotals,
  remittanceTotalsOf,
} from "@milkwood/domain/reconciliation/remittance"
import type {
  LaidRemittanceRow,
  RemittanceDetail,
  RemittanceRow,
} from "@milkwood/domain/reconciliation/remittance.contract"
import { remittanceRowsList } from "@milkwood/domain/reconciliation/remittance-rows.list"
import { remittancesList } from "@milkwood/domain/reconciliation/remittances.list"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"

const remittanceRowSql = sql`
  r.id, r.file_name as "fileName", r.group_id as "groupId", g.name as "groupName", r.invoice_id as "invoiceId",
  i.number as "invoiceNumber", r.created_at as "createdAt", coalesce(u.name, 'A former user') as "createdByName",
  r.paid_cents as "paidCents", r.billed_cents as "billedCents", r.paid_cents - r.billed_cents as "differenceCents",
  r.differing_count as "differingCount"`

const fromRemittances = sql`
  from remittances r
  left join invoices i on i.id = r.invoice_id
  left join employer_groups g on g.id = r.group_id
  left join users u on u.id = r.created_by`

export const remittanceLists = new List<typeof remittancesList, RemittanceRow>(remittancesList, {
  select: () => sql`
    select ${remittanceRowSql}, r.group_id as "_groupId", i.period_start_on as "_month", lower(r.file_name) as _file,
      lower(g.name) as _group, lower(i.number) as _invoice ${fromRemittances}`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._file`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._invoice`, pattern) },
  ],
  filters: {
    month: (month: string) =>
      sql`s._month >= ${`${month}-01`}::date and s._month < (${`${month}-01`}::date + interval '1 month')`,
  },
  present: (found: RemittanceRow) => found,
})

export const listRemittances = query(reconciliationContract.remittances.list, (cx) =>
  remittanceLists.page(cx, cx.input),
)

export const remittanceRowsOf = new List<typeof remittanceRowsList, LaidRemittanceRow>(remittanceRowsList, {
  select: () => sql`
    select l.id, l.position, l.member_id as "memberId", coalesce(m.first_name || ' ' || m.last_name, l.who) as name,
      m.number as "memberNumber", l.line, l.outcome, l.paid_cents as "paidCents", l.billed_cents as "billedCents",
      coalesce(l.paid_cents, 0) - coalesce(l.billed_cents, 0) as "differenceCents", l.words,
      l.remittance_id as "_remittanceId", lower(l.who) as _who
    from remittance_rows l
    left join members m on m.id = l.member_id`,
  search: (pattern) => [{ like: matchesPattern(sql`s._who`, pattern) }],
  present: ({ position: _, ...found }: LaidRemittanceRow & { position: number }) => found,
})

export const listRemittanceRows = query(reconciliationContract.remittances.rows, (cx) =>
  remittanceRowsOf.page(cx, cx.input),
)

export async function readRemittanceTotals(tx: Tx, remittanceId: string): Promise<RemittanceTotals> {
  const rows = await tx.rows<Pick<RemittanceComparisonRow, "outcome"> & RemittanceTotals["agrees"]>(sql`
    select outcome, count(*)::int as count, coalesce(sum(paid_cents), 0)::bigint as "paidCents",
      coalesce(sum(billed_cents), 0)::bigint as "billedCents"
    from remittance_rows where remittance_id = ${remittanceId} group by outcome`)
  const totals = remittanceTotalsOf([])
  for (const { outcome, ...total } of rows) totals[outcome] = total
  return totals
}

/** The latest compared list of an invoice, or null. */
export const lastRemittance = sql`(
  select r.id from remittances r where r.invoice_id = i.id and r.columns is not null order by r.created_at desc, r.id limit 1)`

/** Sample rows shown while the user chooses the columns. */
const sampleRowCount = 5

type StoredRemittanceDetail = Omit<RemittanceDetail, "totals" | "otherInvoiceCents" | "allowedActions">

/** A list with its totals. NOT_FOUND if it does not exist. */
export async function readRemittanceDetail(
  { tx, actor }: Pick<Cx, "tx" | "actor">,
  remittanceId: string,
): Promise<RemittanceDetail> {
  const found = await tx.row<StoredRemittanceDetail>(sql`
    select ${remittanceRowSql}, i.policy_id as "policyId", p.number as "policyNumber",
      date_trunc('month', i.period_start_on)::date as month, i.total_cents as "invoiceTotalCents", r.notes, r.headers,
      coalesce(r.columns, '{}') as columns, r.file_id is not null as "hasFile", r.version,
      coalesce((select jsonb_path_query_array(c.rows, ${`$[0 to ${sampleRowCount - 1}]`}::jsonpath)
        from remittance_contents c where c.remittance_id = r.id), '[]') as sample
    ${fromRemittances} left join policies p on p.id = i.policy_id
    where r.id = ${remittanceId}`)
  if (!found) throw refused("NOT_FOUND", "This list does not exist.")
  return {
    ...found,
    // Drops the line number. Empty once data retention has deleted the rows.
    sample: found.sample.map(([, ...cells]) => cells),
    totals: await readRemittanceTotals(tx, remittanceId),
    otherInvoiceCents: found.differingCount === null ? 0 : found.invoiceTotalCents - found.billedCents,
    allowedActions: hasPermission(ruleActor(actor).role, "collection.write")
      ? [...(found.hasFile ? (["lay"] as const) : []), "remove"]
      : [],
  }
}

export const readRemittance = query(reconciliationContract.remittances.detail, (cx) =>
  readRemittanceDetail(cx, cx.input.remittanceId),
)
