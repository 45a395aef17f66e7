import type { Cents } from "../kernel/money.ts"

/**
 * Debits are positive, credits negative; `normalSide` is the side on which the account's balance is expected. Postings
 * to `perPolicy` accounts must name a policy.
 */
export const accounts = {
  bank: { title: "Bank", kind: "asset", normalSide: "debit", perPolicy: false },
  undeposited: { title: "Undeposited", kind: "asset", normalSide: "debit", perPolicy: false },
  premium_debtors: { title: "Premium debtors", kind: "asset", normalSide: "debit", perPolicy: true },
  accrued_premium: { title: "Accrued premium", kind: "asset", normalSide: "debit", perPolicy: false },
  unallocated_receipts: { title: "Unallocated receipts", kind: "liability", normalSide: "credit", perPolicy: true },
  claims_payable: { title: "Claims payable", kind: "liability", normalSide: "credit", perPolicy: false },
  claims_outstanding: { title: "Claims outstanding", kind: "liability", normalSide: "credit", perPolicy: false },
  refunds_payable: { title: "Refunds payable", kind: "liability", normalSide: "credit", perPolicy: false },
  vat_output: { title: "VAT output", kind: "liability", normalSide: "credit", perPolicy: false },
  unearned_premium: { title: "Unearned premium", kind: "liability", normalSide: "credit", perPolicy: false },
  premium_income: { title: "Premium income", kind: "income", normalSide: "credit", perPolicy: false },
  interest_received: { title: "Interest received", kind: "income", normalSide: "credit", perPolicy: false },
  claims_expense: { title: "Claims expense", kind: "expense", normalSide: "debit", perPolicy: false },
  bank_charges: { title: "Bank charges", kind: "expense", normalSide: "debit", perPolicy: false },
  opening_balances: { title: "Opening balances", kind: "equity", normalSide: "credit", perPolicy: false },
  write_offs: { title: "Write-offs", kind: "expense", normalSide: "debit", perPolicy: false },
} as const satisfies Record<string, AccountTraits>

interface AccountTraits {
  title: string
  kind: "asset" | "liability" | "equity" | "income" | "expense"
  normalSide: "debit" | "credit"
  perPolicy: boolean
}

export type Account = keyof typeof accounts

export const accountNames = Object.keys(accounts) as [Account, ...Account[]]

/** Splits a balance into columns: positive is debit, negative is credit. */
export function debitCreditOf(amountCents: Cents): { debitCents: Cents; creditCents: Cents } {
  return amountCents >= 0 ? { debitCents: amountCents, creditCents: 0 } : { debitCents: 0, creditCents: -amountCents }
}
