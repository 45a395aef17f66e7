import type { Payout } from "@milkwood/domain/payouts/payout"
import type { PayoutChange } from "@milkwood/domain/payouts/payout-steps"
import type { Cx } from "../platform/calls/commands.ts"
import { lockRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { payouts } from "./payouts.tables.ts"

/** A payout, locked. Whoever also locks its subject does so afterwards. */
export const lockPayout = ({ tx }: Cx, payoutId: string): Promise<Payout> => lockRecord(tx, payouts, payoutId)

/** Writes what a rule made of a locked payout, and tells of it. */
export async function savePayout(cx: Cx, before: Payout, { value, facts }: PayoutChange): Promise<void> {
  await saveRecord(cx.tx, payouts, before, value)
  await record(cx, facts)
}
