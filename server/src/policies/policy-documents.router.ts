import { createDocumentType, listDocumentTypes, removeDocumentType, updateDocumentType } from "./document-types.ts"
import { documentsSummary, listPolicyDocuments, listRequiredDocuments } from "./policy-document-lists.queries.ts"
import { documentsOfPolicy, removePolicyDocument } from "./policy-documents.ts"

export const policyDocumentsRouter = {
  list: listPolicyDocuments,
  required: listRequiredDocuments,
  summary: documentsSummary,
  ofPolicy: documentsOfPolicy,
  remove: removePolicyDocument,
  types: {
    list: listDocumentTypes,
    create: createDocumentType,
    update: updateDocumentType,
    remove: removeDocumentType,
  },
}
