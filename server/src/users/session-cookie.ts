import { createHmac, timingSafeEqual } from "node:crypto"
import { absoluteSessionHours } from "@milkwood/domain/users/session"
import type { App } from "../platform/app.ts"

const secrets = new WeakMap<App, string>()

/** Signs the cookie; derived, so that every process on one database signs alike and nothing is stored. */
export function cookieSecret(app: App): string {
  let secret = secrets.get(app)
  if (!secret) {
    const { username, password, pathname } = new URL(app.database.ownerUrl)
    const key = password || username || "milkwood"
    secret = createHmac("sha256", key).update(`milkwood session ${pathname}`).digest("hex")
    secrets.set(app, secret)
  }
  return secret
}

const isSecure = (app: App): boolean => app.publicUrl.startsWith("https:")

/** Browsers take `__Host-` names over TLS alone, and from no other host of the same domain. */
const sessionCookieName = (app: App): string => `${isSecure(app) ? "__Host-" : ""}milkwood.session_token`

const signature = (app: App, token: string): Buffer => createHmac("sha256", cookieSecret(app)).update(token).digest()

function cookie(app: App, value: string, maxAge: number): string {
  const secure = isSecure(app) ? "; Secure" : ""
  return `${sessionCookieName(app)}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly${secure}; SameSite=Lax`
}

/** The cookie that carries a session: its token, signed, so that no guess reaches the database. */
export function sessionCookie(app: App, token: string): string {
  const value = encodeURIComponent(`${token}.${signature(app, token).toString("base64")}`)
  return cookie(app, value, absoluteSessionHours * 3600)
}

/** The cookie that makes the browser forget its session. */
export const clearingCookie = (app: App): string => cookie(app, "", 0)

/** The session's token out of the cookie, if we signed it. */
export function sessionToken(app: App, headers: Headers): string | null {
  const prefix = `${sessionCookieName(app)}=`
  const sent = headers
    .get("cookie")
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix))
  if (!sent) return null
  const value = decoded(sent.slice(prefix.length))
  const dot = value.lastIndexOf(".")
  if (dot < 1) return null
  const token = value.slice(0, dot)
  const given = Buffer.from(value.slice(dot + 1), "base64")
  const expected = signature(app, token)
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}
