import { addDays, firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { documentActionsOf } from "@milkwood/domain/policies/policy-document"
import type { PolicyDocumentRow, RequiredDocumentRow } from "@milkwood/domain/policies/policy-documents.contract"
import { policyDocumentsList, requiredDocumentsList } from "@milkwood/domain/policies/policy-documents.list"
import { type SQL, sql } from "drizzle-orm"
import { groupsByName } from "../employers/employers.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { idOf } from "../platform/lists/list-rows.ts"
import type { IdQuery, SourceCx } from "../platform/lists/source.ts"
import { isMissing, isRequired } from "./policy-documents.queries.ts"

/** The policies are searched first, because few of them match. */
const policyIdsByNumber =
  (pattern: string): IdQuery =>
  (atMost) =>
    sql`select p.id from policies p where ${matchesPattern(sql`lower(p.number)`, pattern)}${atMost ? sql` limit ${sql.raw(String(atMost))}` : sql``}`

export const policyDocuments = new List<typeof policyDocumentsList, PolicyDocumentRow>(policyDocumentsList, {
  select: () => sql`
    select d.id, d.name, d.document_type as "documentTypeId", d.policy_id as "policyId", d.uploaded_at as "uploadedAt",
      d.group_id as "_groupId", d.policy_id as "_policyId", d.document_type as "_documentTypeId", lower(d.name) as _name, t.name as "documentTypeName", p.number as "policyNumber", g.name as "groupName",
      case when ${isRequired} then 'required' else 'optional' end as need, f.mime, f.size,
      coalesce(u.name, '') as "uploadedBy", lower(p.number) as _number, lower(g.name) as _group
    from policy_documents d
    left join policy_document_types t on t.id = d.document_type
    left join policies p on p.id = d.policy_id
    left join employer_groups g on g.id = d.group_id
    left join files f on f.id = d.file_id
    left join users u on u.id = d.uploaded_by`,
  groupScoped: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._name`, pattern) },
    { like: matchesPattern(sql`s._number`, pattern), by: { column: "_policyId", ids: policyIdsByNumber(pattern) } },
    { like: matchesPattern(sql`s._group`, pattern), by: { column: "_groupId", ids: groupsByName(pattern) } },
  ],
  sortColumns: { name: ["_name"] },
  present: (row: Omit<PolicyDocumentRow, "allowedActions">, { actor }: SourceCx) => ({
    ...row,
    allowedActions: documentActionsOf(ruleActor(actor).role),
  }),
})

export const listPolicyDocuments = query(policiesContract.documents.list, (cx) => policyDocuments.page(cx, cx.input))

/** One row per policy and missing type, for policies that have not ended. */
const fromMissingDocuments: SQL = sql`
  from policies p join policy_document_types t on ${isMissing}
  where p.status in ('Draft', 'Active', 'Suspended')`

export const requiredDocuments = new List<typeof requiredDocumentsList, RequiredDocumentRow>(requiredDocumentsList, {
  select: () => sql`
    select ${idOf(sql`p.id::text || t.id::text`)} as id, t.id as "documentTypeId", t.name as "documentTypeName",
      p.id as "policyId", p.number as "policyNumber", p.status as "policyStatus", p.start_on as "startOn",
      (select g.name from employer_groups g where g.id = p.group_id) as "groupName",
      p.group_id as "_groupId", t.id as "_documentTypeId", lower(t.name) as _type, lower(p.number) as _number,
      (select lower(g.name) from employer_groups g where g.id = p.group_id) as _group
    ${fromMissingDocuments}`,
  materialized: true,
  groupScoped: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._type`, pattern) },
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
  ],
  sortColumns: { group: ["_group", "_number", "_type"], type: ["_type", "_group"], policyNumber: ["_number", "_type"] },
  present: (row: RequiredDocumentRow) => row,
})

export const listRequiredDocuments = query(policiesContract.documents.required, (cx) =>
  requiredDocuments.page(cx, cx.input),
)

export const documentsSummary = query(policiesContract.documents.summary, async ({ tx, today, timezone }) => {
  const from = firstOfMonth(today)
  const to = addDays(lastOfMonth(today), 1)
  return (await tx.row<{ documents: number; thisMonth: number; missing: number; policies: number }>(sql`
    select (select count(*) from policy_documents) as documents,
      (select count(*) from policy_documents
        where uploaded_at >= (${from}::date::timestamp at time zone ${timezone})
          and uploaded_at < (${to}::date::timestamp at time zone ${timezone})) as "thisMonth",
      missing, policies
    from (select count(*) as missing, count(distinct p.id) as policies ${fromMissingDocuments}) lacking`))!
})
