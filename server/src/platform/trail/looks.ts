import { backgroundHeader } from "@milkwood/domain/platform/background"
import type { ViewedFact } from "@milkwood/domain/platform/look-facts"
import { sql } from "drizzle-orm"
import type { App } from "../app.ts"
import { actorUserId } from "../calls/actor.ts"
import type { Cx } from "../calls/commands.ts"
import { writeTrail } from "./facts.ts"

/** Repeated views of one record within this time are recorded once. */
const repeatedViewWindowMs = 10 * 60_000
const maxRememberedViews = 20_000

const recentViews = new WeakMap<App, Map<string, number>>()

function isRepeatedView({ app, actor, now }: Cx, { record: { kind, id } }: ViewedFact): boolean {
  const seen = recentViews.get(app) ?? new Map<string, number>()
  recentViews.set(app, seen)
  const key = `${actorUserId(actor)} ${kind} ${id}`
  const before = seen.get(key)
  if (before !== undefined && now.epochMilliseconds - before < repeatedViewWindowMs) return true
  if (seen.size >= maxRememberedViews) seen.clear()
  seen.set(key, now.epochMilliseconds)
  return false
}

/**
 * Records a browser user's view of a record, while the setting "audit logging" is on. Refetches count as one view. No
 * screens are notified and no reactions run.
 */
export async function recordView(cx: Cx, headers: Headers | undefined, look: ViewedFact): Promise<void> {
  const { app, actor } = cx
  if (actor.kind !== "user" || actor.session === "played" || headers?.get(backgroundHeader) === "1") return
  if (!(await app.recordsLooks()) || isRepeatedView(cx, look)) return
  await writeView(cx, look)
}

export async function writeView(cx: Cx, look: ViewedFact): Promise<void> {
  const { type, record, groupId, ...detail } = look
  await writeTrail(
    cx,
    sql`select ${type}, ${record.kind}, ${record.id}::uuid, ${record.label}, ${groupId}::uuid, ${JSON.stringify(detail)}::jsonb, 1`,
  )
}
