import {
  choice,
  count,
  day,
  days,
  flag,
  instant,
  list,
  money,
  reference,
  status,
  text,
  viewsOfValues,
  words,
} from "../kernel/list.ts"
import { batchStatuses, batchStatusNames, paymentFileFormatNames } from "./batch.ts"

export const batchesList = list({
  key: "payment-batches",
  noun: { one: "batch", many: "batches" },
  permission: "payouts.read",
  order: "-createdAt",
  search: "Search batch or account",
  tabs: { by: "status", views: viewsOfValues(batchStatuses, batchStatusNames) },
  filters: {
    status: choice("Status", batchStatuses, batchStatusNames),
    day: days("Execution day", { of: "executionOn" }),
    forMe: flag("For me to release"),
  },
  columns: {
    number: reference("Batch"),
    accountName: text("Pay from"),
    executionOn: day("Execution day", { sort: true }),
    paymentCount: count("Payments"),
    amountCents: money("Amount", { sort: true }),
    format: words("File", paymentFileFormatNames, { hidden: true }),
    createdAt: instant("Created", { sort: true }),
    status: status("Status", batchStatusNames),
  },
  sums: ["amountCents"],
})
