import type { Cents, Currency } from "../kernel/money.ts"
import { type MailFields, samplesOf } from "../platform/mail-template.ts"
import type { LetterKind, LetterRow } from "./letter.ts"
import type { LetterText } from "./letter-shape.ts"
import { letterTexts } from "./letter-texts.ts"

/** A letter whose text administrators may change. A table fills a paragraph that is only its placeholder. */
export interface LetterTemplate {
  when: string
  fields: MailFields
  /** Sample rows of the placeholders that are tables. */
  tables: Readonly<Record<string, LetterRow[]>>
  required: readonly string[]
  initial: LetterText
}

export type LetterValues = Readonly<Record<string, string | LetterRow[]>>

const row = (label: string, value = "", isTotal = false): LetterRow => ({ label, value, isTotal })

const common: MailFields = {
  organisation: { words: "the organisation's name", sample: "Umoya Benefits" },
  name: { words: "the recipient's name", sample: "Sipho Dlamini" },
  reference: { words: "the number of the claim, member or policy", sample: "CLM-2026-000123" },
  date: { words: "the date of the letter", sample: "2026-11-02" },
  policy: { words: "the policy number", sample: "GP-2026-000123" },
  group: { words: "the employer's name", sample: "Soweto Retail (Pty) Ltd" },
  note: {
    words: "the paragraph typed when the letter is written; may be empty",
    sample: "Please ask for Lerato Botha when you call.",
  },
}

const claim: MailFields = {
  ...common,
  member: { words: "the member's name", sample: "Sipho Dlamini" },
  insuredPerson: { words: "the insured person", sample: "Nomsa Dlamini" },
  benefit: { words: "the benefit", sample: "Funeral cover" },
  incidentOn: { words: "the day of the incident", sample: "2026-10-20" },
  receivedOn: { words: "the day the claim was submitted", sample: "2026-10-22" },
  condolence: {
    words: "a sentence of sympathy after a death; otherwise empty",
    sample: "Please accept our condolences on the death of Nomsa Dlamini.",
  },
}

const objectionDays = { words: "the number of days to object, from the settings", sample: "90" }
const amount = { words: "the amount", sample: (money: (cents: Cents) => string) => money(48_000_00) }
const table = (words: string) => ({ words: `a table: ${words}`, sample: "" })

export const letterTemplates: Readonly<Record<LetterKind, LetterTemplate>> = {
  claim_received: {
    when: "To the claimant, after a claim is submitted",
    fields: {
      ...claim,
      promisedDays: { words: "the time to decide once all documents are there", sample: "2 working days" },
    },
    tables: {},
    required: ["reference"],
    initial: letterTexts.claim_received,
  },
  claim_documents: {
    when: "To the claimant, while documents are missing",
    fields: {
      ...claim,
      documents: { words: "the missing documents, one per line", sample: "- ID document\n- Death certificate" },
    },
    tables: {},
    required: ["reference", "documents"],
    initial: letterTexts.claim_documents,
  },
  claim_approved: {
    when: "To the claimant, after the last approval",
    fields: {
      ...claim,
      objectionDays,
      amount,
      approvedOn: { words: "the day of the approval", sample: "2026-10-24" },
      working: table("how the approved amount was calculated"),
      reduction: {
        words: "why less was approved than before; may be empty",
        sample: "Reason for the reduction: the bill was lower.",
      },
    },
    tables: {
      working: [
        row("Amount requested", "R 50 000,00"),
        row("Less: above what the policy covers", "-R 2 000,00"),
        row("Approved amount", "R 48 000,00", true),
      ],
    },
    required: ["reference", "working"],
    initial: letterTexts.claim_approved,
  },
  claim_rejected: {
    when: "To the claimant, after a claim is rejected",
    fields: {
      ...claim,
      rejectedOn: { words: "the day of the rejection", sample: "2026-10-24" },
      reason: { words: "the reason of the rejection", sample: "The policy had ended before the incident." },
      objectionDays,
      answerDays: { words: "the number of days in which an objection is answered, from the settings", sample: "45" },
      legalMonths: { words: "the number of months for legal action, from the settings", sample: "6" },
      ombud: {
        words: "the ombud's contact details, from the settings",
        sample: "National Financial Ombud Scheme South Africa (NFO)\nTelephone 0860 800 900",
      },
    },
    tables: {},
    required: ["reference", "reason", "objectionDays", "legalMonths", "ombud"],
    initial: letterTexts.claim_rejected,
  },
  payment_advice: {
    when: "To a payee, after the payment of a claim",
    fields: { ...claim, amount, payment: table("payee, account, reference, day and amount") },
    tables: {
      payment: [
        row("Paid to", "Lerato Dlamini"),
        row("Account", "Nedbank, account ending in 4567"),
        row("Amount paid", "R 24 000,00", true),
      ],
    },
    required: ["reference", "payment"],
    initial: letterTexts.payment_advice,
  },
  cover_confirmation: {
    when: "To a member who is covered",
    fields: {
      ...common,
      member: { words: "the member's name", sample: "Sipho Dlamini" },
      tier: { words: "the benefit tier", sample: "Gold" },
      cover: table("the cover of each insured person by benefit"),
    },
    tables: { cover: [row("Sipho Dlamini (member)"), row("Funeral cover", "R 30 000,00")] },
    required: ["member", "cover"],
    initial: letterTexts.cover_confirmation,
  },
  joining_certificate: {
    when: "To a member, after joining the policy",
    fields: {
      ...common,
      member: { words: "the member's name", sample: "Sipho Dlamini" },
      joinedOn: { words: "the first day of membership", sample: "2026-01-01" },
      tier: { words: "the benefit tier", sample: "Gold" },
      cover: table("the member's cover by benefit"),
      dependents: table("the covered dependents with their first day of cover"),
    },
    tables: {
      cover: [row("Funeral cover", "R 30 000,00")],
      dependents: [row("Nomsa Dlamini (spouse)", "since 2026-01-01")],
    },
    required: ["member", "joinedOn"],
    initial: letterTexts.joining_certificate,
  },
  policy_schedule: {
    when: "To the employer of an active policy",
    fields: {
      ...common,
      terms: table("product, term, waiting period and number of members"),
      benefits: table("the cover of each benefit by tier"),
    },
    tables: {
      terms: [row("Product", "Group Funeral"), row("Policy starts on", "2026-01-01")],
      benefits: [row("Funeral cover, Gold", "R 30 000,00")],
    },
    required: ["reference", "terms", "benefits"],
    initial: letterTexts.policy_schedule,
  },
}

/** Sample values for the preview of a template. */
export const letterSamples = ({ fields, tables }: LetterTemplate, currency: Currency): LetterValues => ({
  ...samplesOf({ fields }, currency),
  ...tables,
})
