import { randomUUID } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import compress from "@fastify/compress"
import helmet from "@fastify/helmet"
import multipart from "@fastify/multipart"
import rateLimit from "@fastify/rate-limit"
import serveFiles from "@fastify/static"
import { contract } from "@milkwood/domain/contract"
import { commonErrors } from "@milkwood/domain/kernel/procedure"
import { backgroundHeader } from "@milkwood/domain/platform/background"
import type { Permission } from "@milkwood/domain/users/permission"
import { OpenAPIGenerator } from "@orpc/openapi"
import { OpenAPIHandler } from "@orpc/openapi/fastify"
import { type AnyRouter, ORPCError } from "@orpc/server"
import { RPCHandler } from "@orpc/server/fastify"
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4"
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from "fastify"
import type { App } from "../platform/app.ts"
import type { Actor } from "../platform/calls/actor.ts"
import { answerable, checkPermission, type RequestContext } from "../platform/calls/commands.ts"
import { AddressCoercionPlugin } from "./address-coercion.ts"
import { streamNews } from "./live-stream.ts"
import type { HttpRoute } from "./uploads.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route; "contract" where each procedure under it names its own. */
    permission?: Permission | "contract"
  }
  interface FastifyInstance {
    /** Every HTTP route of the running server with who may call it. */
    inventory: RouteOptions[]
  }
  interface FastifyRequest {
    /** Headers that a procedure adds to the answer: the cookie of a sign-in. */
    answerHeaders: Headers | null
    /** Set when the caller has gone before the answer's end. (Fastify's own `signal` is set when the body was read.) */
    callerGone: AbortSignal
  }
}

export interface HttpOptions {
  app: App
  /** The procedures of all rooms, which bind the contract. */
  router: AnyRouter
  /** Their uploads and downloads. */
  routes: HttpRoute[]
  /** Who a request comes from, by its session cookie. */
  sessionActor: (app: App, headers: Headers) => Promise<Actor | null>
  /** The built screens; without it the API stands alone. */
  screens?: string | undefined
  /** Whether the house takes work: false while it stops. */
  ready?: () => boolean
  /** How long a connection may stand still while it is our turn to hear, or theirs to read, in milliseconds. */
  patienceMs?: number
  /** How many requests an address may make in a minute; default 1,200. */
  requestsPerMinute?: number
}

/** How long the database may take to show that it is there, in milliseconds. */
const readyPatience = 2_000

