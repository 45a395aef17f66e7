import type { BillingApp } from "../../billing/billing-scene.samples.ts"
import { jobs } from "../../jobs.ts"
import { runDueJobs } from "../../platform/work/jobs.ts"
import type { Desk } from "./hand.ts"

const workers = new WeakMap<BillingApp, Promise<unknown>>()

/** Jobs of a house have a worker of their own, and not one for each client. Papers and mails are left to others. */
export function jobsDone({ app }: Pick<Desk, "app">, kind: string): Promise<unknown> {
  const wanted = jobs.filter((job) => job.kind.startsWith(kind))
  const run = (workers.get(app) ?? Promise.resolve()).then(() =>
    runDueJobs(app.app, wanted, new AbortController().signal),
  )
  // One that fails fails whoever waits for it, and not those behind it.
  workers.set(
    app,
    run.catch(() => {}),
  )
  return run
}
