import { bigint, integer, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { id, instant, version } from "../platform/database/columns.ts"

export const webhooks = pgTable("webhooks", {
  id: id(),
  name: text("name").notNull(),
  url: text("url").notNull(),
  events: text("events").array().notNull(),
  secret: text("secret").notNull(),
  oldSecret: text("old_secret"),
  oldSecretUntil: instant("old_secret_until"),
  pausedAt: instant("paused_at"),
  removedAt: instant("removed_at"),
  failures: integer("failures").notNull().default(0),
  heldUntil: instant("held_until"),
  version: version(),
  madeBy: uuid("made_by").notNull(),
  madeAt: instant("made_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
})

export const webhookDeliveries = pgTable("webhook_deliveries", {
  id: id(),
  webhookId: uuid("webhook_id").notNull(),
  event: text("event").notNull(),
  label: text("label").notNull(),
  body: text("body").notNull(),
  state: text("state").notNull(),
  attempts: integer("attempts").notNull().default(0),
  answer: text("answer").notNull().default(""),
  nextAttemptAt: instant("next_attempt_at"),
  createdAt: instant("created_at").notNull(),
  finishedAt: instant("finished_at"),
})

export const webhookAttempts = pgTable("webhook_attempts", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  deliveryId: uuid("delivery_id").notNull(),
  at: instant("at").notNull(),
  until: instant("until").notNull(),
  ms: integer("ms"),
  status: integer("status"),
  said: text("said").notNull(),
})
