import { type UserRow, usersContract } from "@milkwood/domain/users/users.contract"
import { usersList } from "@milkwood/domain/users/users.list"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { groupNamesWhere } from "./users.ports.ts"
import { type StoredUser, toUserRow, userColumns } from "./users.queries.ts"

export const users = new List<typeof usersList, UserRow>(usersList, {
  select: () => sql`
    select ${userColumns()},
      case when u.disabled_at is not null then 'disabled' when u.email_verified then 'active' else 'unconfirmed' end as status,
      ${groupNamesWhere(sql`g.id in (select group_id from user_groups where user_id = u.id)`)} as "_groupNames",
      lower(u.name) as _name, lower(u.email) as _email
    from users u where not u.is_program`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._name`, pattern) },
    { like: matchesPattern(sql`s._email`, pattern) },
  ],
  sortColumns: { name: ["_name"], role: ["role nulls last"], lastSignInAt: ["lastSignInAt nulls last"] },
  present: (row: StoredUser, { actor }) => toUserRow(row, actorUserId(actor) ?? ""),
})

export const listUsers = query(usersContract.list, (cx) => users.page(cx, cx.input))
