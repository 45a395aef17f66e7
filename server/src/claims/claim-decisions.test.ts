import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import {
  approveStage,
  createApprovedClaim,
  createClaimContent,
  createClaimPendingAt,
  createRoutedClaim,
} from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Cape Winds")
})
afterAll(() => app.close())

const approveAs = (actor: UserActor, claim: ClaimDetail, changes: object = {}) =>
  app.as(actor).claims.decide({
    claimId: claim.id,
    version: claim.version,
    idempotencyKey: crypto.randomUUID(),
    decision: "approve",
    comment: "Agreed",
    reductionReason: "The bill was lower",
    ...changes,
  })
const readApprovalRows = (claim: ClaimDetail) =>
  app.sql.rows<{ stage: string; status: string; decidedBy: string | null }>(sql`
    select stage, status, decided_by as "decidedBy" from claim_approvals where claim_id = ${claim.id} and status <> 'pending'`)

test("the last approval dates the claim and posts the liability only once", async () => {
  const waiting = await createClaimPendingAt(scene.cast, "policy_holder", {
    ...scene.sample,
    requestedAmountCents: 12_345_67,
  })
  const approved = await approveAs(scene.people.signatory, waiting, { approvedAmountCents: 12_000_00 })
  expect(approved).toMatchObject({ status: "approved", approvedAmountCents: 12_000_00, medical: null })
  const seen = await scene.cast.manager.claims.detail({ claimId: waiting.id })
  expect(seen).toMatchObject({
    finalApprovalAt: app.clock.now().toString(),
    allowedActions: ["pay", "withdrawApproval"],
  })
  const postings = await app.sql.rows(sql`
    select p.account, p.amount_cents as cents, p.policy_id as policy from ledger_postings p
    join ledger_entries e on e.id = p.entry_id where e.source = ${`claim:${waiting.id}:approved`} order by line`)
  // The reserve of R 12 345,67 is released.
  expect(postings).toEqual([
    { account: "claims_outstanding", cents: 12_345_67, policy: scene.policyId },
    { account: "claims_expense", cents: -345_67, policy: scene.policyId },
    { account: "claims_payable", cents: -12_000_00, policy: scene.policyId },
  ])
})

describe("four eyes", () => {
  test("a capturer cannot decide", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    await expect(approveAs(scene.people.hr, claim)).rejects.toMatchObject({ code: "OWN_CLAIM" })
    expect(await readApprovalRows(claim)).toEqual([])
  })

  test("a user who edited the claim after submission cannot decide", async () => {
    const { manager, group_admin } = scene.cast
    const { id: claimId, version } = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const back = await manager.claims.sendBack({ claimId, version, reason: "Check the amount" })
    const third = await app.people.groupAdmin(scene.groupId)
    const content = createClaimContent({ ...scene.sample, requestedAmountCents: 40_000_00 })
    const edited = await group_admin.claims.saveDraft({ claimId, version: back.version, content })
    const routed = await manager.claims.route({ claimId, version: edited.version })
    await expect(approveAs(scene.people.hr2, routed)).rejects.toMatchObject({ code: "OWN_CLAIM" })
    expect((await approveAs(third, routed)).status).toBe("pending_underwriter")
  })

  test("a user cannot decide two stages, even after a change of role", async () => {
    const claim = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const promoted: UserActor = { ...scene.people.hr2, role: "underwriter", groupIds: [] }
    await expect(approveAs(promoted, claim)).rejects.toMatchObject({ code: "DECIDED_BEFORE" })
  })

  test("only the role of the stage can decide", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    for (const actor of [scene.people.underwriter, scene.people.signatory]) {
      await expect(approveAs(actor, claim)).rejects.toMatchObject({
        code: "NO_PENDING_STEP",
        message: "No pending approval step",
      })
    }
    for (const actor of [scene.people.manager, app.people.admin]) {
      await expect(approveAs(actor, claim)).rejects.toMatchObject({ code: "FORBIDDEN" })
    }
  })
})

describe("the approved amount of a decision", () => {
  test.each([0, -1, 50_000_01])("%i cents is refused with its field", async (approvedAmountCents) => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    await expect(approveAs(scene.people.hr2, claim, { approvedAmountCents })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "approvedAmountCents" }] },
    })
  })

  test("above the cover limit requires the underwriter's comment", async () => {
    const claim = await createClaimPendingAt(scene.cast, "underwriter", {
      ...scene.sample,
      requestedAmountCents: 90_000_00,
    })
    await expect(approveAs(scene.people.underwriter, claim, { comment: "" })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "comment", message: expect.stringContaining("that cover allows") }] },
    })
    const left = await approveAs(scene.people.underwriter, claim, { comment: "Ex gratia, agreed by the board" })
    expect(left).toMatchObject({ status: "pending_policy_holder", amountBeforeCents: 90_000_00 })
  })
})

