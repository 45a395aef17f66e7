import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"

type Work = Pick<Cx, "tx" | "now">

/** The columns that a set of new members fills, in the order in which its rows give them. */
const columns =
  sql.raw(`id, group_id, policy_id, number, first_name, last_name, id_number, passport_number, email, phone,
  address, date_of_birth, gender, employment_status, employer, job_title, employee_number, tier_id, status, start_on, to_complete,
  created_at, updated_at`)

/** Adds many members at once, a row of the select each, with `columns` in their order. Answers how many. */
export const insertMembers = ({ tx }: Pick<Work, "tx">, rows: SQL): Promise<number> =>
  tx.run(sql`insert into members (${columns}) ${rows}`)

/** Changes many members `m` at once, by what they are joined with. Answers their ids. */
export async function updateMembers(
  { tx, now }: Work,
  { set, from, where }: { set: SQL; from: SQL; where: SQL },
): Promise<string[]> {
  const changed = await tx.rows<{ id: string }>(sql`
    update members m set ${set}, updated_at = ${now}, version = m.version + 1
    from ${from} where ${where} returning m.id`)
  return changed.map(({ id }) => id)
}

/** Removes many members `m` at once, by what they are joined with. Answers how many. */
export const deleteMembers = ({ tx }: Pick<Work, "tx">, using: SQL, where: SQL): Promise<number> =>
  tx.run(sql`delete from members m using ${using} where ${where}`)
