import type { PersonFileState } from "@milkwood/domain/privacy/person-file"
import { bigint, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { groupId, id, instant } from "../platform/database/columns.ts"

/** Files with everything recorded about a person. */
export const personFiles = pgTable("person_files", {
  id: id(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  jobId: uuid("job_id").notNull(),
  state: text("state").$type<PersonFileState>().notNull().default("making"),
  askedBy: uuid("asked_by").notNull(),
  askedAt: instant("asked_at").notNull(),
  finishedAt: instant("finished_at"),
  fileId: uuid("file_id"),
  size: bigint("size", { mode: "number" }),
  sha256: text("sha256"),
  message: text("message"),
  ticket: uuid("ticket"),
  ticketOf: uuid("ticket_of"),
})
