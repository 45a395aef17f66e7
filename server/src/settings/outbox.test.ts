import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { isDefinedError, safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startJob } from "../platform/work/jobs.ts"
import { deliverMails, queueMails } from "../platform/work/mail.ts"
import { openTestApp, type TestApp } from "../test/app.ts"

async function refusalOf(call: Promise<unknown>) {
  const { error } = await safe(call)
  if (!error || !isDefinedError(error)) throw new Error("expected a refusal of the contract", { cause: error })
  return error as { code: string; message: string; data: unknown }
}

const queueTestMails = (app: TestApp, ...addresses: string[]) =>
  app.transaction(app.people.admin, async (cx) => {
    const ids = await queueMails(
      cx,
      addresses.map((to) => ({ to, subject: "One of several", text: "It waits." })),
    )
    return ids.map((id) => ({ id }))
  })

describe("without a mail server", () => {
  let app: TestApp
  const outbox = () => app.as(app.people.admin).settings.outbox
  beforeAll(async () => {
    app = await openTestApp()
  })
  afterAll(() => app.close())

  it("without a mail server, mail is stored for administrators to read", async () => {
    const { answer, ...mail } = await outbox().sendTest({ to: "thandi@example.test" })
    expect(answer).toBeNull()
    expect(mail).toMatchObject({
      to: "thandi@example.test",
      subject: "Test e-mail from Milkwood",
      state: "kept",
      allowedActions: [],
      nextAttemptAt: null,
      sentAt: null,
    })
    expect(mail.text).toContain("Ada Admin sent this e-mail")
    expect(await outbox().detail({ mailId: mail.id })).toEqual(mail)
    expect(await refusalOf(outbox().retry({ mailId: mail.id }))).toMatchObject({
      code: "NO_SMTP",
      message: "No mail server is set up, so e-mails stay in the outbox.",
    })
  })

  it("the outbox searches, filters, sorts and pages in the database", async () => {
    for (let n = 0; n < 26; n += 1) await outbox().sendTest({ to: `p${String(n).padStart(2, "0")}@other.test` })
    const page = await outbox().list({ search: "OTHER", sort: "to", dir: "asc", page: 2 })
    expect(page).toMatchObject({ total: 26, counts: { queued: 0, sent: 0, kept: 26, failed: 0 } })
    expect(page.rows.map(({ to }) => to)).toEqual(["p25@other.test"])
    expect((await outbox().list({ search: "other", tab: "failed" })).total).toBe(0)
    expect((await outbox().list({ search: "_" })).total).toBe(0)
    const { error } = await safe(outbox().detail({ mailId: crypto.randomUUID() }))
    expect(error).toMatchObject({ code: "NOT_FOUND", message: "This e-mail does not exist." })
  })

  it("the outbox shows a sign-in link to pass on, and records each reader", async () => {
    const { link } = await app.as(app.people.admin).users.invite({ email: "handed@example.test", role: "manager" })
    const { rows } = await outbox().list({ search: "handed" })
    const read = () => outbox().detail({ mailId: rows[0]!.id })
    expect((await read()).text).toContain(link)
    const trail = () =>
      app.sql.rows(sql`
        select actor_name as actor from audit_log where fact = 'OutboxMailRead' and record_id = ${rows[0]!.id}`)
    await read()
    expect(await trail()).toEqual([{ actor: "Ada Admin" }])
    app.clock.advance({ hours: 24 })
    await read()
    expect(await trail()).toHaveLength(2)
  })

  it("expired links are deleted from the outbox", async () => {
    const { link } = await app.as(app.people.admin).users.invite({ email: "slow@example.test", role: "manager" })
    const text = async () => (await app.mails()).find(({ to }) => to === "slow@example.test")!.text
    const nightly = async () => {
      await app.transaction(app.people.admin, (cx) =>
        startJob(cx, { kind: "platform.housekeeping", label: "Housekeeping", payload: {} }),
      )
      await app.runJobs()
    }
    app.clock.advance({ hours: 7 * 24 - 1 })
    await nightly()
    expect(await text()).toContain(link)
    app.clock.advance({ hours: 2 })
    await nightly()
    expect(await text()).not.toContain(link)
  })

  it("a test mail requires a valid address", async () => {
    expect(await refusalOf(outbox().sendTest({ to: "nobody" }))).toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "to", message: "Enter a valid e-mail address" }] },
    })
  })
})

