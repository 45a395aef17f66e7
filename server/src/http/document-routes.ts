import { randomUUID } from "node:crypto"
import { normalizeLine } from "@milkwood/domain/kernel/text"
import { documentEndings } from "@milkwood/domain/platform/documents"
import { eq, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, invalidInput, refused } from "../platform/calls/commands.ts"
import { acceptedFiles } from "../platform/files/accepted-files.ts"
import { columnOf, type DocumentModule, deleteFile, documentLabel, keyOf } from "../platform/files/documents.ts"
import { download } from "./download.ts"
import { type HttpRoute, uuidOrNotFound } from "./file-route.ts"
import { type UploadedFile, upload } from "./upload.ts"

/**
 * A route that adds a document. Fields: the file, its `documentType`, and `documentName` (default: the file's name).
 */
export function attachDocument<R extends { id: string; groupId: string }, T extends string, Answer>(
  of: DocumentModule<R, T, Answer>,
): HttpRoute {
  return upload(
    {
      path: `${of.path}/:${keyOf(of)}/documents`,
      permission: of.permissions.write,
      summary: `Add a document to a ${of.record}`,
      words: {
        fields: { documentType: "Type of the document" },
        optionalFields: { documentName: "Name of the document; default: the name of the file" },
      },
      accepts: acceptedFiles(documentEndings),
      errors: of.errors,
    },
    async ({ app, params, fields, file, transaction }) => {
      const recordId = uuidOrNotFound(params[keyOf(of)])
      const name = normalizeLine(fields.documentName ?? "") || file.name
      if (name.length > 200) throw invalidInput([{ path: "documentName", message: "At most 200 characters" }])
      await app.files.put(file.content)
      return transaction(async (cx) => {
        const types = await of.types(cx)
        const documentType = (Object.keys(types) as T[]).find((type) => type === fields.documentType)
        if (!documentType) throw invalidInput([{ path: "documentType", message: "Choose the type of the document." }])
        const record = await of.lock(cx, recordId)
        const kept = await storeDocumentFile(cx, of, record, file)
        const row = { id: randomUUID(), groupId: record.groupId, [keyOf(of)]: recordId, documentType, name, ...kept }
        await cx.tx.insert(of.table).values(row as never)
        return of.save(cx, record, {
          act: "attached",
          documentType,
          name,
          inWords: documentLabel(name, types[documentType]),
        })
      })
    },
  )
}

async function storeDocumentFile(cx: Cx, of: { record: string }, { groupId }: { groupId: string }, file: UploadedFile) {
  const { name, mime, content } = file
  const { id: fileId } = await cx.app.files.save(cx, { kind: `${of.record}_document`, name, mime, groupId, content })
  return { fileId, uploadedBy: ruleActor(cx.actor).userId, uploadedAt: cx.now }
}

export function replaceDocument<R extends { id: string; groupId: string }, T extends string, Answer>(
  of: DocumentModule<R, T, Answer>,
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
        const values = { name, ...(await storeDocumentFile(cx, of, record, file)) }
        await cx.tx
          .update(of.table)
          .set(values as never)
          .where(eq(of.table.id, documentId))
        await deleteFile(cx, document.fileId)
        const { documentType } = document
        const type = (await of.types(cx))[documentType]
        return of.save(cx, record, {
          act: "replaced",
          documentType,
          name,
          inWords: documentLabel(file.name, type),
          wasInWords: documentLabel(document.fileName, type),
        })
      })
    },
  )
}

export function readDocument<R extends { id: string; groupId: string }, T extends string, Answer>(
  of: DocumentModule<R, T, Answer>,
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
        await of.opened?.(cx, { recordId, documentId, ...found })
        return { fileId, mime, name: await of.fileName(cx, { recordId, ...found }) }
      })
    },
  )
}
