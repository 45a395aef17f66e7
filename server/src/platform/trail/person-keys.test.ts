import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../../claims/claim-scene.samples.ts"
import { createApprovedClaim, createSubmittedClaim } from "../../claims/claims.samples.ts"
import { createPayout } from "../../payouts/payouts.samples.ts"
import { createSealFile, sealAudit, sealFileOf, verifyAudit } from "./sealer.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Key Mill")
})
afterAll(() => app.close())

const readStoredDetails = async () =>
  (await app.sql.rows<{ text: string }>(sql`select detail::text as text from audit_log`)).map(({ text }) => text).join()

test("stored audit rows contain no names, but authorised users see the full history", async () => {
  const claim = await createSubmittedClaim(scene.cast, { ...scene.sample, diagnosis: "Planted diagnosis" })
  for (const planted of ["Planted diagnosis", "Sipho", "Dlamini", "Lerato"])
    expect(await readStoredDetails()).not.toContain(planted)
  const history = await scene.cast.captures.claims.activity({ claimId: claim.id })
  expect(history.flatMap(({ changes }) => changes)).toContainEqual({
    field: "diagnosis",
    before: null,
    after: "Planted diagnosis",
  })
  const told = await app.as(scene.people.hr).policies.activity({ policyId: scene.policyId })
  expect(told.map(({ sentence }) => sentence)).toContain("added Sipho Dlamini")
})

test("the database encrypts the details of each kind of record with its member's key", async () => {
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  const payout = await createPayout(app.as(app.people.manager), claim.id)
  const [refundId, otherId] = [randomUUID(), randomUUID()]
  const inserted = await app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`
      insert into refunds (id, group_id, policy_id, number, member_id, amount_cents, method, reason, status, created_by, created_at)
      select ${refundId}, group_id, policy_id, 'REF-1', member_id, 100, 'eft', 'other', 'failed', ${app.people.manager.userId}, now()
      from claims where id = ${claim.id}`)
    const rows = await tx.rows<{ kind: string; person: string | null }>(sql`
      insert into audit_log (at, actor_name, fact, record_kind, record_id, record_label, detail)
      select now(), 'Ada', 'Tested', kind, id, 'x', '{"note": "Planted note"}'
      from (values ('member', ${scene.memberId}::uuid), ('claim', ${claim.id}), ('payout', ${payout.id}), ('refund', ${refundId}),
        ('claim', ${otherId}), ('policy', ${scene.policyId})) about (kind, id)
      returning record_kind as kind, detail ->> 'person' as person`)
    return rows
  })
  const person = scene.memberId
  expect(inserted).toEqual([
    ...["member", "claim", "payout", "refund"].map((kind) => ({ kind, person })),
    { kind: "claim", person: null },
    { kind: "policy", person: null },
  ])
})

test("an employer's users read only keys of their own people, and cannot change them", async () => {
  const other = await insureGroup(app, "Other Mill")
  const keys = (work: (typeof app)["sql"]) => work.rows<{ id: string }>(sql`select person_id as id from person_keys`)
  const own = await app.transaction(scene.people.hr, ({ tx }) => keys(tx))
  expect(own.map(({ id }) => id)).toContain(scene.memberId)
  expect(own.map(({ id }) => id)).not.toContain(other.memberId)
  for (const change of [
    sql`update person_keys set key = key`,
    sql`delete from person_keys`,
    sql`insert into person_keys select gen_random_uuid(), group_id, key from person_keys`,
  ]) {
    await expect(app.transaction(app.people.admin, ({ tx }) => tx.run(change))).rejects.toThrow()
  }
  await expect(app.sql.run(sql`update person_keys set key = key`)).rejects.toThrow()
})

test("without the person's key, personal data is unreadable and the chain still verifies", async () => {
  await sealAudit(app.app, sealFileOf(app.app))
  await app.sql.run(sql`delete from person_keys where person_id = ${scene.memberId}`)
  const history = await app.as(app.people.manager).members.activity({ memberId: scene.memberId })
  expect(history.map(({ sentence, changes }) => [sentence, changes])).toContainEqual([
    "member added (details were removed)",
    [],
  ])
  const told = await app.as(app.people.manager).policies.activity({ policyId: scene.policyId })
  const sentences = told.map(({ sentence }) => sentence)
  expect(sentences).toContain("added a former member")
  expect(sentences).toContain("added Lerato Botha")
  expect(
    (await app.as(app.people.admin).settings.trail.list({ kind: "member", pageSize: 100 })).rows.length,
  ).toBeGreaterThan(0)
  await expect(verifyAudit(app.app.database, sealFileOf(app.app))).resolves.toMatchObject({ ok: true, faults: [] })
})

test("an operator can regenerate the seal file after a recorded reseal", async () => {
  await sealAudit(app.app, sealFileOf(app.app))
  const old = { seq: 4_711, hash: "a".repeat(64) }
  await writeFile(sealFileOf(app.app), JSON.stringify(old))
  const verdict = () => verifyAudit(app.app.database, sealFileOf(app.app))
  expect(await verdict()).toMatchObject({ ok: false, canRegenerateSealFile: false })
  await app.sql.run(sql`
    insert into audit_reseals (at, rows, last_seq, last_hash, faults) values (now(), 1, ${old.seq}, ${old.hash}, 0)`)
  expect(await verdict()).toMatchObject({ ok: false, canRegenerateSealFile: true })
  await createSealFile(app.app.database, sealFileOf(app.app))
  expect((await verdict()).faults).toEqual([])
  await app.sql.run(sql`
    insert into audit_log (at, actor_name, fact, record_kind, record_label, detail) values (now(), 'Ada', 'Tested', 'test', 'x', '{}')`)
  expect(await sealAudit(app.app, sealFileOf(app.app))).toBe(1)
  expect(await verdict()).toMatchObject({ ok: true })
})
