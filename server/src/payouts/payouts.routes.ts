import type { HttpRoute } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { batches } from "./batches.queries.ts"
import { fetchPaymentFile } from "./export-payment-file.ts"
import { uploadPaymentAnswer } from "./payment-answer.ts"
import { payouts } from "./payout-list.queries.ts"

export const payoutsRoutes: HttpRoute[] = [
  ...exportList(payouts),
  ...exportList(batches),
  fetchPaymentFile,
  uploadPaymentAnswer,
]
