import { jobs } from "../../jobs.ts"
import { runDueJobs } from "../../platform/work/jobs.ts"
import type { Desk } from "./hand.ts"

let worker: Promise<unknown> = Promise.resolve()

/** Jobs of a kind have a worker of their own, and not one for each client. Papers and mails are left to others. */
export function jobsDone({ app }: Pick<Desk, "app">, kind: string): Promise<unknown> {
  const wanted = jobs.filter((job) => job.kind.startsWith(kind))
  const run = worker.then(() => runDueJobs(app.app, wanted, new AbortController().signal))
  // One that fails fails whoever waits for it, and not those behind it.
  worker = run.catch(() => {})
  return run
}
