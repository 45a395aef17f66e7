import { commonFields, mailTemplate } from "../platform/mail-template.ts"

const { contact, group, organisation, policy } = commonFields

export const expiryTemplate = mailTemplate({
  label: "Policy expiry warning",
  when: "To a policy's contact, a set number of days before its end date (Settings, Notifications)",
  fields: {
    contact,
    group,
    policy,
    endsOn: { words: "the policy's last day", sample: "2026-12-31" },
    days: { words: "days until then", sample: "in 30 days" },
    organisation,
  },
  required: ["policy", "endsOn"],
  initial: {
    subject: "Policy {policy} ends on {endsOn}",
    text: [
      "Dear {contact}",
      "Policy {policy} of {group} ends on {endsOn}, {days}. Cover ends on that day unless the policy is renewed.",
      "Please tell us how you would like to proceed. If the renewal is already under way, please disregard this e-mail.",
      "Kind regards\n{organisation}",
    ].join("\n\n"),
  },
})

export const relativeDays = (days: number): string =>
  days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`
