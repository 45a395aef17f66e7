import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { Browser, findLink } from "./browser.samples.ts"
import { scryptParameters } from "./passwords.ts"
import { readSessionActor } from "./session.ts"

const password = "Jacaranda-77-avenue"
let app: TestApp
let groups: { north: string; south: string }
let serial = 0

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp()
  groups = { north: await createGroup("North Mining"), south: await createGroup("South Foods") }
})
afterAll(() => app.close())

async function createGroup(name: string): Promise<string> {
  const id = randomUUID()
  await app.sql.run(sql`insert into employer_groups (id, name, created_at) values (${id}, ${name}, ${app.clock.now()})`)
  return id
}

const adminClient = () => app.as(app.people.admin)
const createAddress = () => `invited.${++serial}@acme.example`
const findUser = async (email: string) => {
  const { rows } = await adminClient().users.list({ search: email })
  return rows[0]!
}

async function inviteAndAccept(role: "admin" | "manager" | "group_admin", groupIds: string[] = []) {
  const email = createAddress()
  const { link } = await adminClient().users.invite({ email, role, groupIds })
  const browser = new Browser(app.app, `198.51.100.${serial}`)
  await (await browser.api()).users.acceptInvitation({ token: findLink(link).token, fullName: "Ina Vited", password })
  return { browser, email, user: await findUser(email) }
}

describe("an invitation", () => {
  it("is e-mailed and copyable, and accepting it creates a confirmed, signed-in account", async () => {
    const email = createAddress()
    const made = await adminClient().users.invite({ email, role: "group_admin", groupIds: [groups.north] })
    const mail = (await app.mails()).find((kept) => kept.to === email)!
    expect(findLink(mail.text)).toEqual(findLink(made.link))
    expect(findLink(made.link).page).toBe("/accept-invitation")
    const { token } = findLink(made.link)
    const browser = new Browser(app.app)
    expect(await (await browser.api()).users.link({ kind: "invitation", token })).toEqual({
      email,
      role: "group_admin",
      firstSetup: false,
    })
    await (await browser.api()).users.acceptInvitation({ token, fullName: "Zanele Khumalo", password })
    expect(await (await browser.api()).users.me()).toMatchObject({
      email,
      role: "group_admin",
      groups: [{ id: groups.north, name: "North Mining" }],
    })
    const again = new Browser(app.app)
    await expect(
      (await again.api()).users.acceptInvitation({ token, fullName: "Thief", password }),
    ).rejects.toMatchObject({ code: "LINK_INVALID", message: "This link was already used." })
    await (await again.api()).users.signIn({ email, password })
  })

  it("creates one account when twenty accept it at once", async () => {
    const email = createAddress()
    const { link } = await adminClient().users.invite({ email, role: "manager" })
    const { token } = findLink(link)
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, async () =>
        (await new Browser(app.app).api()).users.acceptInvitation({ token, fullName: "Once", password }),
      ),
    )
    expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(1)
    expect(await app.sql.rows(sql`select 1 from users where email = ${email}`)).toHaveLength(1)
  })

  it("can be resent, revoked and replaced, which ends earlier links", async () => {
    const email = createAddress()
    const first = await adminClient().users.invite({ email, role: "manager" })
    const second = await adminClient().users.resendInvitation({ id: first.id })
    const third = await adminClient().users.invite({ email, role: "underwriter" })
    expect((await adminClient().users.invitations()).filter((row) => row.email === email)).toMatchObject([
      { id: third.id, role: "underwriter", invitedBy: "Ada Admin", expired: false },
    ])
    await adminClient().users.revokeInvitation({ id: third.id })
    await expect(adminClient().users.revokeInvitation({ id: third.id })).rejects.toMatchObject({ code: "NOT_FOUND" })
    for (const { link } of [first, second, third]) {
      const api = await new Browser(app.app).api()
      await expect(api.users.link({ kind: "invitation", token: findLink(link).token })).rejects.toMatchObject({
        code: "LINK_INVALID",
      })
    }
  })

  it("exists only once per address, even if several users invite or resend at once", async () => {
    const email = createAddress()
    const { id } = await adminClient().users.invite({ email, role: "manager" })
    const answers = await Promise.allSettled([
      adminClient().users.resendInvitation({ id }),
      ...Array.from({ length: 5 }, () => adminClient().users.invite({ email, role: "underwriter" })),
    ])
    for (const answer of answers.slice(1)) expect(answer).toMatchObject({ status: "fulfilled" })
    if (answers[0]!.status === "rejected") expect(answers[0]!.reason).toMatchObject({ code: "NOT_FOUND" })
    expect((await adminClient().users.invitations()).filter((row) => row.email === email)).toHaveLength(1)
  })

  it("works for seven days", async () => {
    const { link } = await adminClient().users.invite({ email: createAddress(), role: "manager" })
    const api = await new Browser(app.app).api()
    const { token } = findLink(link)
    app.clock.advance({ hours: 7 * 24 - 1 })
    expect(await api.users.link({ kind: "invitation", token })).toMatchObject({ role: "manager" })
    app.clock.advance({ hours: 1 })
    await expect(api.users.link({ kind: "invitation", token })).rejects.toMatchObject({ code: "LINK_INVALID" })
  })

  it("needs an existing group for group-scoped roles", async () => {
    for (const groupIds of [[], [randomUUID()]]) {
      await expect(
        adminClient().users.invite({ email: createAddress(), role: "policy_holder", groupIds }),
      ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "groupIds" }] } })
    }
  })

  it("is refused for an address that has an account", async () => {
    await expect(
      adminClient().users.invite({ email: app.people.manager.email, role: "manager" }),
    ).rejects.toMatchObject({
      code: "USER_ALREADY_REGISTERED",
    })
  })
})

