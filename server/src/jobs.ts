import { checkImport, commitImport } from "./members/member-imports.jobs.ts"
import { membersDaily } from "./members/members.jobs.ts"
import { housekeeping } from "./platform/housekeeping.jobs.ts"
import type { JobHandler } from "./platform/jobs.ts"
import { policiesDaily } from "./policies/policies.jobs.ts"

/** Every kind of background job of the house. */
export const jobs: JobHandler[] = [housekeeping, policiesDaily, membersDaily, checkImport, commitImport]
