import { randomUUID } from "node:crypto"
import { maxSavedViews, type SavedView, viewsContract } from "@milkwood/domain/users/views.contract"
import { sql } from "drizzle-orm"
import { command, query, refused } from "../platform/calls/commands.ts"
import { holdLock } from "../platform/database/locks.ts"
import { requireUser } from "./sessions.ts"

const listViews = query(viewsContract.list, (cx) =>
  cx.tx.rows<SavedView>(sql`
    select id, name, address, columns from saved_views
    where user_id = ${requireUser(cx).userId} and list = ${cx.input.list} order by lower(name)`),
)

const saveView = command(viewsContract.save, async (cx) => {
  const { tx, now, input } = cx
  const { userId } = requireUser(cx)
  // Without the lock, two concurrent saves could exceed the cap.
  await holdLock(tx, "savedViews", userId)
  const saved = await tx.row<SavedView>(sql`
    insert into saved_views (id, user_id, list, name, address, columns, created_at)
    values (${randomUUID()}, ${userId}, ${input.list}, ${input.name}, ${JSON.stringify(input.address)}::jsonb,
      ${sql.param(input.columns)}::text[], ${now})
    on conflict (user_id, list, lower(name)) do update
      set name = excluded.name, address = excluded.address, columns = excluded.columns
    returning id, name, address, columns`)
  const kept = await tx.row<{ views: number }>(
    sql`select count(*) as views from saved_views where user_id = ${userId} and list = ${input.list}`,
  )
  if (kept!.views > maxSavedViews) throw refused("VIEW_LIMIT")
  return saved!
})

/** Deletes one of the caller's views. */
const removeView = command(viewsContract.remove, async (cx) => {
  const gone = await cx.tx.run(sql`
    delete from saved_views where id = ${cx.input.id} and user_id = ${requireUser(cx).userId}`)
  if (gone === 0) throw refused("NOT_FOUND")
  return {}
})

export const viewsRouter = { list: listViews, save: saveView, remove: removeView }
