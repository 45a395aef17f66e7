import { randomUUID } from "node:crypto"
import compress from "@fastify/compress"
import multipart from "@fastify/multipart"
import type { Permission } from "@milkwood/domain/platform/permission"
import type { AnyRouter } from "@orpc/server"
import Fastify, { type FastifyInstance, LogController, type RouteOptions } from "fastify"
import type { App } from "../platform/app.ts"
import type { Actor } from "../platform/calls/actor.ts"
import { checkPermission } from "../platform/calls/commands.ts"
import { watchConnections } from "./connections.ts"
import { decorateRequests, setUpContexts } from "./contexts.ts"
import type { HttpRoute } from "./file-route.ts"
import { serveHealth } from "./health.ts"
import { streamEvents } from "./live-stream.ts"
import { serveProcedures } from "./procedures.ts"
import { serveReference } from "./reference.ts"
import { answerErrors } from "./refusals.ts"
import { limitRequests } from "./request-limits.ts"
import { serveScreens } from "./screens.ts"
import { addSecurityHeaders } from "./security.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    /** "contract": each procedure under the route declares its permission. */
    permission?: Permission | "contract"
  }
  interface FastifyInstance {
    inventory: RouteOptions[]
  }
}

export interface HttpOptions {
  app: App
  router: AnyRouter
  routes: HttpRoute[]
  /** `key`: the result of `sessionKey`. */
  sessionActor: (app: App, headers: Headers, key: string | null) => Promise<Actor | null>
  /** Identifies the session, usually without a database query; null without a session. */
  sessionKey: (app: App, headers: Headers) => string | null | Promise<string | null>
  /** Folder of the built screens; without it only the API is served. */
  screens?: string | undefined
  /** False while the server shuts down. */
  ready?: () => boolean
  /** Milliseconds without data before a connection is closed: an unfinished upload or an unread response. */
  patienceMs?: number
  /** Overrides the limit of every kind in `request-limits.ts`. */
  requestsPerMinute?: number
}

export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { app, router, routes, screens } = options
  const http = Fastify({
    loggerInstance: app.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 2 * 1024 * 1024,
    // Also ends requests whose body arrives very slowly.
    requestTimeout: 5 * 60_000,
    // One proxy terminates TLS. The caller sets earlier entries of X-Forwarded-For, and could thereby choose the
    // rate-limited address.
    trustProxy: app.publicUrl.startsWith("https:") && ((_address: string, hop: number) => hop === 0),
    forceCloseConnections: "idle",
  }) as unknown as FastifyInstance
  recordRoutes(http)
  decorateRequests(http)
  watchConnections(http, options)
  await addSecurityHeaders(http, app)
  await limitRequests(http, options)
  await http.register(compress, { global: true, encodings: ["br", "gzip"], threshold: 1024 })
  await http.register(multipart)
  answerErrors(http, app)
  logRequests(http, app)
  const contextOf = setUpContexts(http, options)

  serveProcedures(http, { app, router, contextOf })
  for (const route of routes) {
    const requests = route.requests ?? (route.method === "POST" ? "upload" : "download")
    const config = { permission: route.permission, requests } as const
    await http.register(async (scope) => {
      scope.addHook("onRoute", (registered) => {
        registered.config = { ...registered.config, ...config }
      })
      route.register(scope, contextOf)
    })
  }
  http.get("/api/live", { config: { permission: "session" } }, async (request, reply) => {
    const context = await contextOf(request, false)
    checkPermission(context.actor, "session")
    return streamEvents(app, context.actor!, request, reply, () => contextOf(request, false))
  })
  serveHealth(http, options)
  await serveReference(http, routes)
  if (screens) await serveScreens(http, screens)
  return http
}

/** Refuses to start if a route declares no permission. */
function recordRoutes(http: FastifyInstance): void {
  const declared: RouteOptions[] = []
  http.decorate("inventory", declared)
  http.addHook("onRoute", (route) => {
    declared.push(route)
  })
  http.addHook("onReady", async () => {
    // In onReady, because hooks that run after this one set the permission of plugin routes.
    for (const { method, url, config } of declared)
      if (config?.permission === undefined) throw new Error(`${String(method)} ${url} declares no permission`)
  })
}

function logRequests(http: FastifyInstance, app: App): void {
  http.addHook("onResponse", async (request, reply) => {
    const path = request.url.startsWith("/rpc/") ? request.url.split("?")[0] : request.routeOptions.url
    app.log.info(
      {
        requestId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "request",
    )
  })
}