/** The HTTP face of a house: screens, RPC for them, OpenAPI for others, files, live news. */
export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { app, router, routes, patienceMs = 30_000 } = options
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

  // No route gets in without saying who may call it.
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
  await http.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: app.publicUrl.startsWith("https:"),
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "same-origin" },
  })
  await http.register(compress, { global: true, encodings: ["br", "gzip"], threshold: 1024 })
  await http.register(rateLimit, {
    global: true,
    max: options.requestsPerMinute ?? 1_200,
    timeWindow: "1 minute",
    allowList: (request) => !request.url.startsWith("/api") && !request.url.startsWith("/rpc"),
  })
  await http.register(multipart)

  http.addHook("onRequest", async (request, reply) => {
    // A compressed file of the screens has a dozen parts that wait for its end, which Node takes for a leak.
    reply.raw.setMaxListeners(20)
    endStandstill(request, reply, patienceMs)
    request.callerGone = callerGone(reply)
    if (isForeignWrite(request, app.publicUrl)) {
      refuse(request, reply, 403, { code: "FORBIDDEN", message: "This request came from another site." })
    }
  })
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

  http.decorateRequest("answerHeaders", null)
  http.decorateRequest("callerGone", null as unknown as AbortSignal)
  http.addHook("onSend", async (request, reply) => {
    if ([429, 503].includes(reply.statusCode) && !reply.hasHeader("retry-after")) reply.header("retry-after", "10")
    for (const cookie of request.answerHeaders?.getSetCookie() ?? []) reply.header("set-cookie", cookie)
  })

  const contextOf = async (request: FastifyRequest, byPerson = true): Promise<RequestContext> => {
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value)
    }
    headers.set("x-client-address", request.ip)
    // An open stream of news is nobody's doing: it does not extend the session.
    if (!byPerson) headers.set(backgroundHeader, "1")
    request.answerHeaders = new Headers()
    return {
      app,
      signal: request.callerGone,
      actor: await options.sessionActor(app, headers),
      requestId: request.id,
      headers,
      answerHeaders: request.answerHeaders,
    }
  }

  http.setErrorHandler((error, request, reply) => {
    const typed = answerable(error)
    if (typed instanceof ORPCError) return refuse(request, reply, typed.status, typed.toJSON())
    const status = (error as { statusCode?: number }).statusCode ?? 500
    if (status === commonErrors.TOO_MANY.status) {
      return refuse(request, reply, status, { code: "TOO_MANY", message: "Too many requests. Please wait a minute." })
    }
    if (status < 500) {
      return refuse(request, reply, status, { code: "BAD_REQUEST", message: (error as Error).message })
    }
    app.log.error({ requestId: request.id, ...describe(error) }, "a request failed")
    return refuse(request, reply, 500, {
      code: "INTERNAL_SERVER_ERROR",
      message: "Something went wrong on the server. Nothing was changed.",
    })
  })

  const onError = ({ error, context }: { error: unknown; context: RequestContext }): void => {
    if (error instanceof ORPCError && error.status < 500) return
    app.log.error({ requestId: context.requestId, ...describe(error) }, "a call failed")
  }
  // A list for each handler: their plugins put their own interceptors into it, which the other's would trip over.
  const interceptors = () => [
    async ({ next, context }: { next: () => Promise<unknown>; context: unknown }) => {
      try {
        return await next()
      } catch (error) {
        onError({ error, context: context as RequestContext })
        throw error
      }
    },
  ]
  const rpc = new RPCHandler<RequestContext>(router, { clientInterceptors: interceptors() as never })
  const open = new OpenAPIHandler<RequestContext>(router, {
    clientInterceptors: interceptors() as never,
    plugins: [new AddressCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] })],
  })
  const serve = (handler: { handle: RPCHandler<RequestContext>["handle"] }, prefix: `/${string}`): void => {
    http.all(`${prefix}/*`, { config: { permission: "contract" } }, async (request, reply) => {
      // Procedures take JSON, read up to the body limit; a form would be read without one.
      if (request.isMultipart()) {
        return refuse(request, reply, 415, { code: "BAD_REQUEST", message: "Send application/json." })
      }
      const context = await contextOf(request)
      reply.header("cache-control", "no-store")
      const { matched } = await handler.handle(request, reply, { prefix, context })
      if (!matched) {
        return refuse(request, reply, 404, { code: "NOT_FOUND", message: "There is no such procedure." })
      }
    })
  }
  serve(rpc, "/rpc")
  serve(open as unknown as { handle: RPCHandler<RequestContext>["handle"] }, "/api/v1")

  for (const route of routes) {
    await http.register(async (scope) => {
      scope.addHook("onRoute", (registered) => {
        registered.config = { ...registered.config, permission: route.permission }
      })
      route.register(scope, contextOf)
    })
  }

  http.get("/api/live", { config: { permission: "session" } }, async (request, reply) => {
    const context = await contextOf(request, false)
    checkPermission(context.actor, "session")
    return streamNews(app, context.actor!, request, reply, () => contextOf(request, false))
  })
  http.get("/api/health", { config: { permission: "public" } }, async () => ({ status: "ok" }))
  http.get("/api/ready", { config: { permission: "public" } }, async (_request, reply) => {
    const up =
      (options.ready?.() ?? true) &&
      (await Promise.race([
        app.database
          .pool("staff")
          .query("select 1")
          .then(
            () => true,
            () => false,
          ),
        // A database that hangs answers nothing, and who asks must hear before they lose patience.
        pause(readyPatience, false, { ref: false }),
      ]))
    return reply.status(up ? 200 : 503).send({ status: up ? "ready" : "not ready" })
  })

  let document: Promise<unknown> | undefined
  http.get("/api/openapi.json", { config: { permission: "public" } }, async () => {
    document ??= new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
      info: {
        title: "Milkwood",
        version: "1",
        description: "Group insurance back office. Money is whole cents, days are YYYY-MM-DD.",
      },
      servers: [{ url: "/api/v1" }],
    })
    return document
  })
  await serveReference(http)
  if (options.screens) await serveScreens(http, options.screens)
  return http
}

