import type { Payout } from "@milkwood/domain/payouts/payout"
import type { PayoutChange } from "@milkwood/domain/payouts/payout-steps"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { lockRecord, saveRecords } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { payouts } from "./payouts.tables.ts"

/** A payout, locked. Whoever also locks its subject does so afterwards. */
export const lockPayout = ({ tx }: Cx, payoutId: string): Promise<Payout> => lockRecord(tx, payouts, payoutId)

/** Those whose ids are selected, locked in the order of their ids. */
export const lockPayouts = ({ tx }: Pick<Cx, "tx">, ids: SQL): Promise<Payout[]> =>
  tx
    .select()
    .from(payouts)
    .where(sql`${payouts.id} in (${ids})`)
    .orderBy(payouts.id)
    .for("update") as unknown as Promise<Payout[]>

/** A locked payout, and what a rule made of it. */
export interface PayoutStep {
  before: Payout
  decided: PayoutChange
}

/** Writes what a rule made of locked payouts, and tells of it. */
export async function savePayouts(cx: Cx, steps: readonly PayoutStep[]): Promise<void> {
  await saveRecords(
    cx.tx,
    payouts,
    steps.map(({ before, decided }) => ({ before, after: decided.value })),
  )
  await record(
    cx,
    steps.flatMap(({ decided }) => decided.facts),
  )
}
