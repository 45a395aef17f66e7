/** Mails about what is owed: a reminder, and the notice of non-payment (Policyholder Protection Rules, 15A). */
export const premiumMailKinds = ["reminder", "notice"] as const
export type PremiumMailKind = (typeof premiumMailKinds)[number]

/** What a text may say in braces; each is filled in for the policy that the mail is about. */
export const mailFields = {
  contact: "the contact's name",
  group: "the group's name",
  policy: "the policy number",
  outstanding: "what is outstanding, less unallocated credit",
  arrears: "a sentence about what is overdue",
  unpaid: "the unpaid premium invoices, with what is open on each",
  coverUntil: "the last day of the grace period",
  day: "today",
  organisation: "the organisation's name",
} as const
export type MailField = keyof typeof mailFields

export interface MailText {
  subject: string
  text: string
}

/** What stands in the mail until somebody writes something else. */
export const mailTemplates: Record<PremiumMailKind, MailText> = {
  reminder: {
    subject: "Premiums outstanding on policy {policy}",
    text: [
      "Dear {contact}",
      "On {day}, {outstanding} of premiums is outstanding on policy {policy} of {group}. {arrears}",
      "The attached statement of account shows how it comes about. Please give {policy} as the reference of your payment.",
      "If you have paid in the meantime, please disregard this reminder; if you see it otherwise, please tell us.",
      "Kind regards\n{organisation}",
    ].join("\n\n"),
  },
  notice: {
    subject: "Notice of non-payment: policy {policy}",
    text: [
      "Dear {contact}",
      "We have not received the premium of policy {policy} of {group} by its due day: {unpaid}.",
      "Cover continues during the grace period, until {coverUntil}. If the premium has not reached us by then, cover may end, and claims for incidents after that day may not be paid.",
      "The attached statement of account shows what is outstanding: {outstanding}. Please give {policy} as the reference of your payment. If you have paid in the meantime, please disregard this notice.",
      "Kind regards\n{organisation}",
    ].join("\n\n"),
  },
}

const field = /\{([^{}]*)\}/g

/** What stands in braces and is no field, once each. */
export const unknownFields = (text: string): string[] => [
  ...new Set([...text.matchAll(field)].map(([, name]) => name!).filter((name) => !Object.hasOwn(mailFields, name))),
]

/** The text with its fields filled in, once: what a value says in braces stays. */
export const filled = (text: string, values: Readonly<Record<MailField, string>>): string =>
  text.replace(field, (whole, name: string) => (Object.hasOwn(values, name) ? values[name as MailField] : whole))
