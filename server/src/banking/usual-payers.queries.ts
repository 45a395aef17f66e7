import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import type { Tx } from "../platform/database/database.ts"

export async function usualPayersOf(tx: Tx, policyIds: readonly string[]): Promise<Map<string, string[]>> {
  if (policyIds.length === 0) return new Map()
  const rows = await tx.rows<{ policyId: string; payer: string }>(sql`
    select policy_id as "policyId", payer from bank_payers
    where policy_id = any (${sql.param([...new Set(policyIds)])}::uuid[]) and forgotten_at is null and confirmed > 0 and declined = 0`)
  const payers = new Map<string, string[]>()
  for (const { policyId, payer } of rows) payers.set(policyId, [...(payers.get(policyId) ?? []), payer])
  return payers
}

export interface ShortName {
  word: string
  groupId: string
  name: string
}

export async function shortNamesOf(tx: Tx, words: readonly string[]): Promise<Map<string, ShortName>> {
  if (words.length === 0) return new Map()
  const rows = await tx.rows<ShortName>(sql`
    select upper(substring(name from '^[A-Za-z0-9]+')) as word, min(id::text) as "groupId", min(name) as name
    from employer_groups where upper(substring(name from '^[A-Za-z0-9]+')) = any (${sql.param([...new Set(words)])}::text[])
    group by 1 having count(*) = 1`)
  return new Map(rows.map((row) => [row.word, row]))
}

const maxOpenInvoicesSearched = 3_000

/** By amount: the only two policies with one open invoice each that add up to it. */
export async function loadPolicyPairs(tx: Tx, amounts: readonly Cents[]): Promise<Map<Cents, [string, string]>> {
  if (amounts.length === 0) return new Map()
  const rows = await tx.rows<{ amountCents: Cents; one: string; other: string }>(sql`
    with open as materialized (
      select i.policy_id, ${openCents} as cents from invoices i where ${isOpen} limit ${maxOpenInvoicesSearched + 1})
    select wanted.cents as "amountCents", min(a.policy_id::text) as one, min(b.policy_id::text) as other
    from unnest(${sql.param([...new Set(amounts)])}::bigint[]) wanted (cents)
    join open a on a.cents < wanted.cents join open b on b.cents = wanted.cents - a.cents and b.policy_id > a.policy_id
    where (select count(*) from open) <= ${maxOpenInvoicesSearched}
    group by wanted.cents having count(*) = 1`)
  return new Map(rows.map(({ amountCents, one, other }) => [amountCents, [one, other]]))
}
