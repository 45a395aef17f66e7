import type { Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"

/** Notes, calls and mails about a claim or a member. Only the insurer's staff read them. */
export const noteKinds = ["note", "call", "mail"] as const
export type NoteKind = (typeof noteKinds)[number]

export const noteKindNames: Record<NoteKind, string> = { note: "Note", call: "Call", mail: "E-mail" }

export const noteDirections = ["in", "out"] as const
export type NoteDirection = (typeof noteDirections)[number]

export const noteDirectionNames: Record<NoteDirection, string> = { in: "Incoming", out: "Outgoing" }

export const noteActions = ["strike", "completeFollowUp"] as const
export type NoteAction = (typeof noteActions)[number]

export interface NoteState {
  writtenBy: string
  followUpOn: Day | null
  followedUpAt: string | null
  struckAt: string | null
}

export interface NoteInput {
  kind: NoteKind
  direction: NoteDirection | null
  person: string
  contact: string
  text: string
  /** Null: today. */
  happenedOn: Day | null
  followUpOn: Day | null
}

export type NoteProblems = Partial<Record<keyof NoteInput, string>>

/** By field. A call or mail has a direction and a person; a note has neither. */
export function noteProblems(note: NoteInput, today: Day): NoteProblems {
  const problems: NoteProblems = {}
  if (note.text.trim() === "") problems.text = "Enter the text"
  if (note.kind === "note") {
    if (note.direction !== null || note.person !== "" || note.contact !== "")
      problems.kind = "Only a call or an e-mail can have a direction, a person and a number"
  } else {
    if (note.direction === null) problems.direction = "Choose incoming or outgoing"
    if (note.person.trim() === "") problems.person = "Enter the name of the person"
  }
  if (note.happenedOn !== null && note.happenedOn > today) problems.happenedOn = "The day cannot be in the future"
  if (note.followUpOn !== null && note.followUpOn < today) problems.followUpOn = "The day cannot be in the past"
  return problems
}

export const hasOpenFollowUp = ({ followUpOn, followedUpAt, struckAt }: NoteState): boolean =>
  followUpOn !== null && followedUpAt === null && struckAt === null

/** A saved note never changes. Its author can strike it out once, with a reason. */
export function strikeNote<Note extends NoteState>(
  note: Note,
  userId: string,
  now: Temporal.Instant,
): Decision<Note & { struckAt: string }, "FORBIDDEN" | "ALREADY_STRUCK"> {
  if (note.writtenBy !== userId) return refuse("FORBIDDEN")
  if (note.struckAt !== null) return refuse("ALREADY_STRUCK")
  return { ...note, struckAt: now.toString() }
}

export function completeFollowUp<Note extends NoteState>(
  note: Note,
  now: Temporal.Instant,
): Decision<Note & { followedUpAt: string }, "NO_FOLLOW_UP"> {
  return hasOpenFollowUp(note) ? { ...note, followedUpAt: now.toString() } : refuse("NO_FOLLOW_UP")
}

export function noteActionsOf(note: NoteState, userId: string): NoteAction[] {
  return [
    ...(hasOpenFollowUp(note) ? (["completeFollowUp"] as const) : []),
    ...(note.writtenBy === userId && note.struckAt === null ? (["strike"] as const) : []),
  ]
}
