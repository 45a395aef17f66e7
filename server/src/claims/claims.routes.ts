import type { HttpRoute } from "../platform/uploads.ts"
import { attachClaimDocument, readClaimDocument } from "./claim-documents.ts"

export const claimsRoutes: HttpRoute[] = [attachClaimDocument, readClaimDocument]
