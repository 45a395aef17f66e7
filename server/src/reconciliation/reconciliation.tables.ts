import type { Resolution } from "@milkwood/domain/reconciliation/reconciliation"
import { pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant } from "../platform/database/columns.ts"

/** What was said to be done about the difference of an employer's month; the newest counts. */
export const monthResolutions = pgTable("month_resolutions", {
  id: id(),
  groupId: groupId(),
  month: day("month").notNull(),
  kind: text("kind").$type<Resolution>().notNull(),
  differenceCents: cents("difference_cents").notNull(),
  note: text("note").notNull(),
  resolvedBy: uuid("resolved_by").notNull(),
  resolvedAt: instant("resolved_at").notNull(),
})
