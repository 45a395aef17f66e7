import { randomUUID } from "node:crypto"
import { createRouterClient } from "@orpc/server"
import type { App } from "../platform/app.ts"
import { router } from "../router.ts"
import type { Client, StoredMail, TestApp } from "../test/app.ts"
import { readSessionActor } from "./session.ts"

/** A browser that stores cookies and sends them with every call. */
export class Browser {
  readonly app: App
  readonly cookies = new Map<string, string>()
  /** Set-Cookie headers of the last answer. */
  lastSetCookies: string[] = []
  readonly address: string

  constructor(app: App, address = "192.0.2.1") {
    this.app = app
    this.address = address
  }

  headers(more: Record<string, string> = {}): Headers {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    return new Headers({ ...(cookie ? { cookie } : {}), "x-client-address": this.address, ...more })
  }

  /** The API with this browser's session. */
  async api(more: Record<string, string> = {}): Promise<Client> {
    const headers = this.headers(more)
    const responseHeaders = new Headers()
    const actor = await readSessionActor(this.app, headers)
    const client = createRouterClient(router, {
      context: { app: this.app, actor, requestId: randomUUID(), headers, responseHeaders },
      interceptors: [
        async ({ next }) => {
          const answer = await next()
          this.keepCookies(responseHeaders)
          return answer
        },
      ],
    })
    return client as Client
  }

  keepCookies(responseHeaders: Headers): void {
    this.lastSetCookies = responseHeaders.getSetCookie()
    for (const cookie of this.lastSetCookies) {
      const [pair = "", ...attributes] = cookie.split("; ")
      const split = pair.indexOf("=")
      const name = pair.slice(0, split)
      if (attributes.includes("Max-Age=0")) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(split + 1))
    }
  }
}

export function findLink(text: string): { page: string; token: string } {
  const found = /https?:\/\/[^/\s]+(\/[^#\s]*)#(\S+)/.exec(text)
  if (!found) throw new Error("there is no link in this mail")
  return { page: found[1]!, token: found[2]! }
}

export async function readNewestMail(app: TestApp, address: string): Promise<StoredMail> {
  const mail = (await app.mails()).filter((kept) => kept.to === address).at(-1)
  if (!mail) throw new Error("no mail went to this address")
  return mail
}

/** Signs up and follows the e-mailed link. Requires the setting "user registration". */
export async function signUpAndConfirm(
  app: TestApp,
  browser: Browser,
  person: { fullName: string; email: string; password: string },
): Promise<void> {
  await (await browser.api()).users.signUp(person)
  const { token } = findLink((await readNewestMail(app, person.email)).text)
  await (await browser.api()).users.confirmEmail({ token })
  // Advances the clock, so that the next mail is the newest, whatever its id.
  app.clock.advance({ seconds: 1 })
}
