import { setTimeout as pause } from "node:timers/promises"
import { commonErrors } from "@milkwood/domain/kernel/procedure"
import type { FastifyInstance } from "fastify"
import type { HttpOptions } from "./app.ts"

/** How long the database and the disk may take to show that they are there, in milliseconds. */
const patienceMs = 2_000
/** How long after a write that the disk had no room for we are not ready: the next failed write counts anew. */
const rememberMs = 10_000
/** Whoever asks within this time of another is answered the same: anybody may ask. */
const holdsMs = 500

/** Whether the process lives, and whether all that requests need is there: their databases' identities, and the disk. */
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
    const disk = performance.now() - fullAt < rememberMs ? "the disk is full" : app.files.fault()
    const faults = await Promise.race([
      Promise.all([database, disk]),
      // What hangs answers nothing, and who asks must hear before they lose patience.
      pause(patienceMs, ["the database or the disk does not answer"], { ref: false }),
    ])
    return faults.find((fault) => fault !== undefined)
  }
  let known: { fault: Promise<string | undefined>; at: number } | undefined

  http.get("/api/health", { config: { permission: "public" } }, async () => ({ status: "ok" }))
  http.get("/api/ready", { config: { permission: "public" } }, async (_request, reply) => {
    if (!known || !ready() || performance.now() - known.at > holdsMs) {
      known = { fault: faultOf(), at: performance.now() }
    }
    const fault = await known.fault
    return reply.status(fault ? 503 : 200).send(fault ? { status: "not ready", reason: fault } : { status: "ready" })
  })
}
