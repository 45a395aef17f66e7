import type { App } from "../platform/app.ts"
import { sessionOfToken } from "./account-service/access-tokens.ts"
import { sessionToken } from "./session-cookie.ts"

/** What a program's session is found by. No cookie can stand for it: those that we sign hold tokens of ours. */
export const keyOfProgram = (sessionId: string): string => `program ${sessionId}`

/** The token that a program sends with a request. Another kind of authorization is a proxy's affair. */
export const bearerOf = (headers: Headers): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1]

/**
 * What the session of a request is found by: the token of a browser's cookie, or a program's session; null where there is
 * none of ours. Who sends a token is judged by that alone: a cookie beside a bad one does not count.
 */
export async function sessionKey(app: App, headers: Headers): Promise<string | null> {
  const bearer = bearerOf(headers)
  if (bearer === undefined) return sessionToken(app, headers)
  const sessionId = await sessionOfToken(app, bearer)
  return sessionId && keyOfProgram(sessionId)
}
