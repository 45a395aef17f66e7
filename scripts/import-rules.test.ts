import { expect, test } from "vitest"
import { brokenImportRules } from "./import-rules.mjs"

const violationsOf = (path: string, text: string): string[] => brokenImportRules([{ path, text }])

test.each([
  ["domain/src/claims/claim.ts", 'import { readFile } from "node:fs"'],
  ["domain/src/claims/claim.ts", 'import { z } from "zod"'],
  ["server/src/runtime/run.ts", 'import { a } from "../users/session.ts"'],
  ["domain/src/claims/claim.ts", 'import { x } from "../../../server/src/claims/x.ts"'],
  ["domain/src/policies/policy.ts", 'import { claim } from "../claims/claim.ts"'],
  ["domain/src/kernel/money.ts", 'import { claim } from "../claims/claim.ts"'],
  ["domain/src/platform/permission.ts", 'import type { Fact } from "../facts.ts"'],
  ["server/src/http/app.ts", 'import { router } from "../router.ts"'],
  ["domain/src/kernel/calendar.ts", "export const now = () => Temporal.Now.instant()"],
  ["domain/src/claims/claim.ts", "const id = Math.random()"],
  ["server/src/policies/activate-policy.ts", 'import { a } from "../members/a.ts"'],
  ["server/src/policies/activate-policy.ts", 'import {\n  a,\n  b,\n} from "@milkwood/domain/members/member"'],
  ["server/src/policies/activate-policy.ts", 'import { members } from "../members/members.tables.ts"'],
  ["server/src/policies/activate-policy.ts", 'import { a } from "../members/members.queries.ts"'],
  ["server/src/policies/policies.queries.ts", 'import { members } from "../members/members.tables.ts"'],
  ["server/src/policies/policies.queries.ts", 'import { memberCounts } from "../members/members.queries.ts"'],
  ["server/src/policies/policies.queries.ts", 'export { memberCounts } from "../members/members.queries.ts"'],
  ["server/src/users/users.queries.ts", 'import { groupsWhere } from "../employers/employers.queries.ts"'],
  ["server/src/policies/policies.ports.ts", 'import { memberCount } from "../members/members.queries.ts"'],
  ["server/src/platform/platform.router.ts", 'import { a } from "../reports/search.queries.ts"'],
  ["server/src/http/app.ts", 'import { a } from "../claims/claims.routes.ts"'],
  ["server/src/policies/activate-policy.ts", 'const { a } = await import("../members/a.ts")'],
  ["server/src/platform/mail.ts", 'import { a } from "../claims/a.ts"'],
  ["server/src/platform/files/documents.ts", 'import { upload } from "../../http/upload.ts"'],
  ["server/src/platform/lists/list.ts", 'import type { HttpRoute } from "../../http/file-route.ts"'],
  ["server/src/claims/a.ts", 'import { a } from "../../../web/src/claims/a.ts"'],
  ["web/src/ui/data-table.tsx", 'import { a } from "../claims/a.tsx"'],
  ["web/src/ui/toast.tsx", 'import { a } from "../shell/session.tsx"'],
  ["web/src/platform/api.ts", 'import { a } from "../ui/toast.tsx"'],
  ["web/src/platform/api.ts", 'import { a } from "../shell/session.tsx"'],
  ["web/src/platform/api.ts", 'import { a } from "../claims/claims.api.ts"'],
  ["web/src/claims/pages/index.tsx", 'import { a } from "../../shell/session.tsx"'],
  ["web/src/claims/a.tsx", 'const a = lazy(() => import("../shell/palette.tsx"))'],
  ["web/src/claims/a.tsx", 'import { a } from "../router.ts"'],
  ["web/src/claims/a.tsx", 'import { a } from "../../../server/src/claims/a.ts"'],
  ["e2e/main.journey.ts", 'import { a } from "../server/src/claims/a.ts"'],
])("%s must not contain: %s", (path, text) => {
  expect(violationsOf(path, text)).toHaveLength(1)
  expect(violationsOf(path, text)[0]).toContain(path)
})

test.each([
  ["domain/src/claims/claim-shape.ts", 'import { z } from "zod"\nimport { policy } from "../policies/policy.ts"'],
  ["domain/src/claims/claims.contract.ts", 'import { z } from "zod"'],
  ["domain/src/claims/claim.test.ts", 'import { test } from "vitest"\nimport fc from "fast-check"'],
  ["domain/src/contract.ts", 'import { claimsContract } from "./claims/claims.contract.ts"'],
  ["domain/src/claims/claim.ts", "// new Date() is not for us\nexport const a = 1"],
  ["server/src/policies/policies.queries.ts", 'import { memberCounts } from "./policies.ports.ts"'],
  ["server/src/policies/policies.queries.ts", 'import { groupsNamed } from "../employers/employers.queries.ts"'],
  ["server/src/ports.ts", 'import { memberCounts } from "./members/members.queries.ts"'],
  ["server/src/policies/policies.test.ts", 'import { a } from "../members/members.samples.ts"'],
  ["server/src/claims/decide-claim.ts", 'import { makePayout } from "../payouts/make-payout.ts"'],
  ["server/src/reactions.ts", 'import { a } from "./claims/a.ts"'],
  ["server/src/http/list-export.ts", 'import type { List } from "../platform/lists/list.ts"'],
  ["server/src/platform/calls/actor.ts", 'import type { Role } from "@milkwood/domain/platform/permission"'],
  ["web/src/policies/page.tsx", 'import { a } from "../members/a.tsx"'],
  ["web/src/ui/toast.tsx", 'import { a } from "../platform/errors.ts"'],
  ["web/src/policies/page.tsx", 'import { a } from "../platform/api.ts"\nimport { b } from "../ui/toast.tsx"'],
  ["web/src/shell/frame.tsx", 'import { a } from "../users/role-badge.tsx"'],
  ["web/src/router.ts", 'import { a } from "./shell/frame.tsx"'],
  ["web/src/policies/page.test.tsx", 'import { openTestApp } from "../../../server/src/test/house.ts"'],
])("%s may contain: %s", (path, text) => {
  expect(violationsOf(path, text)).toEqual([])
})
