import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import pino from "pino"
import { serveApp } from "../server/src/app.ts"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import type { UserActor } from "../server/src/platform/calls/actor.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { reactions } from "../server/src/reactions.ts"
import { startWorkers } from "../server/src/workers.ts"

/* A separate server process as in production except for sign-in, so that its peak memory can be measured. */

const [databaseUrl, folder, actorText] = process.argv.slice(2)
const actor = JSON.parse(actorText!) as UserActor
const app = new App({
  reactions,
  jobs,
  database: new Database(databaseUrl!, { maxConnections: 6 }),
  clock: systemClock,
  files: new FileStore(`${folder}/files`),
  log: pino({ level: "error" }, pino.destination(2)),
  publicUrl: "http://127.0.0.1:3000",
})
const http = await serveApp({ app, sessionActor: async () => actor })
const stop = await startWorkers(app, { sealFile: `${folder}/${randomUUID()}.json` })
const url = await http.listen({ host: "127.0.0.1", port: 0 })

const residentMegabytes = () => process.memoryUsage().rss / 1024 / 1024

function readReaderMegabytes(): number {
  try {
    const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean)
    const pages = pids.map((pid) => Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]))
    return (pages.reduce((sum, each) => sum + each, 0) * 4_096) / 1024 / 1024
  } catch {
    return 0
  }
}

const idleMegabytes = residentMegabytes()
let peakMegabytes = idleMegabytes
let peakReaderMegabytes = 0
setInterval(() => {
  peakMegabytes = Math.max(peakMegabytes, residentMegabytes())
  peakReaderMegabytes = Math.max(peakReaderMegabytes, readReaderMegabytes())
}, 20).unref()

process.on("message", async (message) => {
  if (message === "memory") {
    process.send?.([idleMegabytes, peakMegabytes, peakReaderMegabytes])
    peakMegabytes = residentMegabytes()
    peakReaderMegabytes = 0
    return
  }
  await stop()
  await http.close()
  await app.database.close()
  if (process.connected) process.disconnect?.()
})
process.send?.(url)
