import { commonFields, type MailFields, type MailTemplate } from "../platform/mail-template.ts"

/** Mails about unpaid premiums. Policyholder Protection Rules, 15A, require the notice of non-payment. */
export const premiumMailKinds = ["reminder", "notice"] as const
export type PremiumMailKind = (typeof premiumMailKinds)[number]

const { contact, group, organisation, policy } = commonFields

/** Placeholders of the templates, filled in per policy. */
export const premiumMailFields = {
  contact,
  group,
  policy,
  outstanding: { words: "the outstanding amount less unallocated credit", sample: (money) => money(29_785_00) },
  arrears: {
    words: "a sentence on the overdue amount",
    sample: (money) => `Of this, ${money(14_892_50)} has been overdue since 2026-11-01.`,
  },
  unpaid: {
    words: "the unpaid premium invoices with their open amounts",
    sample: (money) => `INV-2026-000123, due on 2026-11-01, ${money(14_892_50)}`,
  },
  coverUntil: { words: "the last day of the grace period", sample: "2026-11-16" },
  day: { words: "today", sample: "2026-11-20" },
  organisation,
} as const satisfies MailFields
export type PremiumMailField = keyof typeof premiumMailFields

/** Default templates, editable in the settings and before sending. */
export const premiumTemplates: Record<PremiumMailKind, MailTemplate<PremiumMailField>> = {
  reminder: {
    label: "Premium reminder",
    when: "To the contact of a policy with outstanding premiums, with its statement of account. You can change the text before you send it",
    fields: premiumMailFields,
    required: ["outstanding"],
    initial: {
      subject: "Premiums outstanding on policy {policy}",
      text: [
        "Dear {contact}",
        "On {day}, premiums of {outstanding} are outstanding on policy {policy} of {group}. {arrears}",
        "The attached statement of account shows how this amount is made up. Please use {policy} as your payment reference.",
        "If you have paid in the meantime, please disregard this reminder; if you disagree, please tell us.",
        "Kind regards\n{organisation}",
      ].join("\n\n"),
    },
  },
  notice: {
    label: "Grace notice",
    when: "To the contact of a policy with an unpaid premium after its due date, with its statement of account",
    fields: premiumMailFields,
    required: ["unpaid", "coverUntil"],
    initial: {
      subject: "Notice of non-payment: policy {policy}",
      text: [
        "Dear {contact}",
        "We have not received the premium of policy {policy} of {group} by its due date: {unpaid}.",
        "Cover continues during the grace period, until {coverUntil}. If we have not received the premium by then, cover may end, and claims for incidents after that day may not be paid.",
        "The attached statement of account shows the outstanding amount: {outstanding}. Please use {policy} as your payment reference. If you have paid in the meantime, please disregard this notice.",
        "Kind regards\n{organisation}",
      ].join("\n\n"),
    },
  },
}
