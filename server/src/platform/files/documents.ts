import { randomUUID } from "node:crypto"
import { oneLine } from "@milkwood/domain/kernel/text"
import { documentEndings } from "@milkwood/domain/platform/documents"
import type { PermissionName } from "@milkwood/domain/platform/permission"
import type { ErrorMap } from "@orpc/contract"
import { and, eq, type SQL, sql } from "drizzle-orm"
import type { PgColumn, PgTable } from "drizzle-orm/pg-core"
import { download } from "../../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../../http/file-route.ts"
import { type UploadedFile, upload } from "../../http/upload.ts"
import { ruleActor } from "../calls/actor.ts"
import { type Cx, invalid, refused } from "../calls/commands.ts"
import { acceptedFiles } from "./accepted-files.ts"

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

const inWords = (name: string, type: string) => `${type}: ${name}`

/** The column that names the record, as Drizzle and as SQL call it. */
const keyOf = ({ record }: { record: string }) => `${record}Id`
const columnOf = ({ record }: { record: string }) => sql.raw(`${record}_id`)

/**
 * A route that adds a document to a record: the file, its `documentType`, and a `documentName` (the file's own name
 * without one).
 */
export function attachDocument<R extends { id: string; groupId: string }, T extends string, Answer>(
  of: DocumentsOf<R, T, Answer>,
): HttpRoute {
  return upload(
    {
      path: `${of.path}/:${keyOf(of)}/documents`,
      permission: of.permissions.write,
      summary: `Add a document to a ${of.record}`,
      words: {
        fields: { documentType: "The type of the document" },
        optionalFields: { documentName: "Its name; without it that of the file" },
      },
      accepts: acceptedFiles(documentEndings),
      errors: of.errors,
    },
    async ({ app, params, fields, file, transaction }) => {
      const recordId = uuidOrNotFound(params[keyOf(of)])
      const name = oneLine(fields.documentName ?? "") || file.name
      if (name.length > 200) throw invalid([{ path: "documentName", message: "At most 200 characters" }])
      await app.files.put(file.content)
      return transaction(async (cx) => {
        const types = await of.types(cx)
        const documentType = (Object.keys(types) as T[]).find((type) => type === fields.documentType)
        if (!documentType) throw invalid([{ path: "documentType", message: "Choose the type of the document." }])
        const record = await of.lock(cx, recordId)
        const kept = await keep(cx, of, record, file)
        const row = { id: randomUUID(), groupId: record.groupId, [keyOf(of)]: recordId, documentType, name, ...kept }
        await cx.tx.insert(of.table).values(row as never)
        return of.save(cx, record, {
          act: "attached",
          documentType,
          name,
          inWords: inWords(name, types[documentType]),
        })
      })
    },
  )
}

/** Keeps a file that was sent for a record; answers the columns that say so. */
async function keep(cx: Cx, of: { record: string }, { groupId }: { groupId: string }, file: UploadedFile) {
  const { name, mime, content } = file
  const { id: fileId } = await cx.app.files.save(cx, { kind: `${of.record}_document`, name, mime, groupId, content })
  return { fileId, uploadedBy: ruleActor(cx.actor).userId, uploadedAt: cx.now }
}

/**
 * A route that puts another file in the place of a document's own, which is deleted. A name that was given to the
 * document stays; one that was its file's becomes that of the new file.
 */
export function replaceDocument<R extends { id: string; groupId: string }, T extends string, Answer>(
  of: DocumentsOf<R, T, Answer>,
): HttpRoute {
  return upload(
    {
      path: `${of.path}/:${keyOf(of)}/documents/:documentId`,
      permission: of.permissions.write,
      summary: `Replace a document of a ${of.record}`,
      accepts: acceptedFiles(documentEndings),
      errors: of.errors,
    },
    async ({ app, params, file, transaction }) => {
      const recordId = uuidOrNotFound(params[keyOf(of)])
      const documentId = uuidOrNotFound(params.documentId)
      await app.files.put(file.content)
      return transaction(async (cx) => {
        const record = await of.lock(cx, recordId)
        const document = await cx.tx.row<{ documentType: T; name: string; fileId: string; fileName: string }>(sql`
          select d.document_type as "documentType", d.name, d.file_id as "fileId",
            (select f.name from files f where f.id = d.file_id) as "fileName"
          from ${of.table} d where d.id = ${documentId} and d.${columnOf(of)} = ${recordId} for update of d`)
        if (!document) throw refused("NOT_FOUND")
        const name = document.name === document.fileName ? file.name : document.name
        const values = { name, ...(await keep(cx, of, record, file)) }
        await cx.tx
          .update(of.table)
          .set(values as never)
          .where(eq(of.table.id, documentId))
        await letGo(cx, document.fileId)
        const { documentType } = document
        const type = (await of.types(cx))[documentType]
        return of.save(cx, record, {
          act: "replaced",
          documentType,
          name,
          inWords: inWords(file.name, type),
          wasInWords: inWords(document.fileName, type),
        })
      })
    },
  )
}

/** The row of a file goes with its document; the bytes are swept from the disk a day later. */
const letGo = (cx: Cx, fileId: string) => cx.tx.run(sql`delete from files where id = ${fileId}`)

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
  await letGo(cx, document.fileId)
  const { documentType, name } = document
  const type = (await of.types(cx))[documentType]
  return of.save(cx, record, { act: "removed", documentType, name, inWords: inWords(name, type) })
}

/** A route that reads a document as a file, to be looked at on the page or kept. */
export function readDocument<R extends { id: string; groupId: string }, T extends string, Answer>(
  of: DocumentsOf<R, T, Answer>,
): HttpRoute {
  return download(
    {
      path: `${of.path}/:${keyOf(of)}/documents/:documentId`,
      permission: of.permissions.read,
      summary: `Read a document of a ${of.record}`,
    },
    async ({ params, transaction }) => {
      const recordId = uuidOrNotFound(params[keyOf(of)])
      const documentId = uuidOrNotFound(params.documentId)
      return transaction(async (cx) => {
        const found = await cx.tx.row<{ fileId: string; fileName: string; mime: string; documentType: T }>(sql`
          select d.file_id as "fileId", f.name as "fileName", f.mime, d.document_type as "documentType"
          from ${of.table} d join files f on f.id = d.file_id
          where d.id = ${documentId} and d.${columnOf(of)} = ${recordId} and ${of.visible(cx)}`)
        if (!found) throw refused("NOT_FOUND")
        const { fileId, mime } = found
        await of.opened?.(cx, { recordId, ...found })
        return { fileId, mime, name: await of.fileName(cx, { recordId, ...found }) }
      })
    },
  )
}

/** The documents `d` of a record that a reader sees, as a list of `documentShape`; `name` is what they read as its name. */
export const documentsList = (table: PgTable, where: SQL, name: SQL = sql`d.name`): SQL => sql`
  (select coalesce(jsonb_agg(jsonb_build_object(
      'id', d.id, 'documentType', d.document_type, 'name', ${name}, 'mime', f.mime, 'size', f.size,
      'uploadedBy', coalesce((select name from users where id = d.uploaded_by), ''), 'uploadedAt', d.uploaded_at
    ) order by d.uploaded_at, d.id), '[]')
    from ${table} d join files f on f.id = d.file_id where ${where})`
