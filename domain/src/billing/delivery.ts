import type { MailState } from "../platform/mail-states.ts"

/** What billing sends by mail. */
export const mailedDocuments = ["invoice", "credit_note"] as const
/** So many of a document's mails are shown with it, the newest ones. */
export const mailsShown = 50
export type MailedDocument = (typeof mailedDocuments)[number]

/**
 * What a list marks of the newest mail with a document. One that was kept for want of a mail server is marked nowhere:
 * then all were; the filter finds it.
 */
export const deliveryExceptions: Partial<Record<MailState, string>> = {
  queued: "Mail on its way",
  failed: "Mail failed",
}

/** What a covering text is made of; days and amounts as the reader has them. */
export interface CoveringFacts {
  contact: string
  group: string
  policy: string
  number: string
  total: string
  organisation: string
}

/** Subject and text of the mail that an invoice goes out with, to be edited where it is sent again. */
export function invoiceMail(
  /** `paid` is what is paid of it already, credit that was used for it among it; `rest` what remains, null for nothing. */
  facts: CoveringFacts & { from: string; to: string; due: string; paid: string | null; rest: string | null },
) {
  const { contact, group, policy, number, total, organisation, from, to, due, paid, rest } = facts
  const reference = `Please give ${number} as the reference of your payment.`
  return {
    subject: `Invoice ${number} from ${organisation}`,
    text: [
      `Dear ${contact || "client"}`,
      `Please find attached invoice ${number} of ${total} for ${group}, policy ${policy}, period ${from} to ${to}.`,
      paid === null
        ? `It is due on ${due}. ${reference}`
        : rest === null
          ? `${paid} of it is paid already; nothing remains due.`
          : `${paid} of it is paid already; ${rest} remain due on ${due}. ${reference}`,
      `Kind regards\n${organisation}`,
    ].join("\n\n"),
  }
}

/** The same of a credit note of an invoice. */
export function creditNoteMail(facts: CoveringFacts & { invoice: string; reason: string }) {
  const { contact, group, policy, number, total, organisation, invoice, reason } = facts
  return {
    subject: `Credit note ${number} from ${organisation}`,
    text: [
      `Dear ${contact || "client"}`,
      `Please find attached credit note ${number} of ${total} for ${group}, policy ${policy}. It credits invoice ${invoice}: ${reason}`,
      "What was paid beyond the rest of the invoice stands to the credit of the policy.",
      `Kind regards\n${organisation}`,
    ].join("\n\n"),
  }
}
