import { type MailServer, noMailServer } from "@milkwood/domain/platform/mail-server"
import { isDefinedError, safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { deliverMails } from "../platform/work/mail.ts"
import { toMailHtml } from "../platform/work/mail-html.ts"
import { openTestApp, type TestApp, type TestAppOptions } from "../test/app.ts"
import { closeMailServers, password, startMailServer } from "./mail-server.samples.ts"

const openedApps: TestApp[] = []

async function openApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await openTestApp(options)
  openedApps.push(app)
  return app
}

afterAll(async () => {
  for (const app of openedApps) await app.close()
  await closeMailServers()
})

async function refusalOf(call: Promise<unknown>) {
  const { error } = await safe(call)
  if (!error || !isDefinedError(error)) throw new Error("expected a refusal of the contract", { cause: error })
  return error as { code: string; message: string; data: unknown }
}

const settingsClientOf = (app: TestApp) => app.as(app.people.admin).settings
async function saveMailServer(app: TestApp, change: Partial<MailServer>, mailPassword?: string) {
  const { version, settings } = await settingsClientOf(app).detail()
  const after = { ...settings, mailServer: { ...noMailServer, encryption: "none" as const, ...change } }
  return settingsClientOf(app).save({ version, settings: after, ...(mailPassword !== undefined && { mailPassword }) })
}
const host = "127.0.0.1"

describe("the mail server of the settings", () => {
  let app: TestApp
  let server: Awaited<ReturnType<typeof startMailServer>>
  beforeAll(async () => {
    app = await openApp()
    server = await startMailServer()
  })

  it("the next mail uses the server's sign-in and sender, without a restart", async () => {
    const before = await settingsClientOf(app).outbox.sendTest({ to: "before@example.test" })
    expect(before).toMatchObject({ state: "kept", answer: null })
    const saved = await saveMailServer(
      app,
      { host, port: server.port, user: "milkwood", sender: "cover@umoya.test" },
      password,
    )
    expect(saved).toMatchObject({ mailDelivery: "settings", hasMailPassword: true })
    const tested = await settingsClientOf(app).outbox.sendTest({ to: "thandi@example.test" })
    expect(tested).toMatchObject({ state: "sent", lastError: null })
    expect(tested.answer).toContain("Kept as number 7")
    expect(server.received).toMatchObject([{ from: "cover@umoya.test", user: "milkwood" }])
    await app.as(app.people.admin).users.invite({ email: "zola@example.test", role: "manager" })
    await deliverMails(app.app)
    expect(server.received).toHaveLength(2)
    // A mail queued before the mail server was set is sent only on retry.
    expect((await settingsClientOf(app).outbox.detail({ mailId: before.id })).allowedActions).toEqual(["retry"])
  })

  it("the mail password is not readable in answers, settings, audit trail or table", async () => {
    const detail = await settingsClientOf(app).detail()
    const rows = await app.sql.rows(sql`
      select value::text as text from settings union all select detail::text from audit_log
      union all select sealed from mail_server_password`)
    expect(JSON.stringify([detail, rows])).not.toContain(password)
    const facts = await app.sql.rows<{ fact: string }>(
      sql`select fact from audit_log where record_kind = 'settings' order by id`,
    )
    expect(facts.map(({ fact }) => fact)).toEqual(["MailPasswordKept", "SettingsSaved"])
    const employer = await app.people.groupAdmin()
    const look = () => app.transaction(employer, ({ tx }) => tx.rows(sql`select * from mail_server_password`))
    await expect(look()).rejects.toMatchObject({ code: "42501" })
    await expect(app.app.database.direct("auth").rows(sql`select * from mail_server_password`)).rejects.toMatchObject({
      code: "42501",
    })
  })

  it("the mail password is never sent to another server, user or encryption", async () => {
    const other = await startMailServer()
    const again = {
      code: "INVALID",
      data: {
        fields: [
          {
            path: "mailPassword",
            message: "Enter the password again: the stored password is for another server or user",
          },
        ],
      },
    }
    expect(await refusalOf(saveMailServer(app, { host, port: other.port, user: "milkwood" }))).toMatchObject(again)
    expect(await refusalOf(saveMailServer(app, { host, port: server.port, user: "admin" }))).toMatchObject(again)
    const kept = await saveMailServer(app, { host, port: server.port, user: "milkwood", sender: "other@umoya.test" })
    expect(kept.hasMailPassword).toBe(true)
    const bare = await saveMailServer(app, { host, port: other.port })
    expect(bare.hasMailPassword).toBe(false)
    const missing = await refusalOf(saveMailServer(app, { host, port: server.port, user: "milkwood" }))
    expect(missing).toMatchObject({
      data: { fields: [{ path: "mailPassword", message: "Enter the password for this user" }] },
    })
    const clear = await refusalOf(saveMailServer(app, { host: "mail.example.test", user: "milkwood" }, password))
    expect(clear).toMatchObject({
      data: {
        fields: [
          {
            path: "settings.mailServer.encryption",
            message:
              "Choose an encryption method: a password is sent to another server only over an encrypted connection",
          },
        ],
      },
    })
  })

  it("mail waits with the error of a wrong server until the settings are corrected", async () => {
    await saveMailServer(app, { host, port: server.port, user: "milkwood" }, "not the password")
    const refused = await settingsClientOf(app).outbox.sendTest({ to: "sipho@example.test" })
    expect(refused.answer).toContain("Invalid login")
    expect(refused).toMatchObject({ state: "queued", attempts: 1, lastError: refused.answer })
    // The settings require encryption, which the server does not offer.
    await saveMailServer(app, { host, port: server.port, encryption: "starttls" })
    expect((await settingsClientOf(app).outbox.retry({ mailId: refused.id })).attempts).toBe(0)
    await deliverMails(app.app)
    const { lastError } = await settingsClientOf(app).outbox.detail({ mailId: refused.id })
    expect(lastError).toMatch(/STARTTLS/i)
    const count = server.received.length
    // A changed server makes waiting mail due at once.
    await app.sql.run(
      sql`update mails set next_attempt_at = clock_timestamp() + interval '1 hour' where state = 'queued'`,
    )
    await saveMailServer(app, { host, port: server.port })
    await deliverMails(app.app)
    expect(await settingsClientOf(app).outbox.detail({ mailId: refused.id })).toMatchObject({
      state: "sent",
      lastError: null,
    })
    expect(server.received).toHaveLength(count + 1)
  })

  it("a settings reset removes the server and its password", async () => {
    await saveMailServer(app, { host, port: server.port, user: "milkwood" }, password)
    const { version } = await settingsClientOf(app).detail()
    const reset = await settingsClientOf(app).reset({ version })
    expect(reset).toMatchObject({
      mailDelivery: "outbox",
      hasMailPassword: false,
      settings: { mailServer: noMailServer },
    })
    expect(await app.sql.rows(sql`select from mail_server_password`)).toEqual([])
    const last = await app.sql.rows<{ fact: string }>(
      sql`select fact from audit_log where record_kind = 'settings' order by id desc limit 2`,
    )
    expect(last.map(({ fact }) => fact)).toEqual(["SettingsReset", "MailPasswordForgotten"])
    expect(await settingsClientOf(app).outbox.sendTest({ to: "after@example.test" })).toMatchObject({ state: "kept" })
  })

  it.each([
    [{ host: "smtp://mail.example.test" }, "host", "Enter a host name or an address, such as smtp.example.co.za"],
    [{ port: 0 }, "port", "Enter a port from 1 to 65535"],
    [{ sender: "cover at umoya" }, "sender", "This is not an e-mail address"],
  ])("refuses %j", async (change, field, message) => {
    expect(await refusalOf(saveMailServer(app, change))).toMatchObject({
      data: { fields: [{ path: `settings.mailServer.${field}`, message }] },
    })
  })
})

