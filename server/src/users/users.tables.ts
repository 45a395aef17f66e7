import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core"
import { id, instant, version } from "../platform/database/columns.ts"

/** Instants that the sign-in library writes by its own clock; it wants them as Date. */
const libraryInstant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" }).notNull()

export const users = pgTable("users", {
  id: id(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  emailVerified: boolean("email_verified").notNull().default(false),
  role: text("role"),
  disabledAt: instant("disabled_at"),
  sessionEpoch: integer("session_epoch").notNull().default(1),
  lastSignInAt: instant("last_sign_in_at"),
  version: version(),
  createdAt: libraryInstant("created_at"),
  updatedAt: libraryInstant("updated_at"),
})

export const userGroups = pgTable(
  "user_groups",
  { userId: uuid("user_id").notNull(), groupId: uuid("group_id").notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.groupId] })],
)

export const sessions = pgTable("sessions", {
  id: id(),
  userId: uuid("user_id").notNull(),
  token: text("token").notNull(),
  epoch: integer("epoch").notNull(),
  startedAt: instant("started_at").notNull(),
  lastActiveAt: instant("last_active_at").notNull(),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  expiresAt: libraryInstant("expires_at"),
  createdAt: libraryInstant("created_at"),
  updatedAt: libraryInstant("updated_at"),
})

export const accounts = pgTable("accounts", {
  id: id(),
  userId: uuid("user_id").notNull(),
  accountId: text("account_id").notNull(),
  providerId: text("provider_id").notNull(),
  password: text("password"),
  createdAt: libraryInstant("created_at"),
  updatedAt: libraryInstant("updated_at"),
})

export const accountLinks = pgTable("account_links", {
  id: id(),
  kind: text("kind").notNull(),
  tokenHash: text("token_hash").notNull(),
  userId: uuid("user_id"),
  email: text("email"),
  role: text("role"),
  groupIds: uuid("group_ids").array().notNull().default([]),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
  expiresAt: instant("expires_at").notNull(),
  usedAt: instant("used_at"),
  revokedAt: instant("revoked_at"),
})

export const signInAttempts = pgTable("sign_in_attempts", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  kind: text("kind").notNull(),
  at: instant("at").notNull(),
  subject: text("subject").notNull(),
  address: text("address").notNull(),
  succeeded: boolean("succeeded").notNull().default(false),
})

export const savedViews = pgTable("saved_views", {
  id: id(),
  userId: uuid("user_id").notNull(),
  list: text("list").notNull(),
  name: text("name").notNull(),
  address: jsonb("address").notNull(),
  columns: text("columns").array(),
  createdAt: instant("created_at").notNull(),
})
