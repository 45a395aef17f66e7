import { buildHttp, type HttpOptions } from "./http/app.ts"
import { router } from "./router.ts"
import { routes } from "./routes.ts"
import { callerKeyOf } from "./users/caller.ts"

export const serveApp = (options: Omit<HttpOptions, "router" | "routes" | "sessionKey"> & Partial<HttpOptions>) =>
  buildHttp({ router, routes, sessionKey: callerKeyOf, ...options })
