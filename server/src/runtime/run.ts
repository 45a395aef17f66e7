import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pino from "pino"
import { buildApp } from "../app.ts"
import { systemClock } from "../platform/clock.ts"
import { Database } from "../platform/database.ts"
import { FileStore } from "../platform/files.ts"
import { House } from "../platform/house.ts"
import { migrate } from "../platform/migrate.ts"
import { sessionActor } from "../users/session.ts"
import { setupLink } from "../users/setup.ts"
import { startWorkers } from "../workers.ts"
import { type Config, localUrl, prepareDataDir, productFolder, readConfig } from "./config.ts"
import { type OpenDatabase, openDatabase } from "./open-database.ts"
import { StartRefused } from "./start-refused.ts"

/** How long requests, then workers, may take to come to an end when the server stops. */
const patienceMs = { requests: 20_000, workers: 10_000 }

export type RunOptions = {
  /** Done before the first request is let in; answers lines to print below the address. */
  beforeServing?: (house: House, config: Config) => Promise<string[]>
}

/** Runs the house from the environment of this process until a signal comes. Sets the exit code; never throws. */
export async function runServer(options: RunOptions = {}): Promise<void> {
  const stop = stopper()
  try {
    await serve(readConfig(process.env), options, stop)
  } catch (error) {
    process.exitCode = 1
    console.error(error instanceof StartRefused ? error.message : error)
  }
  await stop.now()
}

type Closing = () => Promise<unknown>

/** What was opened, to be closed in the opposite order, once: at a signal, or when the start fails half-way. */
function stopper() {
  const closings: Closing[] = []
  let asked: () => void
  const signalled = new Promise<void>((resolve) => {
    asked = resolve
  })
  // A second Ctrl-C changes nothing: npm and the terminal may both send one.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => asked())
  // Whoever started us is gone, and with him his signals.
  if (process.connected) process.on("disconnect", () => asked())
  return {
    signalled,
    push: (closing: Closing) => closings.push(closing),
    async now() {
      for (let closing = closings.pop(); closing; closing = closings.pop()) {
        await closing().catch((error: Error) => {
          process.exitCode = 1
          console.error(`While stopping: ${error.message}`)
        })
      }
    },
  }
}

async function serve(config: Config, options: RunOptions, stop: ReturnType<typeof stopper>): Promise<void> {
  const log = pino({ level: process.stderr.isTTY ? "warn" : "info", base: { pid: process.pid } }, pino.destination(2))
  prepareDataDir(config.dataDir)
  const port = await claimPort(config)
  const opened = await openDatabase(config, (what) => log.warn(what))
  stop.push(opened.close)
  await migrateOrRefuse(opened)

  const database = new Database(opened.url)
  stop.push(() => within(5_000, database.close()))
  const publicUrl = config.publicUrl ?? localUrl(config.host, port)
  const files = new FileStore(join(config.dataDir, "files"))
  const house = new House({ database, clock: systemClock, files, log, publicUrl, smtpUrl: config.smtpUrl })

  let ready = true
  const screens = join(productFolder, "web", "dist")
  const app = await buildApp({ house, sessionActor, screens, ready: () => ready })
  const lines = (await options.beforeServing?.(house, config)) ?? []
  const stopWorkers = await startWorkers(house, { sealFile: join(config.dataDir, "audit-seal.json") })
  stop.push(() => within(patienceMs.workers, stopWorkers()))
  await app.listen({ host: config.host, port })
  stop.push(async () => {
    ready = false
    opened.stopping()
    house.news.emit("close")
    await within(patienceMs.requests, app.close())
    app.server.closeAllConnections()
  })

  console.log(`Milkwood is at ${publicUrl}`)
  const link = await setupLink(house)
  if (link) console.log(`Set it up here, once: ${link}`)
  for (const line of lines) console.log(line)
  await stop.signalled
  console.log("Stopping…")
}

async function migrateOrRefuse(opened: OpenDatabase) {
  try {
    await migrate(opened.url)
  } catch (error) {
    throw new StartRefused((error as Error).message)
  }
}

/** Finds out early, and in a sentence, whether the address can be had; answers the port, also when any will do. */
async function claimPort({ host, port }: Config): Promise<number> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once("error", ({ code, message }: NodeJS.ErrnoException) => reject(new StartRefused(whyNot(code, message))))
    probe.listen({ host, port }, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address ? address.port : port))
    })
  })
  function whyNot(code: string | undefined, message: string): string {
    if (code === "EADDRINUSE") return `PORT: ${port} on ${host} is in use by another program; set PORT to a free one.`
    if (code === "EACCES") return `PORT: this account may not listen on ${port}; set PORT to 1024 or above.`
    if (code === "EADDRNOTAVAIL") return `HOST: ${host} is not an address of this machine.`
    if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `HOST: the name ${host} is not known.`
    return `HOST and PORT: ${message}.`
  }
}

/** Waits for work to end, but no longer than this. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  await Promise.race([work, pause(ms, undefined, { signal: over.signal })]).finally(() => over.abort())
}
