import { bigint, boolean, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { id, instant } from "../platform/database/columns.ts"

export const backupKeys = pgTable("backup_keys", {
  id: id(),
  recipient: text("recipient").notNull(),
  madeBy: uuid("made_by"),
  madeAt: instant("made_at").notNull(),
  replacedAt: instant("replaced_at"),
})

export const backups = pgTable("backups", {
  id: id(),
  keyId: uuid("key_id").notNull(),
  state: text("state").notNull(),
  isAutomatic: boolean("is_automatic").notNull(),
  askedBy: uuid("asked_by"),
  fileName: text("file_name").notNull(),
  hasDatabase: boolean("has_database").notNull(),
  startedAt: instant("started_at").notNull(),
  finishedAt: instant("finished_at"),
  size: bigint("size", { mode: "number" }),
  sha256: text("sha256"),
  verifiedAt: instant("verified_at"),
  message: text("message"),
  place: text("place"),
})
