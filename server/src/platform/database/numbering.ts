import { type Day, yearOf } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "./database.ts"

const prefixes = {
  policy: "GP",
  claim: "CLM",
  invoice: "INV",
  billing_run: "RUN",
  credit_note: "CN",
  receipt: "REC",
  deposit: "DEP",
  refund: "REF",
  payout: "PAY",
  payout_batch: "BAT",
  bank_statement: "BST",
  letter: "LTR",
} as const

export type NumberKind = keyof typeof prefixes

/**
 * The next number of the year, such as `CLM-2026-000123`. The counter row stays locked until the transaction ends. Take
 * the number last where gaps are not allowed.
 */
export async function nextNumber(tx: Tx, kind: NumberKind, on: Day): Promise<string> {
  return (await tx.row<{ number: string }>(nextNumberSql(kind, on)))!.number
}

export const nextNumberSql = (kind: NumberKind, on: Day): SQL => sql`
  insert into number_counters as counter (kind, year, last)
  values (${kind}, ${yearOf(on)}, 1)
  on conflict (kind, year) do update set last = counter.last + 1
  returning ${formatNumber(kind, on, 0).slice(0, -6)}::text || ${padToSixDigits(sql`last`)} as number`

/** At least six digits, with leading zeros. */
export const padToSixDigits = (number: SQL): SQL =>
  sql`lpad(${number}::text, greatest(6, length(${number}::text)), '0')`

export const formatNumber = (kind: NumberKind, on: Day, value: number): string =>
  `${prefixes[kind]}-${yearOf(on)}-${String(value).padStart(6, "0")}`
