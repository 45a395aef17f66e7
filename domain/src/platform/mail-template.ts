import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

export interface MailText {
  subject: string
  text: string
}

/** A value as it is in a mail that really goes out; of amounts, how it is written with them. */
type Sample = string | ((money: (cents: Cents) => string) => string)

/** What a text may say in braces: what it is, and a value. */
export type MailFields<F extends string = string> = Readonly<Record<F, { words: string; sample: Sample }>>

/** A mail of the product whose words administrators may change: `{contact}` stands for what is filled in. */
export interface MailTemplate<F extends string = string> {
  label: string
  /** When it goes out, and to whom. */
  when: string
  fields: MailFields<F>
  /** What has to stand in the text, or the mail would not do what it is for. */
  required: readonly NoInfer<F>[]
  /** What holds until somebody writes something else. */
  initial: MailText
}

export const mailTemplate = <F extends string>(template: MailTemplate<F>): MailTemplate<F> => template

/** What fills a template in. */
export type MailValues<T extends MailTemplate> = Readonly<Record<keyof T["fields"], string>>

const field = /\{([^{}]*)\}/g

const namedIn = (text: string): string[] => [...new Set([...text.matchAll(field)].map(([, name]) => name!))]

/** What stands in braces and is no field, once each. */
export const unknownFields = (fields: MailFields, text: string): string[] =>
  namedIn(text).filter((name) => !Object.hasOwn(fields, name))

/** What has to stand in the text of this template, and does not. */
export const missingFields = ({ required }: MailTemplate, text: string): string[] =>
  required.filter((name) => !namedIn(text).includes(name))

export const unknownFieldWords = (name: string): string => `{${name}} is not a field that can be filled in`
export const missingFieldWords = (name: string): string => `{${name}} must be in the text`

/** The text with its fields filled in, once: what a value says in braces stays. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(field, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))

/** A mail as it goes out. A paragraph of a field that says nothing this time leaves no gap; a subject is one line. */
export const filledMail = ({ subject, text }: MailText, values: Readonly<Record<string, string>>): MailText => ({
  subject: filled(subject, values).replace(/\s+/g, " ").trim(),
  text: filled(text, values)
    .replace(/\n{3,}/g, "\n\n")
    .trim(),
})

/** The values of a preview. */
export function samplesOf({ fields }: MailTemplate, currency: Currency): Record<string, string> {
  const said = (sample: Sample) =>
    typeof sample === "string" ? sample : sample((cents) => formatMoney(cents, currency))
  return Object.fromEntries(Object.entries(fields).map(([name, { sample }]) => [name, said(sample)]))
}

/** What several templates say alike. */
export const commonFields = {
  organisation: { words: "the organisation's name", sample: "Umoya Benefits" },
  contact: { words: "the contact's name", sample: "Thandi Mokoena" },
  group: { words: "the group's name", sample: "Soweto Retail (Pty) Ltd" },
  policy: { words: "the policy number", sample: "GP-2026-000123" },
  name: { words: "the recipient's name", sample: "Sipho Dlamini" },
} as const satisfies MailFields
