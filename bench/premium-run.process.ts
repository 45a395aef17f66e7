import pino from "pino"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { runDueJobs } from "../server/src/platform/work/jobs.ts"
import { reactions } from "../server/src/reactions.ts"

/* Runs premium run jobs (or another prefix) in a separate process, to measure its memory. Other worker tasks are off,
   so that no reminders are sent. */

const [databaseUrl, folder, kinds = "billing."] = process.argv.slice(2)
const app = new App({
  reactions,
  jobs,
  database: new Database(databaseUrl!, { maxConnections: 6 }),
  clock: systemClock,
  files: new FileStore(`${folder}/files`),
  log: pino({ level: "error" }, pino.destination(2)),
  publicUrl: "http://127.0.0.1:3000",
})
const benchJobs = jobs.filter(({ kind }) => kind.startsWith(kinds))

const residentMegabytesOf = () => process.memoryUsage().rss / 1024 / 1024

process.on("message", async (message) => {
  if (message !== "run") {
    await app.database.close()
    return process.disconnect?.()
  }
  const seen: number[] = []
  const watching = setInterval(() => seen.push(residentMegabytesOf()), 200)
  const ran = await runDueJobs(app, benchJobs, new AbortController().signal)
  clearInterval(watching)
  seen.push(residentMegabytesOf())
  process.send?.({ ran, half: Math.max(...seen.slice(0, Math.ceil(seen.length / 2))), most: Math.max(...seen) })
})
process.send?.("ready")
