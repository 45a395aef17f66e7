import { refundsContract } from "@milkwood/domain/refunds/refunds.contract"
import { query } from "../platform/calls/commands.ts"
import { timeline } from "../platform/trail/facts.ts"
import { cancelRefund, processRefund, refundOffer } from "./process-refund.ts"
import { listRefunds } from "./refund-list.queries.ts"
import { refundDetail } from "./refunds.queries.ts"

export const refundsRouter = {
  list: listRefunds,
  detail: query(refundsContract.detail, (cx) => refundDetail(cx, cx.input.refundId)),
  activity: query(refundsContract.activity, async (cx) => {
    await refundDetail(cx, cx.input.refundId)
    return timeline(cx, "refund", cx.input.refundId, cx.input)
  }),
  offer: refundOffer,
  process: processRefund,
  cancel: cancelRefund,
}
