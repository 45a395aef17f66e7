import type { HttpRoute } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { attachClaimDocument, readClaimDocument } from "./claim-documents.ts"
import { claims, pendingClaims } from "./claim-lists.queries.ts"

export const claimsRoutes: HttpRoute[] = [
  attachClaimDocument,
  readClaimDocument,
  ...exportList(claims),
  ...exportList(pendingClaims),
]
