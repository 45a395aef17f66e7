import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { HttpOptions } from "./app.ts"

declare module "fastify" {
  interface FastifyRequest {
    /**
     * Aborted when the caller disconnects before the response ends. (Fastify's own `signal` aborts once the body was
     * read.)
     */
    callerGone: AbortSignal
  }
}

export function watchConnections(http: FastifyInstance, { patienceMs = 30_000 }: HttpOptions): void {
  http.decorateRequest("callerGone", null as unknown as AbortSignal)
  http.addHook("onRequest", async (request, reply) => {
    // A compressed response has a dozen end listeners, which Node reports as a leak.
    reply.raw.setMaxListeners(20)
    closeStalledConnection(request, reply, patienceMs)
    request.callerGone = createCallerSignal(reply)
  })
}

/**
 * Closes a connection whose caller stops sending the body or reading the response, and frees its file or database
 * connection.
 */
function closeStalledConnection(request: FastifyRequest, reply: FastifyReply, patienceMs: number): void {
  reply.raw.setTimeout(patienceMs, () => {
    if (request.raw.complete && !request.raw.socket.writableLength) reply.raw.setTimeout(patienceMs)
    else reply.raw.destroy()
  })
}

function createCallerSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
