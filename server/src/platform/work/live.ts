import { type SQL, sql } from "drizzle-orm"
import pg from "pg"
import type { App } from "../app.ts"
import { type Actor, actorSeesGroup, seesAllGroups } from "../calls/actor.ts"
import { noticeLoss, type Tx } from "../database/database.ts"

/** News that a record changed; screens that show its kind ask again. */
export interface LiveChange {
  kind: string
  id: string | null
  groupId: string | null
  /** News for one user alone (their job moved on). */
  userId?: string | null
}

const channel = "milkwood_live"

/** How often the listening connection, which says nothing by itself, is asked whether it is there. */
const probeEveryMs = 30_000
const answerWithinMs = 5_000

/** Sends the news with the commit of this transaction, to every process on this database. */
export async function notifyScreens(tx: Tx, ...changes: LiveChange[]): Promise<void> {
  await tx.run(newsSql(changes))
}

/** The same as a statement, to be sent with another. */
export const newsSql = (changes: readonly LiveChange[]): SQL =>
  sql`select pg_notify(${channel}, change::text) from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) change`

/** News of a kind for people one by one, to be sent with another statement; `people` selects a column user_id. */
export const newsToPeople = (kind: string, people: SQL): SQL => sql`
  select pg_notify(${channel}, jsonb_build_object('kind', ${kind}::text, 'id', null, 'groupId', null, 'userId', p.user_id)::text)
  from (${people}) p`

/** So many records of one kind are named in the news; of more it is said once that there are some. */
const namedAtMost = 10

/** The news of many records at once: where there are many of a kind in a group, one without an id. */
export function summarised(changes: readonly LiveChange[]): LiveChange[] {
  const kinds = Map.groupBy(changes, ({ kind, groupId }) => `${kind} ${groupId}`)
  return [...kinds.values()].flatMap((of) => (of.length > namedAtMost ? [{ ...of[0]!, id: null }] : of))
}

/** Whether an actor may be told of a change at all. */
export function maySee(actor: Actor, change: LiveChange): boolean {
  if (actor.kind !== "user") return false
  if (isAbout(actor, change)) return true
  if (actor.role === null) return false
  if (change.userId != null) return change.userId === actor.userId
  return change.groupId === null
    ? seesAllGroups(actor) || publicKinds.has(change.kind)
    : actorSeesGroup(actor, change.groupId)
}

/** Whether a change is to the actor's own account: their role, their groups, their sessions. */
export const isAbout = (actor: Actor, change: LiveChange): boolean =>
  actor.kind === "user" && change.kind === "user" && change.id === actor.userId

/** Records without a group that every role may read. */
const publicKinds = new Set(["settings", "benefit", "tier", "product_type", "product_benefit"])

/**
 * Listens for news from all processes and hands it to `app.news`. A connection that broke, or no longer answers, is
 * opened again after 1, 2, 5, then 10 seconds, and screens are told to ask for everything anew. Answers how to stop.
 */
export async function listen(app: App): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const delays = [1_000, 2_000, 5_000, 10_000]
  let failures = 0

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: app.database.url("owner"),
      connectionTimeoutMillis: 5_000,
      query_timeout: answerWithinMs,
      keepAlive: true,
      options: noticeLoss,
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
