import { createHash, randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Role } from "@milkwood/domain/platform/permission"
import { createRouterClient, type RouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import pg from "pg"
import pino from "pino"
import { serveApp } from "../app.ts"
import { jobs } from "../jobs.ts"
import { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { SetClock } from "../platform/clock.ts"
import { Database, type Tx } from "../platform/database/database.ts"
import { FileStore } from "../platform/files/files.ts"
import type { FileStorage } from "../platform/files/storage.ts"
import { runDueJobs } from "../platform/work/jobs.ts"
import { secretPlaceholder } from "../platform/work/mail.ts"
import { reactions } from "../reactions.ts"
import { router } from "../router.ts"
import { migrate, readMigrationFiles } from "../runtime/migrate.ts"
import { readRulesFiles } from "../runtime/rules.ts"
import { testPostgresVariable } from "../runtime/test-postgres.setup.ts"
import { callerKeyOf, readCallerActor } from "../users/caller.ts"
import { prepareStatements } from "./prepared.ts"

export type Client = RouterClient<typeof router>

export interface StoredMail {
  id: string
  to: string
  subject: string
  text: string
  attachments: { fileId: string; name: string }[]
}

/** An installation for one test file: own database, clock, files and users. Commits are real. */
export interface TestApp {
  app: App
  clock: SetClock
  sql: Tx
  people: {
    admin: UserActor
    manager: UserActor
    manager2: UserActor
    underwriter: UserActor
    none: UserActor
    /** Another user of a role that sees every employer. */
    another(role: "admin" | "manager" | "underwriter"): Promise<UserActor>
    groupAdmin(...groupIds: string[]): Promise<UserActor>
    policyHolder(...groupIds: string[]): Promise<UserActor>
  }
  /** Null = not signed in. */
  as(actor: UserActor | null): Client
  transaction<T>(actor: UserActor, work: (cx: Cx) => Promise<T>): Promise<T>
  mails(): Promise<StoredMail[]>
  /** The API as a second process on this database: own connections and memory. */
  another(actor: UserActor | null): Client
  runJobs(): Promise<number>
  /** An HTTP server in this process; its `x-test-user` header replaces the cookie. */
  serve(): Promise<{
    url: string
    headersOf(actor: UserActor | null): Record<string, string>
    inventory: { method: string; url: string; permission: string }[]
  }>
  close(): Promise<void>
}

export const testOrganisation = {
  name: "Milkwood",
  vatNumber: "4123456789",
  address: "",
  bankAccount: {
    bank: "Protea Bank",
    accountHolder: "Milkwood",
    accountNumber: "0012345678",
    branchCode: "051001",
  },
}

export interface TestAppOptions {
  now?: string
  smtpUrl?: string
  publicUrl?: string
  webhookNetworks?: string[]
  connections?: number
  /** Uses prepared statements, for tests that repeat the same statements thousands of times. */
  isPreparing?: boolean
  /** False: no settings are saved, so there is no VAT number and no bank account. */
  isSetUp?: boolean
  storage?: FileStorage
  /** True: claims need the documents of the default settings before they are routed. Other tests do without. */
  requiresDocuments?: boolean
}

export const organisationInsertSql = sql`
  insert into settings (key, value, saved_at) values ('organisation', ${JSON.stringify(testOrganisation)}::jsonb, now())`

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const serverUrl = process.env[testPostgresVariable]
  if (!serverUrl) throw new Error("the test PostgreSQL is started by vitest's global setup")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const template = await createTemplateDatabase(serverUrl)
  await runOnServer(serverUrl, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  )
  const ownerUrl = databaseUrl(serverUrl, name)
  const folder = await mkdtemp(join(tmpdir(), "milkwood-test-"))
  const clock = new SetClock(options.now ?? "2026-11-02T08:00:00Z")
  const database = new Database(ownerUrl, { maxConnections: options.connections ?? 6 })
  if (options.isPreparing) {
    await runOnServer(serverUrl, (client) =>
      client.query(`alter database ${name} set plan_cache_mode = force_generic_plan`),
    )
    for (const role of ["owner", "staff", "scoped", "jobs"] as const) prepareStatements(database.pool(role))
  }
  const appOptions = {
    reactions,
    jobs,
    clock,
    files: new FileStore(join(folder, "files"), options.storage),
    log: pino({ level: process.env.TEST_LOG ?? "silent" }),
    publicUrl: options.publicUrl ?? "http://127.0.0.1:3000",
    smtpUrl: options.smtpUrl,
    webhookNetworks: options.webhookNetworks,
    data: { folder, postgres: null },
    secretKey: randomBytes(32),
  }
  const app = new App({ ...appOptions, database })
  const owner = database.direct("owner")
  const known = new Map<string, UserActor>()
  const isSetUp = options.isSetUp ?? true
  if (isSetUp) await owner.run(organisationInsertSql)
  if (isSetUp && !options.requiresDocuments) {
    await owner.run(sql`insert into settings (key, value, saved_at) values ('requiredDocuments', '[]', now())`)
  }

  const person = async (role: Role | null, title: string, groupIds: string[] = []): Promise<UserActor> => {
    const actor: UserActor = {
      kind: "user",
      userId: randomUUID(),
      name: title,
      email: `${title.toLowerCase().replaceAll(" ", ".")}.${known.size}@example.test`,
      role,
      groupIds,
      session: "played",
    }
    await owner.run(sql`
      insert into users (id, name, email, email_verified, role, created_at, updated_at)
      values (${actor.userId}, ${actor.name}, ${actor.email}, true, ${role}, ${clock.now()}, ${clock.now()})`)
    for (const groupId of groupIds) {
      await owner.run(sql`insert into user_groups (user_id, group_id) values (${actor.userId}, ${groupId})`)
    }
    known.set(actor.userId, actor)
    return actor
  }

  const people: TestApp["people"] = {
    admin: await person("admin", "Ada Admin"),
    manager: await person("manager", "Max Manager"),
    manager2: await person("manager", "Mia Manager"),
    underwriter: await person("underwriter", "Uma Underwriter"),
    none: await person(null, "Nomsa Newcomer"),
    another: (role) => person(role, `Another ${role}`),
    groupAdmin: (...groupIds) => person("group_admin", "Gert Group", groupIds),
    policyHolder: (...groupIds) => person("policy_holder", "Pia Holder", groupIds),
  }
  const closers: (() => Promise<void>)[] = []

  return {
    app,
    clock,
    sql: owner,
    people,
    as: (actor) => createRouterClient(router, { context: () => ({ app, actor, requestId: randomUUID() }) }) as Client,
    another(actor) {
      const second = new Database(ownerUrl, { maxConnections: 3 })
      closers.push(() => second.close())
      const context = () => ({
        app: new App({ ...appOptions, database: second }),
        actor,
        requestId: randomUUID(),
      })
      return createRouterClient(router, { context }) as Client
    },
    async transaction(actor, work) {
      const moment = await app.moment()
      return database.transaction(
        Database.roleOf(actor),
        (tx) => work({ app, tx, actor, requestId: randomUUID(), ...moment }),
        actor,
      )
    },
    mails: () =>
      owner.rows<StoredMail>(sql`
        select id, to_address as "to", subject, attachments,
          case when secret is null then text_body else replace(text_body, ${secretPlaceholder}, secret) end as text
        from mails order by created_at, id`),
    runJobs: () => runDueJobs(app, jobs, new AbortController().signal),
    async serve() {
      const http = await serveApp({
        app,
        sessionActor: async (_, headers, key) =>
          known.get(headers.get("x-test-user") ?? "") ?? readCallerActor(app, headers, key),
        sessionKey: (_, headers) => headers.get("x-test-user") ?? callerKeyOf(app, headers),
      })
      const url = await http.listen({ host: "127.0.0.1", port: 0 })
      closers.push(() => http.close())
      const inventory = http.inventory.map(({ method, url: path, config }) => ({
        method: String(method),
        url: path,
        permission: String(config?.permission),
      }))
      return {
        url,
        inventory,
        headersOf: (actor): Record<string, string> => (actor ? { "x-test-user": actor.userId } : {}),
      }
    },
    async close() {
      for (const close of closers) await close()
      await database.close()
      await runOnServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function runOnServer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function createTemplateDatabase(serverUrl: string): Promise<string> {
  const fingerprint = createHash("sha256")
  for (const { checksum } of [...readMigrationFiles(), ...readRulesFiles()]) fingerprint.update(checksum)
  const name = `template_${fingerprint.digest("hex").slice(0, 16)}`
  await runOnServer(serverUrl, async (client) => {
    await client.query("select pg_advisory_lock(hashtextextended('milkwood test template', 0))")
    const found = await client.query("select datistemplate from pg_database where datname = $1", [name])
    if (found.rows[0]?.datistemplate) return
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
    await migrate(databaseUrl(serverUrl, name))
    await client.query(`alter database ${name} with is_template true allow_connections false`)
  })
  return name
}
