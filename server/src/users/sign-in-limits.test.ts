import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { minimumAnswerDelay } from "./attempts.ts"
import { Browser, signUpAndConfirm } from "./browser.samples.ts"
import { scryptParameters } from "./passwords.ts"

const password = "Jacaranda-77-avenue"
let app: TestApp
let serial = 0

beforeAll(async () => {
  scryptParameters.cost = 16
  minimumAnswerDelay.afterMs = 0
  app = await openTestApp()
  await app.sql.run(sql`
    insert into settings (key, value, saved_at) values ('userRegistration', 'true', ${app.clock.now()})`)
})
afterAll(() => app.close())
beforeEach(() => app.clock.advance({ hours: 24 }))

async function createConfirmedAccount() {
  const email = `sipho.${++serial}@acme.example`
  await signUpAndConfirm(app, new Browser(app.app), { fullName: "Sipho Ndlovu", email, password })
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

  it("blocks an account for one address for 15 minutes after five failures", async () => {
    const { email } = await createConfirmedAccount()
    for (let n = 0; n < 5; n++) expect(await attempt(email, "203.0.113.7")).toBe("INVALID_CREDENTIALS")
    expect(await attempt(email, "203.0.113.7", password)).toBe("TOO_MANY")
    expect(await attempt(email, "203.0.113.8", password)).toBe("in")
    app.clock.advance({ minutes: 16 })
    expect(await attempt(email, "203.0.113.7", password)).toBe("in")
  })

  it("counts concurrent attempts", async () => {
    const { email } = await createConfirmedAccount()
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(email, "203.0.113.9")))
    expect(answers.filter((answer) => answer === "INVALID_CREDENTIALS")).toHaveLength(5)
    expect(answers.filter((answer) => answer === "TOO_MANY")).toHaveLength(15)
  })

  it("resets the failures after a success", async () => {
    const { email } = await createConfirmedAccount()
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) await attempt(email, "203.0.113.10")
      expect(await attempt(email, "203.0.113.10", password)).toBe("in")
    }
  })

  it("does not let strangers lock the owner out", async () => {
    const { email } = await createConfirmedAccount()
    expect(await attempt(email, "192.0.2.77", password)).toBe("in")
    for (let n = 0; n < 20; n++) await attempt(email, `203.0.113.${20 + n}`)
    expect(await attempt(email, "203.0.113.99", password)).toBe("TOO_MANY")
    expect(await attempt(email, "192.0.2.77", password)).toBe("in")
  })

  it("slows down an address that tries many accounts, except for users known there", async () => {
    const office = "203.0.113.200"
    const [known, stranger] = [await createConfirmedAccount(), await createConfirmedAccount()]
    expect(await attempt(known.email, office, password)).toBe("in")
    const browser = new Browser(app.app, office)
    await (await browser.api()).users.signIn({ email: known.email, password })
    for (let n = 0; n < 30; n++) expect(await attempt(`guess${n}@acme.example`, office)).toBe("INVALID_CREDENTIALS")
    await expect(
      (await new Browser(app.app, office).api()).users.signIn({ email: "guess31@acme.example", password }),
    ).rejects.toMatchObject({ code: "TOO_MANY", message: "Too many attempts. Please wait 30 seconds and try again." })
    expect(await attempt(stranger.email, office, password)).toBe("TOO_MANY")
    expect(await attempt(known.email, office, password)).toBe("in")
    await (await browser.api()).users.changePassword({ currentPassword: password, newPassword: "Kalahari-Rain-23" })
    app.clock.advance({ seconds: 30 })
    expect(await attempt(stranger.email, office, password)).toBe("in")
    // A user known at the address is limited only by their own failures.
    expect(await attempt("guess31@acme.example", office)).toBe("INVALID_CREDENTIALS")
    expect(await attempt(stranger.email, office, password)).toBe("in")
    app.clock.advance({ seconds: 1 })
    for (let n = 0; n < 5; n++) expect(await attempt(stranger.email, office)).toBe("INVALID_CREDENTIALS")
    expect(await attempt(stranger.email, office, password)).toBe("TOO_MANY")
  })

  it("a stranger's failures do not limit a user's password changes", async () => {
    const { email } = await createConfirmedAccount()
    const browser = new Browser(app.app, "203.0.113.201")
    await (await browser.api()).users.signIn({ email, password })
    for (let n = 0; n < 5; n++) await attempt(email, "203.0.113.201")
    const change = async (currentPassword: string) =>
      (await browser.api()).users.changePassword({ currentPassword, newPassword: "Kalahari-Rain-23" }).then(
        () => "changed",
        (error: { code: string }) => error.code,
      )
    for (let n = 0; n < 5; n++) expect(await change(wrongPassword)).toBe("WRONG_PASSWORD")
    expect(await change(password)).toBe("TOO_MANY")
    app.clock.advance({ minutes: 15 })
    expect(await change(password)).toBe("changed")
  })

  it("warns once about a proxy that hides client addresses", async () => {
    const warn = vi.spyOn(app.app.log, "warn")
    const forwarded = { "x-forwarded-for": "203.0.113.1" }
    for (let n = 0; n < 2; n++) {
      await (await new Browser(app.app).api(forwarded)).users.requestPasswordReset({ email: "a@acme.example" })
    }
    expect(warn.mock.calls).toEqual([[expect.stringContaining("PUBLIC_URL is not https")]])
    warn.mockRestore()
  })

  it("an attempt without an account is answered after the same time", async () => {
    const { email } = await createConfirmedAccount()
    minimumAnswerDelay.afterMs = 150
    try {
      for (const address of [email, "nobody@acme.example"]) {
        const { users } = await new Browser(app.app).api()
        for (const ask of [users.requestPasswordReset, users.resendConfirmation]) {
          const began = performance.now()
          await ask({ email: address })
          expect(performance.now() - began).toBeGreaterThanOrEqual(149)
        }
      }
    } finally {
      minimumAnswerDelay.afterMs = 0
    }
  })

  it("sends at most three requested mails an hour to one address", async () => {
    const { email } = await createConfirmedAccount()
    app.clock.advance({ hours: 2 })
    const before = (await app.mails()).filter((mail) => mail.to === email).length
    for (let n = 0; n < 6; n++) {
      await (await new Browser(app.app, `198.51.100.${n}`).api()).users.requestPasswordReset({ email })
    }
    expect((await app.mails()).filter((mail) => mail.to === email).length - before).toBe(3)
  })
})

