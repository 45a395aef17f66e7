import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember, sampleIdNumber } from "../members/members.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createClaimContent, createSubmittedClaim } from "./claims.samples.ts"

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

test("a bill number of another claim is named however it is written, but not to a policy holder", async () => {
  const bill = async (memberId: string, billNumber: string, more: object = {}) =>
    createSubmittedClaim(scene.cast, { ...scene.sample, memberId, incidentOn: "2026-10-22", billNumber, ...more })
  const first = await bill(scene.memberId, "INV 2026/0815")
  const second = await bill(scene.secondMemberId, "inv-20260815", { incidentCountry: "MZ" })
  await bill(scene.secondMemberId, "INV 2026/0816", { incidentOn: "2026-10-21" })
  const abroad = "The incident happened outside South Africa: Mozambique."
  expect(await readWarnings(first.id)).toEqual([["The bill number is the same as on", [second.number]]])
  const rejoined = ["The member rejoined on 2026-10-01 after a gap in cover.", []]
  expect(await readWarnings(second.id)).toEqual([
    ["The bill number is the same as on", [first.number]],
    [abroad, []],
    rejoined,
  ])
  await attach(first.id, "c".repeat(64))
  await attach(second.id, "c".repeat(64))
  const signatory = app.as(scene.people.signatory)
  const { warnings } = await signatory.claims.detail({ claimId: second.id })
  expect(warnings.map(({ sentence }) => sentence)).toEqual([abroad, rejoined[0]])
  const { id: claimId, version } = await scene.cast.manager.claims.detail({ claimId: first.id })
  await scene.cast.captures.claims.withdrawSubmitted({ claimId, version, reason: "Paid by another insurer" })
  expect((await readWarnings(second.id)).map(([sentence]) => sentence)).not.toContain(
    "The bill number is the same as on",
  )
})

test("an employer's user is not told of another employer's claim, also in the answer to a change", async () => {
  const other = await insureGroup(app, "Neighbouring Works")
  const theirs = await createSubmittedClaim(other.cast, { ...other.sample, billNumber: "INV 2026/0900" })
  const content = createClaimContent({ ...scene.sample, billNumber: "INV 2026/0900" })
  const draft = await app.as(scene.people.hr).claims.saveDraft({ content })
  expect(JSON.stringify(draft)).not.toContain(theirs.number)
  expect(await readWarnings(draft.id)).toContainEqual(["The bill number is the same as on", [theirs.number]])
})

test("claims of one person under two memberships are named to users who see both employers", async () => {
  const other = await insureGroup(app, "Second Works")
  const manager = app.as(app.people.manager)
  const person = 7_800_001
  const spouse = {
    ...{ firstName: "Ayanda", lastName: "Nkosi", relationship: "spouse" as const, dateOfBirth: null, gender: null },
    ...{ idNumber: sampleIdNumber(7_800_002), fromOn: "2026-01-01" },
  }
  const join = (policyId: string, who: number, dependents: (typeof spouse)[] = []) =>
    createMember(manager, policyId, { person: who, startOn: "2026-01-01", dependents })
  const here = await join(scene.policyId, person)
  const there = await join(other.policyId, person)
  const spouseHere = await join(scene.policyId, 7_800_002)
  const spouseThere = await join(other.policyId, 7_800_003, [spouse])
  const dependentId = spouseThere.dependents[0]!.id
  const claim = ({ cast, sample }: ClaimScene, memberId: string, more: object = {}) =>
    createSubmittedClaim(cast, { ...sample, memberId, incidentOn: "2026-10-18", ...more })
  const sentence = "The person, claim type and incident date are the same under another membership, on"

  const first = await claim(scene, here.id)
  const second = await claim(other, there.id)
  const elsewhere = [
    await claim(other, there.id, { incidentOn: "2026-10-19" }),
    await claim(other, there.id, { claimType: "disability" }),
    await claim(other, spouseThere.id),
  ]
  expect(await readWarnings(first.id)).toEqual([[sentence, [second.number]]])
  expect(await readWarnings(second.id)).toContainEqual([sentence, [first.number]])
  for (const { id } of elsewhere) expect((await readWarnings(id)).map(([text]) => text)).not.toContain(sentence)

  const asDependent = await claim(other, spouseThere.id, { dependentId })
  const asMember = await claim(scene, spouseHere.id)
  expect(await readWarnings(asMember.id)).toEqual([[sentence, [asDependent.number]]])
  expect(await readWarnings(asDependent.id)).toContainEqual([sentence, [asMember.number]])

  for (const reader of [scene.people.hr, scene.people.signatory]) {
    const seen = await app.as(reader).claims.detail({ claimId: first.id })
    expect(seen.warnings).toEqual([])
    expect(JSON.stringify(seen)).not.toContain(second.number)
  }
  const content = createClaimContent({ ...scene.sample, memberId: here.id, incidentOn: "2026-10-18" })
  const draft = await app.as(scene.people.hr).claims.saveDraft({ content })
  expect(JSON.stringify(draft)).not.toContain(second.number)
  expect(await readWarnings(draft.id)).toContainEqual([sentence, [second.number]])
  const both = await app.people.groupAdmin(scene.groupId, other.groupId)
  expect((await app.as(both).claims.detail({ claimId: first.id })).warnings).toEqual([
    { sentence, claims: [{ id: second.id, number: second.number }] },
  ])
  const { version } = await scene.cast.manager.claims.detail({ claimId: second.id })
  await other.cast.captures.claims.withdrawSubmitted({ claimId: second.id, version, reason: "Claimed elsewhere" })
  expect(await readWarnings(first.id)).toEqual([])
})

