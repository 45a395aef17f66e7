import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import type { PolicyDocuments } from "@milkwood/domain/policies/policy-documents.contract"
import { type PolicyFact, policyFactHead } from "@milkwood/domain/policies/policy-facts"
import { sql } from "drizzle-orm"
import { attachDocument, readDocument, replaceDocument } from "../http/document-routes.ts"
import { command, query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { type DocumentChange, type DocumentModule, removeDocument } from "../platform/files/documents.ts"
import { record } from "../platform/trail/facts.ts"
import { policyDocuments } from "./policies.tables.ts"
import { readDocumentTypeNames, readPolicyDocuments } from "./policy-documents.queries.ts"
import { type PolicyHead, requirePolicyHead } from "./policy-record.ts"

/**
 * Documents are independent of the policy's status and version, so an open form stays current. Row-level security
 * limits employer users by type.
 */
const policyDocumentModule = (reason = ""): DocumentModule<PolicyHead, string, PolicyDocuments> => ({
  record: "policy",
  path: "/api/policies",
  permissions: { read: "policies.read", write: "policies.write" },
  types: readDocumentTypeNames,
  table: policyDocuments,
  errors: {},
  lock: ({ tx }, policyId) => requirePolicyHead(tx, policyId),
  async save(cx, policy, change) {
    await record(cx, [factOf(policy, change, reason)])
    return readPolicyDocuments(cx, policy.id)
  },
  visible: () => sql`true`,
  fileName: async (_cx, { fileName }) => fileName,
})

function factOf(policy: PolicyHead, change: DocumentChange<string>, reason: string): PolicyFact {
  const news = policyFactHead(policy)
  const { act, inWords: document, wasInWords } = change
  if (act === "removed") return { type: "PolicyDocumentDeleted", ...news, before: { document }, reason }
  if (act === "attached") return { type: "PolicyDocumentUploaded", ...news, after: { document } }
  return { type: "PolicyDocumentReplaced", ...news, before: { document: wasInWords ?? "" }, after: { document } }
}

export const uploadPolicyDocument = attachDocument(policyDocumentModule())
export const replacePolicyDocument = replaceDocument(policyDocumentModule())
export const readPolicyDocument = readDocument(policyDocumentModule())

export const removePolicyDocument = command(policiesContract.documents.remove, (cx) =>
  removeDocument(cx, policyDocumentModule(cx.input.reason), cx.input.policyId, cx.input.documentId),
)

export const documentsOfPolicy = query(policiesContract.documents.ofPolicy, (cx) =>
  readPolicyDocuments(cx, cx.input.policyId),
)

/** File bytes are swept from disk a day later. */
export async function deleteDocuments(tx: Tx, policyId: string): Promise<void> {
  await tx.run(sql`
    with gone as (delete from policy_documents where policy_id = ${policyId} returning file_id)
    delete from files where id in (select file_id from gone)`)
}
