import { type SQL, sql } from "drizzle-orm"

/** The employer groups whose ids meet a condition on `g.id`, as an array of id and name, by name. */
export const groupsWhere = (condition: SQL): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)), '[]')
  from employer_groups g where ${condition})`

/** The names of groups in one line, for a file. */
export const groupNamesWhere = (condition: SQL): SQL => sql`(
  select string_agg(g.name, ', ' order by lower(g.name)) from employer_groups g where ${condition})`

/** How many of these groups exist. */
export const countGroups = (groupIds: string[]): SQL =>
  sql`select count(*) from employer_groups where id = any (${sql.param(groupIds)}::uuid[])`
