import rateLimit from "@fastify/rate-limit"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { isServiceKeyCaller } from "../platform/calls/caller.ts"
import type { HttpOptions } from "./app.ts"
import { sessionKeyOf } from "./contexts.ts"

declare module "fastify" {
  interface FastifyContextConfig {
    /** Kind of request; default "call". */
    requests?: keyof typeof maxPerMinute
  }
}

/** Requests a minute for each kind; expensive kinds have lower limits. */
const maxPerMinute = { call: 1_200, search: 300, download: 180, upload: 120 }

/** For service keys. */
const maxPerMinuteForPrograms: typeof maxPerMinute = { call: 600, search: 120, download: 60, upload: 60 }

const limitedPaths = ["/api", "/rpc", "/auth/v1"]

/**
 * Counts by session or service key, so that an office behind one address can work; without either, by address. The
 * matched route decides the limit, so different spellings of a path count together. Screen files are not counted.
 */
export async function limitRequests(http: FastifyInstance, options: HttpOptions): Promise<void> {
  const { requestsPerMinute } = options
  await http.register(rateLimit, {
    global: true,
    timeWindow: "1 minute",
    cache: 20_000,
    max: async (request) => {
      const limits = isServiceKeyCaller(await sessionKeyOf(request, options)) ? maxPerMinuteForPrograms : maxPerMinute
      return requestsPerMinute ?? limits[requestKindOf(request)]
    },
    keyGenerator: async (request) =>
      `${requestKindOf(request)} ${(await sessionKeyOf(request, options)) ?? request.ip}`,
    allowList: ({ routeOptions: { url } }) => !limitedPaths.some((prefix) => url?.startsWith(prefix)),
  })
}

function requestKindOf({ routeOptions, params }: FastifyRequest): keyof typeof maxPerMinute {
  const procedure = (params as { "*"?: string })["*"]
  if (procedure === "reports/search" || procedure === "search") return "search"
  return routeOptions.config.requests ?? "call"
}
