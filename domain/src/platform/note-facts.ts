import type { NoteKind } from "./note.ts"

/** Internal to the insurer: without a group, an employer's users cannot read them. They never contain the text. */
export type NoteFact = {
  record: { kind: "claim" | "member"; id: string; label: string }
  groupId: null
  noteId: string
} & ({ type: "NoteAdded"; noteKind: NoteKind } | { type: "NoteStruck" } | { type: "FollowUpCompleted" })

export const noteSentences = {
  NoteAdded: ({ noteKind }: Extract<NoteFact, { type: "NoteAdded" }>) =>
    noteKind === "note" ? "added a note" : `logged ${noteKind === "call" ? "a call" : "an e-mail"}`,
  NoteStruck: () => "struck out a note",
  FollowUpCompleted: () => "completed a follow-up",
}
