import { setTimeout as pause } from "node:timers/promises"
import { commonErrors } from "@milkwood/domain/kernel/procedure"
import type { FastifyInstance } from "fastify"
import type { HttpOptions } from "./app.ts"

/** Time limit for the database and disk checks, in milliseconds. */
const databaseTimeoutMs = 2_000
/** Milliseconds not ready after a write failed on a full disk. */
const diskFullReportMs = 10_000
/** The route is public, so callers within these milliseconds share a result. */
const healthCacheMs = 500

/** Liveness and readiness; readiness checks the database roles and the disk. */
export function serveHealth(http: FastifyInstance, { app, ready = () => true }: HttpOptions): void {
  let fullAt = Number.NEGATIVE_INFINITY
  http.addHook("onResponse", async (_request, reply) => {
    if (reply.statusCode === commonErrors.DISK_FULL.status) fullAt = performance.now()
  })

  const faultOf = async (): Promise<string | undefined> => {
    if (!ready()) return "stopping"
    const database = Promise.all(
      (["staff", "scoped", "auth"] as const).map((role) => app.database.pool(role).query("select 1")),
    ).then(
      () => undefined,
      () => "the database cannot be reached",
    )
    const disk = performance.now() - fullAt < diskFullReportMs ? "the disk is full" : app.files.fault()
    const faults = await Promise.race([
      Promise.all([database, disk]),
      // Responds before the caller's own time-out.
      pause(databaseTimeoutMs, ["the database or the disk does not answer"], { ref: false }),
    ])
    return faults.find((fault) => fault !== undefined)
  }
  let known: { fault: Promise<string | undefined>; at: number } | undefined

  http.get("/api/health", { config: { permission: "public" } }, async () => ({ status: "ok" }))
  http.get("/api/ready", { config: { permission: "public" } }, async (_request, reply) => {
    if (!known || !ready() || performance.now() - known.at > healthCacheMs) {
      known = { fault: faultOf(), at: performance.now() }
    }
    const fault = await known.fault
    return reply.status(fault ? 503 : 200).send(fault ? { status: "not ready", reason: fault } : { status: "ready" })
  })
}
