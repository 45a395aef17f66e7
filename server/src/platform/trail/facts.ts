import { type Fact, sentences } from "@milkwood/domain/facts"
import type { Currency } from "@milkwood/domain/kernel/money"
import { viewFactTypes } from "@milkwood/domain/platform/look-facts"
import { timelinePageSize } from "@milkwood/domain/platform/timeline"
import type { TimelineEntry } from "@milkwood/domain/platform/timeline-shape"
import { factName } from "@milkwood/domain/platform/trail-words"
import { type SQL, sql } from "drizzle-orm"
import { actorUserId } from "../calls/actor.ts"
import type { Cx } from "../calls/commands.ts"
import { notifySql, summariseChanges } from "../work/live.ts"

type FactType = Fact extends { type: infer T extends string } ? T : never
type FactOf<T extends string> = Extract<Fact, { type: T }>
type Reaction<T extends string> =
  | ((cx: Cx, fact: FactOf<T>) => Promise<void>)
  | { together: (cx: Cx, facts: readonly FactOf<T>[]) => Promise<void> }

export type Reactions = { [T in FactType]?: Reaction<T>[] }

export interface AnyFact {
  type: string
  record: { kind: string; id: string | null; label: string }
  groupId: string | null
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  reason?: string
  /** The person's key was deleted, so the other fields are unreadable. */
  forgotten?: true
}

/**
 * The detail of an audit row, decrypted: personal data is encrypted with a key per person (`sealed_for`).
 */
export const decryptedDetail = (of = "audit_log"): SQL => sql.raw(`opened_detail(${of}.detail)`)

/**
 * Records facts in the transaction of the change: writes the audit trail, runs the reactions and, after the commit,
 * notifies the screens.
 */
export async function record(cx: Cx, facts: readonly Fact[]): Promise<void> {
  const entries = (facts as readonly AnyFact[]).map(({ type, record: { kind, id, label }, groupId, ...detail }) => {
    return { type, kind, id, label, groupId, detail }
  })
  const trail = insertTrailSql(
    cx,
    sql`
    select e ->> 'type', e ->> 'kind', (e ->> 'id')::uuid, e ->> 'label', (e ->> 'groupId')::uuid, e -> 'detail', position
    from jsonb_array_elements(${JSON.stringify(entries)}::jsonb) with ordinality each (e, position)`,
  )
  const news = summariseChanges(entries.map(({ kind, id, groupId }) => ({ kind, id, groupId })))
  // One statement instead of two, because every change of the product runs it.
  await cx.tx.run(sql`with written as (${trail}) ${notifySql(news)}`)
  const { reactions } = cx.app
  for (const fact of facts) {
    for (const react of reactions[fact.type] ?? []) if (typeof react === "function") await react(cx, fact as never)
  }
  for (const [type, of] of Map.groupBy(facts, (fact) => fact.type)) {
    for (const react of reactions[type] ?? []) if (typeof react !== "function") await react.together(cx, of as never)
  }
}

/**
 * Writes audit rows: fact, kind, id, label, group, detail and position. Call it directly only for bulk statements,
 * whose facts have no reactions and notify the screens once.
 */
export async function writeTrail(cx: Cx, rows: SQL): Promise<void> {
  await cx.tx.run(insertTrailSql(cx, rows))
}

function insertTrailSql({ now, actor, requestId }: Cx, rows: SQL): SQL {
  return sql`
    insert into audit_log (at, actor_id, actor_name, actor_role, request_id, fact, record_kind, record_id, record_label, group_id, detail)
    select ${now}::timestamptz, ${actorUserId(actor)}::uuid, ${actor.name}, ${actor.kind === "user" ? actor.role : "system"},
      ${requestId}, fact, kind, id, label, group_id, detail
    from (${rows}) entry (fact, kind, id, label, group_id, detail, position) order by position`
}

export async function timeline(
  cx: Pick<Cx, "tx" | "currency">,
  kind: string,
  recordId: string,
  options: { hide?: (field: string) => boolean; before?: number | undefined } = {},
): Promise<TimelineEntry[]> {
  const rows = await cx.tx.preparedRows<{
    id: number
    at: string
    actor: string
    role: string | null
    fact: string
    label: string
    detail: Omit<AnyFact, "type" | "record" | "groupId">
  }>(sql`
    select id, at, actor_name as actor, actor_role as role, fact, record_label as label, ${decryptedDetail()} as detail
    from audit_log where record_kind = ${kind} and record_id = ${recordId}
      and fact <> all (${sql.param([...viewFactTypes])}::text[]) and ${options.before === undefined ? sql`true` : sql`id < ${options.before}`}
    order by id desc limit ${timelinePageSize}`)
  return rows.map(({ label, detail, ...row }) => ({
    ...row,
    sentence: sentence(
      { type: row.fact, record: { kind, id: recordId, label }, groupId: null, ...detail },
      cx.currency,
    ),
    reason: detail.reason ?? null,
    changes: changesIn(detail).filter(({ field }) => !options.hide?.(field)),
  }))
}

export function changesIn({ before = {}, after = {} }: Pick<AnyFact, "before" | "after">): TimelineEntry["changes"] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return fields.map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
}

type FactSentence = (fact: AnyFact, currency: Currency) => string

export function sentence(fact: AnyFact, currency: Currency): string {
  if (fact.forgotten) return `${factName(fact.type).toLowerCase()} (details were removed)`
  const say = (sentences as unknown as Record<string, FactSentence | undefined>)[fact.type]
  return say ? say(fact, currency) : fact.type
}
