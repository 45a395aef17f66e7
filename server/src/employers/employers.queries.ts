import { employersContract } from "@milkwood/domain/employers/employers.contract"
import { type SQL, sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { containsPattern, matchesPattern } from "../platform/database/like.ts"
import type { IdQuery } from "../platform/lists/source.ts"
import { policyCount } from "./employers.ports.ts"

export const employerGroups = query(employersContract.groups, async ({ tx, input }) =>
  tx.rows<{ id: string; name: string; policies: number }>(sql`
    select g.id, g.name, ${policyCount(sql`g.id`)} as policies
    from employer_groups g where lower(g.name) like ${containsPattern(input.search)}
    order by lower(g.name) limit 50`),
)

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
