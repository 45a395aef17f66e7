import type { Cents } from "../kernel/money.ts"
import { type Refusal, refuse } from "../kernel/refusal.ts"
import type { Organisation } from "../platform/organisation-shape.ts"

export const noVatNumber = {
  NO_VAT_NUMBER: {
    status: 409,
    message:
      "The organisation has no VAT number, so it cannot charge VAT. Add the number in Settings, General, or set the VAT of the product type to exempt or zero-rated.",
  },
} as const

export const noBankAccount = {
  NO_BANK_ACCOUNT: {
    status: 409,
    message:
      "The organisation has no bank account, so the invoice cannot show how to pay. Add one in Settings, General.",
  },
} as const

/** Refuses an invoice with VAT if the organisation has no VAT number. Negative VAT is allowed. */
export function refuseWithoutVatNumber(
  { vatNumber }: Pick<Organisation, "vatNumber">,
  { vatCents }: { vatCents: Cents },
): Refusal<"NO_VAT_NUMBER"> | null {
  return vatCents > 0 && vatNumber === "" ? refuse("NO_VAT_NUMBER") : null
}

/** Whether invoices can name a bank account. */
export const hasBankAccount = ({ bankAccount }: Pick<Organisation, "bankAccount">): boolean =>
  bankAccount.accountNumber !== ""

/** Refuses NO_BANK_ACCOUNT without an account number. */
export function refuseWithoutBankAccount(
  organisation: Pick<Organisation, "bankAccount">,
): Refusal<"NO_BANK_ACCOUNT"> | null {
  return hasBankAccount(organisation) ? null : refuse("NO_BANK_ACCOUNT")
}
