import { type Fact, sentences } from "@milkwood/domain/facts"
import { type TimelineEntry, timelineLength } from "@milkwood/domain/platform/timeline"
import { sql } from "drizzle-orm"
import { actorUserId } from "./actor.ts"
import type { Cx } from "./commands.ts"
import { tellOthers } from "./live.ts"

type FactType = Fact extends { type: infer T extends string } ? T : never
type Reaction<T extends string> = (cx: Cx, fact: Extract<Fact, { type: T }>) => Promise<void>

/** For each kind of news, what other rooms do about it, in the same transaction. */
export type Reactions = { [T in FactType]?: Reaction<T>[] }

/** What every fact carries, whatever its room. */
export interface AnyFact {
  type: string
  record: { kind: string; id: string | null; label: string }
  groupId: string | null
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  reason?: string
}

let reactions: Record<string, ((cx: Cx, fact: never) => Promise<void>)[] | undefined> = {}

/** Tells the platform who reacts to what; called once, where the house is put together. */
export function setReactions(all: Reactions): void {
  reactions = all as typeof reactions
}

/**
 * Puts facts on record in the change's transaction: the audit trail, the reactions of other rooms, and, once the
 * transaction has committed, the news to every screen that shows the record.
 */
export async function record(cx: Cx, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts as readonly AnyFact[]) {
    const { type, record: about, groupId, ...detail } = fact
    await cx.tx.run(sql`
      insert into audit_log (at, actor_id, actor_name, actor_role, request_id, fact, record_kind, record_id, record_label, group_id, detail)
      values (${cx.now}, ${actorUserId(cx.actor)}, ${cx.actor.name}, ${cx.actor.kind === "user" ? cx.actor.role : "system"},
        ${cx.requestId}, ${type}, ${about.kind}, ${about.id}, ${about.label}, ${groupId}, ${JSON.stringify(detail)}::jsonb)`)
    await tellOthers(cx.tx, { kind: about.kind, id: about.id, groupId })
    for (const react of reactions[type] ?? []) await react(cx, fact as never)
  }
}

/** The history of a record in words, newest first; row-level security leaves out what the actor may not see. */
export async function timeline(
  cx: Pick<Cx, "tx">,
  kind: string,
  recordId: string,
  options: { hide?: (field: string) => boolean } = {},
): Promise<TimelineEntry[]> {
  const rows = await cx.tx.rows<{
    id: number
    at: string
    actor: string
    role: string | null
    fact: string
    label: string
    detail: Omit<AnyFact, "type" | "record" | "groupId">
  }>(sql`
    select id, at, actor_name as actor, actor_role as role, fact, record_label as label, detail
    from audit_log where record_kind = ${kind} and record_id = ${recordId}
    order by id desc limit ${timelineLength}`)
  return rows.map(({ label, detail, ...row }) => {
    const fields = [...new Set([...Object.keys(detail.before ?? {}), ...Object.keys(detail.after ?? {})])]
    return {
      ...row,
      sentence: sentence({ type: row.fact, record: { kind, id: recordId, label }, groupId: null, ...detail }),
      reason: detail.reason ?? null,
      changes: fields
        .filter((field) => !options.hide?.(field))
        .map((field) => ({ field, before: detail.before?.[field] ?? null, after: detail.after?.[field] ?? null })),
    }
  })
}

/** A fact as a sentence without its subject: "submitted the claim". */
export function sentence(fact: AnyFact): string {
  const say = (sentences as unknown as Record<string, ((fact: AnyFact) => string) | undefined>)[fact.type]
  return say ? say(fact) : fact.type
}
