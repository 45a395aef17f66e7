import { randomUUID } from "node:crypto"
import { canServiceKeyUse, hasPermission, permissions, roles } from "@milkwood/domain/platform/permission"
import { keyRoles } from "@milkwood/domain/users/service-key"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { serveApp } from "../app.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createSubmittedClaim } from "../claims/claims.samples.ts"
import { createMember } from "../members/members.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { checkPermission } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { bindProcedure, procedures, sampleInput } from "../test/procedures.ts"
import { readCallerActor } from "./caller.ts"

let app: ClaimApp
let own: ClaimScene
let other: ClaimScene
let url: string
const serviceKeysClient = () => app.as(app.people.admin).users.serviceKeys

beforeAll(async () => {
  app = await openClaimApp()
  own = await insureGroup(app, "Own Works")
  other = await insureGroup(app, "Hidden Mills")
  url = (await app.serve()).url
})
afterAll(() => app.close())

const expiresOn = "2027-11-02"
const createServiceKey = (
  role: (typeof keyRoles)[number] = "manager",
  groupIds: string[] = [],
  name = "Payroll feed",
) => serviceKeysClient().make({ name, role, groupIds, expiresOn })

const readActorOfKey = (secret: string) =>
  readCallerActor(app.app, new Headers({ authorization: `Bearer ${secret}` }), null)

async function fetchWithKey(secret: string, path: string, init: RequestInit = {}) {
  const answer = await fetch(url + path, {
    ...init,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(init.body ? { "content-type": "application/json" } : {}),
      ...init.headers,
    },
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text, headers: answer.headers }
}
const postWithKey = (secret: string, path: string, body: object) =>
  fetchWithKey(secret, path, { method: "POST", body: JSON.stringify(body) })

test("a key is shown once, stored only as a hash, and valid until it expires", async () => {
  const { secret, key } = await createServiceKey()
  expect(secret).toMatch(/^mwk_[\w-]{43}$/)
  expect(key).toMatchObject({ name: "Payroll feed", role: "manager", state: "active", madeBy: "Ada Admin" })
  expect(key.expiresAt).toBe("2027-11-02T22:00:00Z")
  expect(JSON.stringify(await serviceKeysClient().list({}))).not.toContain(secret)
  const kept = await app.sql.row<{ all: string }>(sql`
    select (select string_agg(k::text, '') from service_keys k) || (select string_agg(a::text, '') from audit_log a) as all`)
  expect(kept!.all).not.toContain(secret)
  await expect(app.app.database.direct("staff").rows(sql`select hash from service_keys`)).rejects.toThrow()
  expect((await fetchWithKey(secret, "/api/v1/members")).status).toBe(200)
})

test("a missing or invalid key is unauthenticated, and the web app's endpoint accepts no keys", async () => {
  const { secret } = await createServiceKey()
  const madeUp = `mwk_${"x".repeat(43)}`
  for (const sent of [madeUp, "nonsense", secret.slice(0, -1)])
    expect((await fetchWithKey(sent, "/api/v1/members")).body).toMatchObject({ code: "UNAUTHENTICATED" })
  const screens = await fetchWithKey(secret, "/rpc/members/list", { method: "POST", body: '{"json":{}}' })
  expect(screens.body).toMatchObject({ json: { code: "UNAUTHENTICATED" } })
  // An invalid key does not fall back to the session.
  const headers = new Headers({ authorization: `Bearer ${madeUp}`, cookie: "milkwood.session_token=x" })
  expect(await readCallerActor(app.app, headers, null)).toBeNull()
})

test("a staff program sees all groups, an employer program only its own", async () => {
  const all = await fetchWithKey((await createServiceKey("manager")).secret, "/api/v1/policies")
  expect(JSON.stringify(all.body)).toContain("Hidden Mills")
  for (const role of ["group_admin", "policy_holder"] as const) {
    const { secret, key } = await createServiceKey(role, [own.groupId])
    expect(key.groups).toEqual([{ id: own.groupId, name: "Own Works" }])
    const mine = await fetchWithKey(secret, "/api/v1/policies")
    expect(mine.body.rows).toHaveLength(1)
    expect(JSON.stringify(mine.body)).not.toContain("Hidden Mills")
    expect((await fetchWithKey(secret, `/api/v1/policies/${own.policyId}`)).status).toBe(200)
    const foreign = await fetchWithKey(secret, `/api/v1/policies/${other.policyId}`)
    const nobodys = await fetchWithKey(secret, `/api/v1/policies/${randomUUID()}`)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(nobodys.body)
    // Exports are limited to the same groups.
    expect((await fetchWithKey(secret, "/api/members/export?format=csv")).body).not.toContain("Hidden Mills")
  }
})

