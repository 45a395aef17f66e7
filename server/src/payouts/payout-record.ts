import type { Payout } from "@milkwood/domain/payouts/payout"
import type { PayoutChange } from "@milkwood/domain/payouts/payout-steps"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { lockRecord, saveRecords } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { payouts } from "./payouts.tables.ts"

export const lockPayout = ({ tx }: Cx, payoutId: string): Promise<Payout> => lockRecord(tx, payouts, payoutId)

/** Locked in id order. */
export const lockPayouts = ({ tx }: Pick<Cx, "tx">, ids: SQL): Promise<Payout[]> =>
  tx
    .select()
    .from(payouts)
    .where(sql`${payouts.id} in (${ids})`)
    .orderBy(payouts.id)
    .for("update") as unknown as Promise<Payout[]>

export interface PayoutStep {
  before: Payout
  decided: PayoutChange
}

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
