import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import pino from "pino"
import { serveApp } from "../app.ts"
import { jobs } from "../jobs.ts"
import { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { systemClock } from "../platform/clock.ts"
import { Database } from "../platform/database/database.ts"
import { FileStore } from "../platform/files/files.ts"
import { openStorage } from "../platform/files/storage.ts"
import { reactions } from "../reactions.ts"
import { router } from "../router.ts"
import { runningDatabaseUrl } from "../runtime/postgres.ts"
import { postgresHome } from "../runtime/postgres-home.ts"
import { type Client, organisationInsertSql, type TestApp } from "./app.ts"

type TestServer = Awaited<ReturnType<TestApp["serve"]>>

type Killed = "the server" | "the database" | "both"

const main = join(import.meta.dirname, "../main.ts")

/**
 * Runs the server as a real process with embedded PostgreSQL, to be killed with SIGKILL at a chosen point. Triggers of
 * the test block it there, so the product needs no hook. An app in this process calls the contract on the same
 * database.
 *
 *     const server = await RealServer.started(`create trigger writing … execute function stand_still('writing')`)
 *     const { answer } = await server.killedAt("writing", "both", () => server.client.banking.import(asked))
 */
export class RealServer {
  readonly folder = mkdtempSync(join(tmpdir(), "milkwood-crash-"))
  readonly actor: UserActor = {
    kind: "user",
    userId: randomUUID(),
    name: "Ada Admin",
    email: "ada@example.test",
    role: "admin",
    groupIds: [],
    session: "played",
  }
  readonly #filesUrl: string
  #process: ChildProcess | undefined
  #logged = ""
  #database!: Database
  #app!: App

  private constructor(filesUrl: string) {
    this.#filesUrl = filesUrl
  }

  /** `when`: SQL condition under which a point blocks. `filesUrl`: document storage, if not the data folder. */
  static async started(triggers: string, when = "true", filesUrl = ""): Promise<RealServer> {
    const server = new RealServer(filesUrl)
    const { actor } = server
    chmodSync(server.folder, 0o711)
    await server.#start()
    const database = new Database(runningDatabaseUrl(postgresHome(server.folder)), { maxConnections: 4 })
    server.#database = database
    server.#app = new App({
      reactions,
      jobs,
      database,
      clock: systemClock,
      files: new FileStore(join(server.folder, "files"), await openStorage(filesUrl, join(server.folder, "files"))),
      log: pino({ level: "silent" }),
      publicUrl: "http://127.0.0.1:3000",
      data: { folder: server.folder, postgres: postgresHome(server.folder).folder },
    })
    const now = systemClock.now()
    await server.owner.run(sql`
      insert into users (id, name, email, email_verified, role, created_at, updated_at)
      values (${actor.userId}, ${actor.name}, ${actor.email}, true, ${actor.role}, ${now}, ${now})`)
    await server.owner.run(organisationInsertSql)
    await server.owner.client.query(`
      create table stand_still (point text primary key);
      create function stand_still() returns trigger language plpgsql security definer set search_path = public as $$
      begin
        if exists (select from stand_still where point = tg_argv[0]) and (${when}) then perform pg_sleep(5); end if;
        return new;
      end $$;
      ${triggers}`)
    return server
  }

  get app(): App {
    return this.#app
  }

  get owner() {
    return this.#database.direct("owner")
  }

  get client(): Client {
    const context = () => ({ app: this.#app, actor: this.actor, requestId: randomUUID() })
    return createRouterClient(router, { context }) as Client
  }

  async served<T>(work: (server: Pick<TestServer, "url" | "headersOf">) => Promise<T>): Promise<T> {
    const http = await serveApp({ app: this.#app, sessionActor: async () => this.actor })
    try {
      return await work({ url: await http.listen({ host: "127.0.0.1", port: 0 }), headersOf: () => ({}) })
    } finally {
      await http.close()
    }
  }

  async #start(): Promise<void> {
    const own = { PORT: "0", DATA_DIR: this.folder, DATABASE_URL: "", FILES_URL: this.#filesUrl }
    const env = { ...process.env, ...own, SMTP_URL: "", PUBLIC_URL: "" }
    const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] })
    this.#process = child
    this.#logged = ""
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      this.#logged = (this.#logged + part).slice(-4_000)
    })
    let said = ""
    for await (const part of child.stdout.setEncoding("utf8")) {
      said += part
      if (said.includes("Milkwood is at")) return
    }
    throw new Error(`the server did not start: ${said}${this.#logged}`)
  }

  #postmaster(): number {
    return Number(readFileSync(join(this.folder, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[0])
  }

  async kill(what: Killed): Promise<void> {
    if (what !== "the server") process.kill(this.#postmaster(), "SIGKILL")
    if (what === "the database") return
    const ended = once(this.#process!, "exit")
    this.#process!.kill("SIGKILL")
    await ended
    await this.#start()
  }

  /**
   * Starts work, kills the server or the database while the work is blocked at the point, and waits until the database
   * answers again. Returns the work's answer or error, and how many milliseconds the database was away.
   */
  async killedAt<T>(
    point: string,
    what: Killed,
    start: () => Promise<T>,
  ): Promise<{ answer: T | Error; waited: number }> {
    await this.#pauseAt(point)
    const started = start().catch((error: Error) => error)
    const refused = started.then((answer) => {
      if (answer instanceof Error) throw answer
      return new Promise<never>(() => {})
    })
    await Promise.race([this.until(this.#standsStill), refused])
    // The blocked statement sleeps on; after the restart nothing blocks.
    await this.#resumeAt(point)
    const killed = this.#postmaster()
    await this.kill(what)
    const waited = await this.until(async () => {
      const isBack = what === "the server" || this.#postmaster() !== killed
      return isBack && this.owner.row(sql`select 1`)
    })
    return { answer: await started, waited }
  }

  async #pauseAt(point: string): Promise<void> {
    await this.owner.run(sql`insert into stand_still values (${point})`)
  }

  async #resumeAt(point: string): Promise<void> {
    await this.owner.run(sql`delete from stand_still where point = ${point}`)
  }

  readonly #standsStill = async (): Promise<boolean> => {
    const found = await this.owner.row<{ n: number }>(
      sql`select count(*) as n from pg_stat_activity where wait_event = 'PgSleep'`,
    )
    return found!.n > 0
  }

  /** Polls a condition; an unreachable database counts as false. Returns the milliseconds. */
  async until(condition: () => Promise<unknown>, within = 60_000): Promise<number> {
    const from = performance.now()
    let cause: unknown
    const holds = () =>
      condition().catch((error: unknown) => {
        cause = error
      })
    while (!(await holds())) {
      if (performance.now() - from > within) {
        const { exitCode, signalCode } = this.#process!
        const ended = exitCode ?? signalCode
        const state = ended === null ? "runs" : `ended (${ended})`
        throw new Error(`not within ${within} ms; the server ${state} and logged at last\n${this.#logged}`, { cause })
      }
      await pause(100)
    }
    return performance.now() - from
  }

  async close(): Promise<void> {
    await this.#database?.close()
    const child = this.#process
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM")
      await once(child, "exit")
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}