test("a program has its role's permissions except those reserved for people", () => {
  const program = (role: (typeof keyRoles)[number]): UserActor => ({
    ...{
      kind: "user",
      program: { keyMadeBy: randomUUID() },
      userId: randomUUID(),
      name: "Feed",
      email: "",
      role,
      groupIds: [],
    },
  })
  for (const role of keyRoles)
    for (const permission of Object.keys(permissions) as (keyof typeof permissions)[]) {
      const allowed = hasPermission(role, permission) && canServiceKeyUse(permission)
      const check = () => checkPermission(program(role), permission)
      if (allowed) expect(check, `${role} ${permission}`).not.toThrow()
      else expect(check, `${role} ${permission}`).toThrow()
    }
  for (const role of roles)
    expect(canServiceKeyUse("claims.decide") && hasPermission(role, "claims.decide")).toBe(false)
})

test("a program cannot read or change a personal account", async () => {
  const actor = await readActorOfKey((await createServiceKey()).secret)
  const ofPeople = procedures.filter(({ path, meta }) => path.startsWith("users.") && meta.permission === "session")
  expect(ofPeople.length).toBeGreaterThan(10)
  for (const { path, contract } of ofPeople) {
    const context = { app: app.app, actor, requestId: randomUUID(), headers: new Headers() }
    const said = await call(await bindProcedure(path), sampleInput(contract), { context }).then(
      () => "answered",
      (error: { code: string }) => error.code,
    )
    expect(said, path).toBe("FORBIDDEN")
  }
})

test("a program is refused commands that require a proof or a second person", async () => {
  const { secret } = await createServiceKey()
  const claim = await createSubmittedClaim(own.cast, own.sample)
  const holder = (await createServiceKey("policy_holder", [own.groupId])).secret
  const decided = await postWithKey(holder, `/api/v1/claims/${claim.id}/decide`, {})
  expect(decided.status).toBe(403)
  const forPeople = "Only a signed-in user can do this, not a service key."
  expect(decided.body).toMatchObject({ code: "FORBIDDEN", message: forPeople })
  const input = { payoutId: randomUUID(), version: 1, idempotencyKey: randomUUID() }
  const released = await postWithKey(secret, `/api/v1/payouts/${input.payoutId}/release`, input)
  expect(released.body).toMatchObject({ code: "FORBIDDEN", message: forPeople })
  const program = (await readActorOfKey(secret))!
  const cx = { actor: program, now: app.clock.now() }
  expect(() => expectProof(cx)).toThrow(forPeople)
})

test("the trail and the records show the name and role of the program", async () => {
  const { secret, key } = await createServiceKey("group_admin", [own.groupId], "HR system")
  const program = app.as(await readActorOfKey(secret))
  await createMember(program, own.policyId)
  const claim = await createSubmittedClaim({ ...own.cast, captures: program }, own.sample)
  expect(claim.submittedBy).toBe("HR system (service key)")
  const done = await app.sql.rows(sql`
    select fact, actor_name as name, actor_role as role from audit_log where actor_id = ${key.id} order by id`)
  expect(done).toContainEqual({ fact: "MemberAdded", name: "HR system (service key)", role: "group_admin" })
  expect(done).toContainEqual({ fact: "ClaimSubmitted", name: "HR system (service key)", role: "group_admin" })
  expect(
    await app.sql.rows(sql`select fact, actor_name as name from audit_log where record_id = ${key.id} order by id`),
  ).toEqual([{ fact: "ServiceKeyMade", name: "Ada Admin" }])
})

test("a revoked key is refused from the next request and cannot be restored", async () => {
  const { secret, key } = await createServiceKey()
  expect((await fetchWithKey(secret, "/api/v1/members")).status).toBe(200)
  const revoked = await serviceKeysClient().revoke({ id: key.id })
  expect(revoked).toMatchObject({ state: "revoked", revokedBy: "Ada Admin", allowedActions: [] })
  expect((await fetchWithKey(secret, "/api/v1/members")).status).toBe(401)
  // An idempotent retry records nothing.
  expect(await serviceKeysClient().revoke({ id: key.id })).toEqual(revoked)
  const lines = await app.sql.rows(sql`
    select from audit_log where record_id = ${key.id} and fact = 'ServiceKeyRevoked'`)
  expect(lines).toHaveLength(1)
  const staff = app.app.database.direct("staff")
  for (const change of [
    sql`update service_keys set revoked_at = null, revoked_by = null where id = ${key.id}`,
    sql`update service_keys set role = 'underwriter' where id = ${key.id}`,
    sql`update service_keys set expires_at = expires_at + interval '1 year' where id = ${key.id}`,
    sql`delete from service_keys where id = ${key.id}`,
    sql`update users set disabled_at = null where id = ${key.id}`,
    sql`update users set role = 'admin' where id = ${key.id}`,
  ])
    await expect(staff.run(change)).rejects.toThrow()
})

test("an expired key is refused and shown as expired", async () => {
  const { secret, key } = await serviceKeysClient().make({ name: "Short", role: "manager", expiresOn: "2026-11-02" })
  app.clock.advance({ hours: 13 })
  expect((await fetchWithKey(secret, "/api/v1/members")).status).toBe(200)
  app.clock.advance({ hours: 1 })
  expect((await fetchWithKey(secret, "/api/v1/members")).status).toBe(401)
  const { keys } = await serviceKeysClient().list({})
  expect(keys.find(({ id }) => id === key.id)).toMatchObject({ state: "expired", allowedActions: [] })
  // Active keys first.
  const states = keys.map(({ state }) => state === "active")
  expect(states).toEqual([...states].sort((a, b) => Number(b) - Number(a)))
})