test("a decision without an amount approves the previous stage's amount", async () => {
  const sample = { ...scene.sample, requestedAmountCents: 90_000_00 }
  const routed = await createRoutedClaim(scene.cast, sample)
  expect(routed.proposedAmountCents).toBeLessThan(90_000_00)
  const first = await approveAs(scene.people.hr2, routed)
  expect(first).toMatchObject({ amountBeforeCents: 90_000_00 })
  const second = await approveAs(scene.people.underwriter, first, { approvedAmountCents: 25_000_00 })
  await approveAs(scene.people.signatory, second)
  const stored = await app.sql.rows<{ stage: string; cents: number }>(sql`
    select stage, approved_amount_cents as cents from claim_approvals where claim_id = ${routed.id} order by decided_at, stage`)
  expect(Object.fromEntries(stored.map(({ stage, cents }) => [stage, cents]))).toEqual({
    ...{ group_admin: 90_000_00, underwriter: 25_000_00, policy_holder: 25_000_00 },
  })
})

test("approving over a failed cover check requires a comment", async () => {
  const claim = await createRoutedClaim(scene.cast, scene.sample)
  await expect(approveAs(scene.people.hr2, claim, { comment: " " })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "comment", message: expect.stringContaining("Premiums paid up to the incident date") }] },
  })
  expect(await readApprovalRows(claim)).toEqual([])
  expect((await approveAs(scene.people.hr2, claim, { comment: "Already imported" })).status).toBe("pending_underwriter")
})

test("a reduction requires a reason, which the policy holder reads without the comment", async () => {
  const claim = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
  const less = { approvedAmountCents: 30_000_00, comment: "Epilepsy, excluded" }
  await expect(approveAs(scene.people.underwriter, claim, { ...less, reductionReason: "" })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "reductionReason" }] },
  })
  await approveAs(scene.people.underwriter, claim, { ...less, reductionReason: "The policy pays the scheme tariff" })
  const read = await app.as(scene.people.signatory).claims.detail({ claimId: claim.id })
  expect(read.approvals[1]).toMatchObject({ reductionReason: "The policy pays the scheme tariff", comment: null })
  expect(JSON.stringify(read)).not.toContain("Epilepsy, excluded")
})

test("a stale version cannot decide a claim that was sent back and routed again", async () => {
  const { manager, captures } = scene.cast
  const seen = await createRoutedClaim(scene.cast, scene.sample)
  const back = await manager.claims.sendBack({ claimId: seen.id, version: seen.version, reason: "Amount" })
  const content = createClaimContent({ ...scene.sample, requestedAmountCents: 70_000_00 })
  const edited = await captures.claims.saveDraft({ claimId: seen.id, version: back.version, content })
  await manager.claims.route({ claimId: seen.id, version: edited.version })
  await expect(approveAs(scene.people.hr2, seen)).rejects.toMatchObject({
    code: "STALE",
    data: { version: edited.version + 1 },
  })
})

test("fifty concurrent requests with one key make one decision; another body is refused", async () => {
  const claim = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
  const idempotencyKey = crypto.randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => approveAs(scene.people.signatory, claim, { idempotencyKey })),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await readApprovalRows(claim)).toHaveLength(3)
  const entries = await app.sql.rows(sql`select 1 from ledger_entries where source = ${`claim:${claim.id}:approved`}`)
  expect(entries).toHaveLength(1)
  await expect(
    approveAs(scene.people.signatory, claim, { idempotencyKey, approvedAmountCents: 1 }),
  ).rejects.toMatchObject({ code: "KEY_REUSED" })
})

test("one of 50 concurrent decisions succeeds; for 49 no step is pending any more", async () => {
  const deciders: UserActor[] = []
  while (deciders.length < 50) deciders.push(await app.people.groupAdmin(scene.groupId))
  const claim = await createRoutedClaim(scene.cast, scene.sample)
  const answers = await Promise.allSettled(deciders.map((actor) => approveAs(actor, claim)))
  const winners = deciders.filter((_, at) => answers[at]?.status === "fulfilled")
  expect(winners).toHaveLength(1)
  const losers = answers.filter((answer) => answer.status === "rejected")
  expect(losers.map(({ reason }) => [reason.code, reason.message])).toEqual(
    Array(49).fill(["NO_PENDING_STEP", "No pending approval step"]),
  )
  expect(await readApprovalRows(claim)).toEqual([
    { stage: "group_admin", status: "approved", decidedBy: winners[0]?.userId },
  ])
})

test("an approved claim cannot be changed", async () => {
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  await expect(approveStage(scene.cast, { ...claim, status: "pending_policy_holder" })).rejects.toMatchObject({
    code: "NO_PENDING_STEP",
  })
})
