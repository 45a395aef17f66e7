import { randomUUID } from "node:crypto"
import {
  completeFollowUp,
  type NoteInput,
  type NoteState,
  noteActionsOf,
  noteProblems,
  strikeNote,
} from "@milkwood/domain/platform/note"
import type { NoteFact } from "@milkwood/domain/platform/note-facts"
import type { Note } from "@milkwood/domain/platform/note-shape"
import { sql } from "drizzle-orm"
import type { PgTable } from "drizzle-orm/pg-core"
import { ruleActor } from "./calls/actor.ts"
import { type Cx, invalidInput, orRefuse, refused } from "./calls/commands.ts"
import { record } from "./trail/facts.ts"

interface NotedRecord {
  id: string
  groupId: string
  /** For the audit trail. */
  number: string
}

/** The notes of one kind of record: `claim_notes`, `member_notes`. */
export interface NotesOf {
  record: "claim" | "member"
  table: PgTable
  /** NOT_FOUND if the actor may not see the record. */
  find(cx: Cx, recordId: string): Promise<NotedRecord>
}

const maxNotesListed = 500

const ownerColumn = ({ record }: NotesOf) => sql.raw(`${record}_id`)

/** Newest first. */
export async function listNotes(cx: Cx, of: NotesOf, recordId: string): Promise<Note[]> {
  await of.find(cx, recordId)
  const { userId } = ruleActor(cx.actor)
  const rows = await cx.tx.rows<Omit<Note, "allowedActions"> & { writtenById: string }>(sql`
    select n.id, n.kind, n.direction, n.person, n.contact, n.text, n.happened_on as "happenedOn",
      n.follow_up_on as "followUpOn", n.followed_up_at as "followedUpAt", f.name as "followedUpBy",
      n.written_at as "writtenAt", w.name as "writtenBy", n.written_by as "writtenById",
      n.struck_at as "struckAt", n.struck_reason as "struckReason"
    from ${of.table} n join users w on w.id = n.written_by left join users f on f.id = n.followed_up_by
    where n.${ownerColumn(of)} = ${recordId} order by n.written_at desc, n.id desc limit ${maxNotesListed}`)
  return rows.map(({ writtenById, ...note }) => ({
    ...note,
    allowedActions: noteActionsOf({ ...note, writtenBy: writtenById }, userId),
  }))
}

export async function addNote(cx: Cx, of: NotesOf, recordId: string, note: NoteInput): Promise<Note[]> {
  const problems = Object.entries(noteProblems(note, cx.today))
  if (problems.length > 0) throw invalidInput(problems.map(([path, message]) => ({ path: `note.${path}`, message })))
  const noted = await of.find(cx, recordId)
  const id = randomUUID()
  await cx.tx.run(sql`
    insert into ${of.table} (id, group_id, ${ownerColumn(of)}, kind, direction, person, contact, text, happened_on,
      follow_up_on, written_at, written_by)
    values (${id}, ${noted.groupId}, ${recordId}, ${note.kind}, ${note.direction}, ${note.person}, ${note.contact},
      ${note.text}, ${note.happenedOn ?? cx.today}, ${note.followUpOn}, ${cx.now}, ${ruleActor(cx.actor).userId})`)
  await record(cx, [{ type: "NoteAdded", ...factHead(of, noted, id), noteKind: note.kind }])
  return listNotes(cx, of, recordId)
}

/** NOT_FOUND if the note does not belong to the record. */
export async function strikeOutNote(
  cx: Cx,
  of: NotesOf,
  { recordId, noteId, reason }: { recordId: string; noteId: string; reason: string },
): Promise<Note[]> {
  const noted = await of.find(cx, recordId)
  const note = await lockNote(cx, of, recordId, noteId)
  orRefuse(strikeNote(note, ruleActor(cx.actor).userId, cx.now))
  await cx.tx.run(sql`update ${of.table} set struck_at = ${cx.now}, struck_reason = ${reason} where id = ${noteId}`)
  await record(cx, [{ type: "NoteStruck", ...factHead(of, noted, noteId) }])
  return listNotes(cx, of, recordId)
}

export async function completeNoteFollowUp(
  cx: Cx,
  of: NotesOf,
  { recordId, noteId }: { recordId: string; noteId: string },
): Promise<Note[]> {
  const noted = await of.find(cx, recordId)
  orRefuse(completeFollowUp(await lockNote(cx, of, recordId, noteId), cx.now))
  await cx.tx.run(sql`
    update ${of.table} set followed_up_at = ${cx.now}, followed_up_by = ${ruleActor(cx.actor).userId} where id = ${noteId}`)
  await record(cx, [{ type: "FollowUpCompleted", ...factHead(of, noted, noteId) }])
  return listNotes(cx, of, recordId)
}

async function lockNote({ tx }: Cx, of: NotesOf, recordId: string, noteId: string): Promise<NoteState> {
  const note = await tx.row<NoteState>(sql`
    select written_by as "writtenBy", follow_up_on as "followUpOn", followed_up_at as "followedUpAt",
      struck_at as "struckAt"
    from ${of.table} where id = ${noteId} and ${ownerColumn(of)} = ${recordId} for update`)
  if (!note) throw refused("NOT_FOUND")
  return note
}

const factHead = (of: NotesOf, { id, number }: NotedRecord, noteId: string) =>
  ({ record: { kind: of.record, id, label: number }, groupId: null, noteId }) satisfies Omit<NoteFact, "type">
