import { isServiceKey, type KeyRole, keyState } from "@milkwood/domain/users/service-key"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { serviceKeyCaller } from "../platform/calls/caller.ts"
import { storedSetting } from "../platform/settings/store.ts"
import { Lookups } from "../platform/work/lookups.ts"
import { addressRuleOf, clientAddressOf, isAddressAllowed } from "./allowed-addresses.ts"
import { programActorOf } from "./service-keys.queries.ts"
import { keyHashOf } from "./service-keys.ts"
import { readSessionActor } from "./session.ts"
import { bearerTokenOf, readSessionKey } from "./session-key.ts"

function readSentKey(headers: Headers): string | undefined {
  const bearer = bearerTokenOf(headers)
  return bearer !== undefined && isServiceKey(bearer) ? bearer : undefined
}

/**
 * Identifies the caller for rate limits, mostly without the database: a known service key, otherwise the session. Null
 * for other callers, who are limited by address, so that invented keys do not avoid the limit.
 */
export async function callerKeyOf(app: App, headers: Headers): Promise<string | null> {
  const key = readSentKey(headers)
  if (key === undefined) return readSessionKey(app, headers)
  const hash = keyHashOf(key)
  return acceptedKeysOf(app).has(hash) ? serviceKeyCaller(hash) : null
}

/** The caller: a program by its service key, otherwise the session's user. A key takes precedence over a session. */
export async function readCallerActor(app: App, headers: Headers, caller: string | null): Promise<UserActor | null> {
  const key = readSentKey(headers)
  return key === undefined ? readSessionActor(app, headers, caller) : readKeyActor(app, headers, keyHashOf(key))
}

interface KeyRow {
  hash: string
  id: string
  name: string
  role: KeyRole
  madeBy: string
  expiresAt: string
  revokedAt: string | null
  lastUsedAt: string | null
  groupIds: string[]
  limitAddresses: unknown
  allowedAddresses: unknown
}

/** Minimum interval between writes of a key's last use, in milliseconds. */
const lastUsedUpdateMs = 60_000
const maxRememberedKeys = 1_000

const keyLookups = new WeakMap<App, Lookups<string, KeyRow>>()
const acceptedKeysByApp = new WeakMap<App, Set<string>>()

/** Hashes of keys that this process has accepted. Rights are still looked up on each request. */
function acceptedKeysOf(app: App): Set<string> {
  const known = acceptedKeysByApp.get(app) ?? new Set()
  acceptedKeysByApp.set(app, known)
  return known
}

function keyLookupsOf(app: App): Lookups<string, KeyRow> {
  const known = keyLookups.get(app)
  if (known) return known
  const made = new Lookups(async (hashes: string[]) => {
    const found = await app.database.direct("auth").preparedRows<KeyRow>(sql`
      select k.hash, k.id, k.name, k.role, k.made_by as "madeBy", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
        k.last_used_at as "lastUsedAt",
        array(select g.group_id::text from user_groups g where g.user_id = k.id order by g.group_id) as "groupIds",
        ${storedSetting("limitAddresses")} as "limitAddresses", ${storedSetting("allowedAddresses")} as "allowedAddresses"
      from service_keys k where k.hash = any (${sql.param(hashes)})`)
    return new Map(found.map((row) => [row.hash, row]))
  })
  keyLookups.set(app, made)
  return made
}

/**
 * The program of a service key; null if the key is revoked or expired. Keys with staff roles obey the allowed
 * addresses.
 */
async function readKeyActor(app: App, headers: Headers, hash: string): Promise<UserActor | null> {
  const now = app.clock.now()
  const found = await keyLookupsOf(app).find(hash)
  const known = acceptedKeysOf(app)
  if (!found || keyState({ ...found, expiresAt: Temporal.Instant.from(found.expiresAt) }, now) !== "active") {
    known.delete(hash)
    return null
  }
  if (known.size >= maxRememberedKeys) known.clear()
  known.add(hash)
  const { id, lastUsedAt } = found
  if (!isAddressAllowed(headers, found.role, addressRuleOf(found))) return null
  if (lastUsedAt === null || now.epochMilliseconds - Date.parse(lastUsedAt) >= lastUsedUpdateMs)
    await app.database.direct("auth").run(sql`
      update service_keys set last_used_at = ${now}, last_used_from = ${clientAddressOf(headers)} where id = ${id}`)
  return programActorOf(found)
}
