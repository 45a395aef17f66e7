import { EventEmitter } from "node:events"
import { todayIn } from "@milkwood/domain/kernel/calendar"
import type { Currency } from "@milkwood/domain/kernel/money"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { Logger } from "pino"
import type { Clock } from "./clock.ts"
import type { Database } from "./database/database.ts"
import type { FileStore } from "./files/files.ts"
import { readSettings } from "./settings/store.ts"
import type { Reactions } from "./trail/facts.ts"
import type { JobHandler } from "./work/jobs.ts"
import { Limit } from "./work/limit.ts"

export interface AppOptions {
  database: Database
  clock: Clock
  files: FileStore
  log: Logger
  /** Who reacts to which news, in the transaction of the news. */
  reactions: Reactions
  /** Every kind of background job. */
  jobs: readonly JobHandler[]
  /** Where people reach the house; links in mail start with it. */
  publicUrl: string
  /** Of the data folder; seals what the database alone must not tell (`secrets.ts`). */
  secretKey?: Buffer | undefined
  /** `smtp://…` or `smtps://…`, which wins over the settings; `off` keeps all mail in the outbox. */
  smtpUrl?: string | undefined
  /** Networks, such as 10.1.0.0/16, that webhooks may reach though they are not of the internet. */
  webhookNetworks?: readonly string[] | undefined
  /** What a backup takes, and where it is kept. */
  data?: DataPlace | undefined
}

/** The data folder, and in it or elsewhere the folder of the embedded PostgreSQL, where there is one. */
export interface DataPlace {
  folder: string
  postgres: string | null
  /** Where the files are, where they are not in the folder: with its key. */
  filesUrl?: string | undefined
}

/**
 * Work that takes long, each kind in a line of its own: none of them can take the connections that the rest needs. A
 * browser waits five minutes for the beginning of an answer.
 */
const limits = () => ({
  exports: new Limit({ atOnce: 2, waiting: 200, patienceMs: 280_000, each: 50 }),
  /** PDFs that are made to be looked at, and those that are made to be kept */
  downloads: new Limit({ atOnce: 1, waiting: 200, patienceMs: 280_000, each: 50 }),
  records: new Limit({ atOnce: 1, waiting: 100, patienceMs: 60_000 }),
  /** PDFs of reports, long ones among them; the jobs behind it wait as long as need be */
  reports: new Limit({ atOnce: 1, waiting: 100, patienceMs: 86_400_000 }),
  /** Reads leave connections to writes, and those that add up much leave theirs to the others. */
  reads: {
    staff: new Limit({ atOnce: 8, waiting: 200, patienceMs: 10_000 }),
    scoped: new Limit({ atOnce: 8, waiting: 200, patienceMs: 10_000 }),
  },
  heavyReads: new Limit({ atOnce: 3, waiting: 20, patienceMs: 20_000 }),
  /** files that people send and that are read at once */
  readers: new Limit({ atOnce: 2, waiting: 60, patienceMs: 120_000, each: 15 }),
  /** files whose rows a job reads while the database takes them; the jobs behind it wait as long as need be */
  checks: new Limit({ atOnce: 1, waiting: 100, patienceMs: 86_400_000 }),
})

/** What every command, query, job and route works with: one per process. */
export class App {
  readonly database: Database
  readonly clock: Clock
  readonly files: FileStore
  readonly log: Logger
  readonly reactions: Reactions
  readonly jobs: readonly JobHandler[]
  readonly publicUrl: string
  readonly smtpUrl: string | undefined
  readonly webhookNetworks: readonly string[]
  readonly data: DataPlace | undefined
  readonly secretKey: Buffer | undefined
  /** News of this process and the others: `change` with a LiveChange, `resync` when news may have been missed. */
  readonly news = new EventEmitter().setMaxListeners(0)
  readonly limits = limits()
  #settings: { timezone: string; currency: Currency; auditLogging: boolean; readAt: number } | undefined

  constructor(options: AppOptions) {
    this.database = options.database
    this.clock = options.clock
    this.files = options.files
    this.log = options.log
    this.reactions = options.reactions
    this.jobs = options.jobs
    this.publicUrl = options.publicUrl.replace(/\/$/, "")
    this.smtpUrl = options.smtpUrl
    this.webhookNetworks = options.webhookNetworks ?? []
    this.data = options.data
    this.secretKey = options.secretKey
    this.news.on("change", (change: { kind: string }) => {
      if (change.kind === "settings") this.#settings = undefined
    })
    this.news.on("resync", () => {
      this.#settings = undefined
    })
  }

  /** What every call goes by; known for at most five seconds, less when the news of a change comes first. */
  async #everyCallsSettings() {
    const known = this.#settings
    if (known && performance.now() - known.readAt < 5_000) return known
    const { timezone, currency, auditLogging } = await readSettings(this.database.direct("staff"), platformSettings)
    this.#settings = { timezone, currency, auditLogging, readAt: performance.now() }
    return this.#settings
  }

  async timezone(): Promise<string> {
    return (await this.#everyCallsSettings()).timezone
  }

  /** Whether it is kept who looked at which record. */
  async recordsLooks(): Promise<boolean> {
    return (await this.#everyCallsSettings()).auditLogging
  }

  forgetSettings(): void {
    this.#settings = undefined
  }

  /** What a call works with; asked for before it has a connection, so that it never holds one while it waits for another. */
  async moment(): Promise<{ now: Temporal.Instant; today: string; timezone: string; currency: Currency }> {
    const { timezone, currency } = await this.#everyCallsSettings()
    const now = this.clock.now()
    return { now, today: todayIn(now, timezone), timezone, currency }
  }
}
