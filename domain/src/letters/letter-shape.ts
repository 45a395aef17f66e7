import { z } from "zod"
import { documentMail } from "../billing/delivery-shape.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { line, text } from "../kernel/text-shape.ts"
import { mailStates } from "../platform/mail-states.ts"
import { letterKinds, letterRecords } from "./letter.ts"

export const letterKind = z.enum(letterKinds)

export const letterRecord = z.object({ record: z.enum(letterRecords), recordId: z.uuid() })

export const letterRow = z.object({ label: z.string(), value: z.string(), isTotal: z.boolean() })

export const letterWording = z.object({
  title: z.string(),
  /** Name and address of the recipient, one line each. */
  addressee: z.array(z.string()),
  reference: z.string(),
  /** Paragraphs and tables, in order. */
  blocks: z.array(z.union([z.object({ text: z.string() }), z.object({ rows: z.array(letterRow) })])),
})

/** Content of a letter beyond its record and template. */
export const letterInput = z.object({
  kind: letterKind,
  recordId: z.uuid(),
  /** The payment of a payment advice; null for other letters. */
  payoutId: z.uuid().nullable().default(null),
  /** Name and address, one line each; empty for the address that is on record. */
  addressee: text(500).default(""),
  /** An extra paragraph at the template's placeholder {note}; may be empty. */
  note: text(2_000).default(""),
})

export type LetterInput = z.output<typeof letterInput>

export const letterMail = documentMail
export type LetterMail = z.output<typeof letterMail>

export const letter = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: letterKind,
  on: day,
  /** Null after the person was anonymised. */
  wording: letterWording.nullable(),
  /** 0 is the built-in template. */
  templateVersion: z.int(),
  writtenAt: instant,
  writtenBy: z.string(),
  /** Newest first. */
  mails: z.array(
    z.object({
      to: z.string(),
      sentAt: instant,
      sentBy: z.string(),
      /** Null when the mail is past its retention period. */
      state: z.enum(mailStates).nullable(),
    }),
  ),
})
export type Letter = z.infer<typeof letter>

/** A letter that can be written now. */
export const letterChoice = z.object({
  kind: letterKind,
  payoutId: z.uuid().nullable(),
  label: z.string(),
})
export type LetterChoice = z.infer<typeof letterChoice>

export const recordLetters = z.object({
  /** Newest first. */
  letters: z.array(letter),
  choices: z.array(letterChoice),
})
export type RecordLetters = z.infer<typeof recordLetters>

export const letterPreview = z.object({
  wording: letterWording,
  on: day,
  templateVersion: z.int(),
  /** Hash of the wording; `create` needs it. */
  fingerprint: z.string(),
  /** Default covering mail; `to` is empty if no address is on record. */
  mail: z.object({ to: z.string(), subject: z.string(), text: z.string() }),
})
export type LetterPreview = z.infer<typeof letterPreview>

export const letterText = z.object({
  title: line(200).min(1, "Enter a title"),
  text: text(8_000).min(1, "Enter the text"),
})
export type LetterText = z.infer<typeof letterText>

export const letterTemplateRow = z.object({
  kind: letterKind,
  label: z.string(),
  when: z.string(),
  /** Placeholders that the text may contain. */
  fields: z.array(z.object({ name: z.string(), words: z.string(), isRequired: z.boolean() })),
  title: z.string(),
  text: z.string(),
  /** Increases with each change; 0 is the built-in text. */
  version: z.int(),
  savedAt: instant.nullable(),
  savedBy: z.string().nullable(),
  isDefault: z.boolean(),
})
export type LetterTemplateRow = z.infer<typeof letterTemplateRow>
