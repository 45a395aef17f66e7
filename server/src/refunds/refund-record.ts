import type { Refund } from "@milkwood/domain/refunds/refund"
import type { RefundChange } from "@milkwood/domain/refunds/refund-steps"
import type { Cx } from "../platform/calls/commands.ts"
import { lockRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { refunds } from "./refunds.tables.ts"

/** Lock the refund's payment first. */
export const lockRefund = ({ tx }: Cx, refundId: string): Promise<Refund> => lockRecord(tx, refunds, refundId)

export async function saveRefund(cx: Cx, before: Refund, { value, facts }: RefundChange): Promise<void> {
  await saveRecord(cx.tx, refunds, before, value)
  await record(cx, facts)
}
