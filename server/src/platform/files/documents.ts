import type { PermissionName } from "@milkwood/domain/platform/permission"
import type { ErrorMap } from "@orpc/contract"
import { and, eq, type SQL, sql } from "drizzle-orm"
import type { PgColumn, PgTable } from "drizzle-orm/pg-core"
import { type Cx, refused } from "../calls/commands.ts"

type DocumentTable = PgTable &
  Record<"id" | "groupId" | "documentType" | "name" | "fileId" | "uploadedBy" | "uploadedAt", PgColumn>

export interface DocumentChange<T extends string> {
  act: "attached" | "replaced" | "removed"
  documentType: T
  name: string
  inWords: string
  wasInWords?: string
}

export interface DocumentModule<R extends { id: string; groupId: string }, T extends string, Answer> {
  record: string
  path: string
  permissions: { read: PermissionName; write: PermissionName }
  types(cx: Cx): Readonly<Record<T, string>> | Promise<Readonly<Record<T, string>>>
  table: DocumentTable
  errors: ErrorMap
  lock(cx: Cx, recordId: string): Promise<R>
  /** Applies the change to the record and records the fact. Returns the screen's answer. */
  save(cx: Cx, record: R, change: DocumentChange<T>): Promise<Answer>
  visible(cx: Pick<Cx, "actor">): SQL
  /** Records the opening. Its transaction commits before the file is read, so no file leaves unrecorded. */
  opened?(cx: Cx, document: { recordId: string; documentId: string; documentType: T }): Promise<void>
  fileName(cx: Cx, document: { recordId: string; documentType: T; fileName: string }): Promise<string>
}

/** For the audit trail. */
export const documentLabel = (name: string, type: string) => `${type}: ${name}`

export const keyOf = ({ record }: { record: string }) => `${record}Id`
export const columnOf = ({ record }: { record: string }) => sql.raw(`${record}_id`)

/** Deletes the file's row with its document; a daily job deletes the bytes. */
export const deleteFile = (cx: Cx, fileId: string) => cx.tx.run(sql`delete from files where id = ${fileId}`)

/** NOT_FOUND if the document does not belong to the record. Returns the answer of `save`. */
export async function removeDocument<R extends { id: string; groupId: string }, T extends string, Answer>(
  cx: Cx,
  of: DocumentModule<R, T, Answer>,
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
  return of.save(cx, record, { act: "removed", documentType, name, inWords: documentLabel(name, type) })
}

export const documentsList = (table: PgTable, where: SQL, name: SQL = sql`d.name`): SQL => sql`
  (select coalesce(jsonb_agg(jsonb_build_object(
      'id', d.id, 'documentType', d.document_type, 'name', ${name}, 'mime', f.mime, 'size', f.size,
      'uploadedBy', coalesce((select name from users where id = d.uploaded_by), ''), 'uploadedAt', d.uploaded_at
    ) order by d.uploaded_at, d.id), '[]')
    from ${table} d join files f on f.id = d.file_id where ${where})`
