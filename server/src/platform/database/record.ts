import { eq, getTableColumns, type InferSelectModel } from "drizzle-orm"
import type { PgColumn, PgTable } from "drizzle-orm/pg-core"
import { refused } from "../calls/commands.ts"
import type { Tx } from "./database.ts"

type RecordTable = PgTable & { id: PgColumn }

/** A row as it is read: instants are ISO text. */
export type Stored<T extends PgTable> = {
  [K in keyof InferSelectModel<T>]: Exclude<InferSelectModel<T>[K], Temporal.Instant>
}

/** A row as it stands, not locked. NOT_FOUND, with these words, where there is none that the actor may see. */
export async function readRecord<T extends RecordTable>(tx: Tx, table: T, id: string, notFound?: string) {
  const [row] = await tx
    .select()
    .from(table as RecordTable)
    .where(eq(table.id, id))
  if (!row) throw refused("NOT_FOUND", notFound)
  return row as Stored<T>
}

/**
 * Locks a row to the end of the transaction. NOT_FOUND, with these words, where there is none that the actor may see;
 * with `noWait` BUSY while somebody else holds it.
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

/** Writes what a rule changed of a locked record, and nothing else; answers whether anything was. */
export async function saveRecord<T extends RecordTable>(
  tx: Tx,
  table: T,
  before: Partial<Stored<T>> & { id: string },
  after: Partial<Stored<T>>,
  stamps: object = {},
): Promise<void> {
  const columns = Object.keys(getTableColumns(table)) as (keyof Stored<T>)[]
  const changed = columns.filter((key) => key in after && !same(after[key], before[key]))
  if (changed.length === 0) return
  const values = { ...Object.fromEntries(changed.map((key) => [key, after[key]])), ...stamps }
  await tx
    .update(table)
    .set(values as never)
    .where(eq(table.id, before.id))
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
