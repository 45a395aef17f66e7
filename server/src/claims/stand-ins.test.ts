import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { approveStage, createClaimPendingAt } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let other: ClaimScene
let hr3: UserActor
let hr4: UserActor
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Standing Stones")
  other = await insureGroup(app, "Other Orchard")
  hr3 = await app.people.groupAdmin(scene.groupId)
  hr4 = await app.people.groupAdmin(scene.groupId)
})
afterAll(() => app.close())

const days = { fromOn: "2026-11-02", untilOn: "2026-11-20" }
const signatoryActor = () => scene.people.signatory
const nameStandInAs = (standIn: UserActor, more: object = {}) =>
  app
    .as(signatoryActor())
    .claims.nameStandIn({ personId: signatoryActor().userId, standInId: standIn.userId, ...days, ...more })
const endStandInOf = (id: string) => app.as(signatoryActor()).claims.endStandIn({ id })
const approveAs = (actor: UserActor, { id: claimId, version }: { id: string; version: number }) =>
  app.as(actor).claims.decide({
    claimId,
    version,
    idempotencyKey: crypto.randomUUID(),
    decision: "approve",
    comment: "Broken wrist, as the doctor says",
  })

describe("a group administrator who stands in for the policy holder", () => {
  test("is notified, can decide the stage, and is recorded together with the policy holder", async () => {
    const { id } = await nameStandInAs(hr3)
    const pending = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
    const mine = app.as(hr3)
    const seen = await mine.claims.detail({ claimId: pending.id })
    expect(seen.allowedActions).toEqual(expect.arrayContaining(["approve", "decline"]))
    expect(seen.deciders.policy_holder).toEqual([signatoryActor().name, `${hr3.name} for ${signatoryActor().name}`])
    expect((await mine.claims.pending({ forMe: true })).rows.map((row) => row.id)).toEqual([pending.id])
    expect((await mine.claims.nextForMe({})).next?.id).toBe(pending.id)
    const { rows } = await mine.notifications.inbox({})
    expect(rows.map(({ text }) => text)).toContain(`Claim ${pending.number} to decide`)
    expect((await app.as(hr4).claims.detail({ claimId: pending.id })).allowedActions).toEqual([])
    await expect(approveAs(hr4, pending)).rejects.toMatchObject({ code: "NO_PENDING_STEP" })

    const approved = await approveAs(hr3, pending)
    expect(approved.status).toBe("approved")
    expect(approved.approvals.at(-1)).toMatchObject({
      stage: "policy_holder",
      decidedBy: `${hr3.name} for ${signatoryActor().name}`,
    })
    // The comment may be medical, so the policy holder does not read it.
    const read = await app.as(signatoryActor()).claims.detail({ claimId: pending.id })
    expect(read.approvals.at(-1)?.comment).toBeNull()
    expect(JSON.stringify(read)).not.toContain("Broken wrist")
    await endStandInOf(id)
  })

  test("cannot decide a second stage, a claim either was involved in, or outside the days", async () => {
    const { id } = await nameStandInAs(scene.people.hr2)
    const decidedBefore = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
    await expect(approveAs(scene.people.hr2, decidedBefore)).rejects.toMatchObject({ code: "DECIDED_BEFORE" })
    await endStandInOf(id)
    await expect(approveAs(scene.people.hr2, decidedBefore)).rejects.toMatchObject({ code: "NO_PENDING_STEP" })

    const captured = await nameStandInAs(scene.people.hr)
    await expect(approveAs(scene.people.hr, decidedBefore)).rejects.toMatchObject({ code: "NO_PENDING_STEP" })
    await endStandInOf(captured.id)

    const { id: later } = await nameStandInAs(hr3, { fromOn: "2026-11-10" })
    await expect(approveAs(hr3, decidedBefore)).rejects.toMatchObject({ code: "NO_PENDING_STEP" })
    app.clock.set("2026-11-20T10:00:00Z")
    expect((await app.as(hr3).claims.detail({ claimId: decidedBefore.id })).allowedActions).toContain("approve")
    app.clock.set("2026-11-21T10:00:00Z")
    await expect(approveAs(hr3, decidedBefore)).rejects.toMatchObject({ code: "NO_PENDING_STEP" })
    app.clock.set("2026-11-02T08:00:00Z")
    await endStandInOf(later)
    expect((await approveStage(scene.cast, decidedBefore)).status).toBe("approved")
  })

  test("cannot see or decide claims of another group", async () => {
    const both = await app.people.policyHolder(scene.groupId, other.groupId)
    await app
      .as(both)
      .claims.nameStandIn({ personId: both.userId, standInId: hr4.userId, fromOn: "2026-11-02", untilOn: "2026-11-09" })
    const theirs = await createClaimPendingAt(other.cast, "policy_holder", other.sample)
    await expect(app.as(hr4).claims.detail({ claimId: theirs.id })).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(approveAs(hr4, theirs)).rejects.toMatchObject({ code: "NOT_FOUND" })
    const own = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
    expect((await approveAs(hr4, own)).status).toBe("approved")
  })
})

