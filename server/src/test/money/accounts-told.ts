import { randomUUID } from "node:crypto"
import { ORPCError } from "@orpc/server"
import { sql } from "drizzle-orm"
import { expect } from "vitest"
import { differenceSql } from "../../billing/difference.queries.ts"
import { findStatementFaults } from "../../collection/statement.samples.ts"
import type { MoneyTestApp } from "./hand.ts"
import { runJobsOfKind } from "./jobs-done.ts"

/** After the final run each policy owes what was billed, except policies that cannot be billed and give a reason. */
export async function expectBilledIsOwed(desk: MoneyTestApp, seed: number): Promise<void> {
  const { app } = desk
  const policyIds = desk.insured.map(({ policyId }) => policyId)
  const { runs } = app.manager.billing
  const month = "2026-11-01"
  const { id: runId } = await runs.start({ idempotencyKey: randomUUID(), month, policyIds })
  await runJobsOfKind(desk, "billing.")
  const { version } = await runs.detail({ runId })
  try {
    await runs.make({ runId, version, idempotencyKey: randomUUID(), outcome: "draft" })
  } catch (error) {
    if (!(error instanceof ORPCError && error.code === "NOTHING_TO_BILL")) throw error
  }
  await runJobsOfKind(desk, "billing.")
  const parked = await app.sql.rows<{ id: string }>(sql`
    select policy_id as id from billing_run_policies where state = 'parked' and run_id = ${runId}`)
  const open = await app.sql.rows<{ id: string }>(sql`
    select distinct policy_id as id from (${differenceSql({
      policies: sql`select unnest(${sql.param(policyIds)}::uuid[])`,
      month,
      knownAt: app.clock.now(),
    })}) d`)
  const left = open.filter(({ id }) => !parked.some((one) => one.id === id))
  expect(left, `seed ${seed}`).toEqual([])
}

export async function expectConsistentAccounts({ app, insured }: MoneyTestApp, seed: number): Promise<void> {
  const policyIds = insured.map(({ policyId }) => policyId)
  const days = ["2026-01-01", "2026-05-31", "2026-10-01", "2026-11-01", "2026-11-02", "2027-01-01"]
  expect(await findStatementFaults(app, policyIds, days), `seed ${seed}`).toEqual([])
  // A row's running balance is the sum of all postings up to it, on every page, in both directions, searched or by
  // policy.
  for (const account of ["bank", "premium_debtors", "premium_income"] as const) {
    for (const policyId of [undefined, policyIds[0]!]) {
      const after = new Map<string, number>()
      const all = await app.sql.rows<{ id: string; cents: number }>(sql`
        select p.id, p.amount_cents as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
        where p.account = ${account} and (${policyId ?? null}::uuid is null or p.policy_id = ${policyId ?? null})
        order by e.effective_on, e.seq, p.line`)
      all.reduce((sum, { id, cents }) => after.set(id, sum + cents).get(id)!, 0)
      for (const asked of [
        {},
        { dir: "asc" },
        { page: 2 },
        { search: "rec" },
        { search: "1", pageSize: 100 },
      ] as const) {
        const input = { account, policyId, asOf: "2027-12-31", ...asked }
        const { rows } = await app.manager.ledger.postings(input)
        const wrong = rows.filter((row) => row.balanceCents !== after.get(row.id))
        expect(wrong, `${JSON.stringify(input)}, seed ${seed}`).toEqual([])
      }
    }
  }
}
