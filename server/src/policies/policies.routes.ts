import type { HttpRoute } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { policyDocuments, requiredDocuments } from "./policy-document-lists.queries.ts"
import { readPolicyDocument, replacePolicyDocument, uploadPolicyDocument } from "./policy-documents.ts"
import { policies } from "./policy-list.queries.ts"

export const policiesRoutes: HttpRoute[] = [
  ...exportList(policies),
  uploadPolicyDocument,
  replacePolicyDocument,
  readPolicyDocument,
  ...exportList(policyDocuments),
  ...exportList(requiredDocuments),
]
