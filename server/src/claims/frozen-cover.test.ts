import { coverGapText } from "@milkwood/domain/benefits/benefit-terms"
import type { ProductBenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { completePayout, createPayout } from "../payouts/payouts.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createApprovedClaim, createClaimPendingAt, createDraftClaim, createSubmittedClaim } from "./claims.samples.ts"

let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())

let scene: ClaimScene
let hospital: ProductBenefitRow
let groups = 0
const incidentOn = "2026-10-20"
const admin = () => app.as(app.people.admin)
const readHospital = async () => {
  const { rows } = await admin().benefits.productBenefits.list({ search: "Hospital", pageSize: 100 })
  return rows.find(({ tier }) => tier === "Standard")!
}
beforeEach(async () => {
  app.clock.set("2026-11-02T08:00:00Z")
  const insured = await insureGroup(app, `Frozen Farms ${++groups}`)
  scene = { ...insured, sample: { ...insured.sample, incidentOn } }
  hospital = await readHospital()
})

type Change = Partial<Parameters<ReturnType<typeof admin>["benefits"]["productBenefits"]["update"]>[0]>
async function changeHospital(change: Change): Promise<ProductBenefitRow> {
  const current = await readHospital()
  const { id, productTypeId, benefitId, tierId, costCents, coverAmountCents, coverPercentage, version } = current
  return admin().benefits.productBenefits.update({
    ...{ id, productTypeId, benefitId, tierId, costCents, coverAmountCents, coverPercentage, version },
    ...{ dependents: current.dependents, reason: "The contract says so" },
    ...change,
  })
}
const readClaim = (claimId: string) => scene.cast.manager.claims.detail({ claimId })
const coverOn = async (on: string, dependentId: string | null = null) => {
  const draft = await createDraftClaim(scene.cast, { ...scene.sample, incidentOn: on, dependentId })
  return draft.maxCoverCents
}

test("changed cover applies to incidents from its day; a past day needs a reason", async () => {
  const before = hospital.coverAmountCents
  const changed = await changeHospital({ coverAmountCents: before + 100, from: "2026-10-15" })
  expect(changed.terms.map(({ from, coverAmountCents, reason }) => ({ from, coverAmountCents, reason }))).toEqual([
    { from: null, coverAmountCents: before, reason: null },
    { from: "2026-10-15", coverAmountCents: before + 100, reason: "The contract says so" },
  ])
  expect(await coverOn("2026-10-14")).toBe(before)
  expect(await coverOn("2026-10-15")).toBe(before + 100)
  await expect(changeHospital({ coverAmountCents: 1, from: "2026-10-15", reason: " " })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "reason" }] },
  })
  const future = await changeHospital({ coverAmountCents: before + 200, from: "2027-01-01", reason: "" })
  expect(future).toMatchObject({ coverAmountCents: before + 100 })
  const between = await changeHospital({ coverAmountCents: before, from: null, reason: "" })
  expect(between.terms.map(({ from }) => from)).toEqual([null, "2026-10-15", "2026-11-02", "2027-01-01"])
  await changeHospital({ coverAmountCents: before, from: "2026-10-15" })
  await changeHospital({ coverAmountCents: before, from: "2027-01-01" })
})

