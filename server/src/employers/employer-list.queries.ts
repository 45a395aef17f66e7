import { type EmployerRow, employersContract } from "@milkwood/domain/employers/employers.contract"
import { employersList } from "@milkwood/domain/employers/employers.list"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { groupMemberCount, openPolicyNumbers } from "./employers.ports.ts"

export const employers = new List<typeof employersList, EmployerRow>(employersList, {
  select: () => sql`
    select g.id, g.name, g.registration_number as "registrationNumber",
      cardinality(${openPolicyNumbers(sql`g.id`)}) as "openPolicies", ${groupMemberCount(sql`g.id`)} as members,
      case when g.closed_on is null then 'Active' else 'Closed' end as status,
      g.id as "_groupId", lower(g.name) as _name, lower(g.registration_number) as _registration
    from employer_groups g`,
  groupScoped: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._name`, pattern) },
    { like: matchesPattern(sql`s._registration`, pattern) },
  ],
  sortColumns: { name: ["_name"] },
  present: (row: EmployerRow) => row,
})

export const listEmployers = query(employersContract.list, (cx) => employers.page(cx, cx.input))
