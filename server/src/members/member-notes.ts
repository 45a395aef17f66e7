import { membersContract } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { command, query, refused } from "../platform/calls/commands.ts"
import { addNote, completeNoteFollowUp, listNotes, type NotesOf, strikeOutNote } from "../platform/notes.ts"
import { memberNotes } from "./members.tables.ts"

const notesOfMembers: NotesOf = {
  record: "member",
  table: memberNotes,
  async find({ tx }, memberId) {
    const member = await tx.row<Awaited<ReturnType<NotesOf["find"]>>>(sql`
      select id, number, group_id as "groupId" from members where id = ${memberId}`)
    if (!member) throw refused("NOT_FOUND")
    return member
  },
}

export const listMemberNotes = query(membersContract.notes, (cx) => listNotes(cx, notesOfMembers, cx.input.memberId))

export const addMemberNote = command(membersContract.addNote, (cx) =>
  addNote(cx, notesOfMembers, cx.input.memberId, cx.input.note),
)

export const strikeMemberNote = command(membersContract.strikeNote, (cx) =>
  strikeOutNote(cx, notesOfMembers, { ...cx.input, recordId: cx.input.memberId }),
)

export const completeMemberFollowUp = command(membersContract.completeFollowUp, (cx) =>
  completeNoteFollowUp(cx, notesOfMembers, { ...cx.input, recordId: cx.input.memberId }),
)
