import { GoTrueClient } from "@supabase/auth-js"
import { Secret, TOTP } from "otpauth"
import { serveApp } from "../../app.ts"
import type { TestApp } from "../../test/app.ts"
import { readSessionActor } from "../session.ts"

/** The running server over a socket. */
export async function startPrograms(app: TestApp) {
  const http = await serveApp({ app: app.app, sessionActor: readSessionActor })
  const url = await http.listen({ host: "127.0.0.1", port: 0 })
  return {
    url,
    /** The published client of the protocol, with separate storage. */
    client() {
      const kept = new Map<string, string>()
      return new GoTrueClient({
        url: `${url}/auth/v1`,
        autoRefreshToken: false,
        storage: {
          getItem: (key) => kept.get(key) ?? null,
          setItem: (key, value) => void kept.set(key, value),
          removeItem: (key) => void kept.delete(key),
        },
      })
    },
    async ask(method: string, path: string, body?: unknown, token?: string) {
      const answer = await fetch(`${url}/auth/v1${path}`, {
        method,
        headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) }
    },
    async api(path: string, token: string | undefined, body?: unknown, method = body === undefined ? "GET" : "POST") {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const read = (await answer.json()) as { rows?: { id: string }[] }
      return { status: answer.status, body: read }
    },
    async close() {
      http.server.closeAllConnections()
      await http.close()
    },
  }
}
export type Programs = Awaited<ReturnType<typeof startPrograms>>

export const currentCode = (app: TestApp, secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().epochMilliseconds })
