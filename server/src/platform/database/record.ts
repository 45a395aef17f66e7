import { eq, getTableColumns, type InferSelectModel, sql } from "drizzle-orm"
import type { PgColumn, PgTable } from "drizzle-orm/pg-core"
import { refused } from "../calls/commands.ts"
import type { Tx } from "./database.ts"

type RecordTable = PgTable & { id: PgColumn }

export type Stored<T extends PgTable> = {
  [K in keyof InferSelectModel<T>]: Exclude<InferSelectModel<T>[K], Temporal.Instant>
}

/** Reads a row without a lock. Refuses with NOT_FOUND and the message `notFound` if the actor cannot see it. */
export async function readRecord<T extends RecordTable>(tx: Tx, table: T, id: string, notFound?: string) {
  const [row] = await tx
    .select()
    .from(table as RecordTable)
    .where(eq(table.id, id))
  if (!row) throw refused("NOT_FOUND", notFound)
  return row as Stored<T>
}

/**
 * Locks a row until the transaction ends. Refuses with NOT_FOUND if the actor cannot see it; with `noWait`, BUSY if it
 * is locked.
 */
export async function lockRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  id: string,
  notFound?: string,
  options: { noWait?: true } = {},
) {
  const [row] = await tx
    .select()
    .from(table as RecordTable)
    .where(eq(table.id, id))
    .for("update", options.noWait ? { noWait: true } : {})
  if (!row) throw refused("NOT_FOUND", notFound)
  return row as Stored<T>
}

export async function saveRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  before: Partial<Stored<T>> & { id: string },
  after: Partial<Stored<T>>,
  stamps: object = {},
): Promise<void> {
  const changed = changedColumns(table, before, after)
  if (changed.length === 0) return
  const values = { ...Object.fromEntries(changed.map((key) => [key, after[key]])), ...stamps }
  await tx
    .update(table)
    .set(values as never)
    .where(eq(table.id, before.id))
}

export interface RecordUpdate<R> {
  before: R
  after: R
}

export async function saveRecords<T extends RecordTable>(
  tx: Tx,
  table: T,
  saving: readonly RecordUpdate<Partial<Stored<T>> & { id: string }>[],
  stamps: Partial<Record<keyof Stored<T>, unknown>> = {},
): Promise<void> {
  const [first, ...others] = saving
  if (first && others.length === 0) return saveRecord(tx, table, first.before, first.after, stamps)
  const columns = getTableColumns(table)
  const named = (key: keyof Stored<T>) => columns[key as string]!.name
  const rows = saving.flatMap(({ before, after }) => {
    const changed = changedColumns(table, before, after)
    if (changed.length === 0) return []
    const values: Record<string, unknown> = { ...after, ...stamps }
    const written = [...new Set([...changed, ...(Object.keys(stamps) as (keyof Stored<T>)[])])]
    return [
      { id: before.id, names: written.map(named), values: written.map((key) => [named(key), values[key as string]]) },
    ]
  })
  for (const of of Map.groupBy(rows, ({ names }) => names.join()).values()) {
    const names = of[0]!.names.map((name) => sql.identifier(name))
    const said = of.map(({ id, values }) => ({ ...Object.fromEntries(values), id }))
    await tx.run(sql`
      update ${table} kept set ${sql.join(
        names.map((name) => sql`${name} = said.${name}`),
        sql`, `,
      )}
      from jsonb_populate_recordset(null::${table}, ${JSON.stringify(said)}::jsonb) said where kept.id = said.id`)
  }
}

function changedColumns<T extends RecordTable>(
  table: T,
  before: Partial<Stored<T>>,
  after: Partial<Stored<T>>,
): (keyof Stored<T>)[] {
  const columns = Object.keys(getTableColumns(table)) as (keyof Stored<T>)[]
  return columns.filter((key) => key in after && !isSameValue(after[key], before[key]))
}

const isSameValue = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)
