import { backgroundHeader } from "@milkwood/domain/platform/background"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { RequestContext } from "../platform/calls/commands.ts"
import type { HttpOptions } from "./app.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Headers that a procedure adds to the answer: the cookie of a sign-in. */
    answerHeaders: Headers | null
    /** Its headers, once they were asked for. */
    sentHeaders: Headers | null
    /** What tells its session from others, once that was asked for; null where it has none of ours. */
    sessionKey: Promise<string | null> | undefined
  }
}

/** What procedures and files know of a request; `byPerson` is false where nobody did anything. */
export type ContextOf = (request: FastifyRequest, byPerson?: boolean) => Promise<RequestContext>

/** What comes with every request; before whatever asks for it. */
export function decorateRequests(http: FastifyInstance): void {
  http.decorateRequest("answerHeaders", null)
  http.decorateRequest("sentHeaders", null)
  http.decorateRequest("sessionKey", undefined)
}

/** Looks up who asks, and sends the cookies that their call asks for. */
export function contextsOf(http: FastifyInstance, options: HttpOptions): ContextOf {
  const { app, sessionActor } = options
  http.addHook("onSend", async (request, reply) => {
    for (const cookie of request.answerHeaders?.getSetCookie() ?? []) reply.header("set-cookie", cookie)
  })
  return async (request, byPerson = true) => {
    const headers = headersOf(request)
    headers.set("x-client-address", request.ip)
    // An open stream of news is nobody's doing: it does not extend the session.
    if (!byPerson) headers.set(backgroundHeader, "1")
    request.answerHeaders = new Headers()
    const sessionKey = await sessionKeyOf(request, options)
    return {
      app,
      actor: await sessionActor(app, headers, sessionKey),
      requestId: request.id,
      headers,
      sessionKey,
      answerHeaders: request.answerHeaders,
      signal: request.callerGone,
    }
  }
}

/** Which session a request is of, worked out once: its signature is checked for it. */
export function sessionKeyOf(request: FastifyRequest, { app, sessionKey }: HttpOptions): Promise<string | null> {
  request.sessionKey ??= Promise.resolve(sessionKey(app, headersOf(request)))
  return request.sessionKey
}

function headersOf(request: FastifyRequest): Headers {
  if (request.sentHeaders) return request.sentHeaders
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // The screens' address is for browsers with a session; programs have addresses of their own.
    if (name === "authorization" && request.url.startsWith("/rpc/")) continue
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value)
  }
  request.sentHeaders = headers
  return headers
}
