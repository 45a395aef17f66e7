import { type ListedStaffList, staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { staffListsList } from "@milkwood/domain/staff-lists/staff-lists.list"
import { type SQL, sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import type { Total } from "../platform/lists/source.ts"
import { addAllowedActions, listedColumns, type StaffListRead } from "./staff-lists.queries.ts"

const totalOfCompleted = (figure: SQL, ...columns: string[]): Total => ({
  of: ["status", ...columns],
  value: sql`coalesce(${figure} filter (where s.status = 'completed'), 0)`,
})

export const staffLists = new List<typeof staffListsList, ListedStaffList>(staffListsList, {
  select: () => sql`
    select ${listedColumns}, i.group_id as "_groupId", i.policy_id as "_policyId",
      lower(i.file_name) as "_fileName", lower(g.name) as "_group", lower(p.number) as "_policy"
    from staff_lists i
    left join policies p on p.id = i.policy_id
    left join employer_groups g on g.id = i.group_id
    left join users u on u.id = i.created_by`,
  groupScoped: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s."_fileName"`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  sortColumns: { fileName: ["_fileName"] },
  totals: {
    imports: totalOfCompleted(sql`count(*)`),
    added: totalOfCompleted(sql`sum(s."addedCount")`, "addedCount"),
    changed: totalOfCompleted(sql`sum(s."changedCount")`, "changedCount"),
    refused: totalOfCompleted(sql`sum(s."errorCount")`, "errorCount"),
  },
  present: (row: StaffListRead, { actor }) => addAllowedActions(row, actor),
})

export const listStaffLists = query(staffListsContract.list, async (cx) => {
  const { figures, ...answer } = await staffLists.answer(cx, cx.input)
  const of = (name: string) => sumOf(figures, [""], name)
  const stats = figures && {
    imports: of("imports"),
    added: of("added"),
    changed: of("changed"),
    refused: of("refused"),
  }
  return { ...answer, stats }
})
