import { type Employer, employerActionsOf, statusOf } from "@milkwood/domain/employers/employer"
import { employerFields } from "@milkwood/domain/employers/employer-fields"
import { employersContract } from "@milkwood/domain/employers/employers.contract"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { namedColumnsOf } from "../platform/database/declared-fields.ts"
import { containsPattern, matchesPattern } from "../platform/database/like.ts"
import type { IdQuery } from "../platform/lists/source.ts"
import { timeline } from "../platform/trail/facts.ts"
import { policyCount } from "./employers.ports.ts"

export const employerGroups = query(employersContract.groups, async ({ tx, input }) =>
  tx.rows<{ id: string; name: string; policies: number }>(sql`
    select g.id, g.name, ${policyCount(sql`g.id`)} as policies
    from employer_groups g
    where lower(g.name) like ${containsPattern(input.search)} and (g.closed_on is null or not ${input.onlyOpen}::boolean)
    order by lower(g.name) limit 50`),
)

const columns = sql`g.id, g.name, ${namedColumnsOf(employerFields, "g")}, g.closed_on as "closedOn",
  g.closed_reason as "closedReason", g.version`

/** NOT_FOUND if the actor may not see the employer. */
export async function readEmployerDetail({ tx, actor }: Pick<Cx, "tx" | "actor">, groupId: string) {
  const employer = await tx.row<Employer>(sql`select ${columns} from employer_groups g where g.id = ${groupId}`)
  if (!employer) throw refused("NOT_FOUND", "This employer group does not exist.")
  return { ...employer, status: statusOf(employer), allowedActions: employerActionsOf(employer, ruleActor(actor)) }
}

export const employerDetail = query(employersContract.detail, (cx) => readEmployerDetail(cx, cx.input.groupId))

/** NOT_FOUND if the actor may not see the employer, instead of an empty trail. */
export const employerActivity = query(employersContract.activity, async (cx) => {
  const { groupId, before } = cx.input
  await readEmployerDetail(cx, groupId)
  return timeline(cx, "group", groupId, { before })
})

/** Few groups match, so lists look up their ids first. */
export const groupsByName =
  (pattern: string): IdQuery =>
  (atMost) =>
    sql`select g.id from employer_groups g where ${matchesPattern(sql`lower(g.name)`, pattern)}${atMost ? sql` limit ${sql.raw(String(atMost))}` : sql``}`

export const hasGroups: SQL = sql`exists (select from employer_groups)`

export const groupsWhere = (condition: SQL): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)), '[]')
  from employer_groups g where ${condition})`

export const groupNamesWhere = (condition: SQL): SQL => sql`(
  select string_agg(g.name, ', ' order by lower(g.name)) from employer_groups g where ${condition})`

export const countGroups = (groupIds: string[]): SQL =>
  sql`select count(*) from employer_groups where id = any (${sql.param(groupIds)}::uuid[])`
