import { createHmac, timingSafeEqual } from "node:crypto"
import { absoluteSessionHours } from "@milkwood/domain/users/session"
import type { App } from "../platform/app.ts"

const cookieSecretsByApp = new WeakMap<App, string>()

/** Derived from the database password, so that all processes on one database sign alike and no secret is stored. */
export function cookieSecretOf(app: App): string {
  let secret = cookieSecretsByApp.get(app)
  if (!secret) {
    const { username, password, pathname } = new URL(app.database.ownerUrl)
    const key = password || username || "milkwood"
    secret = createHmac("sha256", key).update(`milkwood session ${pathname}`).digest("hex")
    cookieSecretsByApp.set(app, secret)
  }
  return secret
}

const isSecure = (app: App): boolean => app.publicUrl.startsWith("https:")

/** Browsers accept `__Host-` cookies only over TLS, and never from another host of the domain. */
const cookieNameOf = (app: App, what: string): string => `${isSecure(app) ? "__Host-" : ""}milkwood.${what}`
const sessionCookieName = (app: App): string => cookieNameOf(app, "session_token")
const deviceCookieName = (app: App): string => cookieNameOf(app, "device")

const signatureOf = (app: App, token: string): Buffer =>
  createHmac("sha256", cookieSecretOf(app)).update(token).digest()

function formatCookie(app: App, value: string, maxAge: number, name = sessionCookieName(app)): string {
  const secure = isSecure(app) ? "; Secure" : ""
  return `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly${secure}; SameSite=Lax`
}

/** The token is signed, so that guesses never reach the database. */
export function createSessionCookie(app: App, token: string): string {
  const value = encodeURIComponent(`${token}.${signatureOf(app, token).toString("base64")}`)
  return formatCookie(app, value, absoluteSessionHours * 3600)
}

export const createExpiredSessionCookie = (app: App): string => formatCookie(app, "", 0)

/** Recognises a device, for as long as browsers store a cookie. It grants no access. */
export const createDeviceCookie = (app: App, token: string): string =>
  formatCookie(app, token, 400 * 24 * 3600, deviceCookieName(app))

export function readDeviceToken(app: App, headers: Headers): string | null {
  const sent = readCookie(headers, deviceCookieName(app))
  return sent && /^[\w-]{22}$/.test(sent) ? sent : null
}

function readCookie(headers: Headers, name: string): string | undefined {
  return headers
    .get("cookie")
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

/** Null if the cookie has no valid signature. */
export function readSessionToken(app: App, headers: Headers): string | null {
  const sent = readCookie(headers, sessionCookieName(app))
  if (!sent) return null
  const value = decodeCookieValue(sent)
  const dot = value.lastIndexOf(".")
  if (dot < 1) return null
  const token = value.slice(0, dot)
  const given = Buffer.from(value.slice(dot + 1), "base64")
  const expected = signatureOf(app, token)
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

function decodeCookieValue(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}