describe("naming a stand-in", () => {
  test("is limited to oneself and administrators, with one eligible person at a time", async () => {
    const admin = app.as(app.people.admin)
    const personId = signatoryActor().userId
    const ask = { personId, standInId: hr3.userId, ...days }
    await expect(app.as(other.people.signatory).claims.nameStandIn(ask)).rejects.toMatchObject({ code: "NOT_FOUND" })
    const second = await app.people.policyHolder(scene.groupId)
    await expect(app.as(second).claims.nameStandIn(ask)).rejects.toMatchObject({ code: "FORBIDDEN" })
    for (const wrong of [other.people.hr, app.people.underwriter, second, signatoryActor()]) {
      await expect(admin.claims.nameStandIn({ ...ask, standInId: wrong.userId })).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path: "standInId" }] },
      })
    }
    await expect(admin.claims.nameStandIn({ ...ask, personId: app.people.underwriter.userId })).rejects.toMatchObject({
      data: { fields: [{ path: "personId" }] },
    })
    for (const wrong of [{ untilOn: "2026-11-01" }, { untilOn: "2028-11-02" }, { fromOn: "2026-11-30" }]) {
      await expect(nameStandInAs(hr3, wrong)).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path: "untilOn" }] },
      })
    }
    const made = await admin.claims.nameStandIn(ask)
    expect(made).toMatchObject({ person: { userId: personId }, namedBy: app.people.admin.name, mayEnd: true })
    await expect(nameStandInAs(hr4, { fromOn: "2026-11-20", untilOn: "2026-11-21" })).rejects.toMatchObject({
      code: "STANDS_IN_ALREADY",
    })
    const list = async (actor: UserActor) => (await app.as(actor).claims.standIns()).map(({ id }) => id)
    expect(await list(other.people.hr)).not.toContain(made.id)
    expect(await list(hr3)).toContain(made.id)
    await expect(app.as(other.people.signatory).claims.endStandIn({ id: made.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
    await expect(app.as(second).claims.endStandIn({ id: made.id })).rejects.toMatchObject({ code: "FORBIDDEN" })
    expect(await endStandInOf(made.id)).toEqual({ ended: true })
    await expect(endStandInOf(made.id)).rejects.toMatchObject({ code: "NOT_FOUND" })
    const facts = await app.sql.rows(sql`
      select fact from audit_log where record_id = ${personId} and fact like 'StandIn%' order by id desc limit 2`)
    expect(facts).toEqual([{ fact: "StandInEnded" }, { fact: "StandInNamed" }])
  })

  test("offers a policy holder themselves, an administrator everyone, each with possible stand-ins", async () => {
    const own = await app.as(signatoryActor()).claims.standInChoices()
    expect(own.map(({ userId }) => userId)).toEqual([signatoryActor().userId])
    const offered = own[0]!.standIns.map(({ userId }) => userId)
    expect(offered).toEqual(expect.arrayContaining([hr3.userId, hr4.userId, scene.people.hr.userId]))
    expect(offered).not.toContain(other.people.hr.userId)
    const all = await app.as(app.people.admin).claims.standInChoices()
    expect(all.map(({ userId }) => userId)).toEqual(
      expect.arrayContaining([signatoryActor().userId, other.people.signatory.userId]),
    )
  })
})

describe("the database refuses", () => {
  const decide = (by: UserActor, forWhom: UserActor | null, claimId: string, stage: string) =>
    app.app.database.direct("staff").run(sql`
      update claim_approvals set status = 'approved', approved_amount_cents = 1, decided_by = ${by.userId},
        decided_for = ${forWhom?.userId ?? null}, decided_at = ${app.clock.now()}
      where claim_id = ${claimId} and status = 'pending' and stage = ${stage}`)

  test("a decision without a stand-in, by another role, or of a second stage", async () => {
    const { id: claimId } = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
    const kept = { code: "23001" }
    await expect(decide(hr3, signatoryActor(), claimId, "policy_holder")).rejects.toMatchObject(kept)
    await expect(decide(hr3, null, claimId, "policy_holder")).rejects.toMatchObject(kept)
    await expect(decide(app.people.manager2, null, claimId, "policy_holder")).rejects.toMatchObject(kept)
    const { id } = await nameStandInAs(scene.people.hr2)
    await expect(decide(scene.people.hr2, signatoryActor(), claimId, "policy_holder")).rejects.toMatchObject(kept)
    await endStandInOf(id)
    const again = await nameStandInAs(hr3)
    expect(await decide(hr3, signatoryActor(), claimId, "policy_holder")).toBe(1)
    await endStandInOf(again.id)
  })

  test("a stand-in named by another user, or for people of another group", async () => {
    const insert = (actor: UserActor, personId: string) =>
      app.app.database.transaction(
        "scoped",
        (tx) =>
          tx.run(sql`insert into claim_stand_ins (id, person_id, stand_in_id, from_on, until_on, named_by, created_at)
            values (gen_random_uuid(), ${personId}, ${hr4.userId}, '2027-01-01', '2027-01-02', ${actor.userId}, now())`),
        actor,
      )
    await expect(insert(hr3, signatoryActor().userId)).rejects.toMatchObject({ code: "42501" })
    await expect(insert(other.people.signatory, signatoryActor().userId)).rejects.toMatchObject({ code: "42501" })
  })
})
