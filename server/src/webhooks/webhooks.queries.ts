import { allowedWebhookActions, deliveriesList } from "@milkwood/domain/webhooks/webhook"
import {
  type DeliveryDetail,
  type DeliveryRow,
  type WebhookRow,
  webhooksContract,
} from "@milkwood/domain/webhooks/webhooks.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { List } from "../platform/lists/list.ts"

/** Delivery `d` has a try without outcome, within its time limit. */
const isUnderWay = sql.raw(
  "exists (select from webhook_attempts t where t.delivery_id = d.id and t.ms is null and t.until > statement_timestamp())",
)

async function readWebhooks({ tx, now }: Pick<Cx, "tx" | "now">, condition: SQL): Promise<WebhookRow[]> {
  const found = await tx.rows<Omit<WebhookRow, "allowedActions">>(sql`
    select w.id, w.name, w.url, w.events, w.paused_at is not null as "isPaused", u.name as "madeBy",
      w.made_at as "madeAt", w.version, case when w.old_secret_until > ${now} then w.old_secret_until end as "oldSecretUntil",
      (select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting') as waiting,
      (select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'given_up') as "givenUp",
      (select max(finished_at) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'delivered') as "lastDeliveredAt",
      (select nullif(d.answer, '') from webhook_deliveries d
        where d.webhook_id = w.id and d.state = 'waiting' and d.attempts > 0 and not ${isUnderWay} order by d.created_at desc limit 1) as "lastError"
    from webhooks w join users u on u.id = w.made_by
    where w.removed_at is null and ${condition} order by lower(w.name), w.id`)
  return found.map((row) => ({ ...row, allowedActions: allowedWebhookActions(row) }))
}

export const listWebhooks = query(webhooksContract.list, async (cx) => ({
  webhooks: await readWebhooks(cx, sql`true`),
}))

/** NOT_FOUND if missing or removed. */
export async function findWebhook(cx: Pick<Cx, "tx" | "now">, id: string): Promise<WebhookRow> {
  const [found] = await readWebhooks(cx, sql`w.id = ${id}`)
  if (!found) throw refused("NOT_FOUND", "This webhook does not exist.")
  return found
}

export const readWebhook = query(webhooksContract.detail, (cx) => findWebhook(cx, cx.input.webhookId))

const deliveryColumns = sql`
  d.id, d.event, d.label, d.state, d.attempts, ${isUnderWay} as "isUnderWay", d.answer, d.created_at as "createdAt",
  d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt"`

type StoredDelivery = Omit<DeliveryRow, "allowedActions">

const presentDelivery = <T extends StoredDelivery>(row: T): T & DeliveryRow => ({
  ...row,
  answer: row.isUnderWay ? "" : row.answer,
  allowedActions: row.isUnderWay || (row.state === "waiting" && row.attempts === 0) ? [] : ["resend"],
})

export const deliveries = new List<typeof deliveriesList, DeliveryRow>(deliveriesList, {
  select: () => sql`
    select ${deliveryColumns}, d.webhook_id as "_webhookId"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id and w.removed_at is null`,
  present: presentDelivery<StoredDelivery>,
})

export const listDeliveries = query(webhooksContract.deliveries.list, (cx) => deliveries.page(cx, cx.input))

export async function findDelivery(tx: Tx, id: string): Promise<DeliveryDetail> {
  const found = await tx.row<Omit<DeliveryDetail, "allowedActions">>(sql`
    select ${deliveryColumns}, jsonb_build_object('id', w.id, 'name', w.name) as webhook, d.body,
      (select coalesce(jsonb_agg(jsonb_build_object('at', t.at, 'isUnderWay', t.ms is null and t.until > statement_timestamp(),
          'ms', t.ms, 'status', t.status, 'said', t.said) order by t.id), '[]')
        from webhook_attempts t where t.delivery_id = d.id) as tries
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id and w.removed_at is null
    where d.id = ${id}`)
  if (!found) throw refused("NOT_FOUND", "This message does not exist.")
  const tries = found.tries.map((one) => (one.isUnderWay ? { ...one, said: "" } : one))
  return { ...presentDelivery(found), tries }
}

export const readDelivery = query(webhooksContract.deliveries.detail, (cx) => findDelivery(cx.tx, cx.input.deliveryId))
