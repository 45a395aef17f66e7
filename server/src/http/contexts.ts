import { backgroundHeader } from "@milkwood/domain/platform/background"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { RequestContext } from "../platform/calls/commands.ts"
import type { HttpOptions } from "./app.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Headers that a procedure adds to the answer: the cookie of a sign-in. */
    answerHeaders: Headers | null
  }
}

/** What procedures and files know of a request; `byPerson` is false where nobody did anything. */
export type ContextOf = (request: FastifyRequest, byPerson?: boolean) => Promise<RequestContext>

/** Looks up who asks, and sends the cookies that their call asks for. */
export function contextsOf(http: FastifyInstance, { app, sessionActor }: HttpOptions): ContextOf {
  http.decorateRequest("answerHeaders", null)
  http.addHook("onSend", async (request, reply) => {
    for (const cookie of request.answerHeaders?.getSetCookie() ?? []) reply.header("set-cookie", cookie)
  })
  return async (request, byPerson = true) => {
    const headers = headersOf(request)
    headers.set("x-client-address", request.ip)
    // An open stream of news is nobody's doing: it does not extend the session.
    if (!byPerson) headers.set(backgroundHeader, "1")
    request.answerHeaders = new Headers()
    return {
      app,
      actor: await sessionActor(app, headers),
      requestId: request.id,
      headers,
      answerHeaders: request.answerHeaders,
      signal: request.callerGone,
    }
  }
}

export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value)
  }
  return headers
}
