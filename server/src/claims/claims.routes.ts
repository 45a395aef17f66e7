import type { HttpRoute } from "../http/uploads.ts"
import { attachClaimDocument, readClaimDocument } from "./claim-documents.ts"
import { exportClaims } from "./claim-export.ts"

export const claimsRoutes: HttpRoute[] = [attachClaimDocument, readClaimDocument, exportClaims]
