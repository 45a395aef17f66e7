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
import { contextsOf, decorateRequests } from "./contexts.ts"
import type { HttpRoute } from "./file-route.ts"
import { serveHealth } from "./health.ts"
import { streamNews } from "./live-stream.ts"
import { serveProcedures } from "./procedures.ts"
import { serveReference } from "./reference.ts"
import { answerErrors } from "./refusals.ts"
import { limitRequests } from "./request-limits.ts"
import { serveScreens } from "./screens.ts"
import { secure } from "./security.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route; "contract" where each procedure under it names its own. */
    permission?: Permission | "contract"
  }
  interface FastifyInstance {
    /** Every HTTP route of the running server with who may call it. */
    inventory: RouteOptions[]
  }
}

export interface HttpOptions {
  app: App
  /** The procedures of all rooms, which bind the contract. */
  router: AnyRouter
  /** Their uploads and downloads. */
  routes: HttpRoute[]
  /** Who a request comes from, by its cookie, token or service key; `key` is what `sessionKey` said of it. */
  sessionActor: (app: App, headers: Headers, key: string | null) => Promise<Actor | null>
  /** What tells one session from another, hardly ever asking the database; null where the request has none of ours. */
  sessionKey: (app: App, headers: Headers) => string | null | Promise<string | null>
  /** The built screens; without it the API stands alone. */
  screens?: string | undefined
  /** Whether the server takes work: false while it stops. */
  ready?: () => boolean
  /** How long a connection may stand still while it is our turn to hear, or theirs to read, in milliseconds. */
  patienceMs?: number
  /** How many requests of each kind a session may make in a minute, in place of what `request-limits.ts` says. */
  requestsPerMinute?: number
}

/** The product over HTTP: screens, RPC for them, OpenAPI for others, files, live news. */
export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { app, router, routes, screens } = options
  const http = Fastify({
    loggerInstance: app.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 2 * 1024 * 1024,
    // A request that drips in ends all the same.
    requestTimeout: 5 * 60_000,
    // One proxy ends TLS in front of us. What stands further left in X-Forwarded-For is the caller's own word, and
    // would let them choose the address that attempts are counted by.
    trustProxy: app.publicUrl.startsWith("https:") && ((_address: string, hop: number) => hop === 0),
    forceCloseConnections: "idle",
  }) as unknown as FastifyInstance
  keepInventory(http)
  decorateRequests(http)
  watchConnections(http, options)
  await secure(http, app)
  await limitRequests(http, options)
  await http.register(compress, { global: true, encodings: ["br", "gzip"], threshold: 1024 })
  await http.register(multipart)
  answerErrors(http, app)
  logRequests(http, app)
  const contextOf = contextsOf(http, options)

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
    return streamNews(app, context.actor!, request, reply, () => contextOf(request, false))
  })
  serveHealth(http, options)
  await serveReference(http, routes)
  if (screens) await serveScreens(http, screens)
  return http
}

/** No route gets in without saying who may call it. */
function keepInventory(http: FastifyInstance): void {
  const declared: RouteOptions[] = []
  http.decorate("inventory", declared)
  http.addHook("onRoute", (route) => {
    declared.push(route)
  })
  http.addHook("onReady", async () => {
    // Only now: a plugin's routes are given their permission by hooks that run after this one.
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