describe("with a mail server", () => {
  let app: TestApp
  let server: SMTPServer
  let away = true
  const received: { from: string; to: string[]; text: string }[] = []
  const outbox = () => app.as(app.people.admin).settings.outbox

  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onMailFrom: (_address, _session, done) => done(away ? new Error("The mailbox is being moved") : null),
      onData: (stream, session, done) => {
        let text = ""
        stream.on("data", (part: Buffer) => {
          text += part.toString()
        })
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope
          received.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), text })
          done()
        })
      },
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.server.address()
    const port = typeof address === "object" ? address?.port : undefined
    app = await openTestApp({ smtpUrl: `smtp://127.0.0.1:${port}` })
  })
  afterAll(async () => {
    await app.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })

  it("a refused mail waits with the reason and is sent on retry", async () => {
    const mail = await outbox().sendTest({ to: "thandi@example.test" })
    expect(mail).toMatchObject({ state: "queued", allowedActions: ["retry"] })
    await deliverMails(app.app)
    const waiting = await outbox().detail({ mailId: mail.id })
    expect(waiting).toMatchObject({ state: "queued", attempts: 1 })
    expect(waiting.lastError).toContain("The mailbox is being moved")
    expect(received).toEqual([])

    // An outbox reader must not be able to sign in with another user's link.
    const { link } = await app.as(app.people.admin).users.invite({ email: "sipho@example.test", role: "manager" })
    const invitation = (await outbox().list({ search: "sipho" })).rows[0]!
    const shown = async () => (await outbox().detail({ mailId: invitation.id })).text
    expect(await shown()).toContain("[secret link, shown only in the e-mail itself]")
    expect(await shown()).not.toContain(new URL(link).hash)

    away = false
    await deliverMails(app.app)
    expect(received).toHaveLength(1)
    expect(received[0]!.text.replace(/=\r?\n/g, "")).toContain(new URL(link).hash)
    expect(await shown()).not.toContain(new URL(link).hash)
    expect(await app.sql.row(sql`select secret from mails where id = ${invitation.id}`)).toEqual({ secret: null })
    received.length = 0
    const retried = await outbox().retry({ mailId: mail.id })
    expect(retried).toMatchObject({ state: "queued", attempts: 0 })
    await deliverMails(app.app)
    expect(await outbox().detail({ mailId: mail.id })).toMatchObject({
      state: "sent",
      lastError: null,
      allowedActions: [],
    })
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ to: ["thandi@example.test"] })
    expect(received[0]!.text).toContain("Subject: Test e-mail from Milkwood")
    expect((await refusalOf(outbox().retry({ mailId: mail.id }))).code).toBe("ALREADY_SENT")

    const trail = await app.sql.rows<{ fact: string; label: string }>(
      sql`select fact, record_label as label from audit_log where record_id = ${mail.id} order by id`,
    )
    expect(trail).toEqual([
      { fact: "TestMailSent", label: "Test e-mail from Milkwood" },
      { fact: "OutboxMailRead", label: "Test e-mail from Milkwood" },
      { fact: "MailRetried", label: "Test e-mail from Milkwood" },
    ])
  })
})

describe("a mail server that accepts the connection but does not answer", () => {
  let app: TestApp
  const server = createServer()
  const calls = new Set<Socket>()
  beforeAll(async () => {
    server.on("connection", (socket) => calls.add(socket.on("error", () => {})))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    app = await openTestApp({ smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` })
  })
  afterAll(async () => {
    for (const socket of calls) socket.destroy()
    await app.close()
    server.close()
  })

  it("a mail server that does not answer blocks neither a retry nor the shutdown", async () => {
    const { outbox } = app.as(app.people.admin).settings
    const mails = await queueTestMails(app, "a@example.test", "b@example.test")
    const closing = new AbortController()
    const called = once(server, "connection")
    const delivering = deliverMails(app.app, closing.signal)
    await called
    const { code, message } = await refusalOf(outbox.retry({ mailId: mails[0]!.id }))
    expect([code, message]).toEqual(["BUSY", "This e-mail is being sent at the moment."])
    closing.abort()
    expect(await delivering).toBe(1)
    expect(calls.size).toBe(1)
    const after = await Promise.all(mails.map(({ id }) => outbox.detail({ mailId: id })))
    expect(after).toMatchObject([
      { state: "queued", attempts: 1, lastError: "The server stopped before the e-mail was accepted." },
      { state: "queued", attempts: 0, lastError: null },
    ])
  })

  it("characters that PostgreSQL cannot store are removed from a mail server's answer", async () => {
    const { outbox } = app.as(app.people.admin).settings
    server.removeAllListeners("connection")
    server.on("connection", (socket) => socket.on("error", () => {}).end("H\0TTP \u{1f600}\r\n"))
    const { id, answer } = await outbox.sendTest({ to: "c@example.test" })
    expect(answer).toContain("H TTP")
    expect(await outbox.detail({ mailId: id })).toMatchObject({ state: "queued", attempts: 1, lastError: answer })
  })
})
