import { commonFields, type MailValues, mailTemplate } from "../platform/mail-template.ts"
import type { CoveringMailFacts } from "./delivery.ts"

const { contact, group, organisation, policy } = commonFields

export const invoiceTemplate = mailTemplate({
  label: "Invoice",
  when: "To a policy's contact with an invoice, when it is sent. You can change the text when you email it again",
  fields: {
    contact,
    group,
    policy,
    number: { words: "the invoice number", sample: "INV-2026-000123" },
    total: { words: "the total with VAT", sample: (money) => money(14_892_50) },
    from: { words: "the first day of its period", sample: "2026-11-01" },
    to: { words: "the last day of its period", sample: "2026-11-30" },
    due: { words: "the due date", sample: "2026-12-01" },
    payment: {
      words: "the amounts credited and paid, the amount due, and the payment reference",
      sample: (money) =>
        `${money(14_892_50)} is due on 2026-12-01. Please use INV-2026-000123 as your payment reference.`,
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

/** Formatted amounts; null for zero. */
export interface DueFacts {
  credited: string | null
  /** By receipts and used credit. */
  paid: string | null
  writtenOff: string | null
  rest: string | null
}

export function invoiceMailValues(
  facts: CoveringMailFacts & DueFacts & { from: string; to: string; due: string },
): MailValues<typeof invoiceTemplate> {
  const { credited, paid, writtenOff, rest, ...values } = facts
  const { number, due } = values
  const reference = `Please use ${number} as your payment reference.`
  const settled = settledText([
    [credited, "credited"],
    [paid, "paid"],
    [writtenOff, "written off"],
  ])
  const payment =
    rest === null
      ? `${settled}; nothing remains due.`
      : settled === ""
        ? `${rest} is due on ${due}. ${reference}`
        : `${settled}; ${rest} is still due on ${due}. ${reference}`
  return { ...values, contact: values.contact || "client", payment }
}

/** "R 100,00 has been credited and R 50,00 paid" */
function settledText(parts: readonly [amount: string | null, words: string][]): string {
  const [first, ...more] = parts.flatMap(([amount, words]) => (amount === null ? [] : [{ amount, words }]))
  if (!first) return ""
  const all = [`${first.amount} has been ${first.words}`, ...more.map(({ amount, words }) => `${amount} ${words}`)]
  return `${all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all[0]}`
}
