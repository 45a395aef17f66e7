import { commonFields, mailTemplate } from "../platform/mail-template.ts"

const { name, organisation } = commonFields

const claim = { words: "the claim number", sample: "CLM-2026-000123" }
const claimLinkField = { words: "where the claim is found", sample: "https://milkwood.example/claims/2b61c0de" }

export const documentsRequestedTemplate = mailTemplate({
  label: "Documents requested",
  when: "To the person who submitted a claim, when documents are missing",
  fields: {
    name,
    claim,
    documents: { words: "the missing documents, one per line", sample: "- ID document\n- Death certificate" },
    note: {
      words: "the note of the person who requests the documents; may be empty",
      sample: "Please scan both sides of the ID document.",
    },
    link: claimLinkField,
    organisation,
  },
  required: ["documents", "link"],
  initial: {
    subject: "Documents needed for claim {claim}",
    text: [
      "Hello {name},",
      "Claim {claim} cannot continue without these documents:\n{documents}",
      "{note}",
      "Add them here: {link}",
      "{organisation}",
    ].join("\n\n"),
  },
})

export const claimDecisionTemplate = mailTemplate({
  label: "Claim decision",
  when: "To people who captured or handled a claim and chose to be emailed, when it is approved, rejected, paid, withdrawn or reopened",
  fields: {
    name,
    claim,
    outcome: { words: "what happened, such as approved, rejected, paid, withdrawn or reopened", sample: "approved" },
    link: claimLinkField,
    profile: { words: "where the recipient chooses what is mailed", sample: "https://milkwood.example/profile" },
    organisation,
  },
  required: ["claim", "outcome"],
  initial: {
    subject: "Claim {claim} was {outcome}",
    text: [
      "Hello {name},",
      "Claim {claim} was {outcome}.\n{link}",
      "Change your e-mail settings on your profile: {profile}",
      "{organisation}",
    ].join("\n\n"),
  },
})
