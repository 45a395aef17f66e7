import { type Day, yearOf } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "./database.ts"

const shapes = {
  policy: { prefix: "GP", yearly: true },
  member: { prefix: "M", yearly: false },
  claim: { prefix: "CLM", yearly: true },
  invoice: { prefix: "INV", yearly: true },
  billing_run: { prefix: "RUN", yearly: true },
  credit_note: { prefix: "CN", yearly: true },
  receipt: { prefix: "REC", yearly: true },
  deposit: { prefix: "DEP", yearly: true },
  refund: { prefix: "REF", yearly: true },
  payout: { prefix: "PAY", yearly: true },
  payout_batch: { prefix: "BAT", yearly: true },
  bank_statement: { prefix: "BST", yearly: true },
} as const

export type NumberKind = keyof typeof shapes

/**
 * The next number, such as `CLM-2026-000123`, or `M-000123` for kinds without a yearly restart. The counter row stays
 * locked until the transaction ends. Take the number last where gaps are not allowed.
 */
export async function nextNumber(tx: Tx, kind: NumberKind, on: Day): Promise<string> {
  const [number] = await nextNumbers(tx, kind, on, 1)
  return number!
}

export async function nextNumbers(tx: Tx, kind: NumberKind, on: Day, count: number): Promise<string[]> {
  const last = await takeNumbers(tx, kind, on, count)
  return Array.from({ length: count }, (_, index) => formatNumber(kind, on, last - count + 1 + index))
}

/** Advances the counter by `count` and returns the last number, for numbering rows inside one SQL statement. */
export async function takeNumbers(tx: Tx, kind: NumberKind, on: Day, count: number): Promise<number> {
  const counter = await tx.row<{ last: number }>(sql`
    insert into number_counters as counter (kind, year, last)
    values (${kind}, ${shapes[kind].yearly ? yearOf(on) : 0}, ${count})
    on conflict (kind, year) do update set last = counter.last + ${count}
    returning last`)
  return counter!.last
}

export const takenNumber = (kind: NumberKind, on: Day): SQL => sql`
  insert into number_counters as counter (kind, year, last)
  values (${kind}, ${shapes[kind].yearly ? yearOf(on) : 0}, 1)
  on conflict (kind, year) do update set last = counter.last + 1
  returning ${formatNumber(kind, on, 0).slice(0, -6)}::text || lpad(last::text, greatest(6, length(last::text)), '0') as number`

export function formatNumber(kind: NumberKind, on: Day, value: number): string {
  const { prefix, yearly } = shapes[kind]
  const digits = String(value).padStart(6, "0")
  return yearly ? `${prefix}-${yearOf(on)}-${digits}` : `${prefix}-${digits}`
}
