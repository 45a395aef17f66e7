import helmet from "@fastify/helmet"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { App } from "../platform/app.ts"
import { refuse } from "./refusals.ts"

const deniedBrowserFeatures = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb"]
  .map((what) => `${what}=()`)
  .join(", ")

export async function addSecurityHeaders(http: FastifyInstance, app: App): Promise<void> {
  const isSecure = app.publicUrl.startsWith("https:")
  await http.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: isSecure,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "same-origin" },
  })
  let hasWarned = false
  http.addHook("onRequest", async (request, reply) => {
    reply.header("permissions-policy", deniedBrowserFeatures)
    if (!isSecure && !hasWarned && request.headers["x-forwarded-for"] !== undefined) {
      hasWarned = true
      app.log.warn(
        "Requests come through a proxy (X-Forwarded-For), but PUBLIC_URL is not https: all users behind it count as one address, and cookies are not Secure. Set PUBLIC_URL to the address that people use.",
      )
    }
    if (isForeignWrite(request, app.publicUrl)) {
      refuse(request, reply, 403, { code: "FORBIDDEN", message: "This request came from another site." })
    }
  })
}

function isForeignWrite(request: FastifyRequest, publicUrl: string): boolean {
  if (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS") return false
  const site = request.headers["sec-fetch-site"]
  if (site === "cross-site" || site === "same-site") return true
  const { origin } = request.headers
  if (origin === undefined) return false
  const host = URL.canParse(origin) ? new URL(origin).host : ""
  return host !== request.headers.host && host !== new URL(publicUrl).host
}
