import { StandardRPCJsonSerializer, StandardRPCSerializer } from "@orpc/client/standard"
import { OpenAPIHandler } from "@orpc/openapi/fastify"
import { type AnyRouter, ORPCError } from "@orpc/server"
import { FastifyHandler } from "@orpc/server/fastify"
import { StrictGetMethodPlugin } from "@orpc/server/plugins"
import { StandardHandler, StandardRPCCodec, StandardRPCMatcher } from "@orpc/server/standard"
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4"
import type { FastifyInstance, HTTPMethods } from "fastify"
import type { App } from "../platform/app.ts"
import type { RequestContext } from "../platform/calls/commands.ts"
import { AddressCoercionPlugin } from "./address-coercion.ts"
import type { ContextOf } from "./contexts.ts"
import { MonthsPlugin } from "./months.ts"
import { describeError, refuse } from "./refusals.ts"

interface ProcedureOptions {
  app: App
  router: AnyRouter
  contextOf: ContextOf
}

type Handler = FastifyHandler<RequestContext>

/**
 * Outputs contain only JSON types (json-answers.test.ts), so oRPC's slow search for dates, maps and files is skipped.
 */
class JsonAnswers extends StandardRPCSerializer {
  override serialize(answer: unknown): object {
    return { json: answer }
  }
}

/** Serves RPC for the screens and OpenAPI for integrators. */
export function serveProcedures(http: FastifyInstance, { app, router, contextOf }: ProcedureOptions): void {
  // A new array for each handler, because plugins add their own interceptors to it.
  const interceptors = () => [
    async ({ next, context }: { next: () => Promise<unknown>; context: unknown }) => {
      try {
        return await next()
      } catch (error) {
        if (!(error instanceof ORPCError && error.status < 500)) {
          const { requestId } = context as RequestContext
          app.log.error({ requestId, ...describeError(error) }, "a call failed")
        }
        throw error
      }
    },
  ]
  const rpc = new FastifyHandler<RequestContext>(
    new StandardHandler(
      router,
      new StandardRPCMatcher(),
      new StandardRPCCodec(new JsonAnswers(new StandardRPCJsonSerializer())),
      { clientInterceptors: interceptors() as never, plugins: [new StrictGetMethodPlugin()] },
    ),
  )
  const open = new OpenAPIHandler<RequestContext>(router, {
    clientInterceptors: interceptors() as never,
    plugins: [new AddressCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] }), new MonthsPlugin()],
  })
  const serve = (handler: Handler, prefix: `/${string}`, method: HTTPMethods[]): void => {
    http.route({
      method,
      url: `${prefix}/*`,
      exposeHeadRoute: false,
      config: { permission: "contract" },
      async handler(request, reply) {
        // The body limit does not apply to forms.
        if (request.isMultipart()) {
          return refuse(request, reply, 415, { code: "BAD_REQUEST", message: "Send application/json." })
        }
        const context = await contextOf(request)
        reply.header("cache-control", "no-store")
        const { matched } = await handler.handle(request, reply, { prefix, context })
        if (!matched) {
          return refuse(request, reply, 404, { code: "NOT_FOUND", message: "This procedure does not exist." })
        }
      },
    })
  }
  serve(rpc, "/rpc", ["GET", "POST"])
  serve(open, "/api/v1", ["GET", "POST", "PUT", "PATCH", "DELETE"])
}
