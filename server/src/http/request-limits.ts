import rateLimit from "@fastify/rate-limit"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { hasServiceKey } from "../platform/calls/caller.ts"
import type { HttpOptions } from "./app.ts"
import { sessionKeyOf } from "./contexts.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    /** What its requests count as; "call" where it says nothing. */
    requests?: keyof typeof perMinute
  }
}

/** Requests a minute, each kind counted by itself: what costs more has less. */
const perMinute = { call: 1_200, search: 300, download: 180, upload: 120 }

/** The same for a program with a service key, which does not wait for anybody to read. */
const perMinuteOfPrograms: typeof perMinute = { call: 600, search: 120, download: 60, upload: 60 }

const limited = ["/api", "/rpc", "/auth/v1"]

/**
 * Counts requests by session or service key, so that an office behind one address can work, and by address without one.
 * Which limit holds is decided by the route that was found, however its address was written. The screens' files have none.
 */
export async function limitRequests(http: FastifyInstance, options: HttpOptions): Promise<void> {
  const { requestsPerMinute } = options
  await http.register(rateLimit, {
    global: true,
    timeWindow: "1 minute",
    cache: 20_000,
    max: async (request) => {
      const limits = hasServiceKey(await sessionKeyOf(request, options)) ? perMinuteOfPrograms : perMinute
      return requestsPerMinute ?? limits[kindOf(request)]
    },
    keyGenerator: async (request) => `${kindOf(request)} ${(await sessionKeyOf(request, options)) ?? request.ip}`,
    allowList: ({ routeOptions: { url } }) => !limited.some((prefix) => url?.startsWith(prefix)),
  })
}

function kindOf({ routeOptions, params }: FastifyRequest): keyof typeof perMinute {
  const procedure = (params as { "*"?: string })["*"]
  if (procedure === "reports/search" || procedure === "search") return "search"
  return routeOptions.config.requests ?? "call"
}
