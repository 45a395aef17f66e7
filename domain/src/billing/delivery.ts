import type { MailState } from "../platform/mail-states.ts"

export const mailedDocuments = ["invoice", "credit_note"] as const
export const maxMailsListed = 50
export type MailedDocument = (typeof mailedDocuments)[number]

/** Labels of mail states in lists. `kept` has no label, because without a mail server every mail has that state. */
export const deliveryExceptions: Partial<Record<MailState, string>> = {
  queued: "E-mail queued",
  failed: "E-mail failed",
}

/** Days and amounts are already formatted. */
export interface CoveringMailFacts {
  contact: string
  group: string
  policy: string
  number: string
  total: string
  organisation: string
}

/** `total` is the formatted sum of all credit notes. */
export function creditNotesMail(
  facts: Omit<CoveringMailFacts, "number"> & { notes: readonly { number: string; invoice: string; total: string }[] },
) {
  const { contact, group, policy, total, organisation, notes } = facts
  return {
    subject: `${notes.length} credit notes from ${organisation}`,
    text: [
      `Dear ${contact || "client"}`,
      `Please find attached ${notes.length} credit notes for ${group}, policy ${policy}: ${total} in total.`,
      notes.map(({ number, invoice, total }) => `${number}: ${total}, credits invoice ${invoice}`).join("\n"),
      "Each credit note states its reason. Any overpayment of the invoices is kept as credit on the policy.",
      `Kind regards\n${organisation}`,
    ].join("\n\n"),
  }
}

export function creditNoteMail(facts: CoveringMailFacts & { invoice: string; reason: string }) {
  const { contact, group, policy, number, total, organisation, invoice, reason } = facts
  return {
    subject: `Credit note ${number} from ${organisation}`,
    text: [
      `Dear ${contact || "client"}`,
      `Please find attached credit note ${number} of ${total} for ${group}, policy ${policy}. It credits invoice ${invoice}: ${reason}`,
      "Any overpayment of the invoice is kept as credit on the policy.",
      `Kind regards\n${organisation}`,
    ].join("\n\n"),
  }
}
