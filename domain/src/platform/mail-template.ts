import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

export interface MailText {
  subject: string
  text: string
}

type Sample = string | ((money: (cents: Cents) => string) => string)

export type MailFields<F extends string = string> = Readonly<Record<F, { words: string; sample: Sample }>>

/** A mail whose text administrators may change; placeholders are written `{contact}`. */
export interface MailTemplate<F extends string = string> {
  label: string
  when: string
  fields: MailFields<F>
  required: readonly NoInfer<F>[]
  initial: MailText
}

export const mailTemplate = <F extends string>(template: MailTemplate<F>): MailTemplate<F> => template

export type MailValues<T extends MailTemplate> = Readonly<Record<keyof T["fields"], string>>

const field = /\{([^{}]*)\}/g

const fieldNamesIn = (text: string): string[] => [...new Set([...text.matchAll(field)].map(([, name]) => name!))]

/** Unknown placeholders of a text, each once. */
export const unknownFields = (fields: MailFields, text: string): string[] =>
  fieldNamesIn(text).filter((name) => !Object.hasOwn(fields, name))

/** Required placeholders that a text lacks. */
export const missingFields = ({ required }: { required: readonly string[] }, text: string): string[] =>
  required.filter((name) => !fieldNamesIn(text).includes(name))

export const unknownFieldMessage = (name: string): string => `{${name}} is not a known placeholder`
export const missingFieldMessage = (name: string): string => `The text must contain {${name}}`

/** Replaces placeholders once; braces inside values are left as they are. */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(field, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))

/** Removes the gap of a paragraph whose value is empty, and keeps the subject on one line. */
export const fillMail = ({ subject, text }: MailText, values: Readonly<Record<string, string>>): MailText => ({
  subject: fillTemplate(subject, values).replace(/\s+/g, " ").trim(),
  text: fillTemplate(text, values)
    .replace(/\n{3,}/g, "\n\n")
    .trim(),
})

export function samplesOf({ fields }: Pick<MailTemplate, "fields">, currency: Currency): Record<string, string> {
  const said = (sample: Sample) =>
    typeof sample === "string" ? sample : sample((cents) => formatMoney(cents, currency))
  return Object.fromEntries(Object.entries(fields).map(([name, { sample }]) => [name, said(sample)]))
}

export const commonFields = {
  organisation: { words: "the organisation's name", sample: "Umoya Benefits" },
  contact: { words: "the contact's name", sample: "Thandi Mokoena" },
  group: { words: "the group's name", sample: "Soweto Retail (Pty) Ltd" },
  policy: { words: "the policy number", sample: "GP-2026-000123" },
  name: { words: "the recipient's name", sample: "Sipho Dlamini" },
} as const satisfies MailFields
