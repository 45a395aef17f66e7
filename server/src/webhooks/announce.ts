import type { Fact } from "@milkwood/domain/facts"
import { announcedFacts, eventOf, messageBody, messageRecord } from "@milkwood/domain/webhooks/webhook-events"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Reactions } from "../platform/trail/facts.ts"

/** Stores a message per subscribed webhook in the fact's transaction: it is sent only if the change commits. */
export async function queueAnnouncements(cx: Cx, facts: readonly Fact[]): Promise<void> {
  const messages = facts.flatMap((fact) => {
    const event = eventOf(fact)
    if (event === null) return []
    const record = messageRecord(fact)
    return [{ event, label: record.number ?? "", body: messageBody(event, cx.now, record) }]
  })
  if (messages.length === 0) return
  const written = await cx.tx.run(sql`
    insert into webhook_deliveries (id, webhook_id, event, label, body, state, next_attempt_at, created_at)
    select gen_random_uuid(), w.id, m.event, m.label, m.body, 'waiting', clock_timestamp(), ${cx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m (event text, label text, body text)
    join webhooks w on m.event = any (w.events) and w.removed_at is null`)
  if (written > 0) await cx.tx.run(sql`notify milkwood_webhooks`)
}

export function withAnnouncements(reactions: Reactions): Reactions {
  const all: Record<string, unknown[]> = { ...reactions }
  for (const type of announcedFacts) all[type] = [...(all[type] ?? []), { together: queueAnnouncements }]
  return all as Reactions
}