/** A refusal that no procedure answered with, in the form that the caller reads: the screens' client has an envelope. */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  refusal: { code: string; message: string },
): FastifyReply {
  const body = { defined: true, status, ...refusal }
  return reply
    .status(status)
    .header("cache-control", "no-store")
    .send(request.url.startsWith("/rpc/") ? { json: body } : body)
}

/** What may stand in a log about an unexpected error: its kind and place, never its text, which can hold values. */
function describe(error: unknown): Record<string, unknown> {
  const causes: string[] = []
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = "code" in at ? ` ${String(at.code)}` : ""
    causes.push(`${at.name}${code}`)
  }
  const stack =
    error instanceof Error
      ? error.stack
          ?.split("\n")
          .filter((line) => line.startsWith("    at "))
          .slice(0, 6)
      : undefined
  return { causes, stack }
}

/**
 * Ends a connection on which nothing moves although it is the caller's turn: a body that does not come, or an answer
 * that is not read, whose file or database connection somebody else could use.
 */
function endStandstill(request: FastifyRequest, reply: FastifyReply, patienceMs: number): void {
  reply.raw.setTimeout(patienceMs, () => {
    if (request.raw.complete && !request.raw.socket.writableLength) reply.raw.setTimeout(patienceMs)
    else reply.raw.destroy()
  })
}

function callerGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** A write that a page of another site made the browser send. */
function isForeignWrite(request: FastifyRequest, publicUrl: string): boolean {
  if (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS") return false
  const site = request.headers["sec-fetch-site"]
  if (site === "cross-site" || site === "same-site") return true
  const { origin } = request.headers
  if (origin === undefined) return false
  const host = URL.canParse(origin) ? new URL(origin).host : ""
  return host !== request.headers.host && host !== new URL(publicUrl).host
}

async function serveReference(http: FastifyInstance): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"))
  await http.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, permission: "public" }
    })
    await scope.register(serveFiles, {
      root: folder,
      prefix: "/api/reference/",
      index: false,
      serve: false,
      decorateReply: !http.hasReplyDecorator("sendFile"),
    })
    for (const file of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
      scope.get(`/api/reference/${file}`, (_request, reply) => reply.sendFile(file, folder))
    }
    scope.get("/api/reference/start.js", (_request, reply) =>
      reply.type("text/javascript").send('SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#reference" })'),
    )
    scope.get("/api/reference", (_request, reply) =>
      reply
        .type("text/html")
        .send(
          '<!doctype html><html lang="en"><meta charset="utf-8"><title>Milkwood API</title><link rel="stylesheet" href="/api/reference/swagger-ui.css"><div id="reference"></div><script src="/api/reference/swagger-ui-bundle.js"></script><script src="/api/reference/start.js"></script></html>',
        ),
    )
  })
}

/** The built screens: hashed files are kept for ever, and any page address answers with the one page. */
async function serveScreens(http: FastifyInstance, folder: string): Promise<void> {
  await http.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, permission: "public" }
    })
    await scope.register(serveFiles, {
      root: folder,
      prefix: "/",
      wildcard: true,
      decorateReply: !http.hasReplyDecorator("sendFile"),
      setHeaders(reply, path) {
        reply.header(
          "cache-control",
          path.includes(`${join("/", "assets")}/`) ? "public, max-age=31536000, immutable" : "no-cache",
        )
      },
    })
    scope.setNotFoundHandler((request, reply) => {
      if (request.method !== "GET" || request.url.startsWith("/api/") || request.url.startsWith("/rpc/")) {
        return reply.status(404).send({ code: "NOT_FOUND", message: "There is nothing at this address." })
      }
      return reply.header("cache-control", "no-cache").sendFile("index.html", folder)
    })
  })
}
