import { EventEmitter, once } from "node:events"
import type { Server } from "node:http"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pino from "pino"
import { serveApp } from "./app.ts"
import { jobs } from "./jobs.ts"
import { App } from "./platform/app.ts"
import { systemClock } from "./platform/clock.ts"
import { Database } from "./platform/database/database.ts"
import { FileStore } from "./platform/files/files.ts"
import { openStorage } from "./platform/files/storage.ts"
import { createSealFile } from "./platform/trail/sealer.ts"
import { reactions } from "./reactions.ts"
import { addressError } from "./runtime/address.ts"
import { type Config, localUrl, productFolder } from "./runtime/config.ts"
import { checkPooler } from "./runtime/external-database.ts"
import { checkInstallation, readOrCreateSecretKey } from "./runtime/installation.ts"
import { migrate } from "./runtime/migrate.ts"
import type { OpenDatabase } from "./runtime/open-database.ts"
import type { RunOptions, StopHandler } from "./runtime/run.ts"
import { StartRefusedError } from "./runtime/start-refused.ts"
import { readCallerActor } from "./users/caller.ts"
import { createSetupLink } from "./users/setup.ts"
import { startWorkers } from "./workers.ts"

/** Shutdown time limits, in milliseconds. */
const shutdownTimeoutsMs = { requests: 20_000, workers: 10_000, connections: 5_000 }

export async function serve(
  config: Config,
  opened: OpenDatabase,
  options: RunOptions,
  stop: StopHandler,
): Promise<void> {
  const stopping = new AbortController()
  stop.signalled.then(() => stopping.abort())
  const onWait = () => console.log("Another process is migrating the database; waiting for it...")
  await migrate(opened.url, { onWait, signal: stopping.signal }).catch((error: Error) => {
    if (!stopping.signal.aborted) throw new StartRefusedError(error.message)
  })
  if (stopping.signal.aborted) return
  const filesFolder = join(config.dataDir, "files")
  const files = new FileStore(filesFolder, await openStorage(config.filesUrl, filesFolder))
  const { joins } = await checkInstallation(opened.url, config.dataDir, files.storage)
  await files.sweepIncoming(Temporal.Now.instant().subtract({ hours: 24 }).epochMilliseconds)
  const log = pino({ level: process.stderr.isTTY ? "warn" : "info", base: { pid: process.pid } }, pino.destination(2))
  const database = new Database(opened.url, opened.pooledUrl ? { pooledUrl: opened.pooledUrl } : {})
  stop.push(() => waitAtMost(shutdownTimeoutsMs.connections, database.close()))
  if (opened.pooledUrl) await checkPooler(database)
  const sealFile = join(config.dataDir, "audit-seal.json")
  // A server that joins creates its own seal file, to detect removed audit rows.
  if (joins) await createSealFile(database, sealFile)
  const app = new App({
    reactions,
    jobs,
    database,
    clock: systemClock,
    files,
    log,
    publicUrl: config.publicUrl ?? localUrl(config.host, config.port),
    smtpUrl: config.smtpUrl,
    webhookNetworks: config.webhookNetworks,
    data: { folder: config.dataDir, postgres: opened.folder, filesUrl: config.filesUrl },
    secretKey: readOrCreateSecretKey(config.dataDir),
  })

  let ready = true
  const screens = join(productFolder, "web", "dist")
  const http = await serveApp({ app, sessionActor: readCallerActor, screens, ready: () => ready })
  const preparing = options.beforeServing?.(app, config) ?? []
  const lines = await Promise.race([preparing, stop.signalled])
  if (!lines) return
  const link = await createSetupLink(app)
  const stopWorkers = await startWorkers(app, { sealFile })
  stop.push(() => waitAtMost(shutdownTimeoutsMs.workers, stopWorkers()))
  const requests = trackOpenRequests(http.server)
  // Another process may have taken the address since the earlier check.
  await http.listen({ host: config.host, port: config.port }).catch((error: Error) => {
    throw addressError(config, error)
  })
  stop.push(async () => {
    ready = false
    opened.stopping()
    const closed = http.close()
    app.news.emit("close")
    await waitAtMost(shutdownTimeoutsMs.requests, requests.none())
    http.server.closeAllConnections()
    await closed
  })

  console.log(`Milkwood is at ${app.publicUrl}`)
  if (link) console.log(`Set it up here, once: ${link}`)
  for (const line of lines) console.log(line)
  // From here on a failure is a crash, and the supervisor restarts the process.
  process.send?.("serving")
  await stop.signalled
  console.log("Stopping...")
}

function trackOpenRequests(server: Server) {
  const ends = new EventEmitter()
  let count = 0
  server.on("request", (_request, response) => {
    count += 1
    response.once("close", () => {
      count -= 1
      if (count === 0) ends.emit("none")
    })
  })
  return { none: async () => (count === 0 ? undefined : once(ends, "none")) }
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  await Promise.race([work, pause(ms, undefined, { signal: over.signal })]).finally(() => over.abort())
}
