import { commonFields, mailTemplate } from "../platform/mail-template.ts"

const { organisation } = commonFields

export const invitationTemplate = mailTemplate({
  label: "Invitation",
  when: "To a person who is invited to open an account",
  fields: {
    house: { words: "Milkwood, with the organisation's name", sample: "Milkwood at Umoya Benefits" },
    invitedBy: { words: "the person who sent the invitation", sample: "Ada Adams" },
    role: { words: "the role of the new account", sample: "manager" },
    link: {
      words: "the link to choose a password; shown only to the recipient",
      sample: "https://milkwood.example/accept-invitation#7Qd1vT",
    },
    days: { words: "days until the link expires", sample: "7" },
    organisation,
  },
  required: ["link"],
  initial: {
    subject: "Your invitation to {house}",
    text: [
      "Hello",
      "{invitedBy} invites you to Milkwood as {role}. Open this link to choose a password.",
      "{link}",
      "The link works once, for {days} days.",
      "{organisation}",
    ].join("\n\n"),
  },
})
