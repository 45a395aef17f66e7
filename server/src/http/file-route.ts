import { commonErrors } from "@milkwood/domain/kernel/procedure"
import type { Permission } from "@milkwood/domain/platform/permission"
import type { ErrorMap } from "@orpc/contract"
import { ORPCError } from "@orpc/server"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Actor } from "../platform/calls/actor.ts"
import {
  type Cx,
  checkPermission,
  invalidInput,
  type RequestContext,
  refused,
  toClientError,
} from "../platform/calls/commands.ts"
import { Database } from "../platform/database/database.ts"
import { findUnstorableValues } from "../platform/database/storable.ts"
import type { RouteDescription } from "./route-words.ts"

/** Database work runs in `transaction`, so that a slow upload occupies no connection. */
export interface RouteCx {
  app: RequestContext["app"]
  actor: Actor
  requestId: string
  params: Record<string, string>
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
  transaction<T>(work: (cx: Cx) => Promise<T>, signal?: AbortSignal): Promise<T>
}

export interface HttpRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  path: string
  /** The rate limit counts a route that transfers no file as a "call". */
  requests?: "call"
  permission: Permission
  summary: string
  words?: RouteDescription
  register(http: FastifyInstance, contextOf: (request: FastifyRequest) => Promise<RequestContext>): void
}

export interface FileRouteOptions {
  path: string
  permission: Permission
  summary: string
  words?: RouteDescription
  /** Named refusals of this route, besides the common ones. */
  errors?: ErrorMap
}

export function refuseUnstorable(texts: Record<string, string | undefined>): void {
  const wrong = findUnstorableValues(texts)
  if (wrong.length > 0) throw invalidInput(wrong)
}

export async function answerFileRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  contextOf: (request: FastifyRequest) => Promise<RequestContext>,
  { permission, errors }: FileRouteOptions,
  work: (cx: RouteCx) => Promise<unknown>,
): Promise<unknown> {
  try {
    const context = await contextOf(request)
    checkPermission(context.actor, permission)
    const { app, requestId } = context
    const actor = context.actor!
    return await work({
      app,
      actor,
      requestId,
      params: request.params as Record<string, string>,
      signal: request.callerGone,
      async transaction(inner, signal) {
        const moment = await app.moment()
        return app.database.transaction(
          Database.roleOf(actor),
          (tx) => inner({ app, tx, actor, requestId, ...moment }),
          actor,
          signal,
        )
      },
    })
  } catch (error) {
    const typed = toClientError(error, { ...commonErrors, ...errors })
    if (!(typed instanceof ORPCError)) throw typed
    request.raw.resume()
    return reply.status(typed.status).header("cache-control", "no-store").send(typed.toJSON())
  }
}

/** NOT_FOUND for an id that is not a uuid, as for a missing record. */
export function uuidOrNotFound(text: string | undefined): string {
  if (!text || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw refused("NOT_FOUND")
  return text
}
