import { bigint, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { id, instant } from "../platform/database/columns.ts"

export const auditChecks = pgTable("audit_checks", {
  id: id(),
  checkedAt: instant("checked_at").notNull(),
  checkedBy: uuid("checked_by"),
  rows: bigint("rows", { mode: "number" }).notNull(),
  verifiedUntil: instant("verified_until"),
  faults: text("faults").array().notNull(),
})
