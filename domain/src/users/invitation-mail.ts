import { commonFields, mailTemplate } from "../platform/mail-template.ts"

const { organisation } = commonFields

export const invitationTemplate = mailTemplate({
  label: "Invitation",
  when: "To somebody who is invited to have an account",
  fields: {
    house: { words: "Milkwood, with the organisation's name", sample: "Milkwood of Umoya Benefits" },
    invitedBy: { words: "who invites", sample: "Ada Adams" },
    role: { words: "the role that the account will have", sample: "manager" },
    link: {
      words: "the link under which the password is chosen; shown only to the recipient",
      sample: "https://milkwood.example/accept-invitation#7Qd1vT",
    },
    days: { words: "how many days the link works", sample: "7" },
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