test("stores time and address of a key's last use at most once a minute", async () => {
  const { secret, key } = await createServiceKey()
  const used = async () => (await serviceKeysClient().list({})).keys.find(({ id }) => id === key.id)!
  expect(await used()).toMatchObject({ lastUsedAt: null, lastUsedFrom: null })
  await fetchWithKey(secret, "/api/v1/members")
  const first = (await used()).lastUsedAt
  expect(Date.parse(first!)).toBe(app.clock.now().epochMilliseconds)
  expect((await used()).lastUsedFrom).toContain("127.0.0.1")
  app.clock.advance({ seconds: 59 })
  await fetchWithKey(secret, "/api/v1/members")
  expect((await used()).lastUsedAt).toBe(first)
  app.clock.advance({ seconds: 1 })
  await fetchWithKey(secret, "/api/v1/members")
  expect((await used()).lastUsedAt).not.toBe(first)
})

test("allowed staff addresses also apply to programs with staff roles", async () => {
  const { secret } = await createServiceKey()
  const employers = (await createServiceKey("group_admin", [own.groupId])).secret
  const from = (key: string, address: string) =>
    readCallerActor(app.app, new Headers({ authorization: `Bearer ${key}`, "x-client-address": address }), null)
  await app.sql.run(sql`
    insert into settings (key, value, saved_at) values
      ('limitAddresses', 'true', now()), ('allowedAddresses', '["41.13.0.5"]', now())`)
  expect(await from(secret, "41.13.0.5")).not.toBeNull()
  expect(await from(secret, "102.65.1.1")).toBeNull()
  expect(await from(employers, "102.65.1.1")).not.toBeNull()
  await app.sql.run(sql`delete from settings`)
})

test("each key has separate limits, and unknown keys share the limit of their address", async () => {
  const http = await serveApp({ app: app.app, sessionActor: readCallerActor, requestsPerMinute: 3 })
  const base = await http.listen({ host: "127.0.0.1", port: 0 })
  const status = async (secret: string) =>
    (await fetch(`${base}/api/v1/members`, { headers: { authorization: `Bearer ${secret}` } })).status
  const [one, two] = [(await createServiceKey()).secret, (await createServiceKey()).secret]
  // A key's first request on this server is counted for its address.
  expect([await status(one), await status(two)]).toEqual([200, 200])
  expect([await status(one), await status(one), await status(one), await status(one)]).toEqual([200, 200, 200, 429])
  expect(await status(two)).toBe(200)
  const madeUp = () => status(`mwk_${randomUUID().replaceAll("-", "").padEnd(43, "x")}`)
  expect([await madeUp(), await madeUp(), await madeUp()]).toEqual([401, 429, 429])
  await http.close()
})

test("only an administrator with proof creates a key, with valid role, groups and expiry", async () => {
  const make = (actor: UserActor, input: object = {}) =>
    app.as(actor).users.serviceKeys.make({ name: "Feed", role: "manager", expiresOn, ...input })
  await expect(make(app.people.manager)).rejects.toMatchObject({ code: "FORBIDDEN" })
  await expect(make({ ...app.people.admin, session: undefined } as never)).rejects.toMatchObject({
    code: "PROOF_REQUIRED",
  })
  await expect(make(app.people.admin, { role: "admin" })).rejects.toMatchObject({ code: "INVALID" })
  await expect(make(app.people.admin, { name: " " })).rejects.toMatchObject({
    data: { fields: [{ path: "name", message: "Enter a name for the key" }] },
  })
  await expect(make(app.people.admin, { role: "group_admin" })).rejects.toMatchObject({
    data: { fields: [{ path: "groupIds", message: "Choose at least one group for this role" }] },
  })
  await expect(make(app.people.admin, { role: "group_admin", groupIds: [randomUUID()] })).rejects.toMatchObject({
    data: { fields: [{ path: "groupIds", message: "One of the groups does not exist" }] },
  })
  await expect(make(app.people.admin, { expiresOn: "2026-11-01" })).rejects.toMatchObject({ code: "INVALID" })
  // Keys with roles that see all groups have no groups.
  expect((await make(app.people.admin, { groupIds: [own.groupId] })).key.groups).toEqual([])
})

test("programs are absent from the user list and receive no notifications", async () => {
  const { key } = await createServiceKey("group_admin", [own.groupId])
  expect((await app.as(app.people.admin).users.list({ search: "service" })).rows).toEqual([])
  await expect(app.as(app.people.admin).users.enable({ id: key.id, version: 1 })).rejects.toMatchObject({
    code: "NOT_FOUND",
  })
  await createSubmittedClaim(own.cast, own.sample)
  expect(
    await app.sql.rows(sql`select from notifications n join users u on u.id = n.user_id where u.is_program`),
  ).toEqual([])
})
