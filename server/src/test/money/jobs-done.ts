import type { BillingApp } from "../../billing/billing-scene.samples.ts"
import { jobs } from "../../jobs.ts"
import { runDueJobs } from "../../platform/work/jobs.ts"
import type { MoneyTestApp } from "./hand.ts"

const jobWorkers = new WeakMap<BillingApp, Promise<unknown>>()

/** All clients of an installation share one worker; document and mail jobs do not run. */
export function runJobsOfKind({ app }: Pick<MoneyTestApp, "app">, kind: string): Promise<unknown> {
  const wanted = jobs.filter((job) => job.kind.startsWith(kind))
  const run = (jobWorkers.get(app) ?? Promise.resolve()).then(() =>
    runDueJobs(app.app, wanted, new AbortController().signal),
  )
  // A failure reaches only the caller that waits for this job.
  jobWorkers.set(
    app,
    run.catch(() => {}),
  )
  return run
}