test("cover by relationship and age decides what a dependent can claim", async () => {
  const { version } = await app.as(app.people.manager).members.detail({ memberId: scene.memberId })
  const person = { idNumber: null, gender: null, lastName: "Nkosi", fromOn: "2026-01-01" } as const
  const { dependents } = await app.as(app.people.manager).members.update({
    memberId: scene.memberId,
    version,
    dependents: [
      { ...person, firstName: "Lerato", relationship: "spouse", dateOfBirth: "1988-04-02" },
      { ...person, firstName: "Neo", relationship: "child", dateOfBirth: "2010-01-01" },
      { ...person, firstName: "Sizwe", relationship: "child", dateOfBirth: "2000-01-01" },
    ],
  })
  const [spouse, child, adult] = dependents.map(({ id }) => id)
  const amount = { salaryMultiple: null, percentage: 0, incidentLimitCents: null, yearLimitCents: null }
  const rows = [{ ...amount, insured: "child" as const, ageFrom: 0, ageTo: 20, amountCents: 30_000_00 }]
  await changeHospital({ dependents: rows, from: incidentOn })
  expect(await coverOn("2026-10-20", child)).toBe(30_000_00)
  const { benefits, insured } = await scene.cast.captures.claims.benefits({
    ...{ memberId: scene.memberId, dependentId: spouse!, incidentOn: "2026-10-20" },
  })
  expect({ insured, gap: benefits.find(({ name }) => name === "Hospital benefit")?.gap }).toEqual({
    insured: "spouse",
    gap: "person",
  })
  const draft = await createDraftClaim(scene.cast, { ...scene.sample, dependentId: adult! })
  expect(draft).toMatchObject({ limitCents: 0, coverWorking: [coverGapText("age", "child")] })
  await expect(scene.cast.captures.claims.submit({ claimId: draft.id, version: draft.version })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "benefitId" }] },
  })
  const { persons } = await app.as(app.people.manager).members.coverage({ memberId: scene.memberId, on: "2026-10-20" })
  const shown = persons.map(({ name, age, benefits: of }) => {
    const one = of.find(({ benefit }) => benefit === "Hospital benefit")!
    return [name.split(" ")[0], age, one.gap ?? one.maxCoverCents]
  })
  expect(shown.slice(1)).toEqual([
    ["Lerato", 38, "person"],
    ["Neo", 16, 30_000_00],
    ["Sizwe", 26, "age"],
  ])
  await changeHospital({ dependents: null, from: incidentOn })
})

test("a submitted claim keeps its cover until an approver accepts the later facts", async () => {
  const before = hospital.coverAmountCents
  const claim = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
  expect(claim.coverChanges).toEqual([])
  const effectBefore = await admin().benefits.productBenefits.effect({
    id: hospital.id,
    from: incidentOn,
  })
  expect(effectBefore.submitted.examples).toContain(claim.number)
  app.clock.set("2026-11-02T08:05:00Z")
  await changeHospital({ coverAmountCents: before + 50_000_00, from: incidentOn })
  const later = await readClaim(claim.id)
  expect(later.maxCoverCents).toBe(claim.maxCoverCents)
  expect(later.coverChanges).toMatchObject([
    { fact: "Maximum cover", recordedBy: app.people.admin.name, recordedAt: "2026-11-02T08:05:00Z" },
  ])
  const asked = { claimId: claim.id, version: later.version }
  await expect(scene.cast.manager.claims.acceptFacts(asked)).rejects.toMatchObject({ code: "FORBIDDEN" })
  const accepted = await scene.cast.underwriter.claims.acceptFacts(asked)
  expect(accepted).toMatchObject({ maxCoverCents: before + 50_000_00, coverChanges: [] })
  await expect(scene.cast.underwriter.claims.acceptFacts(asked)).rejects.toMatchObject({ code: "STALE" })
  const activity = await scene.cast.manager.claims.activity({ claimId: claim.id })
  expect(activity.map(({ sentence }) => sentence)).toContain("accepted facts recorded after submission")
  await changeHospital({ coverAmountCents: before, from: incidentOn })
})

test("premium standing at submission and now are shown when they differ", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  await app.sql.run(sql`update claims set premium_standing = 'paid' where id = ${claim.id}`)
  const { coverChanges } = await readClaim(claim.id)
  expect(coverChanges).toEqual([
    {
      ...{ fact: "Premiums up to the incident date", submitted: "Paid", now: "Unpaid" },
      ...{ recordedBy: null, recordedAt: null },
    },
  ])
})

