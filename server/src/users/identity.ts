import { AsyncLocalStorage } from "node:async_hooks"
import { createHmac, randomUUID } from "node:crypto"
import { absoluteSessionHours } from "@milkwood/domain/users/session"
import { betterAuth } from "better-auth"
import { drizzleAdapter } from "better-auth/adapters/drizzle"
import { APIError } from "better-auth/api"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { revokeLinks } from "./account-links.ts"
import { hashPassword, verifyPassword } from "./passwords.ts"
import { accounts, sessions, users } from "./users.tables.ts"

type Work = Pick<Cx, "app" | "tx" | "now">

/**
 * The sign-in library works inside our transactions: its database handle is that of the transaction it is called in,
 * so a new account, its mail and its audit row are kept or lost together.
 */
const current = new AsyncLocalStorage<Work>()

function currentWork(): Work {
  const work = current.getStore()
  if (!work) throw new Error("the sign-in library was used outside a transaction")
  return work
}

const database = {
  get insert() {
    return currentWork().tx.insert
  },
  get update() {
    return currentWork().tx.update
  },
  get delete() {
    return currentWork().tx.delete
  },
  get select() {
    return currentWork().tx.select
  },
}

/** Signs the cookie; derived, so that every process on one database signs alike and nothing is stored. */
export function cookieSecret(app: App): string {
  const { username, password, pathname } = new URL(app.database.ownerUrl)
  return createHmac("sha256", password || username || "milkwood")
    .update(`milkwood session ${pathname}`)
    .digest("hex")
}

function build(app: App) {
  return betterAuth({
    appName: "Milkwood",
    baseURL: app.publicUrl,
    secret: cookieSecret(app),
    // Its own routes are not served: every way in is a procedure of our contract.
    database: drizzleAdapter(database, {
      provider: "pg",
      schema: { user: users, session: sessions, account: accounts },
    }),
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      // The policy of the settings is checked before; the library's own limits stay out of its way.
      minPasswordLength: 1,
      maxPasswordLength: 1024,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(hash, password) },
    },
    emailVerification: { sendOnSignUp: false, sendOnSignIn: false },
    session: {
      expiresIn: absoluteSessionHours * 3600,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      additionalFields: {
        epoch: { type: "number", required: false, input: false },
        startedAt: { type: "string", required: false, input: false },
        lastActiveAt: { type: "string", required: false, input: false },
      },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => {
            const { tx, now } = currentWork()
            // Locked, so that a session cannot slip past somebody who is just disabling the account.
            const account = await tx.row<{ epoch: number; disabledAt: string | null }>(sql`
              select session_epoch as epoch, disabled_at as "disabledAt" from users
              where id = ${session.userId} for share`)
            if (!account || account.disabledAt) throw new APIError("FORBIDDEN", { code: "ACCOUNT_DISABLED" })
            const at = now.toString()
            return { data: { ...session, epoch: account.epoch, startedAt: at, lastActiveAt: at } }
          },
        },
      },
    },
    advanced: {
      cookiePrefix: cookiePrefix(app),
      // The library would put `__Secure-` in front, also of `__Host-`.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure(app) },
      database: { generateId: () => randomUUID() },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Its messages hold e-mail addresses.
    logger: { disabled: true },
  })
}

const built = new WeakMap<App, ReturnType<typeof build>>()

function library(app: App) {
  let found = built.get(app)
  if (!found) {
    found = build(app)
    built.set(app, found)
  }
  return found
}

const isSecure = (app: App): boolean => app.publicUrl.startsWith("https:")

/** Browsers take `__Host-` names over TLS alone, and from no other host of the same domain. */
const cookiePrefix = (app: App): string => `${isSecure(app) ? "__Host-" : ""}milkwood`

export const sessionCookieName = (app: App): string => `${cookiePrefix(app)}.session_token`

export type PasswordAnswer =
  | { outcome: "signed_in"; userId: string; cookies: string[] }
  | { outcome: "wrong" | "unconfirmed" | "disabled" }

/**
 * Checks address and password and begins a session. A wrong address and a wrong password cost the same time, and
 * "unconfirmed" and "disabled" are told apart only after a right password.
 */
export async function signInWithPassword(
  work: Work,
  credentials: { email: string; password: string },
  headers: Headers = new Headers(),
): Promise<PasswordAnswer> {
  return current.run(work, async () => {
    try {
      const { response, headers: answer } = await library(work.app).api.signInEmail({
        body: credentials,
        headers: new Headers({ "user-agent": headers.get("user-agent")?.slice(0, 300) ?? "" }),
        returnHeaders: true,
      })
      return { outcome: "signed_in", userId: response.user.id, cookies: answer.getSetCookie() }
    } catch (error) {
      if (!(error instanceof APIError)) throw error
      const code = error.body?.code
      if (code === "EMAIL_NOT_VERIFIED") return { outcome: "unconfirmed" }
      if (code === "ACCOUNT_DISABLED") return { outcome: "disabled" }
      if (code === "INVALID_EMAIL_OR_PASSWORD" || code === "INVALID_EMAIL") return { outcome: "wrong" }
      throw error
    }
  })
}

export interface NewAccount {
  name: string
  email: string
  password: string
}

/** Makes an account with a password; the caller has checked that the address is free. Answers its id. */
export async function createAccount(work: Work, account: NewAccount): Promise<string> {
  return current.run(work, async () => {
    const { user } = await library(work.app).api.signUpEmail({ body: account })
    return user.id
  })
}

/** The cookies that make the browser forget its session. */
export async function clearingCookies(work: Work): Promise<string[]> {
  return current.run(work, async () => {
    const { headers } = await library(work.app).api.signOut({ headers: new Headers(), returnHeaders: true })
    return headers.getSetCookie()
  })
}

/** Replaces a password, and ends the links that could replace it again. The caller ends the sessions (`endSessions`). */
export async function setPassword(work: Work, userId: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await work.tx.run(sql`select from users where id = ${userId} for no key update`)
  await revokeLinks(work, userId, "password_reset")
  await work.tx.run(sql`
    update accounts set password = ${hash}, updated_at = ${work.now}
    where user_id = ${userId} and provider_id = 'credential'`)
}

/** Whether this is the account's password. */
export async function isPassword(work: Work, userId: string, password: string): Promise<boolean> {
  const account = await work.tx.row<{ password: string }>(sql`
    select password from accounts where user_id = ${userId} and provider_id = 'credential'`)
  return account !== undefined && (await verifyPassword(account.password, password))
}
