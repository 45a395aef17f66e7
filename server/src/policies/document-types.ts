import { randomUUID } from "node:crypto"
import { diffFields } from "@milkwood/domain/kernel/changes"
import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { documentReaderNames } from "@milkwood/domain/policies/policy-document"
import type { DocumentTypeFields, DocumentTypeRow } from "@milkwood/domain/policies/policy-documents.contract"
import { eq, type SQL, sql } from "drizzle-orm"
import { type Cx, command, invalidInput, query, refused } from "../platform/calls/commands.ts"
import { lockRow, pickFields, refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { policyDocumentRequirements, policyDocumentTypes } from "./policies.tables.ts"

const contract = policiesContract.documents.types

const selectDocumentTypes = (where: SQL): SQL => sql`
  select t.id, t.name, t.readers, t.required_for_all as "requiredForAll", t.version,
    array(select r.product_type_id from policy_document_requirements r where r.document_type = t.id
      order by r.product_type_id) as "productTypeIds",
    (select count(*) from policy_documents d where d.document_type = t.id) as documents
  from policy_document_types t where ${where} order by lower(t.name)`

export const listDocumentTypes = query(contract.list, ({ tx }) =>
  tx.rows<DocumentTypeRow>(selectDocumentTypes(sql`true`)),
)

async function readDocumentType({ tx }: Pick<Cx, "tx">, id: string): Promise<DocumentTypeRow> {
  const row = await tx.row<DocumentTypeRow>(selectDocumentTypes(sql`t.id = ${id}`))
  if (!row) throw refused("NOT_FOUND")
  return row
}

const about = ({ id, name }: { id: string; name: string }) => ({ kind: "document_type" as const, id, label: name })
const nameTakenMessage = (name: string) => `A document type named ${name} already exists.`

async function auditFields({ tx }: Cx, { name, readers, requiredForAll, productTypeIds }: DocumentTypeFields) {
  const products = await tx.rows<{ name: string }>(sql`
    select name from product_types where id = any (${sql.param(productTypeIds)}::uuid[]) order by lower(name)`)
  const requiredFor = requiredForAll ? "every product type" : products.map(({ name }) => name).join(", ")
  return { name, readers: documentReaderNames[readers], requiredFor }
}
const auditedFieldNames = ["name", "readers", "requiredFor"] as const

async function saveRequirements(
  cx: Cx,
  id: string,
  { requiredForAll, productTypeIds }: DocumentTypeFields,
): Promise<void> {
  const { tx } = cx
  const ids = requiredForAll ? [] : [...new Set(productTypeIds)]
  const known = await tx.rows(sql`select from product_types where id = any (${sql.param(ids)}::uuid[]) for key share`)
  if (known.length < ids.length) {
    throw invalidInput([{ path: "productTypeIds", message: "This product type no longer exists." }])
  }
  await tx.delete(policyDocumentRequirements).where(eq(policyDocumentRequirements.documentType, id))
  if (ids.length > 0) {
    await tx
      .insert(policyDocumentRequirements)
      .values(ids.map((productTypeId) => ({ documentType: id, productTypeId })))
  }
}

export const createDocumentType = command(contract.create, async (cx) => {
  const { tx, now, input } = cx
  const { name, readers, requiredForAll } = input
  const id = randomUUID()
  await refuseDuplicates(
    () => tx.insert(policyDocumentTypes).values({ id, name, readers, requiredForAll, createdAt: now }),
    "NAME_TAKEN",
    nameTakenMessage(name),
  )
  await saveRequirements(cx, id, input)
  const row = await readDocumentType(cx, id)
  const after = await auditFields(cx, row)
  await record(cx, [{ type: "DocumentTypeCreated", record: about(row), groupId: null, after }])
  return row
})

export const updateDocumentType = command(contract.update, async (cx) => {
  const { tx, input } = cx
  const { id, version, name, readers, requiredForAll } = input
  const was = await auditFields(cx, await lockRow(tx, "policy_document_types", input, () => readDocumentType(cx, id)))
  await refuseDuplicates(
    () =>
      tx
        .update(policyDocumentTypes)
        .set({ name, readers, requiredForAll, version: version + 1 })
        .where(eq(policyDocumentTypes.id, id)),
    "NAME_TAKEN",
    nameTakenMessage(name),
  )
  await saveRequirements(cx, id, input)
  const row = await readDocumentType(cx, id)
  const changed = diffFields(was, await auditFields(cx, row), auditedFieldNames)
  await record(cx, [{ type: "DocumentTypeUpdated", record: about(row), groupId: null, ...changed }])
  return row
})

export const removeDocumentType = command(contract.remove, async (cx) => {
  const { tx, input } = cx
  const row = await lockRow(tx, "policy_document_types", input, () => readDocumentType(cx, input.id))
  if (row.documents > 0) {
    const papers = row.documents === 1 ? "there is a document" : `there are ${row.documents} documents`
    throw refused("IN_USE", `${row.name} cannot be deleted: ${papers} of this type.`)
  }
  const before = pickFields(await auditFields(cx, row), auditedFieldNames)
  await tx.delete(policyDocumentTypes).where(eq(policyDocumentTypes.id, row.id))
  await record(cx, [{ type: "DocumentTypeDeleted", record: about(row), groupId: null, before }])
  return { id: row.id }
})
