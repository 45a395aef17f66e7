import { randomUUID } from "node:crypto"
import { type MailServer, noMailServer } from "@milkwood/domain/platform/mail-server"
import { safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { afterEach, describe, expect, it } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { deliverMails } from "../platform/work/mail.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { closeMailServers, password, startMailServer } from "./mail-server.samples.ts"

const host = "127.0.0.1"
let app: TestApp
afterEach(async () => {
  await app.close()
  await closeMailServers()
})

const errorCodeOf = async (call: Promise<unknown>) => ((await safe(call)).error as { code?: string } | null)?.code
const settingsClient = (actor: UserActor = app.people.admin) => app.as(actor).settings

async function saveMailServer(
  change: Partial<MailServer>,
  { actor = app.people.admin, mailPassword = undefined as string | undefined } = {},
) {
  const { version, settings } = await settingsClient(actor).detail()
  const after = { ...settings, mailServer: { ...noMailServer, encryption: "none" as const, ...change } }
  return settingsClient(actor).save({ version, settings: after, ...(mailPassword !== undefined && { mailPassword }) })
}

async function createWorkingMailServer() {
  app = await openTestApp()
  const [former, other] = [await startMailServer(), await startMailServer()]
  await saveMailServer(
    { host, port: former.port, user: "milkwood", sender: "cover@umoya.test" },
    { mailPassword: password },
  )
  await settingsClient().outbox.sendTest({ to: "thandi@example.test" })
  former.received.length = 0
  return { former, other }
}

const createSecondAdmin = async (hours = 24) => {
  const admin = await app.people.another("admin")
  app.clock.advance({ hours })
  return admin
}
const requestReset = () => app.as(null).users.requestPasswordReset({ email: app.people.manager.email })
const recipientsOf = (received: { to: string[] }[]) => received.flatMap(({ to }) => to).sort()

describe("a change of the mail server with a second administrator", () => {
  it("a new mail server waits for a second administrator; mail uses the former server", async () => {
    const { former, other } = await createWorkingMailServer()
    const second = await createSecondAdmin()
    const asked = await saveMailServer({ host, port: other.port })
    expect(asked).toMatchObject({
      settings: { mailServer: { port: former.port } },
      mailServerChange: { askedBy: "Ada Admin", server: { port: other.port }, allowedActions: ["withdraw"] },
      linksHeldUntil: null,
    })
    await requestReset()
    await deliverMails(app.app)
    const notified = [app.people.admin.email, second.email, "cover@umoya.test"]
    expect(recipientsOf(former.received)).toEqual([...notified, app.people.manager.email].sort())
    expect(other.received).toEqual([])

    const { id } = asked.mailServerChange!
    expect(await errorCodeOf(settingsClient().mailServer.confirm({ changeId: id }))).toBe("OWN_CHANGE")
    former.received.length = 0
    const confirmed = await settingsClient(second).mailServer.confirm({ changeId: id })
    expect(confirmed).toMatchObject({
      settings: { mailServer: { port: other.port } },
      hasMailPassword: false,
      mailServerChange: null,
      linksHeldUntil: null,
    })
    await requestReset()
    await deliverMails(app.app)
    expect(recipientsOf(former.received)).toEqual(notified.sort())
    expect(recipientsOf(other.received)).toEqual([app.people.manager.email])
    expect(await errorCodeOf(settingsClient(second).mailServer.confirm({ changeId: id }))).toBe("NOT_FOUND")
    expect(await errorCodeOf(settingsClient().mailServer.withdraw({ changeId: id }))).toBe("NOT_FOUND")
  })

  it("the new mail password stays sealed until confirmation", async () => {
    const { former, other } = await createWorkingMailServer()
    const second = await createSecondAdmin()
    const { mailServerChange } = await saveMailServer(
      { host, port: other.port, user: "other" },
      { mailPassword: password },
    )
    const texts = await app.sql.rows(sql`
      select detail::text as text from audit_log union all select c::text from mail_server_changes c`)
    expect(JSON.stringify([mailServerChange, texts])).not.toContain(password)
    await settingsClient(second).mailServer.confirm({ changeId: mailServerChange!.id })
    await settingsClient().outbox.sendTest({ to: "thandi@example.test" })
    expect(other.received).toMatchObject([{ user: "other" }])
    const kept = await app.sql.rows<{ password: string | null }>(sql`select password from mail_server_changes`)
    expect(kept).toEqual([{ password: null }])
    expect(former.received).toEqual([])
  })

  it("requesting or confirming a mail server change requires a second factor", async () => {
    const { other } = await createWorkingMailServer()
    const second = await createSecondAdmin()
    const session = { id: randomUUID(), provenAt: app.clock.now(), proofBy: "password" } as const
    const weak = { ...second, session }
    expect(await errorCodeOf(saveMailServer({ host, port: other.port }, { actor: weak }))).toBe(
      "SECOND_FACTOR_REQUIRED",
    )
    const { mailServerChange } = await saveMailServer({ host, port: other.port })
    const changeId = mailServerChange!.id
    expect(await errorCodeOf(settingsClient(weak).mailServer.confirm({ changeId }))).toBe("SECOND_FACTOR_REQUIRED")
    const strong = { ...second, session: { ...session, proofBy: "code" as const } }
    expect((await settingsClient(strong).mailServer.confirm({ changeId })).mailServerChange).toBeNull()
  })

  it("an administrator of less than 24 hours cannot confirm a mail server change", async () => {
    const { other } = await createWorkingMailServer()
    const second = await createSecondAdmin(23)
    const { mailServerChange } = await saveMailServer({ host, port: other.port })
    const changeId = mailServerChange!.id
    expect(await errorCodeOf(settingsClient(second).mailServer.confirm({ changeId }))).toBe("TOO_NEW")
    app.clock.advance({ hours: 1 })
    // The 24 hours start with the promotion to administrator, regardless of the account's age.
    const { rows } = await app.as(app.people.admin).users.list({ search: app.people.manager.email })
    await app.as(app.people.admin).users.setRole({ id: rows[0]!.id, version: rows[0]!.version, role: "admin" })
    const promoted: UserActor = { ...app.people.manager, role: "admin" }
    expect(await errorCodeOf(settingsClient(promoted).mailServer.confirm({ changeId }))).toBe("TOO_NEW")
    expect((await settingsClient(second).mailServer.confirm({ changeId })).mailServerChange).toBeNull()
  })

  it("either administrator can withdraw a mail server change; a second pending one is refused", async () => {
    const { former, other } = await createWorkingMailServer()
    const second = await createSecondAdmin()
    const { mailServerChange } = await saveMailServer({ host, port: other.port })
    expect(await errorCodeOf(saveMailServer({ host, port: other.port + 1 }, { actor: second }))).toBe("INVALID")
    const withdrawn = await settingsClient(second).mailServer.withdraw({ changeId: mailServerChange!.id })
    expect(withdrawn).toMatchObject({
      settings: { mailServer: { port: former.port } },
      hasMailPassword: true,
      mailServerChange: null,
    })
    const facts = await app.sql.rows<{ fact: string }>(
      sql`select fact from audit_log where record_kind = 'settings' order by id desc limit 2`,
    )
    expect(facts.map(({ fact }) => fact)).toEqual(["MailServerWithdrawn", "MailServerAsked"])
  })

  it("a mail server change applies once when two administrators confirm concurrently", async () => {
    const { other } = await createWorkingMailServer()
    const [second, third] = [await createSecondAdmin(), await createSecondAdmin()]
    const { mailServerChange } = await saveMailServer({ host, port: other.port })
    const changeId = mailServerChange!.id
    const answers = await Promise.all(
      [second, third].map((actor) => errorCodeOf(settingsClient(actor).mailServer.confirm({ changeId }))),
    )
    expect(answers.sort()).toEqual(["NOT_FOUND", undefined])
  })

  it("a settings reset also waits, because it would reveal links in the outbox", async () => {
    const { former } = await createWorkingMailServer()
    await createSecondAdmin()
    const { version } = await settingsClient().detail()
    expect(await settingsClient().reset({ version })).toMatchObject({
      settings: { mailServer: { port: former.port } },
      mailServerChange: { server: { host: "" } },
    })
  })
})

describe("a change of the mail server by the only administrator", () => {
  it("the only administrator's change applies at once, with notice and held sign-in links", async () => {
    const { former, other } = await createWorkingMailServer()
    await requestReset()
    await app.sql.run(
      sql`update mails set next_attempt_at = clock_timestamp() + interval '1 hour' where state = 'queued'`,
    )
    const saved = await saveMailServer({ host, port: other.port })
    expect(saved).toMatchObject({
      settings: { mailServer: { port: other.port } },
      mailServerChange: null,
      linksHeldUntil: "2026-11-03T08:00:00Z",
    })
    await deliverMails(app.app)
    expect(recipientsOf(former.received)).toEqual([app.people.admin.email, "cover@umoya.test"].sort())
    expect(other.received).toEqual([])

    const admin = app.as(app.people.admin)
    const email = "zola@example.test"
    const held = await safe(requestReset())
    expect(held.error).toMatchObject({
      code: "LINKS_HELD",
      message:
        "The mail server was changed, so sign-in links are not emailed until 2026-11-03 at 10:00. Ask an administrator if you need one sooner.",
    })
    expect(await errorCodeOf(app.as(null).users.requestPasswordReset({ email: "nobody@example.test" }))).toBe(
      "LINKS_HELD",
    )
    expect(await errorCodeOf(admin.users.invite({ email, role: "manager" }))).toBe("LINKS_HELD")
    expect(await errorCodeOf(admin.users.changeEmail({ email }))).toBe("LINKS_HELD")
    expect(await errorCodeOf(app.as(null).users.resendConfirmation({ email }))).toBe("LINKS_HELD")
    await settingsClient().outbox.sendTest({ to: "thandi@example.test" })
    expect(recipientsOf(other.received)).toEqual(["thandi@example.test"])

    app.clock.advance({ hours: 24 })
    await deliverMails(app.app)
    await admin.users.invite({ email, role: "manager" })
    await deliverMails(app.app)
    expect(recipientsOf(other.received)).toEqual([app.people.manager.email, "thandi@example.test", email].sort())
  })

  it("the outbox hides links for 24 hours after the server is removed", async () => {
    const { former } = await createWorkingMailServer()
    const { version, settings } = await settingsClient().detail()
    await requestReset()
    await app.sql.run(sql`update mails set state = 'kept' where secret is not null`)
    await settingsClient().save({ version, settings: { ...settings, mailServer: noMailServer } })
    await deliverMails(app.app)
    expect(recipientsOf(former.received)).toEqual([app.people.admin.email, "cover@umoya.test"].sort())
    const { rows } = await settingsClient().outbox.list({ search: "Set a new password" })
    const shown = async () => (await settingsClient().outbox.detail({ mailId: rows[0]!.id })).text
    expect(await shown()).not.toContain("#")
    app.clock.advance({ hours: 24 })
    expect(await shown()).toContain("#")
  })

  it("the notice goes through the new server if the former one is unreachable", async () => {
    const { other } = await createWorkingMailServer()
    await app.sql.run(sql`update settings set value = jsonb_set(value, '{port}', '1') where key = 'mailServer'`)
    await saveMailServer({ host, port: other.port })
    for (let tries = 0; tries < 10; tries++) {
      await app.sql.run(sql`update mails set next_attempt_at = clock_timestamp() where state = 'queued'`)
      await deliverMails(app.app)
    }
    expect(recipientsOf(other.received)).toEqual([app.people.admin.email, "cover@umoya.test"].sort())
  })

  it("the database requires a second administrator or a hold for an applied change", async () => {
    await createWorkingMailServer()
    const insert = app.sql.run(sql`
      insert into mail_server_changes (id, state, former, server, asked_at, asked_by, decided_at, decided_by)
      select gen_random_uuid(), 'applied', '{}', '{}', now(), id, now(), id from users limit 1`)
    await expect(insert).rejects.toMatchObject({ code: "23514" })
  })
})

describe("the first mail server", () => {
  it("the first mail server needs no confirmation or hold until it has delivered a mail", async () => {
    app = await openTestApp()
    await createSecondAdmin()
    const [wrong, right] = [await startMailServer(), await startMailServer()]
    const session = { id: randomUUID(), provenAt: app.clock.now(), proofBy: "password" } as const
    const actor = { ...app.people.admin, session }
    const open = { mailServerChange: null, linksHeldUntil: null }
    expect(await saveMailServer({ host, port: wrong.port }, { actor })).toMatchObject(open)
    expect(await saveMailServer({ host, port: right.port }, { actor })).toMatchObject(open)
    await requestReset()
    await deliverMails(app.app)
    expect(right.received).toHaveLength(1)
    expect(await errorCodeOf(saveMailServer({ host, port: wrong.port }, { actor }))).toBe("SECOND_FACTOR_REQUIRED")
  })
})
