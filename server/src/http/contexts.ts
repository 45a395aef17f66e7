import { backgroundHeader } from "@milkwood/domain/platform/background"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { RequestContext } from "../platform/calls/commands.ts"
import type { HttpOptions } from "./app.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Headers that a procedure adds to the response, such as the sign-in cookie. */
    responseHeaders: Headers | null
    /** Cached request headers. */
    requestHeaders: Headers | null
    /** Cached session key; null without a session. */
    sessionKey: Promise<string | null> | undefined
  }
}

/** `isUserRequest` is false for background requests, which do not extend the session. */
export type ContextOf = (request: FastifyRequest, isUserRequest?: boolean) => Promise<RequestContext>

export function decorateRequests(http: FastifyInstance): void {
  http.decorateRequest("responseHeaders", null)
  http.decorateRequest("requestHeaders", null)
  http.decorateRequest("sessionKey", undefined)
}

export function setUpContexts(http: FastifyInstance, options: HttpOptions): ContextOf {
  const { app, sessionActor } = options
  http.addHook("onSend", async (request, reply) => {
    for (const cookie of request.responseHeaders?.getSetCookie() ?? []) reply.header("set-cookie", cookie)
  })
  return async (request, isUserRequest = true) => {
    const headers = headersOf(request)
    headers.set("x-client-address", request.ip)
    // An open live stream must not extend the session.
    if (!isUserRequest) headers.set(backgroundHeader, "1")
    request.responseHeaders = new Headers()
    const sessionKey = await sessionKeyOf(request, options)
    return {
      app,
      actor: await sessionActor(app, headers, sessionKey),
      requestId: request.id,
      headers,
      sessionKey,
      responseHeaders: request.responseHeaders,
      signal: request.callerGone,
    }
  }
}

/** Cached per request, because it verifies a signature. */
export function sessionKeyOf(request: FastifyRequest, { app, sessionKey }: HttpOptions): Promise<string | null> {
  request.sessionKey ??= Promise.resolve(sessionKey(app, headersOf(request)))
  return request.sessionKey
}

function headersOf(request: FastifyRequest): Headers {
  if (request.requestHeaders) return request.requestHeaders
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // /rpc is only for browsers with a session; programs use /api/v1.
    if (name === "authorization" && request.url.startsWith("/rpc/")) continue
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value)
  }
  request.requestHeaders = headers
  return headers
}
