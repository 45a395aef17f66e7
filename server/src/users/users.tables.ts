import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core"
import { id, instant, version } from "../platform/database/columns.ts"

export const users = pgTable("users", {
  id: id(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  emailVerified: boolean("email_verified").notNull().default(false),
  role: text("role"),
  disabledAt: instant("disabled_at"),
  isProgram: boolean("is_program").notNull().default(false),
  sessionEpoch: integer("session_epoch").notNull().default(1),
  lastSignInAt: instant("last_sign_in_at"),
  version: version(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
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
  userAgent: text("user_agent"),
  stage: text("stage").notNull().default("signed_in"),
  provenAt: instant("proven_at").notNull(),
  address: text("address"),
  level: text("level"),
  challenge: uuid("challenge"),
  challengedAt: instant("challenged_at"),
})

export const refreshTokens = pgTable("refresh_tokens", {
  hash: text("hash").primaryKey(),
  sessionId: uuid("session_id").notNull(),
  createdAt: instant("created_at").notNull(),
  usedAt: instant("used_at"),
})

export const signingKeys = pgTable("signing_keys", {
  id: id(),
  publicKey: jsonb("public_key").notNull(),
  privateKey: text("private_key").notNull(),
  signsFrom: instant("signs_from").notNull(),
  createdAt: instant("created_at").notNull(),
})

export const secondFactors = pgTable("second_factors", {
  userId: uuid("user_id").primaryKey(),
  secret: text("secret").notNull(),
  confirmedAt: instant("confirmed_at"),
  lastStep: bigint("last_step", { mode: "number" }),
  createdAt: instant("created_at").notNull(),
  id: uuid("id").notNull(),
  name: text("name"),
})

export const recoveryCodes = pgTable(
  "recovery_codes",
  { userId: uuid("user_id").notNull(), hash: text("hash").notNull(), usedAt: instant("used_at") },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

export const knownDevices = pgTable(
  "known_devices",
  {
    userId: uuid("user_id").notNull(),
    deviceHash: text("device_hash").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceHash] })],
)

export const passwords = pgTable("passwords", {
  userId: uuid("user_id").primaryKey(),
  hash: text("hash").notNull(),
  changedAt: instant("changed_at").notNull(),
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

export const serviceKeys = pgTable("service_keys", {
  id: id(),
  name: text("name").notNull(),
  role: text("role").notNull(),
  hash: text("hash").notNull(),
  hint: text("hint").notNull(),
  madeBy: uuid("made_by").notNull(),
  madeAt: instant("made_at").notNull(),
  expiresAt: instant("expires_at").notNull(),
  lastUsedAt: instant("last_used_at"),
  lastUsedFrom: text("last_used_from"),
  revokedAt: instant("revoked_at"),
  revokedBy: uuid("revoked_by"),
})
