import type { Effect } from "@milkwood/domain/billing/effect"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import type { BillingApp } from "./billing-scene.samples.ts"
import { differenceSql } from "./difference.queries.ts"

type CentsByMonth = Map<Day, Cents>

export async function loadDifferenceByMonth({ sql: tx }: Pick<BillingApp, "sql">, policyId: string, month: Day) {
  const rows = await tx.rows<{ month: Day; cents: number }>(sql`
    select month, sum(owed_cents - billed_cents)::bigint as cents
    from (${differenceSql({ policies: sql`${policyId}::uuid`, month })}) d group by month`)
  return new Map(rows.map(({ month: of, cents }) => [of, cents]))
}

export function changeByMonth(before: CentsByMonth, after: CentsByMonth): CentsByMonth {
  const months = [...new Set([...before.keys(), ...after.keys()])]
  const became = months.map((of) => [of, (after.get(of) ?? 0) - (before.get(of) ?? 0)] as const)
  return new Map(became.filter(([, cents]) => cents !== 0))
}

export function effectByMonth(effect: Pick<Effect, "parts"> | null): CentsByMonth {
  const said: CentsByMonth = new Map()
  for (const { months, members, cents } of effect?.parts ?? [])
    for (const of of months) said.set(of, (said.get(of) ?? 0) + members * cents)
  return new Map([...said].filter(([, cents]) => cents !== 0))
}

/** Expected refusals: no covered member, a missing rate, or a total of 0. */
export function ignoreUnbillable(error: unknown): void {
  const { code, data } = error as { code?: string; data?: { fields?: { message: string }[] } }
  const { fields = [] } = data ?? {}
  if (
    code !== "NOTHING_TO_SEND" &&
    !fields.some(({ message }) => /rate|line item/i.test(message)) &&
    !/nobody|nothing/i.test(String(error))
  )
    throw error
}
