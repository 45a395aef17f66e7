import { type Channel, channels, type NotificationDetail } from "@milkwood/domain/notifications/notification"
import { bigint, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core"
import { instant } from "../platform/database/columns.ts"

export const notifications = pgTable("notifications", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  userId: uuid("user_id").notNull(),
  groupId: uuid("group_id"),
  kind: text("kind").notNull(),
  recordKind: text("record_kind").notNull(),
  recordId: uuid("record_id").notNull(),
  recordLabel: text("record_label").notNull(),
  detail: jsonb("detail").$type<NotificationDetail>().notNull().default({}),
  onceKey: text("once_key"),
  channel: text("channel").$type<Exclude<Channel, "none">>().notNull(),
  at: instant("at").notNull(),
  readAt: instant("read_at"),
  doneAt: instant("done_at"),
  mailedAt: instant("mailed_at"),
})

export const notificationChoices = pgTable(
  "notification_choices",
  {
    userId: uuid("user_id").notNull(),
    kind: text("kind").notNull(),
    channel: text("channel", { enum: channels }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)
