import { columnOf } from "@milkwood/domain/kernel/declared-field"
import type { MemberFieldName } from "@milkwood/domain/members/member-fields"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { copyMembersToClaims } from "./members.ports.ts"
import { deleteNominationDocuments } from "./nomination-documents.ts"

type BatchCx = Pick<Cx, "tx" | "now">

/** Required columns of a new member besides the declared fields. */
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

/** Inserts one member per row of `from`; `values` are expressions over it. Returns the number of rows. */
export function insertMembers(
  { tx }: Pick<BatchCx, "tx">,
  values: Record<MemberFieldName | SetColumn, SQL>,
  from: SQL,
): Promise<number> {
  const columns = Object.keys(values).map(columnOf).join(", ")
  return tx.run(
    sql`insert into members (${sql.raw(columns)}) select ${sql.join(Object.values(values), sql`, `)} from ${from}`,
  )
}

/** Updates members `m` joined with `from`. Returns their ids. */
export async function updateMembers(
  { tx, now }: BatchCx,
  { set, from, where }: { set: SQL; from: SQL; where: SQL },
): Promise<string[]> {
  const changed = await tx.rows<{ id: string }>(sql`
    update members m set ${set}, updated_at = ${now}, version = m.version + 1
    from ${from} where ${where} returning m.id`)
  const ids = changed.map(({ id }) => id)
  await copyMembersToClaims(tx, sql`select unnest(${sql.param(ids)}::uuid[])`)
  return ids
}

/** Returns the number of deleted rows. */
export async function deleteMembers({ tx }: Pick<BatchCx, "tx">, using: SQL, where: SQL): Promise<number> {
  await deleteNominationDocuments(tx, sql`select m.id from members m, ${using} where ${where}`)
  return tx.run(sql`delete from members m using ${using} where ${where}`)
}
