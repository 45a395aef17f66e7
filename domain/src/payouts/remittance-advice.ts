import { type Currency, formatMoney } from "../kernel/money.ts"
import { type Payout, payoutMethodNames } from "./payout.ts"

type AdvisedPayout = Pick<
  Payout,
  "payeeName" | "amountCents" | "method" | "payeeBank" | "payeeAccountNumber" | "reference"
>

/**
 * Mail to a payee about a payment. Excludes claim type, member and notes (medical data); shows only the last four
 * account digits.
 */
export function remittanceAdvice(
  payout: AdvisedPayout,
  { organisation, paidOn }: { organisation: string; paidOn: string },
  currency: Currency,
): { subject: string; text: string } {
  const { payeeName, amountCents, method, payeeBank, payeeAccountNumber, reference } = payout
  const to = payeeAccountNumber
    ? `${payeeBank}, account ending in ${payeeAccountNumber.slice(-4)}`
    : payoutMethodNames[method]
  return {
    subject: `Remittance advice ${reference}`,
    text: [
      `Dear ${payeeName},`,
      `${organisation} has paid you ${formatMoney(amountCents, currency)}.`,
      [`Paid on: ${paidOn}`, `Paid to: ${to}`, `Reference: ${reference}`].join("\n"),
      "It may take until the next business day for the amount to show in your account. Please quote the reference if you have a question about this payment.",
      organisation,
    ].join("\n\n"),
  }
}
