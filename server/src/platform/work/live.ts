import { type SQL, sql } from "drizzle-orm"
import pg from "pg"
import type { App } from "../app.ts"
import { type Actor, actorSeesGroup, seesAllGroups } from "../calls/actor.ts"
import { keepaliveOptions, type Tx } from "../database/database.ts"

export interface LiveChange {
  kind: string
  id: string | null
  groupId: string | null
  /** If set, only this user is notified, such as of the progress of their job. */
  userId?: string | null
}

const channel = "milkwood_live"

/** How often the idle listening connection is probed. */
const probeEveryMs = 30_000
const probeTimeoutMs = 5_000

export async function notifyScreens(tx: Tx, ...changes: LiveChange[]): Promise<void> {
  await tx.run(notifySql(changes))
}

export const notifySql = (changes: readonly LiveChange[]): SQL =>
  sql`select pg_notify(${channel}, change::text) from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) change`

/** Notifies single users inside another statement; `people` selects a column user_id. */
export const notifyUsersSql = (kind: string, people: SQL): SQL => sql`
  select pg_notify(${channel}, jsonb_build_object('kind', ${kind}::text, 'id', null, 'groupId', null, 'userId', p.user_id)::text)
  from (${people}) p`

/** Above this number of records, the changes of one kind are sent as one without ids. */
const maxNamedChanges = 10

/** Replaces many changes of one kind and employer by one change without an id. */
export function summariseChanges(changes: readonly LiveChange[]): LiveChange[] {
  const kinds = Map.groupBy(changes, ({ kind, groupId }) => `${kind} ${groupId}`)
  return [...kinds.values()].flatMap((of) => (of.length > maxNamedChanges ? [{ ...of[0]!, id: null }] : of))
}

export function canSeeChange(actor: Actor, change: LiveChange): boolean {
  if (actor.kind !== "user") return false
  if (isAboutOwnUser(actor, change)) return true
  if (actor.role === null) return false
  if (change.userId != null) return change.userId === actor.userId
  return change.groupId === null
    ? seesAllGroups(actor) || publicKinds.has(change.kind)
    : actorSeesGroup(actor, change.groupId)
}

export const isAboutOwnUser = (actor: Actor, change: LiveChange): boolean =>
  actor.kind === "user" && change.kind === "user" && change.id === actor.userId

const publicKinds = new Set(["settings", "benefit", "tier", "product_type", "product_benefit"])

/**
 * Listens for changes of all processes and emits them on `app.news`. Reopens a broken or silent connection after 1, 2,
 * 5, then 10 seconds, and makes screens refetch. Returns a stop function.
 */
export async function listenForChanges(app: App): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const delays = [1_000, 2_000, 5_000, 10_000]
  let failures = 0

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: app.database.url("owner"),
      connectionTimeoutMillis: 5_000,
      query_timeout: probeTimeoutMs,
      keepAlive: true,
      options: keepaliveOptions,
    })
    next.on("error", () => reconnect(next))
    next.on("end", () => reconnect(next))
    next.on("notification", (message) => {
      if (message.channel === channel) app.news.emit("change", JSON.parse(message.payload ?? "{}"))
      else app.news.emit(message.channel)
    })
    client = next
    try {
      await next.connect()
      await next.query(`listen ${channel}; listen milkwood_jobs; listen milkwood_mails; listen milkwood_webhooks`)
      if (failures > 0) app.news.emit("resync")
      failures = 0
    } catch {
      reconnect(next)
    }
  }
  const reconnect = (broken: pg.Client): void => {
    if (stopped || broken !== client) return
    client = undefined
    broken.end().catch(() => {})
    timer = setTimeout(connect, delays[Math.min(failures++, delays.length - 1)])
  }

  const probe = (): void => {
    const probed = client
    probed?.query("select 1").catch(() => reconnect(probed))
  }

  await connect()
  const probing = setInterval(probe, probeEveryMs)
  return async () => {
    stopped = true
    clearInterval(probing)
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}
