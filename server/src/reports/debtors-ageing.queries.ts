import { ageBucketNames, ageBuckets, ageLimits } from "@milkwood/domain/billing/ageing"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput } from "@milkwood/domain/kernel/list"
import type { debtorsAgeingList } from "@milkwood/domain/reports/debtors-ageing.list"
import type { AgeingRow, DebtorsAgeing } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { containing } from "../platform/database/like.ts"
import { toCsv } from "../platform/lists/csv.ts"
import { type FileColumn, rands } from "../platform/lists/file-column.ts"
import { creditOn, owedBy } from "./debt.ts"

type Asked = Pick<ListInput<typeof debtorsAgeingList>, "search" | "sort" | "dir" | "page"> & { asOf?: Day | undefined }
/** `pageSize` is `null` for all of it: for the file. */
type AgeingInput = Asked & { pageSize: number | null }

/** What each policy owed on a day, by age, and its credit; rows, count and totals in one statement. */
export async function debtorsAgeing({ tx, today }: Cx, input: AgeingInput): Promise<DebtorsAgeing> {
  const asOf = input.asOf ?? today
  const overdue = sql`(${asOf}::date - due_on)`
  const buckets = ageBuckets.map((bucket) => {
    const { from, to } = ageLimits[bucket]
    const within = sql`${from === null ? sql`true` : sql`${overdue} >= ${from}::int`} and ${to === null ? sql`true` : sql`${overdue} <= ${to}::int`}`
    return sql`coalesce(sum(owed) filter (where ${within}), 0)::bigint as ${sql.identifier(bucket)}`
  })
  const amounts = [...ageBuckets, "totalCents", "creditCents"]
  const like = containing(input.search)
  const found = await tx.row<Omit<DebtorsAgeing, "asOf">>(sql`
    with debts as (
      select policy_id, count(*) as invoices, min(due_on) as "oldestDueOn", sum(owed)::bigint as "totalCents",
        ${sql.join(buckets, sql`, `)}
      from ${owedBy(asOf)} debt where owed > 0 group by policy_id
    ), credits as (
      select policy_id, sum(cents)::bigint as "creditCents"
      from ${creditOn(asOf)} credit group by policy_id having sum(cents) > 0
    ), matching as (
      select p.id as "policyId", p.number as "policyNumber", g.name as "groupName", d."oldestDueOn",
        ${sql.join(
          ["invoices", ...amounts].map(
            (name) => sql`coalesce(${sql.identifier(name)}, 0)::bigint as ${sql.identifier(name)}`,
          ),
          sql`, `,
        )}
      from debts d full join credits c using (policy_id)
      join policies p on p.id = policy_id join employer_groups g on g.id = p.group_id
      where ${input.search ? sql`(lower(g.name) like ${like} or lower(p.number) like ${like})` : sql`true`}
    )
    select
      coalesce((select jsonb_agg(to_jsonb(page)) from (
        select * from matching
        order by ${sortBy(input.sort)} ${input.dir === "asc" ? sql`asc` : sql`desc`} nulls last, "groupName", "policyNumber"
        ${input.pageSize === null ? sql`` : sql`limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize}`}) page), '[]') as rows,
      (select count(*) from matching) as total,
      (select jsonb_build_object(${sql.join(
        amounts.map((name) => sql`${sql.raw(`'${name}'`)}, coalesce(sum(${sql.identifier(name)}), 0)`),
        sql`, `,
      )}) from matching) as totals`)
  return { asOf, ...found! }
}

const sortBy = (sort: AgeingInput["sort"]) => (sort === "groupName" ? sql`lower("groupName")` : sql.identifier(sort))

const columns: Omit<FileColumn<AgeingRow>, "kind">[] = [
  { title: "Group", value: (row) => row.groupName },
  { title: "Policy", value: (row) => row.policyNumber },
  ...ageBuckets.map((bucket) => ({ title: ageBucketNames[bucket], value: (row: AgeingRow) => rands(row[bucket]) })),
  { title: "Total", value: (row) => rands(row.totalCents) },
  { title: "Unallocated credit", value: (row) => rands(row.creditCents) },
  { title: "Open invoices", value: (row) => row.invoices },
  { title: "Oldest due", value: (row) => row.oldestDueOn },
]

/** The whole report as CSV: what is filtered, in the order shown. */
export async function debtorsAgeingFile(cx: Cx, input: Omit<Asked, "page">) {
  const { asOf, rows } = await debtorsAgeing(cx, { ...input, page: 1, pageSize: null })
  return { name: `debtors-ageing-${asOf}.csv`, mime: "text/csv; charset=utf-8", bytes: toCsv(columns, rows) }
}
