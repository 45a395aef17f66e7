import { tmpdir } from "node:os"
import { createRouterClient } from "@orpc/server"
import pino from "pino"
import { jobs } from "../jobs.ts"
import { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { systemClock } from "../platform/clock.ts"
import { Database } from "../platform/database/database.ts"
import { FileStore } from "../platform/files/files.ts"
import { reactions } from "../reactions.ts"
import { router } from "../router.ts"

export interface DecideOrder {
  actor: UserActor
  claimId: string
  version: number
  at: number
}

export type DecideAnswer = string

const app = new App({
  reactions,
  jobs,
  database: new Database(process.argv[2] ?? "", { maxConnections: 2 }),
  clock: systemClock,
  files: new FileStore(tmpdir()),
  log: pino({ level: "silent" }),
  publicUrl: "http://127.0.0.1:3000",
})

process.on("message", async ({ actor, claimId, version, at }: DecideOrder) => {
  const client = createRouterClient(router, { context: () => ({ app, actor, requestId: claimId }) })
  while (performance.timeOrigin + performance.now() < at) {
    // Busy-waits, so that both processes start within a fraction of a millisecond.
  }
  const answer: DecideAnswer = await client.claims
    .decide({ claimId, version, decision: "approve", comment: "Agreed", idempotencyKey: crypto.randomUUID() })
    .then(
      () => "approved",
      (error: Error) => error.message,
    )
  process.send?.(answer)
})
process.send?.("ready")