describe("password reset requests from an office", () => {
  const office = "198.51.100.77"
  const ask = async (email: string, address = office) => {
    const api = await new Browser(app.app, address).api()
    return api.users.requestPasswordReset({ email }).then(
      () => "asked",
      (error: { code: string }) => error.code,
    )
  }
  const mailsTo = async (email: string) => (await app.mails()).filter(({ to }) => to === email).length

  it("are accepted for users known there even above the office's limit", async () => {
    const [known, stranger] = [await createConfirmedAccount(), await createConfirmedAccount()]
    const browser = new Browser(app.app, office)
    await (await browser.api()).users.signIn({ email: known.email, password })
    app.clock.advance({ hours: 2 })
    for (let n = 0; n < 20; n++) expect(await ask(`guess${n}@acme.example`)).toBe("asked")
    const before = [await mailsTo(known.email), await mailsTo(stranger.email)]
    expect(await ask(known.email)).toBe("asked")
    expect(await ask(stranger.email)).toBe("TOO_MANY")
    expect(await ask(stranger.email, "198.51.100.78")).toBe("asked")
    // Refused requests are not counted, so the wait ends.
    app.clock.advance({ seconds: 30 })
    expect(await ask("guess21@acme.example")).toBe("asked")
    expect(await ask("guess22@acme.example")).toBe("TOO_MANY")
    app.clock.advance({ seconds: 30 })
    expect(await ask(stranger.email)).toBe("asked")
    expect([await mailsTo(known.email), await mailsTo(stranger.email)]).toEqual([before[0]! + 1, before[1]! + 2])
  })
})

describe("many users at once", () => {
  it("can sign in, sign up and reset passwords", async () => {
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