test("covers that are ended late are listed until they are accepted, with the user and time of the record", async () => {
  const { hr } = scene.people
  const manager = app.as(app.people.manager)
  const person = { idNumber: null, gender: null, lastName: "Nkosi", fromOn: "2026-01-01" } as const
  const detailOf = () => manager.members.detail({ memberId: scene.memberId })
  const spouse = { ...person, firstName: "Lerato", relationship: "spouse" as const, dateOfBirth: "1988-04-02" }
  const { dependents } = await manager.members.update({
    ...{ memberId: scene.memberId, version: (await detailOf()).version },
    dependents: [spouse],
  })
  const dependentId = dependents[0]!.id
  const claim = await createClaimPendingAt(scene.cast, "underwriter", { ...scene.sample, dependentId })
  expect(claim.coverChanges).toEqual([])

  const second = app.as(app.people.manager2)
  app.clock.set("2026-11-03T09:15:00Z")
  await second.members.update({
    ...{ memberId: scene.memberId, version: (await detailOf()).version },
    dependents: [{ ...spouse, id: dependentId, untilOn: "2026-10-18" }],
  })
  const spouseEnded = {
    ...{ fact: "Cover of Lerato Nkosi", submitted: "Covered", now: "Ended on 2026-10-18" },
    ...{ recordedBy: app.people.manager2.name, recordedAt: "2026-11-03T09:15:00Z" },
  }
  expect((await readClaim(claim.id)).coverChanges).toEqual([spouseEnded])
  app.clock.set("2026-11-04T10:30:00Z")
  await manager.members.terminate({
    ...{ memberId: scene.memberId, version: (await detailOf()).version, on: "2026-10-19", reason: "Left" },
  })
  const memberEnded = {
    ...{ fact: "Membership", submitted: "Covered", now: "Ended on 2026-10-19" },
    ...{ recordedBy: app.people.manager.name, recordedAt: "2026-11-04T10:30:00Z" },
  }
  const later = await readClaim(claim.id)
  expect(later.coverChanges).toEqual([memberEnded, spouseEnded])
  expect((await app.as(hr).claims.detail({ claimId: claim.id })).coverChanges).toEqual(later.coverChanges)
  const accepted = await scene.cast.underwriter.claims.acceptFacts({ claimId: claim.id, version: later.version })
  expect(accepted.coverChanges).toEqual([])
})

test("cover that a late staff list ends between approval and payment fails the check, and the approval can be withdrawn", async () => {
  const claims = [
    await createApprovedClaim(scene.cast, scene.sample),
    await createApprovedClaim(scene.cast, scene.sample),
  ]
  const manager = app.as(app.people.manager)
  const colleague = app.as(app.people.manager2)
  const { id: payoutId } = await createPayout(manager, claims[0]!.id)
  const { memberId } = scene
  const { version } = await manager.members.detail({ memberId })
  await manager.members.terminate({ memberId, version, on: "2026-10-19", reason: "Not on the list of October" })

  const memberCheckOf = ({ coverCheck }: ClaimDetail) => coverCheck.find(({ check }) => check === "member")
  const ended = { result: "fail", evidence: "The member had no cover on 2026-10-20." }
  for (const { id, approvedAmountCents, ...before } of claims) {
    expect(memberCheckOf(before as ClaimDetail)).toMatchObject({ result: "pass" })
    const later = await readClaim(id)
    expect(later).toMatchObject({ status: "approved", approvedAmountCents })
    expect(memberCheckOf(later)).toMatchObject(ended)
  }
  const { id: claimId } = claims[1]!
  const again = await colleague.claims.withdrawApproval({
    ...{ claimId, version: (await readClaim(claimId)).version, reason: "The cover had ended" },
  })
  expect(again).toMatchObject({ status: "under_review", approvedAmountCents: null })
  await completePayout(colleague, payoutId, "2026-11-02")
  expect(memberCheckOf(await readClaim(claims[0]!.id))).toMatchObject(ended)
})

test("a member with two policies claims from each of them, by its own cover", async () => {
  const other = await insureGroup(app, "Second Stores")
  const person = 7_700_001
  const [first, second] = await Promise.all(
    [scene, other].map(({ policyId }) =>
      createMember(app.as(app.people.manager), policyId, { person, startOn: "2026-01-01" }),
    ),
  )
  const sample = { ...scene.sample, billNumber: "B-4711", requestedAmountCents: hospital.coverAmountCents }
  const here = await createApprovedClaim(scene.cast, { ...sample, memberId: first!.id })
  const there = await createSubmittedClaim(other.cast, { ...sample, memberId: second!.id })
  const idNumberOf = async ({ id }: ClaimDetail) => (await readClaim(id)).member.idNumber
  expect(await idNumberOf(here)).toBe(await idNumberOf(there))
  expect(there).toMatchObject({ limitCents: here.limitCents, otherClaims: [] })
  const { warnings } = await readClaim(there.id)
  expect(warnings).toContainEqual({
    sentence: "The bill number is the same as on",
    claims: [{ id: here.id, number: here.number }],
  })
  const own = await createSubmittedClaim(scene.cast, { ...sample, memberId: first!.id })
  expect(own.limitCents).toBe(0)
})
