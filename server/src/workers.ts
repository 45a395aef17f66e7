import { jobs } from "./jobs.ts"
import { isAway } from "./platform/database.ts"
import { setReactions } from "./platform/facts.ts"
import type { House } from "./platform/house.ts"
import { type JobHandler, runDueJobs } from "./platform/jobs.ts"
import { listen } from "./platform/live.ts"
import { deliverMails } from "./platform/mail.ts"
import { sealAudit } from "./platform/sealer.ts"
import { reactions } from "./reactions.ts"
import { queueRecurring } from "./schedule.ts"

setReactions(reactions)

export const handlers: Map<string, JobHandler> = new Map(jobs.map((handler) => [handler.kind, handler]))

/** Starts all that works without being asked: jobs, mail, schedules, the audit sealer, live news. Answers how to stop. */
export async function startWorkers(house: House, options: { sealFile: string }): Promise<() => Promise<void>> {
  const closing = new AbortController()
  const loops = [
    loop(house, closing.signal, "jobs", 1_000, (signal) => runDueJobs(house, handlers, signal), "milkwood_jobs"),
    loop(house, closing.signal, "jobs", 1_000, (signal) => runDueJobs(house, handlers, signal), "milkwood_jobs"),
    loop(house, closing.signal, "mail", 2_000, (signal) => deliverMails(house, signal), "milkwood_mails"),
    loop(house, closing.signal, "schedule", 15_000, () => queueRecurring(house)),
    loop(house, closing.signal, "sealer", 1_000, () => sealAudit(house, options.sealFile)),
  ]
  const stopListening = await listen(house)
  return async () => {
    closing.abort()
    await stopListening()
    await Promise.all(loops)
  }
}

/** Works, then waits for its time or for news that there is work; a database that is away is tried again. */
async function loop(
  house: House,
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
      if (!isAway(error) && !signal.aborted) {
        house.log.error(
          { worker: name, err: error instanceof Error ? error.name : "", code: (error as { code?: string }).code },
          "a worker failed",
        )
      }
    }
    await pause(house, everyMs, signal, wake)
  }
}

function pause(house: House, ms: number, signal: AbortSignal, wake?: string): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", done)
      if (wake) house.news.off(wake, done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener("abort", done)
    if (wake) house.news.on(wake, done)
    if (signal.aborted) done()
  })
}
