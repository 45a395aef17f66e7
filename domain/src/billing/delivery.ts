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

/** Subject and text of the one mail that the credit notes of a correction go out with. `total` is the sum of all. */
export function creditNotesMail(
  facts: Omit<CoveringFacts, "number"> & { notes: readonly { number: string; invoice: string; total: string }[] },
) {
  const { contact, group, policy, total, organisation, notes } = facts
  return {
    subject: `${notes.length} credit notes from ${organisation}`,
    text: [
      `Dear ${contact || "client"}`,
      `Please find attached ${notes.length} credit notes for ${group}, policy ${policy}: ${total} together.`,
      notes.map(({ number, invoice, total }) => `${number}: ${total}, credits invoice ${invoice}`).join("\n"),
      "Each credit note states its reason. What was paid beyond the rest of the invoices is held as credit of the policy.",
      `Kind regards\n${organisation}`,
    ].join("\n\n"),
  }
}

/** Subject and text of the mail that a credit note of an invoice goes out with, to be edited where it is sent again. */
export function creditNoteMail(facts: CoveringFacts & { invoice: string; reason: string }) {
  const { contact, group, policy, number, total, organisation, invoice, reason } = facts
  return {
    subject: `Credit note ${number} from ${organisation}`,
    text: [
      `Dear ${contact || "client"}`,
      `Please find attached credit note ${number} of ${total} for ${group}, policy ${policy}. It credits invoice ${invoice}: ${reason}`,
      "What was paid beyond the rest of the invoice is held as credit of the policy.",
      `Kind regards\n${organisation}`,
    ].join("\n\n"),
  }
}
