import { z } from "zod"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { noteErrors, noteInput, notes, strikeReason } from "./note-shape.ts"

/**
 * The procedures for the notes of one kind of record, whose id is the field `key` of their inputs. Only for the
 * insurer's staff. Each answers the notes of the record, newest first, at most 500, and refuses NOT_FOUND.
 */
export function noteProcedures<Key extends string>(one: "claim" | "member", key: Key, tags: string[]) {
  const path = `/${one}s/{${key}}/notes` as const
  const recordId = { [key]: z.uuid() } as Record<Key, z.ZodUUID>
  const target = { ...recordId, noteId: z.uuid() }
  return {
    /** Notes, calls and e-mails about the record; those of a claim may contain medical facts. */
    notes: readProcedure("notes.read")
      .route({ method: "GET", path, summary: `List notes and calls of a ${one}`, tags })
      .input(z.object(recordId))
      .output(notes),

    /**
     * Saves a note, a call or an e-mail, which cannot be changed afterwards. `followUpOn` adds it to the author's
     * follow-ups. Refuses INVALID with the fields.
     */
    addNote: writeProcedure("notes.write", { idempotent: true })
      .route({ method: "POST", path, summary: `Add a note or call to a ${one}`, tags })
      .input(z.strictObject({ ...recordId, idempotencyKey: z.uuid(), note: noteInput }))
      .output(notes),

    /**
     * Strikes out one's own note, with a reason. The text remains and is shown as struck out; its follow-up ends. Refuses
     * FORBIDDEN for another author's note, and ALREADY_STRUCK.
     */
    strikeNote: writeProcedure("notes.write")
      .route({ method: "POST", path: `${path}/{noteId}/strike`, summary: `Strike out a note of a ${one}`, tags })
      .errors({ ALREADY_STRUCK: noteErrors.ALREADY_STRUCK })
      .input(z.strictObject({ ...target, reason: strikeReason }))
      .output(notes),

    /** Ends the follow-up of a note. Refuses NO_FOLLOW_UP if it has ended. */
    completeFollowUp: writeProcedure("notes.write")
      .route({ method: "POST", path: `${path}/{noteId}/follow-up`, summary: `Complete a follow-up of a ${one}`, tags })
      .errors({ NO_FOLLOW_UP: noteErrors.NO_FOLLOW_UP })
      .input(z.strictObject(target))
      .output(notes),
  }
}
