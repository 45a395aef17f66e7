import type { PermissionName } from "@milkwood/domain/platform/permission"
import type { ErrorMap } from "@orpc/contract"
import { and, eq, type SQL, sql } from "drizzle-orm"
import type { PgColumn, PgTable } from "drizzle-orm/pg-core"
import { type Cx, refused } from "../calls/commands.ts"

/** A row a document; each stands in a group and points to its file and to its record. */
type DocumentTable = PgTable &
  Record<"id" | "groupId" | "documentType" | "name" | "fileId" | "uploadedBy" | "uploadedAt", PgColumn>

/** A document that was added to a record, replaced by another file, or taken off it. What is in words is for the trail. */
export interface DocumentChange<T extends string> {
  act: "attached" | "replaced" | "removed"
  documentType: T
  name: string
  inWords: string
  /** What a replaced one was before. */
  wasInWords?: string
}

/** What is special to the documents of one kind of record. */
export interface DocumentsOf<R extends { id: string; groupId: string }, T extends string, Answer> {
  /** The record as the table and the address name it: "claim" is `claimId` in both. */
  record: string
  /** Where the records are: "/api/claims". */
  path: string
  permissions: { read: PermissionName; write: PermissionName }
  /** The types there are, and their names. */
  types(cx: Cx): Readonly<Record<T, string>> | Promise<Readonly<Record<T, string>>>
  table: DocumentTable
  errors: ErrorMap
  /** Locks the record; refuses where its documents stay as they are, and NOT_FOUND where the actor does not see it. */
  lock(cx: Cx, recordId: string): Promise<R>
  /** Writes what the change means for the record, and tells of it. Answers what the screen shows. */
  save(cx: Cx, record: R, change: DocumentChange<T>): Promise<Answer>
  /** The condition on a row `d` that keeps from a reader what is not for them. */
  visible(cx: Pick<Cx, "actor">): SQL
  /** Puts on record that somebody reads a document, where that is kept. */
  opened?(cx: Cx, document: { recordId: string; documentType: T }): Promise<void>
  /** The name under which a reader gets the file. */
  fileName(cx: Cx, document: { recordId: string; documentType: T; fileName: string }): Promise<string>
}

/** A document as the trail names it. */
export const inWords = (name: string, type: string) => `${type}: ${name}`

/** The column that names the record, as Drizzle and as SQL call it. */
export const keyOf = ({ record }: { record: string }) => `${record}Id`
export const columnOf = ({ record }: { record: string }) => sql.raw(`${record}_id`)

/** Deletes the row of a file together with its document; a daily job deletes the bytes from the disk. */
export const deleteFile = (cx: Cx, fileId: string) => cx.tx.run(sql`delete from files where id = ${fileId}`)

/** Takes a document off a record; NOT_FOUND when it is not one of its own. Answers what `save` does. */
export async function removeDocument<R extends { id: string; groupId: string }, T extends string, Answer>(
  cx: Cx,
  of: DocumentsOf<R, T, Answer>,
  recordId: string,
  documentId: string,
): Promise<Answer> {
  const record = await of.lock(cx, recordId)
  const ofRecord = eq((of.table as unknown as Record<string, PgColumn>)[keyOf(of)]!, recordId)
  const removed = await cx.tx
    .delete(of.table)
    .where(and(eq(of.table.id, documentId), ofRecord))
    .returning()
  const document = removed[0] as { fileId: string; documentType: T; name: string } | undefined
  if (!document) throw refused("NOT_FOUND")
  await deleteFile(cx, document.fileId)
  const { documentType, name } = document
  const type = (await of.types(cx))[documentType]
  return of.save(cx, record, { act: "removed", documentType, name, inWords: inWords(name, type) })
}

/** The documents `d` of a record that a reader sees, as a list of `documentShape`; `name` is what they read as its name. */
export const documentsList = (table: PgTable, where: SQL, name: SQL = sql`d.name`): SQL => sql`
  (select coalesce(jsonb_agg(jsonb_build_object(
      'id', d.id, 'documentType', d.document_type, 'name', ${name}, 'mime', f.mime, 'size', f.size,
      'uploadedBy', coalesce((select name from users where id = d.uploaded_by), ''), 'uploadedAt', d.uploaded_at
    ) order by d.uploaded_at, d.id), '[]')
    from ${table} d join files f on f.id = d.file_id where ${where})`
