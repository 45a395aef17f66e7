import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { HttpOptions } from "./app.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** Set when the caller has gone before the answer's end. (Fastify's own `signal` is set when the body was read.) */
    callerGone: AbortSignal
  }
}

/** Ends connections that stand still, and lets the work for a caller who has gone know it. */
export function watchConnections(http: FastifyInstance, { patienceMs = 30_000 }: HttpOptions): void {
  http.decorateRequest("callerGone", null as unknown as AbortSignal)
  http.addHook("onRequest", async (request, reply) => {
    // An answer that is compressed has a dozen parts that wait for its end, which Node takes for a leak.
    reply.raw.setMaxListeners(20)
    endStandstill(request, reply, patienceMs)
    request.callerGone = callerGone(reply)
  })
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
