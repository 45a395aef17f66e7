import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createSubmittedClaim } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Warned Works")
})
afterAll(() => app.close())

const readWarnings = async (claimId: string) =>
  (await app.as(app.people.manager).claims.detail({ claimId })).warnings.map(({ sentence, claims }) => [
    sentence,
    claims.map(({ number }) => number),
  ])

async function attach(claimId: string, sha256: string) {
  const fileId = randomUUID()
  await app.sql.run(sql`
    insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, uploaded_by, created_at)
    values (${fileId}, ${scene.groupId}, 'claim', 'bill.pdf', 'application/pdf', 1, ${sha256}, ${fileId}, ${scene.people.hr.userId}, now())`)
  await app.sql.run(sql`
    insert into claim_documents (id, group_id, claim_id, document_type, name, file_id, uploaded_by, uploaded_at)
    values (${randomUUID()}, ${scene.groupId}, ${claimId}, 'hospital_bill', 'Bill', ${fileId}, ${scene.people.hr.userId}, now())`)
}

test("a second claim for the same incident, and the same document, are named on both claims", async () => {
  const first = await createSubmittedClaim(scene.cast, scene.sample)
  expect(await readWarnings(first.id)).toEqual([])
  const second = await createSubmittedClaim(scene.cast, scene.sample)
  const elsewhere = await createSubmittedClaim(scene.cast, { ...scene.sample, memberId: scene.secondMemberId })
  await attach(second.id, "a".repeat(64))
  await attach(elsewhere.id, "a".repeat(64))
  await attach(elsewhere.id, "b".repeat(64))
  expect(await readWarnings(first.id)).toEqual([
    ["The person, benefit and incident date are the same as on", [second.number]],
  ])
  expect(await readWarnings(second.id)).toEqual([
    ["The person, benefit and incident date are the same as on", [first.number]],
    ["A document has the same content as one on", [elsewhere.number]],
  ])
  expect(await readWarnings(elsewhere.id)).toEqual([["A document has the same content as one on", [second.number]]])
})

test("a member who rejoined shortly before the incident is named", async () => {
  const manager = app.as(app.people.manager)
  const memberId = scene.secondMemberId
  const version = async () => (await manager.members.detail({ memberId })).version
  const reason = "Changed jobs"
  await manager.members.terminate({ memberId, version: await version(), on: "2026-08-31", reason })
  await manager.members.reinstate({ memberId, version: await version(), on: "2026-10-01", reason })
  const claim = await createSubmittedClaim(scene.cast, { ...scene.sample, memberId, incidentOn: "2026-10-21" })
  expect(await readWarnings(claim.id)).toEqual([["The member rejoined on 2026-10-01 after a gap in cover.", []]])
})
