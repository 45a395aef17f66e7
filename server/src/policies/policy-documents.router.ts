import { createDocumentType, listDocumentTypes, removeDocumentType, updateDocumentType } from "./document-types.ts"
import { listPolicyDocuments, listRequiredDocuments, summary } from "./policy-document-lists.queries.ts"
import { documentsOfPolicy, removePolicyDocument } from "./policy-documents.ts"

export const policyDocumentsRouter = {
  list: listPolicyDocuments,
  required: listRequiredDocuments,
  summary,
  ofPolicy: documentsOfPolicy,
  remove: removePolicyDocument,
  types: {
    list: listDocumentTypes,
    create: createDocumentType,
    update: updateDocumentType,
    remove: removeDocumentType,
  },
}
