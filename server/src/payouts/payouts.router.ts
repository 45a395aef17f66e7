import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { query } from "../platform/calls/commands.ts"
import { timeline } from "../platform/trail/facts.ts"
import { listPayouts } from "./payout-list.queries.ts"
import { payoutDetail } from "./payouts.queries.ts"
import {
  cancelPayout,
  changePayee,
  completePayout,
  failPayout,
  releasePayout,
  retryPayout,
  returnPayout,
} from "./step-payout.ts"

export const payoutsRouter = {
  list: listPayouts,
  detail: query(payoutsContract.detail, (cx) => payoutDetail(cx, cx.input.payoutId)),
  activity: query(payoutsContract.activity, async (cx) => {
    await payoutDetail(cx, cx.input.payoutId)
    return timeline(cx, "payout", cx.input.payoutId, cx.input)
  }),
  changePayee,
  release: releasePayout,
  complete: completePayout,
  fail: failPayout,
  retry: retryPayout,
  cancel: cancelPayout,
  return: returnPayout,
}
