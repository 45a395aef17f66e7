import { startDueBackup } from "./backups/make-backup.ts"
import { watchBackups } from "./notifications/backup-news.ts"
import { mailImmediateNotices } from "./notifications/mail-notices.ts"
import type { App } from "./platform/app.ts"
import { isDatabaseUnavailable } from "./platform/database/database.ts"
import { sealAudit } from "./platform/trail/sealer.ts"
import { runDueJobs } from "./platform/work/jobs.ts"
import { listenForChanges } from "./platform/work/live.ts"
import { deliverMails } from "./platform/work/mail.ts"
import { queueRecurring } from "./platform/work/schedule.ts"
import { startDueReports } from "./reports/send-report.ts"
import { MessageSender } from "./webhooks/deliver-messages.ts"

/** Returns a function that stops all workers. */
export async function startWorkers(app: App, options: { sealFile: string }): Promise<() => Promise<void>> {
  const closing = new AbortController()
  const messages = new MessageSender(app, (error) => logFailure(app, closing.signal, "webhooks", error))
  const loops = [
    runLoop(app, closing.signal, "jobs", 1_000, (signal) => runDueJobs(app, app.jobs, signal), "milkwood_jobs"),
    runLoop(app, closing.signal, "jobs", 1_000, (signal) => runDueJobs(app, app.jobs, signal), "milkwood_jobs"),
    runLoop(app, closing.signal, "mail", 2_000, (signal) => deliverMails(app, signal), "milkwood_mails"),
    runLoop(app, closing.signal, "webhooks", 2_000, async (signal) => messages.look(signal), "milkwood_webhooks"),
    runLoop(app, closing.signal, "notices", 5_000, () => mailImmediateNotices(app)),
    runLoop(app, closing.signal, "schedule", 15_000, () => queueRecurring(app)),
    runLoop(app, closing.signal, "reports", 15_000, () => startDueReports(app)),
    runLoop(app, closing.signal, "backups", 60_000, async () => {
      await startDueBackup(app)
      await watchBackups(app)
    }),
    runLoop(app, closing.signal, "sealer", 1_000, (signal) => sealAudit(app, options.sealFile, signal)),
  ]
  const stopListening = await listenForChanges(app)
  return async () => {
    closing.abort()
    await stopListening()
    await Promise.all(loops)
    await messages.idle()
  }
}

/** Waits for the interval or a notification; retries while the database is unavailable. */
async function runLoop(
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
      logFailure(app, signal, name, error)
    }
    await waitForNotice(app, everyMs, signal, wake)
  }
}

function logFailure(app: App, signal: AbortSignal, name: string, error: unknown): void {
  if (isDatabaseUnavailable(error) || signal.aborted) return
  app.log.error(
    { worker: name, err: error instanceof Error ? error.name : "", code: (error as { code?: string }).code },
    "a worker failed",
  )
}

function waitForNotice(app: App, ms: number, signal: AbortSignal, wake?: string): Promise<void> {
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