describe("managing accounts", () => {
  it("only administrators read and change it", async () => {
    for (const person of [app.people.manager, app.people.underwriter, app.people.none]) {
      await expect(app.as(person).users.list({})).rejects.toMatchObject({ code: "FORBIDDEN" })
    }
    await expect(app.as(null).users.list({})).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
  })

  it("changes role and groups from the next request on", async () => {
    const { browser, user } = await inviteAndAccept("group_admin", [groups.north])
    await app.sql.run(sql`
      insert into idempotency_keys (actor_id, procedure, key, body_hash, answer, created_at)
      values (${user.id}, 'claims.decide', gen_random_uuid(), '', '{}', now())`)
    const moved = await adminClient().users.setGroups({ id: user.id, groupIds: [groups.south], version: user.version })
    expect(await readSessionActor(app.app, browser.headers())).toMatchObject({ groupIds: [groups.south] })
    expect(await app.sql.rows(sql`select from idempotency_keys where actor_id = ${user.id}`)).toEqual([])
    const promoted = await adminClient().users.setRole({ id: user.id, role: "manager", version: moved.version })
    expect(promoted).toMatchObject({ role: "manager", groups: [] })
    expect(await readSessionActor(app.app, browser.headers())).toMatchObject({ role: "manager", groupIds: [] })
    await expect(
      adminClient().users.setGroups({ id: user.id, groupIds: [groups.north], version: promoted.version }),
    ).rejects.toMatchObject({ code: "ROLE_HAS_NO_GROUPS" })
    await adminClient().users.setRole({ id: user.id, role: null, version: promoted.version })
    expect((await (await browser.api()).users.me()).can).toEqual([])
  })

  it("deletes stored idempotent answers with every change of role, and only then", async () => {
    const { user } = await inviteAndAccept("group_admin", [groups.north])
    await app.sql.run(sql`
      insert into idempotency_keys (actor_id, procedure, key, body_hash, answer, created_at)
      values (${user.id}, 'claims.decide', gen_random_uuid(), '', '{}', now())`)
    const kept = () => app.sql.rows(sql`select from idempotency_keys where actor_id = ${user.id}`)
    const same = await adminClient().users.setRole({ id: user.id, role: "group_admin", version: user.version })
    expect(await kept()).toHaveLength(1)
    const holder = await adminClient().users.setRole({ id: user.id, role: "policy_holder", version: same.version })
    expect(holder.groups).toMatchObject([{ id: groups.north }])
    expect(await kept()).toEqual([])
  })

  it("audits groups that change with or without the role", async () => {
    const { user } = await inviteAndAccept("group_admin", [groups.north])
    const trail = () =>
      app.sql.rows(sql`
        select fact, detail from audit_log
        where record_id = ${user.id} and fact in ('RoleChanged', 'GroupsChanged') order by id`)
    const set = async (role: "group_admin" | "manager", groupIds?: string[]) => {
      const { version } = await findUser(user.email)
      await adminClient().users.setRole({ id: user.id, role, version, groupIds })
    }
    await set("group_admin", [groups.north])
    await set("group_admin")
    expect(await trail()).toEqual([])
    await set("group_admin", [groups.south])
    await set("manager")
    const [north, south] = [[groups.north], [groups.south]]
    expect(await trail()).toEqual([
      { fact: "GroupsChanged", detail: { before: { groupIds: north }, after: { groupIds: south } } },
      { fact: "RoleChanged", detail: { before: { role: "group_admin" }, after: { role: "manager" } } },
      { fact: "GroupsChanged", detail: { before: { groupIds: south }, after: { groupIds: [] } } },
    ])
  })

  it("reports a stale version to the second of two editors", async () => {
    const { user } = await inviteAndAccept("manager")
    await adminClient().users.setRole({ id: user.id, role: "underwriter", version: user.version })
    await expect(
      adminClient().users.setRole({ id: user.id, role: "admin", version: user.version }),
    ).rejects.toMatchObject({
      code: "STALE",
      data: { version: user.version + 1 },
    })
  })

  it("ends the sessions of a disabled account permanently", async () => {
    const { browser, email, user } = await inviteAndAccept("manager")
    expect(await readSessionActor(app.app, browser.headers())).not.toBeNull()
    const disabled = await adminClient().users.disable({ id: user.id, version: user.version })
    expect(disabled).toMatchObject({ status: "disabled", allowedActions: expect.arrayContaining(["enable"]) })
    expect(await readSessionActor(app.app, browser.headers())).toBeNull()
    await expect((await browser.api()).users.signIn({ email, password })).rejects.toMatchObject({
      code: "ACCOUNT_DISABLED",
    })
    await adminClient().users.enable({ id: user.id, version: disabled.version })
    expect(await readSessionActor(app.app, browser.headers())).toBeNull()
    await (await browser.api()).users.signIn({ email, password })
    await adminClient().users.signOutEverywhere({ id: user.id })
    expect(await readSessionActor(app.app, browser.headers())).toBeNull()
  })

  it("users cannot change their own role or disable themselves", async () => {
    const own = await findUser(app.people.admin.email)
    await expect(
      adminClient().users.setRole({ id: own.id, role: "manager", version: own.version }),
    ).rejects.toMatchObject({
      code: "OWN_ACCOUNT",
    })
    await expect(adminClient().users.disable({ id: own.id, version: own.version })).rejects.toMatchObject({
      code: "OWN_ACCOUNT",
    })
  })

  it("returns NOT_FOUND for an account that does not exist", async () => {
    await expect(adminClient().users.disable({ id: randomUUID(), version: 1 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
  })

  it("lists, searches, sorts, filters and pages in the database", async () => {
    const all = await adminClient().users.list({ pageSize: 25 })
    expect(all.total).toBeGreaterThan(5)
    const byEmail = await adminClient().users.list({ sort: "email", dir: "desc", pageSize: 100 })
    const emails = byEmail.rows.map((row) => row.email)
    expect(emails).toEqual([...emails].sort().reverse())
    expect(
      (await adminClient().users.list({ role: "underwriter" })).rows.every((row) => row.role === "underwriter"),
    ).toBe(true)
    expect((await adminClient().users.list({ search: "ada adm" })).rows).toMatchObject([{ name: "Ada Admin" }])
    expect((await adminClient().users.list({ search: "%" })).rows).toEqual([])
    expect(await adminClient().users.list({ page: 99 })).toMatchObject({ rows: [], total: all.total })
  })

  it("keeps one administrator however many demote each other at once", async () => {
    const other = await openTestApp()
    try {
      for (let round = 0; round < 25; round++) {
        await other.sql.run(sql`
          update users set role = 'admin' where id in (${other.people.admin.userId}, ${other.people.manager.userId})`)
        const rows = (await other.as(other.people.admin).users.list({ role: "admin" })).rows
        const [a, b] = [other.people.admin, { ...other.people.manager, role: "admin" as const }]
        const versionOf = (id: string) => rows.find((row) => row.id === id)!.version
        const answers = await Promise.allSettled([
          other.as(a).users.setRole({ id: b.userId, role: "manager", version: versionOf(b.userId) }),
          other.as(b).users.disable({ id: a.userId, version: versionOf(a.userId) }),
        ])
        expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(1)
        expect(answers.find((answer) => answer.status === "rejected")?.reason).toMatchObject({
          code: "LAST_ADMINISTRATOR",
        })
        const left = await other.sql.rows(sql`select 1 from users where role = 'admin' and disabled_at is null`)
        expect(left).toHaveLength(1)
        await other.sql.run(sql`update users set disabled_at = null`)
      }
    } finally {
      await other.close()
    }
  })

  it("records an audit entry with a sentence for every change", async () => {
    const { user } = await inviteAndAccept("manager")
    await adminClient().users.disable({ id: user.id, version: user.version })
    const facts = await app.sql.rows<{ fact: string; actor: string }>(sql`
      select fact, actor_name as actor from audit_log where record_id = ${user.id} order by id`)
    expect(facts).toEqual([
      { fact: "InvitationAccepted", actor: "Ina Vited" },
      { fact: "UserSignedIn", actor: "Ina Vited" },
      { fact: "UserDisabled", actor: "Ada Admin" },
    ])
  })
})
