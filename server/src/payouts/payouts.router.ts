import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { query } from "../platform/calls/commands.ts"
import { timeline } from "../platform/trail/facts.ts"
import { batchChoices, listBatches, readBatch, readBatchActivity, readBatchPayments } from "./batches.queries.ts"
import { addToBatch, cancelBatch, editBatch, makeBatch, takeOutOfBatch } from "./change-batch.ts"
import { exportFile, replaceFile, withdrawFile } from "./export-payment-file.ts"
import { loadLastPayee } from "./payee-guard.queries.ts"
import { listPayouts } from "./payout-list.queries.ts"
import { payoutDetail } from "./payouts.queries.ts"
import { releaseBatch } from "./release-batch.ts"
import {
  cancelPayout,
  changePayee,
  completePayout,
  confirmPayee,
  failPayout,
  releasePayout,
  retryPayout,
  returnPayout,
} from "./step-payout.ts"

export const payoutsRouter = {
  batches: {
    list: listBatches,
    detail: readBatch,
    activity: readBatchActivity,
    payments: readBatchPayments,
    choices: batchChoices,
    make: makeBatch,
    edit: editBatch,
    add: addToBatch,
    takeOut: takeOutOfBatch,
    release: releaseBatch,
    cancel: cancelBatch,
    export: exportFile,
    withdraw: withdrawFile,
    replace: replaceFile,
  },
  list: listPayouts,
  detail: query(payoutsContract.detail, (cx) => payoutDetail(cx, cx.input.payoutId)),
  activity: query(payoutsContract.activity, async (cx) => {
    await payoutDetail(cx, cx.input.payoutId)
    return timeline(cx, "payout", cx.input.payoutId, cx.input)
  }),
  lastPayee: query(payoutsContract.lastPayee, (cx) => loadLastPayee(cx.tx, cx.input)),
  changePayee,
  confirmPayee,
  release: releasePayout,
  complete: completePayout,
  fail: failPayout,
  retry: retryPayout,
  cancel: cancelPayout,
  return: returnPayout,
}
