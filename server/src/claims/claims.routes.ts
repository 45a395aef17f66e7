import type { HttpRoute } from "../http/file-route.ts"
import { listFile } from "../platform/lists/list-file.ts"
import { attachClaimDocument, readClaimDocument } from "./claim-documents.ts"
import { claims } from "./claim-lists.queries.ts"

export const claimsRoutes: HttpRoute[] = [attachClaimDocument, readClaimDocument, listFile(claims)]
