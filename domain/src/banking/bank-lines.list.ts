import { day, days, list, money, record, reference, status, text } from "../kernel/list.ts"
import { lineStateNames, lineStates } from "./bank-placement.ts"

export const bankLinesList = list({
  key: "bank-lines",
  noun: { one: "line", many: "lines" },
  permission: "banking.read",
  order: "-day",
  search: "Search description or reference",
  tabs: {
    by: "state",
    views: {
      open: { label: lineStateNames.open, values: ["open"] },
      receipt: { label: "Receipts", values: ["receipt"] },
      payout: { label: "Payments and returns", values: ["payout", "returned"] },
      posted: { label: "Charges and interest", values: ["charge", "interest"] },
      notOurs: { label: "Not a premium or claim payment", values: ["transfer", "unknown"] },
      all: { label: "All", values: lineStates },
    },
  },
  filters: {
    accountId: record("Account", "bank_account"),
    statementId: record("Statement", "bank_statement"),
    booked: days("Date", { of: "day" }),
  },
  columns: {
    day: day("Date", { sort: true }),
    text: text("Description"),
    reference: text("Reference"),
    amount: money("Amount", { of: "amountCents", sort: "amountCents" }),
    balance: money("Balance", { of: "balanceCents" }),
    state: status("Status", lineStateNames),
    account: text("Account", { of: "accountName" }),
    statement: reference("Statement", { of: "statementNumber", hidden: true }),
  },
  sums: ["amountCents"],
})
