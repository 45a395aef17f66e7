import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { Browser, confirmAccount } from "./browser.samples.ts"
import { hashing } from "./passwords.ts"

const password = "Jacaranda-77-avenue"
let app: TestApp
let serial = 0

beforeAll(async () => {
  hashing.cost = 16
  app = await openTestApp()
  await app.sql.run(sql`
    insert into settings (key, value, saved_at) values ('userRegistration', 'true', ${app.clock.now()})`)
})
afterAll(() => app.close())
beforeEach(() => app.clock.advance({ hours: 24 }))

async function confirmedAccount() {
  const email = `sipho.${++serial}@acme.example`
  await confirmAccount(app, new Browser(app.app), { fullName: "Sipho Ndlovu", email, password })
  return { email }
}

describe("limits", () => {
  const wrongPassword = "Wrong-Password-1"
  const attempt = async (email: string, address: string, typed = wrongPassword) => {
    const api = await new Browser(app.app, address).api()
    return api.users.signIn({ email, password: typed }).then(
      () => "in",
      (error: { code: string }) => error.code,
    )
  }

  it("stops guessing at one account from one address, for a quarter of an hour", async () => {
    const { email } = await confirmedAccount()
    for (let n = 0; n < 5; n++) expect(await attempt(email, "203.0.113.7")).toBe("INVALID_CREDENTIALS")
    expect(await attempt(email, "203.0.113.7", password)).toBe("TOO_MANY")
    expect(await attempt(email, "203.0.113.8", password)).toBe("in")
    app.clock.advance({ minutes: 16 })
    expect(await attempt(email, "203.0.113.7", password)).toBe("in")
  })

  it("counts attempts that are made at the same time", async () => {
    const { email } = await confirmedAccount()
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(email, "203.0.113.9")))
    expect(answers.filter((answer) => answer === "INVALID_CREDENTIALS")).toHaveLength(5)
    expect(answers.filter((answer) => answer === "TOO_MANY")).toHaveLength(15)
  })

  it("forgets the failures before a success", async () => {
    const { email } = await confirmedAccount()
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) await attempt(email, "203.0.113.10")
      expect(await attempt(email, "203.0.113.10", password)).toBe("in")
    }
  })

  it("does not let strangers lock the owner out", async () => {
    const { email } = await confirmedAccount()
    expect(await attempt(email, "192.0.2.77", password)).toBe("in")
    for (let n = 0; n < 20; n++) await attempt(email, `203.0.113.${20 + n}`)
    expect(await attempt(email, "203.0.113.99", password)).toBe("TOO_MANY")
    expect(await attempt(email, "192.0.2.77", password)).toBe("in")
  })

  it("stops an address that tries many accounts, known or not", async () => {
    for (let n = 0; n < 30; n++)
      expect(await attempt(`guess${n}@acme.example`, "203.0.113.200")).toBe("INVALID_CREDENTIALS")
    expect(await attempt("guess31@acme.example", "203.0.113.200")).toBe("TOO_MANY")
  })

  it("sends at most three mails an hour to an address that somebody else keeps asking for", async () => {
    const { email } = await confirmedAccount()
    app.clock.advance({ hours: 2 })
    const before = (await app.mails()).filter((mail) => mail.to === email).length
    for (let n = 0; n < 6; n++) {
      await (await new Browser(app.app, `198.51.100.${n}`).api()).users.requestPasswordReset({ email })
    }
    expect((await app.mails()).filter((mail) => mail.to === email).length - before).toBe(3)
  })
})

describe("a crowd", () => {
  it("at the door at once does not wait for itself", async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, n) => {
        const { users } = await new Browser(app.app, `198.18.0.${n}`).api()
        const email = `crowd${n}@acme.example`
        if (n % 3 === 0) return users.requestPasswordReset({ email })
        if (n % 3 === 1) return users.signUp({ fullName: "Crowd", email, password })
        return users.signIn({ email, password }).catch((error: { code: string }) => {
          if (error.code !== "INVALID_CREDENTIALS") throw error
        })
      }),
    )
    expect(answers.filter((answer) => answer.status === "rejected")).toEqual([])
  })
})
