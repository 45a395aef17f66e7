import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, gzip } from "node:zlib"
import { contract } from "@milkwood/domain/contract"
import { type AnyContractRouter, isContractProcedure } from "@orpc/contract"
import { type OpenAPI, OpenAPIGenerator } from "@orpc/openapi"
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4"
import type { FastifyInstance } from "fastify"
import { withStrictInput } from "../platform/calls/strict-input.ts"
import { describeRoutes } from "./describe-routes.ts"
import type { HttpRoute } from "./file-route.ts"
import { describeMonths } from "./months.ts"

export async function serveReference(http: FastifyInstance, routes: readonly HttpRoute[]): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"))
  serveCached(http, "/api/openapi.json", "application/json", async () => JSON.stringify(await describeApi(routes)))
  serveCached(http, "/api/reference", "text/html", () => page)
  serveCached(http, "/api/reference/start.js", "text/javascript", () => start)
  serveCached(http, "/api/reference/swagger-ui.css", "text/css", () => readFile(join(folder, "swagger-ui.css")))
  serveCached(http, "/api/reference/swagger-ui-bundle.js", "text/javascript", () =>
    readFile(join(folder, "swagger-ui-bundle.js")),
  )
}

export async function describeApi(routes: readonly HttpRoute[]): Promise<OpenAPI.Document> {
  const document = await new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(
    strictContract(contract),
    {
      info: {
        title: "Milkwood",
        version: "1",
        description:
          "Group insurance back office. Amounts are whole cents, days are YYYY-MM-DD, and months are YYYY-MM. Programs sign in at /auth/v1 and send the access token with each request. All lists take the same parameters; see docs/integrations.md. Commands refuse unknown fields, also in nested rows, with 422 INVALID. The error names each field by its path, such as lines.2.colour.",
      },
      servers: [{ url: "/api/v1" }],
      security: [{ token: [] }],
      components: {
        securitySchemes: {
          token: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "The access token from POST /auth/v1/token.",
          },
        },
      },
    },
  )
  await describeRoutes(document, routes)
  return describeMonths(document)
}

/** The server refuses additional properties in commands. */
const strictContract = (node: AnyContractRouter): AnyContractRouter =>
  isContractProcedure(node)
    ? withStrictInput(node)
    : Object.fromEntries(Object.entries(node).map(([key, child]) => [key, strictContract(child)]))

const start = 'SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#reference" })'

const page = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Milkwood API</title>
  <link rel="stylesheet" href="/api/reference/swagger-ui.css">
  <div id="reference"></div>
  <script src="/api/reference/swagger-ui-bundle.js"></script>
  <script src="/api/reference/start.js"></script>
</html>
`

function serveCached(
  http: FastifyInstance,
  url: string,
  type: string,
  make: () => string | Promise<string | Buffer>,
): void {
  let made: ReturnType<typeof compressContent> | undefined
  http.get(url, { config: { permission: "public" } }, async (request, reply) => {
    made ??= Promise.resolve(make()).then(compressContent)
    const { etag, encoded } = await made
    reply.type(`${type}; charset=utf-8`).header("cache-control", "no-cache").header("etag", etag)
    reply.header("vary", "accept-encoding")
    if (request.headers["if-none-match"] === etag) return reply.status(304).send()
    const accepted = request.headers["accept-encoding"] ?? ""
    const encoding = (["br", "gzip"] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted))
    if (encoding) reply.header("content-encoding", encoding)
    return reply.send(encoded[encoding ?? "identity"])
  })
}

async function compressContent(content: string | Buffer) {
  const identity = Buffer.from(content)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)])
  const etag = `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`
  return { etag, encoded: { identity, br, gzip: gz } }
}
