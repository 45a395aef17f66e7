import { backgroundHeader } from "@milkwood/domain/platform/background"
import type { Role } from "@milkwood/domain/platform/permission"
import { isSessionExtending, isSessionValid } from "@milkwood/domain/users/session"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { settingValue, storedSetting } from "../platform/settings/store.ts"
import { Lookups } from "../platform/work/lookups.ts"
import { addressRuleOf, clientAddressOf, isAddressAllowed } from "./allowed-addresses.ts"
import { readSessionToken } from "./session-cookie.ts"
import { hasSecondFactor } from "./users.queries.ts"

interface SessionRow {
  token: string
  sessionId: string
  startedAt: string
  lastActiveAt: string
  userId: string
  name: string
  email: string
  role: Role | null
  groupIds: string[]
  provenAt: string
  hasSecondFactor: boolean
  idleMinutes: unknown
  limitAddresses: unknown
  allowedAddresses: unknown
}

const sessionLookups = new WeakMap<App, Lookups<string, SessionRow>>()

function sessionLookupsOf(app: App): Lookups<string, SessionRow> {
  const known = sessionLookups.get(app)
  if (known) return known
  const made = new Lookups(async (tokens: string[]) => {
    const found = await app.database.direct("auth").preparedRows<SessionRow>(sql`
      select s.token, s.id as "sessionId", s.started_at as "startedAt", s.last_active_at as "lastActiveAt",
        u.id as "userId", u.name, u.email, u.role,
        array(select g.group_id::text from user_groups g where g.user_id = u.id order by g.group_id) as "groupIds",
        s.proven_at as "provenAt", ${hasSecondFactor} as "hasSecondFactor",
        ${storedSetting("sessionTimeoutMinutes")} as "idleMinutes",
        ${storedSetting("limitAddresses")} as "limitAddresses", ${storedSetting("allowedAddresses")} as "allowedAddresses"
      from sessions s join users u on u.id = s.user_id
      where s.token = any (${sql.param(tokens)}) and s.stage = 'signed_in' and s.epoch = u.session_epoch and u.disabled_at is null`)
    return new Map(found.map((row) => [row.token, row]))
  })
  sessionLookups.set(app, made)
  return made
}

/**
 * The actor of a request. Changed roles and groups, disabled accounts and ended sessions apply from the next request.
 * Null without a full, valid session, and for staff from a disallowed address. Concurrent callers share one query, and
 * the last use is written at most once a minute.
 */
export async function readSessionActor(
  app: App,
  headers: Headers,
  token: string | null = readSessionToken(app, headers),
): Promise<UserActor | null> {
  if (!token) return null
  const now = app.clock.now()
  const found = await sessionLookupsOf(app).find(token)
  if (!found) return null
  const times = {
    startedAt: Temporal.Instant.from(found.startedAt),
    lastActiveAt: Temporal.Instant.from(found.lastActiveAt),
  }
  if (!isSessionValid(times, now, settingValue(usersSettings.sessionTimeoutMinutes, found.idleMinutes))) {
    await app.database.direct("auth").run(sql`delete from sessions where id = ${found.sessionId}`)
    return null
  }
  if (!isAddressAllowed(headers, found.role, addressRuleOf(found))) return null
  if (isSessionExtending(times, now, headers.get(backgroundHeader) !== "1"))
    await app.database
      .direct("auth")
      .run(
        sql`update sessions set last_active_at = ${now}, address = ${clientAddressOf(headers)} where id = ${found.sessionId}`,
      )
  const { userId, name, email, role, groupIds, sessionId } = found
  const proofBy = found.hasSecondFactor ? "code" : "password"
  const session = { id: sessionId, provenAt: Temporal.Instant.from(found.provenAt), proofBy } as const
  return { kind: "user", userId, name, email, role, groupIds, session }
}
