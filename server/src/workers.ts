import { startDueBackup } from "./backups/make-backup.ts"
import { watchBackups } from "./notifications/backup-news.ts"
import { mailAtOnce } from "./notifications/mail-notices.ts"
import type { App } from "./platform/app.ts"
import { isAway } from "./platform/database/database.ts"
import { sealAudit } from "./platform/trail/sealer.ts"
import { runDueJobs } from "./platform/work/jobs.ts"
import { listen } from "./platform/work/live.ts"
import { deliverMails } from "./platform/work/mail.ts"
import { queueRecurring } from "./platform/work/schedule.ts"
import { startDueReports } from "./reports/send-report.ts"
import { MessageSender } from "./webhooks/deliver-messages.ts"

/** Returns a function that stops all workers. */
export async function startWorkers(app: App, options: { sealFile: string }): Promise<() => Promise<void>> {
  const closing = new AbortController()
  const messages = new MessageSender(app, (error) => complain(app, closing.signal, "webhooks", error))
  const loops = [
    loop(app, closing.signal, "jobs", 1_000, (signal) => runDueJobs(app, app.jobs, signal), "milkwood_jobs"),
    loop(app, closing.signal, "jobs", 1_000, (signal) => runDueJobs(app, app.jobs, signal), "milkwood_jobs"),
    loop(app, closing.signal, "mail", 2_000, (signal) => deliverMails(app, signal), "milkwood_mails"),
    loop(app, closing.signal, "webhooks", 2_000, async (signal) => messages.look(signal), "milkwood_webhooks"),
    loop(app, closing.signal, "notices", 5_000, () => mailAtOnce(app)),
    loop(app, closing.signal, "schedule", 15_000, () => queueRecurring(app)),
    loop(app, closing.signal, "reports", 15_000, () => startDueReports(app)),
    loop(app, closing.signal, "backups", 60_000, async () => {
      await startDueBackup(app)
      await watchBackups(app)
    }),
    loop(app, closing.signal, "sealer", 1_000, (signal) => sealAudit(app, options.sealFile, signal)),
  ]
  const stopListening = await listen(app)
  return async () => {
    closing.abort()
    await stopListening()
    await Promise.all(loops)
    await messages.idle()
  }
}

/** Waits for the interval or a notification; retries while the database is unavailable. */
async function loop(
  app: App,
  signal: AbortSignal,
  name: string,
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  wake?: string,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work(signal)
    } catch (error) {
      complain(app, signal, name, error)
    }
    await pause(app, everyMs, signal, wake)
  }
}

function complain(app: App, signal: AbortSignal, name: string, error: unknown): void {
  if (isAway(error) || signal.aborted) return
  app.log.error(
    { worker: name, err: error instanceof Error ? error.name : "", code: (error as { code?: string }).code },
    "a worker failed",
  )
}

function pause(app: App, ms: number, signal: AbortSignal, wake?: string): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", done)
      if (wake) app.news.off(wake, done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener("abort", done)
    if (wake) app.news.on(wake, done)
    if (signal.aborted) done()
  })
}
