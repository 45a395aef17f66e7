import { commonFields, type MailValues, mailTemplate } from "../platform/mail-template.ts"
import type { CoveringFacts } from "./delivery.ts"

const { contact, group, organisation, policy } = commonFields

export const invoiceTemplate = mailTemplate({
  label: "Invoice",
  when: "To a policy's contact with an invoice, as it is sent; the text can be changed when it is mailed again",
  fields: {
    contact,
    group,
    policy,
    number: { words: "the invoice number", sample: "INV-2026-000123" },
    total: { words: "the total with VAT", sample: (money) => money(14_892_50) },
    from: { words: "the first day of its period", sample: "2026-11-01" },
    to: { words: "the last day of its period", sample: "2026-11-30" },
    due: { words: "the day by which it is due", sample: "2026-12-01" },
    payment: {
      words: "a sentence that asks for payment with the number as its reference, or says what is paid already",
      sample: "It is due on 2026-12-01. Please give INV-2026-000123 as the reference of your payment.",
    },
    organisation,
  },
  required: ["number", "payment"],
  initial: {
    subject: "Invoice {number} from {organisation}",
    text: [
      "Dear {contact}",
      "Please find attached invoice {number} of {total} for {group}, policy {policy}, period {from} to {to}.",
      "{payment}",
      "Kind regards\n{organisation}",
    ].join("\n\n"),
  },
})

/**
 * What fills it in. `paid` is what is paid of it already, credit that was used for it among it; `rest` what remains, null
 * for nothing.
 */
export function invoiceMailValues(
  facts: CoveringFacts & { from: string; to: string; due: string; paid: string | null; rest: string | null },
): MailValues<typeof invoiceTemplate> {
  const { paid, rest, ...values } = facts
  const { number, due } = values
  const reference = `Please give ${number} as the reference of your payment.`
  const payment =
    paid === null
      ? `It is due on ${due}. ${reference}`
      : rest === null
        ? `${paid} of it is paid already; nothing remains due.`
        : `${paid} of it is paid already; ${rest} remain due on ${due}. ${reference}`
  return { ...values, contact: values.contact || "client", payment }
}
