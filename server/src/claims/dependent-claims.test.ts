import type { DependentInput } from "@milkwood/domain/members/member-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createApprovedClaim, createDraftClaim, createSubmittedClaim } from "./claims.samples.ts"
import { payDeath } from "./payees.samples.ts"

let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())

let scene: ClaimScene
let spouseId: string
let childId: string
let groups = 0
beforeEach(async () => {
  scene = await insureGroup(app, `Family Farms ${++groups}`)
  const [spouse, child] = await saveDependents(scene.memberId, [
    { ...lerato, fromOn: "2026-03-01" },
    { ...neo, fromOn: "2026-11-01" },
  ])
  spouseId = spouse!.id
  childId = child!.id
})

const person = { idNumber: null, gender: null }
const lerato = {
  ...person,
  firstName: "Lerato",
  lastName: "Nkosi",
  relationship: "spouse",
  dateOfBirth: "1988-04-02",
} as const
const neo = {
  ...person,
  firstName: "Neo",
  lastName: "Nkosi",
  relationship: "child",
  dateOfBirth: "2026-10-30",
} as const

const manager = () => app.as(app.people.manager)
const readMember = (memberId = scene.memberId) => manager().members.detail({ memberId })
async function saveDependents(memberId: string, dependents: DependentInput[]) {
  const { version } = await readMember(memberId)
  return (await manager().members.update({ memberId, version, dependents })).dependents
}
const readClaim = (claimId: string) => manager().claims.detail({ claimId })
const ofSpouse = () => ({ ...scene.sample, dependentId: spouseId })

test("the form offers the dependents with their cover on the incident date", async () => {
  const offered = async (incidentOn: string) =>
    (await scene.cast.captures.claims.benefits({ memberId: scene.memberId, incidentOn })).dependents
  expect(await offered("2026-10-20")).toEqual([
    { id: spouseId, name: "Lerato Nkosi", relationship: "spouse", isCovered: true },
    { id: childId, name: "Neo Nkosi", relationship: "child", isCovered: false },
  ])
  expect((await offered("2026-11-01")).map(({ isCovered }) => isCovered)).toEqual([true, true])
  expect((await offered("2026-02-28")).map(({ isCovered }) => isCovered)).toEqual([false, false])
})

test("a dependent's claim names the dependent and checks the dependent's cover", async () => {
  const { id } = await createSubmittedClaim(scene.cast, ofSpouse())
  const claim = await readClaim(id)
  expect(claim.dependent).toEqual({ id: spouseId, name: "Lerato Nkosi", relationship: "spouse" })
  expect(claim.coverCheck.find(({ check }) => check === "member")).toMatchObject({
    result: "pass",
    evidence: "Covered since 2026-01-01. Lerato Nkosi (spouse) covered since 2026-03-01.",
  })
})

test("only a covered dependent of the member can be the insured person", async () => {
  const uncovered = await createDraftClaim(scene.cast, { ...scene.sample, dependentId: childId })
  await expect(
    scene.cast.captures.claims.submit({ claimId: uncovered.id, version: uncovered.version }),
  ).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "dependentId", message: "Neo Nkosi was not covered on the incident date" }] },
  })
  await expect(createDraftClaim(scene.cast, { ...ofSpouse(), memberId: scene.secondMemberId })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "content.dependentId" }] },
  })
  await expect(
    app.sql.run(
      sql`update claims set dependent_id = ${spouseId}, member_id = ${scene.secondMemberId} where id = ${uncovered.id}`,
    ),
  ).rejects.toThrow(/claims_dependent_of_member/)
})

test("claims of different persons of a membership do not share a maximum", async () => {
  await createApprovedClaim(scene.cast, { ...scene.sample, requestedAmountCents: 40_000_00 })
  const spouse = await createSubmittedClaim(scene.cast, { ...ofSpouse(), requestedAmountCents: 40_000_00 })
  const [other] = spouse.otherClaims
  expect(other).toMatchObject({ person: "Sipho Dlamini", counts: false })
  const again = await createSubmittedClaim(scene.cast, { ...ofSpouse(), requestedAmountCents: 10_000_00 })
  expect(again.otherClaims.map(({ person, counts }) => [person, counts])).toEqual([
    ["Lerato Nkosi", true],
    ["Sipho Dlamini", false],
  ])
})

test("a paid death claim of a dependent ends the dependent's cover and not the member's", async () => {
  const claim = await createApprovedClaim(scene.cast, { ...ofSpouse(), claimType: "death" })
  const second = app.as({ ...app.people.manager, userId: app.people.admin.userId, role: "admin" })
  await payDeath(manager(), second, claim.id, "2026-11-02")
  const member = await readMember()
  expect(member).toMatchObject({ status: "Active", endOn: null })
  expect(member.dependents.map(({ firstName, untilOn }) => [firstName, untilOn])).toEqual([
    ["Lerato", "2026-10-20"],
    ["Neo", null],
  ])
  expect(
    await app.sql.rows(sql`select upper(valid)::text as until from dependent_covers
      where dependent_id = ${spouseId} and superseded_at is null`),
  ).toEqual([{ until: "2026-10-21" }])
  const [last] = await manager().members.activity({ memberId: scene.memberId })
  expect(last).toMatchObject({ fact: "MemberUpdated" })
})

test("a dependent with a claim cannot be removed", async () => {
  await createDraftClaim(scene.cast, ofSpouse())
  await expect(saveDependents(scene.memberId, [{ ...neo, id: childId }])).rejects.toMatchObject({
    code: "INVALID",
    message: expect.stringContaining("with a claim cannot be removed"),
  })
  expect(await saveDependents(scene.memberId, [{ ...lerato, id: spouseId }])).toHaveLength(1)
})
