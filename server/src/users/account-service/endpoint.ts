import type { FastifyReply, FastifyRequest } from "fastify"
import type { z } from "zod"
import type { HttpRoute } from "../../http/file-route.ts"
import { describeError } from "../../http/refusals.ts"
import { signInActor } from "../../platform/calls/commands.ts"
import { findUnstorableValues } from "../../platform/database/storable.ts"
import { Problem, problemOf } from "./problems.ts"
import type { ProgramCx } from "./program-sessions.ts"

export interface EndpointRequest extends ProgramCx {
  query: Record<string, string | undefined>
  params: Record<string, string>
  /** Parses the request body with this shape. */
  body<Shape extends z.ZodType>(shape: Shape): z.output<Shape>
}

interface EndpointAnswer {
  status?: number
  headers?: Record<string, string>
}

/** One address of the account service. Answers and refusals follow the protocol. */
export function createEndpoint(
  method: HttpRoute["method"],
  path: string,
  summary: string,
  work: (asked: EndpointRequest) => Promise<object | undefined>,
  { status = 200, headers = {} }: EndpointAnswer = {},
): HttpRoute {
  const handle = async (
    request: FastifyRequest,
    reply: FastifyReply,
    contextOf: Parameters<HttpRoute["register"]>[1],
  ) => {
    const context = await contextOf(request)
    const moment = await context.app.moment()
    const answer = await work({
      ...moment,
      app: context.app,
      actor: context.actor ?? signInActor,
      requestId: context.requestId,
      context,
      input: undefined,
      query: request.query as Record<string, string | undefined>,
      params: request.params as Record<string, string>,
      body: (shape) => parseBody(shape, request.body),
    })
    reply.status(status).header("cache-control", "no-store").headers(headers)
    return answer === undefined ? reply.send() : reply.send(answer)
  }
  return {
    method,
    path: `/auth/v1${path}`,
    permission: "public",
    requests: "call",
    summary,
    register(http, contextOf) {
      // Clients send a content type even without a body.
      http.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
        try {
          done(null, text === "" ? {} : JSON.parse(text as string))
        } catch {
          done(new Problem(400, "bad_json", "Send JSON"))
        }
      })
      http.setErrorHandler((error, request, reply) => {
        const problem = problemOf(error)
        if (!problem) http.log.error({ requestId: request.id, ...describeError(error) }, "a request failed")
        const { status, ...said } = problem
          ? { status: problem.status, body: problem.body() }
          : { status: 500, body: new Problem(500, "unexpected_failure", "Something went wrong on the server.").body() }
        return reply.status(status).header("cache-control", "no-store").send(said.body)
      })
      http.route({ method, url: `/auth/v1${path}`, handler: (request, reply) => handle(request, reply, contextOf) })
    },
  }
}

function parseBody<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> {
  const sent = body ?? {}
  const wrong = findUnstorableValues(sent)
  const parsed = wrong.length > 0 ? undefined : shape.safeParse(sent)
  if (parsed?.success) return parsed.data
  throw new Problem(400, "validation_failed", wrong[0]?.message ?? parsed!.error!.issues[0]!.message)
}
