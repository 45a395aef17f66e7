import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createCompletedPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import {
  approveStage,
  createApprovedClaim,
  createClaimPendingAt,
  createDraftClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Four Eyes Foundry")
})
afterAll(() => app.close())

const approveAs = (actor: UserActor, { id: claimId, version }: { id: string; version: number }) =>
  app.as(actor).claims.decide({
    claimId,
    version,
    idempotencyKey: crypto.randomUUID(),
    decision: "approve",
    comment: "Agreed",
  })

describe("a new underwriter", () => {
  const become = (actor: UserActor): UserActor => ({ ...actor, role: "underwriter" })

  test("cannot decide a claim they routed in any round", async () => {
    const { manager, manager2 } = app.people
    const first = await createSubmittedClaim(scene.cast, scene.sample)
    const routed = await app.as(manager).claims.route({ claimId: first.id, version: first.version })
    const back = await app
      .as(manager2)
      .claims.sendBack({ claimId: first.id, version: routed.version, reason: "Once more" })
    const again = await app.as(manager2).claims.route({ claimId: first.id, version: back.version })
    const waiting = await approveStage(scene.cast, again)
    for (const person of [manager, manager2]) {
      await expect(approveAs(become(person), waiting)).rejects.toMatchObject({ code: "OWN_CLAIM" })
    }
    expect((await approveAs(app.people.underwriter, waiting)).status).toBe("pending_policy_holder")
  })

  test("cannot decide a claim they reviewed, even when someone else routed it", async () => {
    const { id: claimId, version } = await createSubmittedClaim(scene.cast, scene.sample)
    const taken = await app.as(app.people.manager2).claims.startReview({ claimId, version })
    const routed = await scene.cast.manager.claims.route({ claimId, version: taken.version })
    const waiting = await approveStage(scene.cast, routed)
    await expect(approveAs(become(app.people.manager2), waiting)).rejects.toMatchObject({ code: "OWN_CLAIM" })
  })
})

test("a user who added or removed a document cannot decide the claim", async () => {
  const server = await app.serve()
  const { hr2 } = scene.people
  const draft = await createDraftClaim(scene.cast, scene.sample)
  const form = new FormData()
  form.set("documentType", "police_report")
  form.set("documentName", "Bill\u202eFDP.exe\r\nof May")
  form.set("file", new File(["%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n"], "bill.pdf"))
  const answer = await fetch(`${server.url}/api/claims/${draft.id}/documents`, {
    method: "POST",
    headers: server.headersOf(hr2),
    body: form,
  })
  expect(((await answer.json()) as typeof draft).documents).toMatchObject([{ name: "BillFDP.exe of May" }])
  const third = await app.people.groupAdmin(scene.groupId)
  const fourth = await app.people.groupAdmin(scene.groupId)
  const { documents } = await app.as(third).claims.detail({ claimId: draft.id })
  await app.as(third).claims.removeDocument({ claimId: draft.id, documentId: documents[0]!.id })
  const { version } = await scene.cast.captures.claims.submit({ claimId: draft.id, version: draft.version })
  const routed = await scene.cast.manager.claims.route({ claimId: draft.id, version })
  for (const person of [hr2, third])
    await expect(approveAs(person, routed)).rejects.toMatchObject({ code: "OWN_CLAIM" })
  expect((await approveAs(fourth, routed)).status).toBe("pending_underwriter")
})

describe("the database refuses", () => {
  const staff = () => app.app.database.direct("staff")
  const decideAs = (userId: string, claimId: string) =>
    staff().run(sql`
      update claim_approvals set status = 'approved', approved_amount_cents = 1, decided_by = ${userId}, decided_at = now()
      where claim_id = ${claimId} and status = 'pending' and stage = 'group_admin'`)

  test("a claim's decision by its capturer or reviewer", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    for (const { userId } of [scene.people.hr, app.people.manager]) {
      await expect(decideAs(userId, claim.id)).rejects.toMatchObject({ code: "23001" })
    }
    expect(await decideAs(scene.people.hr2.userId, claim.id)).toBe(1)
  })

  test("a new amount or decider for a past decision", async () => {
    const claim = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    for (const change of [sql`approved_amount_cents = 1`, sql`decided_by = ${app.people.admin.userId}`]) {
      await expect(
        staff().run(sql`update claim_approvals set ${change} where claim_id = ${claim.id} and status = 'approved'`),
      ).rejects.toMatchObject({ code: "23001" })
    }
  })

  test("changes to the amount, member, status or paid day of an approved claim", async () => {
    const { id } = await createApprovedClaim(scene.cast, scene.sample)
    const set = (change: ReturnType<typeof sql>) => staff().run(sql`update claims set ${change} where id = ${id}`)
    const amounts = [
      sql`approved_amount_cents = 1`,
      sql`requested_amount_cents = 90000000`,
      sql`member_id = ${scene.secondMemberId}`,
    ]
    for (const change of amounts) await expect(set(change)).rejects.toMatchObject({ code: "23001" })
    const isPaidByPayments = { constraint: "claims_paid_is_what_arrived" }
    await expect(set(sql`status = 'paid', payment_on = '2026-11-02'`)).rejects.toMatchObject(isPaidByPayments)
    await createCompletedPayout(app.as(app.people.manager), app.as(app.people.manager2), id, "2026-11-02")
    for (const change of [...amounts, sql`payment_on = '2026-11-03'`]) {
      await expect(set(change)).rejects.toMatchObject({ code: "23001" })
    }
    await expect(set(sql`status = 'approved', payment_on = null`)).rejects.toMatchObject(isPaidByPayments)
  })
})
