import { join } from "node:path"
import serveFiles from "@fastify/static"
import type { FastifyInstance } from "fastify"

/** Serves the precompressed screens. Hashed files are cached for ever; every page path returns index.html. */
export async function serveScreens(http: FastifyInstance, folder: string): Promise<void> {
  await http.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, permission: "public" }
    })
    await scope.register(serveFiles, {
      root: folder,
      prefix: "/",
      wildcard: true,
      preCompressed: true,
      setHeaders(reply, path) {
        reply.header(
          "cache-control",
          path.includes(`${join("/", "assets")}/`) ? "public, max-age=31536000, immutable" : "no-cache",
        )
      },
    })
    scope.setNotFoundHandler((request, reply) => {
      if (request.method !== "GET" || request.url.startsWith("/api/") || request.url.startsWith("/rpc/")) {
        return reply.status(404).send({ code: "NOT_FOUND", message: "This page does not exist." })
      }
      return reply.header("cache-control", "no-cache").sendFile("index.html", folder)
    })
  })
}
