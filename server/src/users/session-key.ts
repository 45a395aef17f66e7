import type { App } from "../platform/app.ts"
import { sessionOfToken } from "./account-service/access-tokens.ts"
import { readSessionToken } from "./session-cookie.ts"

/** Never equals a cookie's token, because the server only signs random tokens. */
export const programSessionKeyOf = (sessionId: string): string => `program ${sessionId}`

/** Other authorization schemes are for a proxy and are ignored. */
export const bearerTokenOf = (headers: Headers): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1]

/**
 * Lookup key of the request's session: the cookie's token or a program's session. Null if invalid; a request with a bad
 * bearer token does not fall back to its cookie.
 */
export async function readSessionKey(app: App, headers: Headers): Promise<string | null> {
  const bearer = bearerTokenOf(headers)
  if (bearer === undefined) return readSessionToken(app, headers)
  const sessionId = await sessionOfToken(app, bearer)
  return sessionId && programSessionKeyOf(sessionId)
}
