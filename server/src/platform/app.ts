import { EventEmitter } from "node:events"
import { todayInTimezone } from "@milkwood/domain/kernel/calendar"
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
  reactions: Reactions
  jobs: readonly JobHandler[]
  publicUrl: string
  /** Key in the data folder that encrypts secrets stored in the database (`secrets.ts`). */
  secretKey?: Buffer | undefined
  /** `smtp://…` or `smtps://…`, which overrides the settings; `off` keeps all mail in the outbox. */
  smtpUrl?: string | undefined
  /** Private networks that webhooks may reach, such as 10.1.0.0/16. */
  webhookNetworks?: readonly string[] | undefined
  data?: DataLocation | undefined
}

export interface DataLocation {
  folder: string
  postgres: string | null
  filesUrl?: string | undefined
}

/**
 * A separate limit for each kind of slow work, so that none can use up the connections. Browsers wait five minutes for
 * the first byte.
 */
const createLimits = () => ({
  exports: new Limit({ atOnce: 2, waiting: 200, patienceMs: 280_000, each: 50 }),
  downloads: new Limit({ atOnce: 1, waiting: 200, patienceMs: 280_000, each: 50 }),
  records: new Limit({ atOnce: 1, waiting: 100, patienceMs: 60_000 }),
  reports: new Limit({ atOnce: 1, waiting: 100, patienceMs: 86_400_000 }),
  /** Reads leave connections for writes; heavy reads leave connections for other reads. */
  reads: {
    staff: new Limit({ atOnce: 8, waiting: 200, patienceMs: 10_000 }),
    scoped: new Limit({ atOnce: 8, waiting: 200, patienceMs: 10_000 }),
  },
  heavyReads: new Limit({ atOnce: 3, waiting: 20, patienceMs: 20_000 }),
  readers: new Limit({ atOnce: 2, waiting: 60, patienceMs: 120_000, each: 15 }),
  checks: new Limit({ atOnce: 1, waiting: 100, patienceMs: 86_400_000 }),
})

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
  readonly data: DataLocation | undefined
  readonly secretKey: Buffer | undefined
  readonly news = new EventEmitter().setMaxListeners(0)
  readonly limits = createLimits()
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

  /** Cached for at most five seconds; a settings change clears it earlier. */
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

  async recordsLooks(): Promise<boolean> {
    return (await this.#everyCallsSettings()).auditLogging
  }

  forgetSettings(): void {
    this.#settings = undefined
  }

  /** Call it before taking a connection: it may need one itself, and a call must not wait for a second connection. */
  async moment(): Promise<{ now: Temporal.Instant; today: string; timezone: string; currency: Currency }> {
    const { timezone, currency } = await this.#everyCallsSettings()
    const now = this.clock.now()
    return { now, today: todayInTimezone(now, timezone), timezone, currency }
  }
}
