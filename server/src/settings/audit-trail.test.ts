import { writeFile } from "node:fs/promises"
import { factName, kindName } from "@milkwood/domain/platform/trail-words"
import { sql } from "drizzle-orm"
import readExcel from "read-excel-file/node"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createSubmittedClaim } from "../claims/claims.samples.ts"
import { sealAudit, sealFileOf } from "../platform/trail/sealer.ts"

let app: ClaimApp
let scene: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Trail Mill")
  server = await app.serve()
})
afterAll(() => app.close())

const trailClient = () => app.as(app.people.admin).settings.trail

describe("search", () => {
  test("the audit trail filters by person, record, kind, action, day and text", async () => {
    app.clock.set("2026-11-03T22:30:00Z")
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const all = await trailClient().list({ pageSize: 100 })
    const submitted = all.rows.find(({ label, action }) => label === claim.number && action === "Claim submitted")!
    const byHr = scene.people.hr.name
    expect(submitted).toMatchObject({
      what: "submitted the claim",
      kindName: "Claim",
      groupName: "Trail Mill",
      actor: byHr,
    })
    // It is half past midnight on the 4th in Johannesburg.
    expect(submitted.time).toBe("00:30:00")
    const found = async (input: Parameters<ReturnType<typeof trailClient>["list"]>[0]) =>
      (await trailClient().list({ pageSize: 100, ...input })).rows
    expect((await found({ happenedFrom: "2026-11-04" })).map(({ id }) => id)).toContain(submitted.id)
    expect((await found({ happenedTo: "2026-11-03" })).map(({ id }) => id)).not.toContain(submitted.id)
    expect(await found({ search: claim.number.toLowerCase(), fact: "ClaimSubmitted" })).toEqual([submitted])
    expect((await found({ recordId: claim.id })).length).toBeGreaterThan(0)
    expect(new Set((await found({ recordId: claim.id })).map(({ label }) => label))).toEqual(new Set([claim.number]))
    expect(new Set((await found({ kind: "member" })).map(({ kindName }) => kindName))).toEqual(new Set(["Member"]))
    const actorId = scene.people.hr.userId
    const his = await found({ actorId })
    expect(new Set(his.map(({ actor }) => actor))).toEqual(new Set([byHr]))
    expect(his.map(({ id }) => id)).toContain(submitted.id)
    expect(await found({ actorId, fact: "GroupCreated" })).toEqual([])
  })

  test("a row in an old format does not prevent reading the others", async () => {
    await app.sql.run(sql`
      insert into audit_log (at, actor_name, fact, record_kind, record_label, detail)
      values (${app.clock.now()}, 'Ada', 'ClaimDecided', 'claim', 'CLM-1999', '{}')`)
    expect((await trailClient().list({ search: "clm-1999" })).rows).toMatchObject([{ what: "claim decided" }])
  })

  test("the audit trail pages forwards and backwards from a row", async () => {
    const { rows } = await trailClient().list({ pageSize: 100 })
    const first = await trailClient().list({ pageSize: 25 })
    const second = await trailClient().list({ pageSize: 25, page: 2, after: first.ends!.last })
    expect([...first.rows, ...second.rows]).toEqual(rows.slice(0, 50))
    expect((await trailClient().list({ pageSize: 25, before: second.ends!.first })).rows).toEqual(first.rows)
    const oldest = await trailClient().list({ sort: "at", dir: "asc" })
    expect(oldest.rows[0]!.happenedAt <= rows.at(-1)!.happenedAt).toBe(true)
  })

  test("an audit entry shows changes before and after, details and its seal", async () => {
    const { version, settings } = await app.as(app.people.admin).settings.detail()
    await app.as(app.people.admin).settings.save({ version, settings: { ...settings, sessionTimeoutMinutes: 45 } })
    const [row] = (await trailClient().list({ fact: "SettingsSaved" })).rows
    const open = () => trailClient().detail({ entryId: row!.id })
    expect(await open()).toMatchObject({
      actor: app.people.admin.name,
      actorRole: "admin",
      what: "changed the settings",
      changes: [{ field: "sessionTimeoutMinutes", before: 60, after: 45 }],
      details: [],
      seal: null,
    })
    await sealAudit(app.app, sealFileOf(app.app))
    expect((await open()).seal).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const [added] = (await trailClient().list({ fact: "MembersAdded" })).rows
    expect((await trailClient().detail({ entryId: added!.id })).details.map(({ field }) => field)).toContain("names")
    await expect(trailClient().detail({ entryId: "00000000-0000-8fff-8f00-000000000000" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
  })

  test("the audit filters offer every account, kind and action by name", async () => {
    const { people, kinds, facts } = await trailClient().choices({})
    expect(people.map(({ id }) => id)).toContain(app.people.manager.userId)
    expect(kinds).toContainEqual({ value: "staff_list", name: "Staff list" })
    expect(kinds.map(({ value }) => value)).not.toContain("job")
    expect(facts).toContainEqual({ value: "ClaimDocumentAttached", name: "Claim document attached" })
    expect([kindName("payout"), factName("UserSignedIn")]).toEqual(["Payment", "User signed in"])
  })
})

test("the audit trail exports filtered CSV and Excel files and records the export", async () => {
  const ask = (path: string) => fetch(server.url + path, { headers: server.headersOf(app.people.admin) })
  const query = "kind=policy&sort=at&dir=asc&columns=time,actor,what,kind,label,action,at"
  const csv = (await (await ask(`/api/audit-trail.csv?${query}`)).text()).replace("\uFEFF", "").trim().split("\r\n")
  const { rows } = await trailClient().list({ kind: "policy", sort: "at", dir: "asc", pageSize: 100 })
  expect(csv[0]).toBe("Time,Who,What happened,Record type,Record,Action,When")
  expect(csv.slice(1).map((line) => line.split(",")[0])).toEqual(rows.map(({ time }) => time))
  expect(csv[1]).toContain(`${rows[0]!.what},Policy,${rows[0]!.label},${rows[0]!.action}`)
  const book = await readExcel(Buffer.from(await (await ask(`/api/audit-trail.xlsx?${query}`)).arrayBuffer()))
  expect(book[0]!.data).toHaveLength(rows.length + 1)
  const [taken] = (await trailClient().list({ fact: "ListExported" })).rows
  expect(taken).toMatchObject({ label: "audit-trail", actor: app.people.admin.name })
  const refused = await fetch(`${server.url}/api/audit-trail.csv`, { headers: server.headersOf(app.people.manager) })
  expect(refused.status).toBe(403)
})

describe("the chain", () => {
  test("the chain shows unsealed entries and is checked on request", async () => {
    const fresh = await trailClient().chain({})
    expect(fresh).toMatchObject({ check: null, isUnderway: false })
    expect(fresh.unsealed).toBeGreaterThan(0)
    expect(fresh.oldestUnsealedAt).not.toBeNull()
    await sealAudit(app.app, sealFileOf(app.app))
    expect(await trailClient().chain({})).toMatchObject({ unsealed: 0, oldestUnsealedAt: null })
    const newest = (await trailClient().list({})).rows[0]!.happenedAt
    expect((await trailClient().check({})).isUnderway).toBe(true)
    await expect(trailClient().check({})).rejects.toMatchObject({ code: "UNDERWAY" })
    await app.runJobs()
    const { check, isUnderway } = await trailClient().chain({})
    expect({ check, isUnderway }).toMatchObject({
      check: { checkedBy: app.people.admin.name, verifiedUntilAt: newest, faults: [] },
      isUnderway: false,
    })
    expect(check!.rows).toBeGreaterThan(10)
    expect((await trailClient().list({ fact: "TrailChecked" })).rows[0]!.what).toMatch(
      /^checked \d+ entries .* no problems found$/,
    )
  })

  test("a fault in the chain is shown; only rows before it count as verified", async () => {
    await sealAudit(app.app, sealFileOf(app.app))
    const rows = await app.sql.rows<{ id: number; at: string }>(sql`select id, at from audit_log order by id`)
    const [before, edited] = [rows[4]!, rows[5]!]
    await app.sql.run(sql`alter table audit_log disable trigger refuse_change`)
    await app.sql.run(sql`update audit_log set actor_name = 'Somebody else' where id = ${edited.id}`)
    app.clock.advance({ minutes: 1 })
    await trailClient().check({})
    await app.runJobs()
    expect((await trailClient().chain({})).check).toMatchObject({
      faults: [`Audit row ${edited.id} or its seal was edited.`],
      verifiedUntilAt: before.at,
    })
    await writeFile(sealFileOf(app.app), "{}")
    app.clock.advance({ minutes: 1 })
    await trailClient().check({})
    await app.runJobs()
    expect((await trailClient().chain({})).check!.faults).toHaveLength(1)
  })
})
