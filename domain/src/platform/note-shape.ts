import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { line, text } from "../kernel/text-shape.ts"
import { noteActions, noteDirections, noteKinds } from "./note.ts"

export const noteInput = z.strictObject({
  kind: z.enum(noteKinds),
  /** Required for a call or an e-mail; null for a note. */
  direction: z.enum(noteDirections).nullable().default(null),
  /** The other person of the call or e-mail; required. */
  person: line(200).default(""),
  /** Their number or address. */
  contact: line(200).default(""),
  text: text(4_000),
  /** Null: today. */
  happenedOn: day.nullable().default(null),
  /** A task for the author on this day. */
  followUpOn: day.nullable().default(null),
})

export const note = z.object({
  id: z.uuid(),
  ...noteInput.shape,
  happenedOn: day,
  followedUpAt: instant.nullable(),
  followedUpBy: z.string().nullable(),
  writtenAt: instant,
  /** Name of the author. */
  writtenBy: z.string(),
  /** Struck out by the author, with a reason; the text remains. */
  struckAt: instant.nullable(),
  struckReason: z.string().nullable(),
  allowedActions: z.array(z.enum(noteActions)),
})
export type Note = z.infer<typeof note>

/** At most 500, newest first. */
export const notes = z.array(note)

export const strikeReason = text(500).refine((reason) => reason !== "", "Enter a reason")

export const noteErrors = {
  ALREADY_STRUCK: { status: 409, message: "This note is already struck out." },
  NO_FOLLOW_UP: { status: 409, message: "This follow-up is already done." },
} as const
