import { membersDaily } from "./members/members.jobs.ts"
import { housekeeping } from "./platform/work/housekeeping.jobs.ts"
import type { JobHandler } from "./platform/work/jobs.ts"
import { policiesDaily } from "./policies/policies.jobs.ts"
import { checkImport, commitImport } from "./staff-lists/staff-lists.jobs.ts"

/** Every kind of background job of the house. */
export const jobs: JobHandler[] = [housekeeping, policiesDaily, membersDaily, checkImport, commitImport]
