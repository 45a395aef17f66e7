import { type SQL, sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Tx } from "../platform/database/database.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createApprovedClaim, createDraftClaim, createSubmittedClaim } from "./claims.samples.ts"
import { copyMembersToClaims } from "./copy-members.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Karoo Wool")
})
afterAll(() => app.close())

async function rename(tx: Tx, memberId: string, change: SQL): Promise<void> {
  await tx.run(sql`update members set ${change} where id = ${memberId}`)
  await copyMembersToClaims(tx, sql`${memberId}::uuid`)
}

const findStrayClaims = () =>
  app.sql.rows(sql`
    select c.number from claims c join members m on m.id = c.member_id
    where (c.member_last_name_key, c.member_name_key, c.member_start_on, c.member_end_on)
      is distinct from (m.last_name_key, m.name_key, m.start_on, m.end_on)`)

test("a claim's copies of the member's names and days are updated with the member", async () => {
  const { cast, sample } = scene
  const draft = await createDraftClaim(cast, sample)
  const claims = [draft, await createSubmittedClaim(cast, sample), await createApprovedClaim(cast, sample)]
  const carried = async () => {
    const ids = sql.param(claims.map(({ id }) => id))
    return app.sql.rows<{ name: string; endOn: string | null }>(
      sql`select distinct member_name_key as name, member_end_on as "endOn" from claims where id = any (${ids}::uuid[])`,
    )
  }
  expect(await findStrayClaims()).toEqual([])
  const renamed = sql`update members set last_name = 'Zwane', end_on = '2027-05-31' where id = ${sample.memberId}`
  await expect(app.sql.run(renamed)).rejects.toMatchObject({ constraint: "claims_have_their_member" })
  await app.app.database.transaction("staff", (tx) =>
    rename(tx, sample.memberId, sql`last_name = 'Zwane', end_on = '2027-05-31'`),
  )
  expect(await carried()).toEqual([{ name: expect.stringMatching(/ zwane$/), endOn: "2027-05-31" }])
  const scoped = app.app.database.transaction("scoped", async (tx) => {
    await tx.run(sql`select set_config('app.groups', ${`{${scene.groupId}}`}, true)`)
    await rename(tx, sample.memberId, sql`last_name = 'Zulu'`)
  })
  await scoped
  expect(await carried()).toEqual([{ name: expect.stringMatching(/ zulu$/), endOn: "2027-05-31" }])
  await app.sql.run(sql`update claims set member_id = ${scene.secondMemberId} where id = ${draft.id}`)
  expect(await findStrayClaims()).toEqual([])
  await app.sql.run(sql`update claims set member_name_key = 'somebody else', member_end_on = null`)
  expect(await findStrayClaims()).toEqual([])
})

test("a claim's copied days follow the end of a membership and of a policy", async () => {
  const ending = await insureGroup(app, "Ending Wool")
  const claim = await createSubmittedClaim(ending.cast, ending.sample)
  await createSubmittedClaim(ending.cast, { ...ending.sample, memberId: ending.secondMemberId })
  const manager = app.as(app.people.manager)
  const { policyId, memberId } = ending
  const { contact } = await manager.members.detail({ memberId })
  const end = { on: "2026-11-30", reason: "Resigned" }
  expect((await manager.members.bulkRemove({ policyId, text: contact.email, ...end })).removed).toBe(1)
  expect(await app.sql.row(sql`select member_end_on as on from claims where id = ${claim.id}`)).toEqual({ on: end.on })
  const { version } = await manager.policies.detail({ policyId })
  await manager.policies.terminate({ policyId, version, on: "2026-10-31", reason: "Cover ended" })
  expect(await app.sql.row(sql`select member_end_on as on from claims where id = ${claim.id}`)).toEqual({
    on: "2026-10-31",
  })
  expect(await findStrayClaims()).toEqual([])
})

test("a claim created while its member is renamed has the new name", async () => {
  const { cast, sample } = scene
  const { promise: isRenamed, resolve: renamed } = Promise.withResolvers<void>()
  const { promise: isEnding, resolve: end } = Promise.withResolvers<void>()
  const renaming = app.app.database.transaction("staff", async (tx) => {
    await rename(tx, sample.memberId, sql`first_name = 'Renamed'`)
    renamed()
    await isEnding
  })
  await isRenamed
  const making = createDraftClaim(cast, sample)
  const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => app.sql.rows(waits).then(({ length }) => length)).toBeGreaterThan(0)
  end()
  await Promise.all([renaming, making])
  expect(await findStrayClaims()).toEqual([])
})

test("employer users find claims by member name in their own groups only", async () => {
  const other = await insureGroup(app, "Hidden Wool")
  for (const one of [scene, other]) {
    await app.app.database.transaction("staff", (tx) => rename(tx, one.secondMemberId, sql`last_name = 'Quagga'`))
    await createSubmittedClaim(one.cast, { ...one.sample, memberId: one.secondMemberId })
  }
  const hr = app.as(scene.people.hr)
  for (const search of ["quagga", "qu", "q"]) {
    const { rows } = await hr.claims.list({ search })
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row.group.id).toBe(scene.groupId)
    const pending = await hr.claims.pending({ search })
    for (const row of pending.rows) expect(row.group.id).toBe(scene.groupId)
  }
  expect((await app.as(scene.people.manager).claims.list({ search: "quagga" })).rows.length).toBeGreaterThan(2)
  const { number, personal } = await app.as(scene.people.manager).members.detail({ memberId: scene.secondMemberId })
  const own = (await hr.claims.list({ search: "quagga" })).rows.map(({ id }) => id)
  for (const search of [`quagga ${personal.firstName}`, number, personal.idNumber!]) {
    const found = (await hr.claims.list({ search })).rows.map(({ id }) => id)
    expect(found, search).toEqual(expect.arrayContaining(own))
    const staff = await app.as(scene.people.manager).claims.list({ search })
    expect(
      staff.rows.map(({ id }) => id),
      search,
    ).toEqual(expect.arrayContaining(own))
  }
  const holder = app.as(await app.people.policyHolder(scene.groupId))
  expect((await holder.claims.list({ search: personal.idNumber! })).total).toBe(0)
  const found = (groups: string[]) =>
    app.app.database.transaction("scoped", async (tx) => {
      await tx.run(sql`select set_config('app.groups', ${`{${groups.join(",")}}`}, true)`)
      return (await tx.rows(sql`select claims_named('%quagga%', null, null) as id`)).length
    })
  expect(await found([])).toBe(0)
  const [ofGroup, all] = [await found([scene.groupId]), await found([scene.groupId, other.groupId])]
  expect(ofGroup).toBeGreaterThan(0)
  expect(all).toBeGreaterThan(ofGroup)
  for (const role of ["staff", "auth"] as const) {
    const asked = app.app.database.transaction(role, (tx) => tx.run(sql`select claims_named('%', null, null)`))
    await expect(asked).rejects.toMatchObject({ code: "42501" })
  }
})

test("searching claims by name uses the trigram index", async () => {
  const said = sql`select unnest(proconfig) as said from pg_proc where proname = 'claims_named'`
  expect(await app.sql.rows(said)).toEqual([
    { said: "search_path=public, pg_temp" },
    { said: "enable_indexonlyscan=off" },
  ])
})
