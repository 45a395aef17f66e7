import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { sql } from "drizzle-orm"
import { command, query, refused } from "../platform/calls/commands.ts"
import { addNote, completeNoteFollowUp, listNotes, type NotesOf, strikeOutNote } from "../platform/notes.ts"
import { claimNotes } from "./claims.tables.ts"

const notesOfClaims: NotesOf = {
  record: "claim",
  table: claimNotes,
  async find({ tx }, claimId) {
    const claim = await tx.row<Awaited<ReturnType<NotesOf["find"]>>>(sql`
      select id, number, group_id as "groupId" from claims where id = ${claimId}`)
    if (!claim) throw refused("NOT_FOUND")
    return claim
  },
}

export const listClaimNotes = query(claimsContract.notes, (cx) => listNotes(cx, notesOfClaims, cx.input.claimId))

export const addClaimNote = command(claimsContract.addNote, (cx) =>
  addNote(cx, notesOfClaims, cx.input.claimId, cx.input.note),
)

export const strikeClaimNote = command(claimsContract.strikeNote, (cx) =>
  strikeOutNote(cx, notesOfClaims, { ...cx.input, recordId: cx.input.claimId }),
)

export const completeClaimFollowUp = command(claimsContract.completeFollowUp, (cx) =>
  completeNoteFollowUp(cx, notesOfClaims, { ...cx.input, recordId: cx.input.claimId }),
)
