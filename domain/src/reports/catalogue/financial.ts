import { calendarMonth, choice, count, day, list, money, record, reference, text, words } from "../../kernel/list.ts"
import { accountNames, accounts } from "../../ledger/account.ts"
import { entryKinds } from "../../ledger/entry.ts"
import { payoutMethodNames } from "../../payouts/payout.ts"
import { receiptMethodNames } from "../../receipts/receipt.ts"
import { debtorsAgeingList } from "../debtors-ageing.list.ts"
import { report } from "../report.ts"

const permission = "reports.financial"

export const premiumBilling = report({
  id: "premium_billing",
  name: "Premium billing",
  description: "Billed, adjusted and credited amounts with VAT, by group and month.",
  category: "financial",
  dates: { kind: "period", start: "this month" },
  list: list({
    key: "premium-billing",
    noun: { one: "policy month", many: "policy months" },
    permission,
    order: "groupName",
    filters: { groupId: record("Employer", "group") },
    columns: {
      groupName: text("Group", { sort: true }),
      policyNumber: reference("Policy", { sort: true }),
      month: calendarMonth("Month"),
      invoices: count("Invoices"),
      billedCents: money("Billed", { sort: true }),
      earlierCents: money("Earlier months (included)"),
      discountCents: money("Discount"),
      vatCents: money("VAT"),
      totalCents: money("Invoiced", { sort: true }),
      creditedCents: money("Credit notes"),
      remainingCents: money("After credit notes", { sort: true }),
    },
    sums: [
      "invoices",
      "billedCents",
      "earlierCents",
      "discountCents",
      "vatCents",
      "totalCents",
      "creditedCents",
      "remainingCents",
    ],
  }),
  subtotals: ["groupName"],
  chart: { by: "month", of: ["totalCents", "creditedCents"], as: "bars" },
  details: {
    purpose: "Shows what each policy was billed and credited, to explain income.",
    frequency: "Monthly, after the premium run",
    keyMetrics: ["Billed before VAT", "VAT", "Credit notes", "Invoiced after credit notes"],
    dataPoints: ["Invoices and credit notes by their own date", "Invoice lines for earlier months", "Discounts"],
    stakeholders: ["Finance", "Operations", "Auditors"],
    insights: [
      "Many invoice lines for earlier months suggest that staff lists arrive late.",
      "Repeated credit notes for one group suggest a problem in its member data.",
    ],
  },
})

export const debtorsAgeing = report({
  id: "debtors_ageing",
  name: "Premium collection and debtors' ageing",
  description: "The amount each policy owes on a day, by days overdue, with its unallocated credit.",
  category: "financial",
  dates: { kind: "day" },
  list: debtorsAgeingList,
  subtotals: ["groupName"],
  chart: { by: "groupName", of: ["totalCents"], as: "bars" },
  details: {
    purpose: "Shows who owes premium, for how long, and how much of their money is not allocated.",
    frequency: "Weekly, and at month end",
    keyMetrics: ["Total owed", "Overdue for more than 90 days", "Unallocated receipts"],
    dataPoints: ["Sent invoices less credit notes, payments and write-offs up to the day", "Unallocated receipts"],
    stakeholders: ["Credit control", "Finance", "Management"],
    insights: [
      "Debt older than 60 days is rarely paid without a call.",
      "A policy with both credit and debt often has a payment to allocate.",
    ],
  },
})

// A deposit only moves money from undeposited to the bank.
const kindsWithoutCash = [
  "invoice_sent",
  "credit_note",
  "claim_reserve_changed",
  "claim_approved",
  "write_off",
  "receipt_deposited",
]
const cashKinds = entryKinds.filter((kind) => !kindsWithoutCash.includes(kind))
export const cashMovements = cashKinds.flatMap((kind) =>
  kind === "reversal" || kind === "refund_released" ? [] : [kind, `${kind}_reversed`],
)
const movementNames: Record<string, string> = {
  receipt_taken: "Receipts",
  allocation: "Allocations",
  claim_payout_completed: "Claim payments",
  claim_payout_returned: "Claim payments returned",
  refund_completed: "Refunds",
  refund_returned: "Refunds returned",
  bank_opening: "Opening balance",
  bank_charge: "Bank charges",
  bank_interest: "Interest received",
}
export const cashMovementNames = Object.fromEntries(
  Object.entries(movementNames).flatMap(([kind, name]) => [
    [kind, name],
    [`${kind}_reversed`, `${name}, reversed`],
  ]),
)

export const cashBook = report({
  id: "cash_book",
  name: "Cash book",
  description: "Receipts, allocations, refunds and payments, by day and method.",
  category: "financial",
  dates: { kind: "period", start: "this month" },
  list: list({
    key: "cash-book",
    noun: { one: "line", many: "lines" },
    permission,
    order: "on",
    filters: { movement: choice("Movement", cashMovements, cashMovementNames) },
    columns: {
      on: day("Day", { sort: true }),
      movement: words("Movement", cashMovementNames),
      method: words("Method", { ...receiptMethodNames, ...payoutMethodNames }, { none: "None" }),
      entries: count("Number"),
      inCents: money("Money in", { sort: true }),
      outCents: money("Money out", { sort: true }),
      allocatedCents: money("Allocated"),
    },
    sums: ["entries", "inCents", "outCents", "allocatedCents"],
  }),
  subtotals: ["on"],
  chart: { by: "on", of: ["inCents", "outCents"], as: "lines" },
  details: {
    purpose: "Shows money received and paid each day, as posted in the ledger.",
    frequency: "Daily",
    keyMetrics: ["Money in", "Money out", "Allocated to invoices"],
    dataPoints: ["Postings to bank and undeposited", "Payment methods", "Reversals on the day of the reversal"],
    stakeholders: ["Finance", "Treasury", "Auditors"],
    insights: [
      "Money in less money out equals the change in bank and undeposited over the same days.",
      "Receipts without allocations leave premium debtors too high.",
    ],
  },
})

export const vatAndTrialBalance = report({
  id: "vat_and_trial_balance",
  name: "VAT and trial balance",
  description: "The ledger by account over a period, and its output VAT by class and rate.",
  category: "financial",
  dates: { kind: "period", start: "last month" },
  list: list({
    key: "vat-and-trial-balance",
    noun: { one: "line", many: "lines" },
    permission,
    order: "place",
    sorts: ["place"],
    columns: {
      account: words("Account", { ...Object.fromEntries(accountNames.map((name) => [name, accounts[name].title])) }),
      part: text("VAT class", { none: "" }),
      openingCents: money("Opening", { none: "" }),
      debitCents: money("Debit", { none: "" }),
      creditCents: money("Credit", { none: "" }),
      closingCents: money("Closing", { none: "" }),
      outputVatCents: money("Output VAT", { none: "" }),
    },
    sums: ["openingCents", "debitCents", "creditCents", "closingCents", "outputVatCents"],
  }),
  details: {
    purpose: "Shows that debits equal credits, and the VAT due to the revenue service for the period.",
    frequency: "Monthly, at month end",
    keyMetrics: ["Debits equal credits", "Output VAT", "Balance of premium debtors"],
    dataPoints: ["Postings by posting date", "VAT of invoices, credit notes and write-offs by class"],
    stakeholders: ["Finance", "Tax", "Auditors"],
    insights: [
      "Debits are positive and credits negative; the opening and the closing balances each add up to zero.",
      "The classes of output VAT add up to the change in the VAT output account.",
    ],
  },
})
