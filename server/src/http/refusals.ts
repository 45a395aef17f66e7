import { commonErrors } from "@milkwood/domain/kernel/procedure"
import { ORPCError } from "@orpc/server"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../platform/app.ts"
import { toClientError } from "../platform/calls/commands.ts"

/** Retry-After in seconds, for an overloaded server or an unavailable database. */
const retryAfter: Record<number, string> = { 429: "60", 503: "10" }

/** An unexpected error is a 500 without details. */
export function answerErrors(http: FastifyInstance, app: App): void {
  http.addHook("onSend", async (_request, reply) => {
    const seconds = retryAfter[reply.statusCode]
    if (seconds && !reply.hasHeader("retry-after")) reply.header("retry-after", seconds)
  })
  http.setErrorHandler((error, request, reply) => {
    const typed = toClientError(error)
    if (typed instanceof ORPCError) return refuse(request, reply, typed.status, typed.toJSON())
    const status = (error as { statusCode?: number }).statusCode ?? 500
    if (status === commonErrors.TOO_MANY.status) {
      return refuse(request, reply, status, {
        code: "TOO_MANY",
        message: "Too many requests. Wait a minute and try again.",
      })
    }
    if (status < 500) {
      return refuse(request, reply, status, { code: "BAD_REQUEST", message: (error as Error).message })
    }
    app.log.error({ requestId: request.id, ...describeError(error) }, "a request failed")
    return refuse(request, reply, 500, {
      code: "INTERNAL_SERVER_ERROR",
      message: "Something went wrong on our side. Nothing was changed.",
    })
  })
}

/** Sends a refusal from outside the procedures. The RPC client expects it in an envelope. */
export function refuse(
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

/** Log fields of an unexpected error: kind and stack, never its message, which can contain values. */
export function describeError(error: unknown): Record<string, unknown> {
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