test("the bill number of a claim that becomes a death claim is dropped", async () => {
  const { captures } = scene.cast
  const content = createClaimContent({ ...scene.sample, billNumber: "INV 7" })
  const draft = await captures.claims.saveDraft({ content })
  expect(draft.medical?.billNumber).toBe("INV 7")
  const { id: claimId, version } = draft
  const changed = await captures.claims.saveDraft({ claimId, version, content: { ...content, claimType: "death" } })
  expect(changed.medical?.billNumber).toBe("")
  await expect(captures.claims.saveDraft({ content: { ...content, incidentCountry: "XX" } })).rejects.toMatchObject({
    code: "INVALID",
  })
})

test("an amount above twice the median of the approved amounts is named to users who see all employers", async () => {
  const approved = async (amountCents: number, at: string) =>
    app.sql.run(sql`
      insert into claims (id, group_id, policy_id, member_id, number, status, benefit_id, claim_type, incident_on,
        requested_amount_cents, approved_amount_cents, description, captured_by, submitted_by, submitted_at, reviewed_by,
        reviewed_at, routed_at, group_admin_approval_at, underwriter_approval_at, policy_holder_approval_at,
        final_approval_at, created_at, updated_at)
      select gen_random_uuid(), group_id, policy_id, id, 'CLM-USUAL-' || gen_random_uuid(), 'approved', ${scene.benefitId},
        'medical', '2026-03-02', ${amountCents}, ${amountCents}, 'Usual', array[u], u, t, u, t, t, t, t, t, t, t, t
      from members, (values (${scene.people.manager.userId}::uuid, ${at}::timestamptz)) as v (u, t)
      where id = ${scene.secondMemberId}`)
  const claim = await createSubmittedClaim(scene.cast, {
    ...{ ...scene.sample, incidentOn: "2026-09-01", notificationOn: "2026-09-02" },
    ...{ claimAmountCents: 250_01, requestedAmountCents: 250_01 },
  })
  for (const cents of [1_00, 2_00, 3_00, 125_00, 125_00, 126_00, 9_000_00, 9_000_00, 9_000_00])
    await approved(cents, "2026-05-02")
  await approved(1_00, "2024-01-02")
  expect(await readWarnings(claim.id)).toEqual([])
  await approved(9_000_00, "2026-05-02")
  const usual =
    "The requested amount is more than twice the usual for this benefit: R\u00a0125,00, the median of 10 claims approved in 24 months."
  expect(await readWarnings(claim.id)).toEqual([[usual, []]])
  const { warnings } = await app.as(scene.people.hr).claims.detail({ claimId: claim.id })
  expect(warnings).toEqual([])
})
