import { join } from "node:path"
import Fastify from "fastify"
import pg from "pg"
import pino from "pino"
import { serveApp } from "../server/src/app.ts"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { reactions } from "../server/src/reactions.ts"
import { readSessionActor } from "../server/src/users/session.ts"
import { bareCounts, bareMembersPage, bareSession } from "./lists.references.ts"

/* Server process of the benchmark "lists": the product without workers, optionally with its screens. As "bare" it is
   Fastify routes that answer a page by one statement, with and without session and tab counts. */

const [databaseUrl, folder, kind] = process.argv.slice(2)
const database = new Database(databaseUrl!)
const screens = join(import.meta.dirname, "..", "web", "dist")
const http = kind === "bare" ? serveBareRoutes() : await serveProduct(kind === "screens" ? screens : undefined)
const url = await http.listen({ host: "127.0.0.1", port: 0 })
process.on("message", async (message) => {
  if (message === "memory") {
    globalThis.gc?.()
    return void process.send?.(process.memoryUsage())
  }
  await http.close()
  await database.close()
  process.disconnect?.()
})
process.send?.(url)

async function serveProduct(screens: string | undefined) {
  const app = new App({
    reactions,
    jobs,
    database,
    clock: systemClock,
    files: new FileStore(`${folder}/files`),
    log: pino({ level: "error" }, pino.destination(2)),
    publicUrl: "http://127.0.0.1:3000",
  })
  return serveApp({ app, sessionActor: readSessionActor, screens, requestsPerMinute: 1_000_000 })
}

function serveBareRoutes() {
  const pool = new pg.Pool({ connectionString: database.url("staff"), max: 10 })
  const server = Fastify()
  server.post("/members", async () => ({ rows: (await pool.query(bareMembersPage)).rows }))
  const sessions = new pg.Pool({ connectionString: database.url("auth"), max: 10 })
  const isKnown = async (cookie = "") => {
    const [, token] = /session_token=([^.]+)\./.exec(cookie) ?? []
    return (await sessions.query(bareSession, [token])).rows.length > 0
  }
  server.post("/known/members", async ({ headers }, reply) => {
    if (!(await isKnown(headers.cookie))) return reply.code(401).send()
    return { rows: (await pool.query(bareMembersPage)).rows }
  })
  server.post("/counted/members", async ({ headers }, reply) => {
    if (!(await isKnown(headers.cookie))) return reply.code(401).send()
    const [page, counts] = await Promise.all([pool.query(bareMembersPage), pool.query(bareCounts)])
    return { rows: page.rows, counts: counts.rows }
  })
  server.addHook("onClose", () => Promise.all([pool.end(), sessions.end()]))
  return server
}
