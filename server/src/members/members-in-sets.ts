import { columnOf } from "@milkwood/domain/kernel/declared-field"
import type { MemberFieldName } from "@milkwood/domain/members/member-fields"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"

type Work = Pick<Cx, "tx" | "now">

/** The columns of a new member beside its plain fields. */
type SetColumn =
  | "id"
  | "groupId"
  | "policyId"
  | "number"
  | "tierId"
  | "status"
  | "startOn"
  | "toComplete"
  | "createdAt"
  | "updatedAt"

/** Adds many members at once: the value of each column, read from the rows of `from`. Answers how many. */
export function insertMembers(
  { tx }: Pick<Work, "tx">,
  values: Record<MemberFieldName | SetColumn, SQL>,
  from: SQL,
): Promise<number> {
  const columns = Object.keys(values).map(columnOf).join(", ")
  return tx.run(
    sql`insert into members (${sql.raw(columns)}) select ${sql.join(Object.values(values), sql`, `)} from ${from}`,
  )
}

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
