import { refundsContract } from "@milkwood/domain/refunds/refunds.contract"
import { query } from "../platform/calls/commands.ts"
import { timeline } from "../platform/trail/facts.ts"
import { cancelRefund, processRefund, readRefundOffer } from "./process-refund.ts"
import { listRefunds } from "./refund-list.queries.ts"
import { readRefundDetail } from "./refunds.queries.ts"

export const refundsRouter = {
  list: listRefunds,
  detail: query(refundsContract.detail, (cx) => readRefundDetail(cx, cx.input.refundId)),
  activity: query(refundsContract.activity, async (cx) => {
    await readRefundDetail(cx, cx.input.refundId)
    return timeline(cx, "refund", cx.input.refundId, cx.input)
  }),
  offer: readRefundOffer,
  process: processRefund,
  cancel: cancelRefund,
}
