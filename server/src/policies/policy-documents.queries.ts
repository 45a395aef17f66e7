import { hasPermission } from "@milkwood/domain/platform/permission"
import { documentActionsOf } from "@milkwood/domain/policies/policy-document"
import type { PolicyDocument, PolicyDocuments } from "@milkwood/domain/policies/policy-documents.contract"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { documentsList } from "../platform/files/documents.ts"
import { policyDocuments } from "./policies.tables.ts"

/** SQL version of the domain's `isRequired`. */
export const isRequired = sql`(t.required_for_all or exists (select from policy_document_requirements r
  where r.document_type = t.id and r.product_type_id = p.product_type_id))`

/** SQL version of the domain's `missingDocuments`. */
export const isMissing = sql`(${isRequired}
  and not exists (select from policy_documents d where d.policy_id = p.id and d.document_type = t.id))`

/** Employer users get only the types visible to them. */
export async function readDocumentTypeNames({ tx }: Pick<Cx, "tx">): Promise<Record<string, string>> {
  const types = await tx.rows<{ id: string; name: string }>(sql`select id, name from policy_document_types`)
  return Object.fromEntries(types.map(({ id, name }) => [id, name]))
}

type Type = PolicyDocuments["types"][number]
interface DocumentsRead {
  documents: Omit<PolicyDocument, "documentTypeName" | "required" | "allowedActions">[]
  types: (Type & { missing: boolean })[]
}

export async function readPolicyDocuments(
  { tx, actor }: Pick<Cx, "tx" | "actor">,
  policyId: string,
): Promise<PolicyDocuments> {
  const read = await tx.row<DocumentsRead>(sql`
    select ${documentsList(policyDocuments, sql`d.policy_id = p.id`)} as documents, ${types} as types
    from policies p where p.id = ${policyId}`)
  if (!read) throw refused("NOT_FOUND", "This policy does not exist.")
  const { role } = ruleActor(actor)
  const typeOf = new Map(read.types.map((type) => [type.id, type]))
  return {
    policyId,
    documents: read.documents.map((document) => {
      const { name, required } = typeOf.get(document.documentType)!
      return { ...document, documentTypeName: name, required, allowedActions: documentActionsOf(role) }
    }),
    types: read.types.map(({ missing: _, ...type }) => type),
    missing: read.types.flatMap(({ missing, ...type }) => (missing ? type : [])),
    mayUpload: hasPermission(role, "policies.write"),
  }
}

const types: SQL = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'required', ${isRequired}, 'missing', ${isMissing})
    order by lower(t.name)), '[]') from policy_document_types t)`