describe("SMTP_URL of the environment", () => {
  it("SMTP_URL overrides the settings and is shown as the source", async () => {
    const [environment, settings] = [await startMailServer(), await startMailServer()]
    const app = await openApp({ smtpUrl: `smtp://${host}:${environment.port}` })
    expect((await saveMailServer(app, { host, port: settings.port })).mailDelivery).toBe("environment")
    expect(await settingsClientOf(app).outbox.sendTest({ to: "thandi@example.test" })).toMatchObject({ state: "sent" })
    expect([environment.received.length, settings.received.length]).toEqual([1, 0])
  })

  it("SMTP_URL `off` sends no mail, for example while testing a restored backup", async () => {
    const server = await startMailServer()
    const app = await openApp({ smtpUrl: "off" })
    expect((await saveMailServer(app, { host, port: server.port })).mailDelivery).toBe("off")
    await app.sql.run(sql`
      insert into mails (id, to_address, subject, text_body, attachments, state, next_attempt_at, created_at)
      values (gen_random_uuid(), 'waiting@example.test', 'Waits', 'Waits', '[]', 'queued', now(), now())`)
    expect(await deliverMails(app.app)).toBe(0)
    expect(await settingsClientOf(app).outbox.sendTest({ to: "thandi@example.test" })).toMatchObject({ state: "kept" })
    expect(server.received).toEqual([])
  })
})

describe("the HTML of a mail", () => {
  it("the HTML of a mail escapes the text and turns addresses into links", () => {
    const html = toMailHtml(
      'Dear <b>Zola</b> & "co"\nhttps://milkwood.test/claims/1?a=1&b=\'2.\n\n<script src=//x></script>',
      "Umoya <img src=x onerror=alert(1)>",
    )
    expect(html).toContain("Dear &#60;b&#62;Zola&#60;/b&#62; &#38; &#34;co&#34;<br>")
    expect(html).toContain(
      '<a href="https://milkwood.test/claims/1?a=1&#38;b=">https://milkwood.test/claims/1?a=1&#38;b=</a>',
    )
    expect(html).toContain('<p style="margin:0 0 16px">&#60;script src=//x&#62;&#60;/script&#62;</p>')
    expect(html.match(/<(?!!doctype|\/?(?:html|head|meta|body|p|br|a)\b)/g)).toBeNull()
  })

  it("each mail is sent as HTML and as plain text", async () => {
    const server = await startMailServer()
    const app = await openApp({ smtpUrl: `smtp://${host}:${server.port}` })
    await settingsClientOf(app).outbox.sendTest({ to: "thandi@example.test" })
    const { raw } = server.received[0]!
    expect(raw).toContain("Content-Type: multipart/alternative")
    expect(raw).toContain("Content-Type: text/plain")
    expect(raw).toContain("Content-Type: text/html")
  })
})
