import { expect, test } from "vitest"
import { brokenTableRules } from "./table-rules.mjs"

const owners = new Map([
  ["members", "members"],
  ["policies", "policies"],
  ["claims", "claims"],
])
const tableViolationsOf = (path: string, text: string): string[] => brokenTableRules([{ path, text }], owners)

test.each([
  ["server/src/policies/policies.queries.ts", "sql`select count(*) from members m`"],
  ["server/src/policies/activate-policy.ts", "sql`select 1 from policies p join claims c on c.policy_id = p.id`"],
  ["server/src/claims/claims.queries.ts", "sql`update members set start_on = null`"],
  ["server/src/claims/pay-claim.ts", "sql`insert into policies (id) values (1)`"],
  ["server/src/claims/pay-claim.ts", "sql`delete from members where id = 1`"],
  ["server/src/claims/pay-claim.ts", "sql`select from policies where id = 1 for share`"],
  ["server/src/claims/pay-claim.ts", "sql`select from claims c join policies p on true for update of p`"],
  ["server/src/claims/a.ts", 'import { policies } from "../policies/policies.tables.ts"\ntx.update(policies).set({})'],
])("%s must not contain: %s", (path, text) => {
  expect(tableViolationsOf(path, text)).toHaveLength(1)
  expect(tableViolationsOf(path, text)[0]).toContain(path)
})

test.each([
  ["server/src/claims/claims.queries.ts", "sql`select from claims c join members m on m.id = c.member_id`"],
  ["server/src/claims/decide-claim.ts", "sql`select from claims c join policies p on true for update of c`"],
  ["server/src/claims/decide-claim.ts", "sql`update claims set status = 'paid'`"],
  ["server/src/policies/policies.test.ts", "sql`update claims set status = 'paid'`"],
  ["server/src/policies/policies.queries.ts", "/** The list joins it to `update members`. */"],
  ["server/src/platform/work/jobs.ts", "sql`select from jobs`"],
  [
    "server/src/reports/dashboard.queries.ts",
    "sql`with policies as (select 1) select from policies join claims c on true`",
  ],
])("%s may contain: %s", (path, text) => {
  expect(tableViolationsOf(path, text)).toEqual([])
})
