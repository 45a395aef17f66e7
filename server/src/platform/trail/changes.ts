import { sql } from "drizzle-orm"
import { refused } from "../calls/commands.ts"
import { expectVersion } from "../calls/version.ts"
import { sqlState, type Tx, violatedConstraint } from "../database/database.ts"

type BenefitTable = "product_types" | "benefits" | "benefit_tiers" | "product_benefits" | "policy_document_types"

/** Locks a row for an edit or removal. NOT_FOUND if it does not exist, STALE if its version has changed. */
export async function lockRow<Row extends { version: number }>(
  tx: Tx,
  table: BenefitTable,
  target: { id: string; version: number },
  read: () => Promise<Row>,
): Promise<Row> {
  await tx.row(sql`select from ${sql.raw(table)} where id = ${target.id} for update`)
  const current = await read()
  expectVersion(current, target.version)
  return current
}

export async function refuseDuplicates<T>(write: () => Promise<T>, code: string, message?: string): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (sqlState(error) === "23505" && violatedConstraint(error) !== undefined) throw refused(code, message)
    throw error
  }
}

export function pickFields<F extends object>(row: F, fields: readonly (keyof F)[]): Partial<F> {
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as Partial<F>
}
