import { commonFields, type MailFields, type MailTemplate } from "../platform/mail-template.ts"

/** The notice of non-payment is required by Policyholder Protection Rules, 15A. */
export const premiumMailKinds = ["reminder", "notice"] as const
export type PremiumMailKind = (typeof premiumMailKinds)[number]

const { contact, group, organisation, policy } = commonFields

/** Placeholders, replaced per policy. */
export const premiumMailFields = {
  contact,
  group,
  policy,
  outstanding: { words: "what is outstanding, less unallocated credit", sample: (money) => money(29_785_00) },
  arrears: {
    words: "a sentence about what is overdue",
    sample: (money) => `Of this, ${money(14_892_50)} has been overdue since 2026-11-01.`,
  },
  unpaid: {
    words: "the unpaid premium invoices, with what is open on each",
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
    when: "To the contact of a policy that owes, with its statement of account; the text can be changed as it is sent",
    fields: premiumMailFields,
    required: ["outstanding"],
    initial: {
      subject: "Premiums outstanding on policy {policy}",
      text: [
        "Dear {contact}",
        "On {day}, {outstanding} of premiums is outstanding on policy {policy} of {group}. {arrears}",
        "The attached statement of account shows how this amount is made up. Please give {policy} as the reference of your payment.",
        "If you have paid in the meantime, please disregard this reminder; if you disagree, please tell us.",
        "Kind regards\n{organisation}",
      ].join("\n\n"),
    },
  },
  notice: {
    label: "Grace notice",
    when: "To the contact of a policy whose premium did not come by its due day, with its statement of account",
    fields: premiumMailFields,
    required: ["unpaid", "coverUntil"],
    initial: {
      subject: "Notice of non-payment: policy {policy}",
      text: [
        "Dear {contact}",
        "We have not received the premium of policy {policy} of {group} by its due day: {unpaid}.",
        "Cover continues during the grace period, until {coverUntil}. If the premium has not reached us by then, cover may end, and claims for incidents after that day may not be paid.",
        "The attached statement of account shows what is outstanding: {outstanding}. Please give {policy} as the reference of your payment. If you have paid in the meantime, please disregard this notice.",
        "Kind regards\n{organisation}",
      ].join("\n\n"),
    },
  },
}
