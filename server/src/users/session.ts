import { backgroundHeader } from "@milkwood/domain/platform/background"
import type { Role } from "@milkwood/domain/platform/permission"
import { extendsSession, sessionHolds } from "@milkwood/domain/users/session"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { settingValue, storedSetting } from "../platform/settings/store.ts"
import { sessionToken } from "./session-cookie.ts"

interface SessionRow {
  sessionId: string
  startedAt: string
  lastActiveAt: string
  userId: string
  name: string
  email: string
  role: Role | null
  groupIds: string[]
  idleMinutes: unknown
}

/**
 * Who sends these headers, as the account stands now: role, groups, being disabled and ended sessions take effect at
 * the next request. Null without a session that holds. One query, and at most one write a minute.
 */
export async function sessionActor(app: App, headers: Headers): Promise<UserActor | null> {
  const token = sessionToken(app, headers)
  if (!token) return null
  const now = app.clock.now()
  const tx = app.database.direct("auth")
  const found = await tx.preparedRow<SessionRow>(sql`
    select s.id as "sessionId", s.started_at as "startedAt", s.last_active_at as "lastActiveAt",
      u.id as "userId", u.name, u.email, u.role,
      array(select g.group_id::text from user_groups g where g.user_id = u.id order by g.group_id) as "groupIds",
      ${storedSetting("sessionTimeoutMinutes")} as "idleMinutes"
    from sessions s join users u on u.id = s.user_id
    where s.token = ${token} and s.epoch = u.session_epoch and u.disabled_at is null`)
  if (!found) return null
  const times = {
    startedAt: Temporal.Instant.from(found.startedAt),
    lastActiveAt: Temporal.Instant.from(found.lastActiveAt),
  }
  if (!sessionHolds(times, now, settingValue(usersSettings.sessionTimeoutMinutes, found.idleMinutes))) {
    await tx.run(sql`delete from sessions where id = ${found.sessionId}`)
    return null
  }
  if (extendsSession(times, now, headers.get(backgroundHeader) !== "1"))
    await tx.run(sql`update sessions set last_active_at = ${now} where id = ${found.sessionId}`)
  const { userId, name, email, role, groupIds } = found
  return { kind: "user", userId, name, email, role, groupIds }
}
