import { readFile } from "node:fs/promises"
import { claimStatuses } from "@milkwood/domain/claims/claim"
import { type ClaimAction, claimLifecycle } from "@milkwood/domain/claims/claim-lifecycle"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { claimActions } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { createCompletedPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import {
  approveStage,
  createApprovedClaim,
  createClaimContent,
  createClaimPendingAt,
  createDraftClaim,
  createRejectedClaim,
  createReviewedClaim,
  createRoutedClaim,
  createSubmittedClaim,
  createWithdrawnClaim,
} from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Table Bay Fisheries")
})
afterAll(() => app.close())

const createPaidClaim = async () => {
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  await createCompletedPayout(app.as(app.people.manager), app.as(app.people.manager2), claim.id, "2026-11-02")
  return scene.cast.manager.claims.detail({ claimId: claim.id })
}

describe("drafts", () => {
  test("the first save assigns a number and notification day; later saves need the version", async () => {
    const content = createClaimContent({ memberId: scene.memberId, notificationOn: null, requestedAmountCents: null })
    const draft = await scene.cast.captures.claims.saveDraft({ content })
    expect(draft).toMatchObject({
      status: "draft",
      number: expect.stringMatching(/^CLM-2026-\d{6}$/),
      notificationOn: "2026-11-02",
    })
    const next = { ...content, requestedAmountCents: 100_00, notificationOn: "2026-11-01" }
    const saved = await scene.cast.captures.claims.saveDraft({
      claimId: draft.id,
      version: draft.version,
      content: next,
    })
    expect(saved).toMatchObject({ version: draft.version + 1, requestedAmountCents: 100_00 })
    await expect(
      scene.cast.captures.claims.saveDraft({ claimId: draft.id, version: draft.version, content }),
    ).rejects.toMatchObject({
      code: "STALE",
      data: { version: saved.version },
    })
    await expect(scene.cast.captures.claims.saveDraft({ claimId: draft.id, content })).rejects.toMatchObject({
      code: "INVALID",
    })
    const facts = await app.sql.rows(sql`select fact from audit_log where record_id = ${draft.id}`)
    expect(facts).toEqual([])
  })

  test.each(["status", "approvedAmountCents", "groupId", "submittedAt"])("%s is refused", async (field) => {
    const content = { ...createClaimContent(scene.sample), [field]: "approved" }
    await expect(scene.cast.captures.claims.saveDraft({ content })).rejects.toMatchObject({ code: "INVALID" })
  })

  test("a missing member or benefit is refused by name", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000"
    for (const [field, content] of [
      ["content.memberId", createClaimContent({ memberId: unknown })],
      ["content.benefitId", createClaimContent({ ...scene.sample, benefitId: unknown })],
    ] as const) {
      await expect(scene.cast.captures.claims.saveDraft({ content })).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path: field }] },
      })
    }
  })

  test("a member who was never covered cannot claim, and can still be removed", async () => {
    const manager = app.as(scene.people.manager)
    const policy = await manager.policies.create({ group: { kind: "existing", groupId: scene.groupId } })
    const pending = await createMember(manager, policy.id)
    await expect(
      scene.cast.captures.claims.saveDraft({ content: createClaimContent({ memberId: pending.id }) }),
    ).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "content.memberId", message: "The member's policy is not active yet." }] },
    })
    const draft = await createDraftClaim(scene.cast, { memberId: scene.memberId })
    await expect(
      scene.cast.captures.claims.saveDraft({
        claimId: draft.id,
        version: draft.version,
        content: createClaimContent({ memberId: pending.id }),
      }),
    ).rejects.toMatchObject({ code: "INVALID" })
    await manager.members.remove({ memberId: pending.id, version: pending.version })
  })

  test("an incomplete draft is not submitted, and the missing fields are named", async () => {
    const draft = await createDraftClaim(scene.cast, { memberId: scene.memberId, incidentOn: null })
    await expect(
      scene.cast.captures.claims.submit({ claimId: draft.id, version: draft.version }),
    ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "benefitId" }, { path: "incidentOn" }] } })
    expect(await scene.cast.captures.claims.detail({ claimId: draft.id })).toMatchObject({
      status: "draft",
      version: 1,
    })
  })
})

describe("submitting", () => {
  test("names and records who can decide each stage", async () => {
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const claim = await scene.cast.captures.claims.submit({ claimId: draft.id, version: draft.version })
    expect(claim.deciders).toEqual({
      group_admin: [scene.people.hr2.name],
      underwriter: [scene.people.underwriter.name],
      policy_holder: [scene.people.signatory.name],
    })
    expect(claim).toMatchObject({
      status: "submitted",
      submittedBy: scene.people.hr.name,
      approvals: [{ stage: "group_admin", status: "pending" }, { stage: "underwriter" }, { stage: "policy_holder" }],
      timeline: [{ sentence: "submitted the claim", actor: scene.people.hr.name }],
    })
  })

  test("is refused when the only HR user captured it; a manager can capture it instead", async () => {
    const small = await insureGroup(app, "One Person HR")
    await app.sql.run(sql`update users set disabled_at = ${app.clock.now()} where id = ${small.people.hr2.userId}`)
    const draft = await createDraftClaim(small.cast, small.sample)
    await expect(
      small.cast.captures.claims.submit({ claimId: draft.id, version: draft.version }),
    ).rejects.toMatchObject({
      code: "NOBODY_TO_DECIDE",
      message: expect.stringContaining("captured or submitted it"),
      data: { stages: ["group_admin"] },
    })
    const before = { memberId: small.sample.memberId, claimId: draft.id }
    expect(await small.cast.captures.claims.deciders(before)).toMatchObject({
      nobody: expect.stringContaining("One Person HR has no other group administrator"),
    })
    expect(await small.cast.manager.claims.deciders({ memberId: small.sample.memberId })).toEqual({ nobody: null })
    const byManager = await createSubmittedClaim({ ...small.cast, captures: small.cast.manager }, small.sample)
    expect(byManager.status).toBe("submitted")
  })
})

test("routing is refused when a stage has lost its deciders since submission", async () => {
  const small = await insureGroup(app, "Signatory Leaves")
  const claim = await createSubmittedClaim(small.cast, small.sample)
  await app.sql.run(sql`update users set disabled_at = ${app.clock.now()} where id = ${small.people.signatory.userId}`)
  await expect(small.cast.manager.claims.route({ claimId: claim.id, version: claim.version })).rejects.toMatchObject({
    code: "NOBODY_TO_DECIDE",
    data: { stages: ["policy_holder"] },
  })
})

describe("requested documents", () => {
  test("are emailed to the submitter and appear in the pending list", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const asked = await scene.cast.manager.claims.requestDocuments({
      claimId: claim.id,
      version: claim.version,
      documents: ["hospital_bill", "police_report"],
      note: "Originals, please.",
    })
    expect(asked).toMatchObject({ status: "submitted", requestedDocuments: ["hospital_bill", "police_report"] })
    const mail = (await app.mails()).at(-1)!
    expect(mail).toMatchObject({ to: scene.people.hr.email, subject: `Documents needed for claim ${claim.number}` })
    expect(mail.text).toContain("- Hospital bill\n- Police report")
    expect(mail.text).toContain("Originals, please.")
    expect(mail.text).toContain(`/claims/${claim.id}`)
    const { rows, summary } = await scene.cast.manager.claims.pending({ state: "Documentation Required" })
    expect(rows.map(({ id }) => id)).toEqual([claim.id])
    expect(summary?.documentationRequired).toBe(1)
  })
})

test("sending back opens a second round in which the claim can be edited", async () => {
  const claim = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
  const { manager, captures } = scene.cast
  const back = await manager.claims.sendBack({ claimId: claim.id, version: claim.version, reason: "Wrong amount" })
  expect(back).toMatchObject({ status: "submitted", round: 2, submittedAt: claim.submittedAt })
  expect(claim.sentBack).toEqual([])
  const { name: by } = scene.people.manager
  expect(back.sentBack).toEqual([{ round: 1, by, at: back.timeline[0]?.at, reason: "Wrong amount" }])
  expect(back.approvals.map(({ round, status }) => [round, status])).toEqual([
    [1, "approved"],
    [1, "pending"],
    [1, "pending"],
    [2, "pending"],
    [2, "pending"],
    [2, "pending"],
  ])
  const edited = await captures.claims.saveDraft({
    claimId: claim.id,
    version: back.version,
    content: createClaimContent({ ...scene.sample, requestedAmountCents: 20_000_00 }),
  })
  expect(edited.timeline[0]).toMatchObject({
    sentence: "edited the claim",
    changes: [{ field: "requestedAmountCents", before: 50_000_00, after: 20_000_00 }],
  })
  const rowOf = async () => (await manager.claims.list({ search: claim.number })).rows[0]
  expect(await rowOf()).toMatchObject({ status: "submitted", sentBack: true })
  const routed = await manager.claims.route({ claimId: claim.id, version: edited.version })
  expect(routed.amountBeforeCents).toBe(20_000_00)
  expect(await rowOf()).toMatchObject({ sentBack: false })
  const again = await manager.claims.sendBack({ claimId: claim.id, version: routed.version, reason: "And the day" })
  expect(again.sentBack.map(({ round, reason }) => [round, reason])).toEqual([
    [1, "Wrong amount"],
    [2, "And the day"],
  ])
})

test("a claim routed again repeats every stage from the first", async () => {
  const { manager } = scene.cast
  const { id: claimId, version } = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
  const back = await manager.claims.sendBack({ claimId, version, reason: "Wrong amount" })
  const routed = await manager.claims.route({ claimId, version: back.version })
  expect((await approveStage(scene.cast, routed)).status).toBe("pending_underwriter")
})

test("a manager can reject before routing, with a reason", async () => {
  const { id: claimId, version } = await createReviewedClaim(scene.cast, scene.sample)
  const { manager } = scene.cast
  await expect(manager.claims.reject({ claimId, version, reason: " " })).rejects.toMatchObject({ code: "INVALID" })
  expect(await manager.claims.reject({ claimId, version, reason: "A duplicate" })).toMatchObject({
    status: "rejected",
    rejectionReason: "A duplicate",
    allowedActions: ["reopen"],
  })
})

test("a completed payment marks an approved claim paid on its day", async () => {
  expect(await createPaidClaim()).toMatchObject({
    status: "paid",
    paymentOn: "2026-11-02",
    timeline: [{ fact: "ClaimPaid" }, {}, {}, {}, {}, {}],
  })
})

test("the cover check shows each line with its evidence", async () => {
  const claim = await createDraftClaim(scene.cast, { ...scene.sample, requestedAmountCents: 80_000_01 })
  expect(claim.coverCheck.map(({ check, result }) => [check, result])).toEqual([
    ["policy", "pass"],
    ["member", "pass"],
    ["waiting", "pass"],
    ["premiums", "fail"],
    ["maximum", "fail"],
  ])
  expect(claim).toMatchObject({ maxCoverCents: 80_000_00, coverPercentage: 80 })
  const before = await createDraftClaim(scene.cast, {
    ...{ ...scene.sample, incidentOn: "2025-12-31", claimAmountCents: 62_500_00 },
  })
  expect(before.coverCheck.filter(({ result }) => result === "pass").map(({ check }) => check)).toEqual([
    "waiting",
    "premiums",
    "maximum",
  ])
})

test("the lifecycle documentation matches the code", async () => {
  const page = await readFile(new URL("../../../docs/claim-approval.md", import.meta.url), "utf8")
  expect(page).toContain(claimLifecycle.toMermaid())
})

describe("forbidden actions", () => {
  const states: Record<string, () => Promise<ClaimDetail>> = {
    draft: () => createDraftClaim(scene.cast, scene.sample),
    submitted: () => createSubmittedClaim(scene.cast, scene.sample),
    under_review: () => createReviewedClaim(scene.cast, scene.sample),
    pending_group_admin: () => createRoutedClaim(scene.cast, scene.sample),
    pending_underwriter: () => createClaimPendingAt(scene.cast, "underwriter", scene.sample),
    pending_policy_holder: () => createClaimPendingAt(scene.cast, "policy_holder", scene.sample),
    approved: () => createApprovedClaim(scene.cast, scene.sample),
    rejected: () => createRejectedClaim(scene.cast, scene.sample),
    paid: createPaidClaim,
    withdrawn: () => createWithdrawnClaim(scene.cast, scene.sample),
  }

  const commands: Partial<Record<ClaimAction, (actor: UserActor, claim: ClaimDetail) => Promise<unknown>>> = {
    edit: (actor, { id: claimId, version }) =>
      app.as(actor).claims.saveDraft({
        claimId,
        version,
        content: createClaimContent({ ...scene.sample, requestedAmountCents: 1 }),
      }),
    changeDocuments: (actor, { id: claimId }) =>
      app.as(actor).claims.removeDocument({ claimId, documentId: "00000000-0000-4000-8000-000000000000" }),
    submit: (actor, { id: claimId, version }) => app.as(actor).claims.submit({ claimId, version }),
    withdraw: (actor, { id: claimId, version }) => app.as(actor).claims.withdraw({ claimId, version }),
    reassign: (actor, { id: claimId, version }) =>
      app.as(actor).claims.reassign({ claimId, version, userId: app.people.manager2.userId }),
    startReview: (actor, { id: claimId, version }) => app.as(actor).claims.startReview({ claimId, version }),
    requestDocuments: (actor, { id: claimId, version }) =>
      app.as(actor).claims.requestDocuments({ claimId, version, documents: ["other"] }),
    route: (actor, { id: claimId, version }) => app.as(actor).claims.route({ claimId, version }),
    reject: (actor, { id: claimId, version }) => app.as(actor).claims.reject({ claimId, version, reason: "No" }),
    sendBack: (actor, { id: claimId, version }) => app.as(actor).claims.sendBack({ claimId, version, reason: "No" }),
    withdrawSubmitted: (actor, { id: claimId, version }) =>
      app.as(actor).claims.withdrawSubmitted({ claimId, version, reason: "No" }),
    reopen: (actor, { id: claimId, version }) =>
      app.as(actor).claims.reopen({ claimId, version, reason: "No", receivedOn: "2026-11-02" }),
    withdrawApproval: (actor, { id: claimId, version }) =>
      app.as(actor).claims.withdrawApproval({ claimId, version, reason: "No" }),
    approve: (actor, { id: claimId, version }) => decide(actor, claimId, version, "approve"),
    decline: (actor, { id: claimId, version }) => decide(actor, claimId, version, "reject"),
  }
  const decide = (actor: UserActor, claimId: string, version: number, decision: "approve" | "reject") =>
    app.as(actor).claims.decide({ claimId, version, decision, comment: "No", idempotencyKey: crypto.randomUUID() })

  test.each(claimStatuses)("are refused to everyone and change nothing: %s", async (status) => {
    const claim = await states[status]!()
    expect(claim.status).toBe(status)
    const { hr, hr2, signatory, manager, underwriter } = scene.people
    for (const actor of [hr, hr2, signatory, manager, underwriter, app.people.admin, app.people.none]) {
      const seen = actor.role
        ? await app.as(actor).claims.detail({ claimId: claim.id })
        : { allowedActions: [] as ClaimAction[] }
      for (const action of claimActions) {
        const command = commands[action]
        if (!command || seen.allowedActions.includes(action)) continue
        const code = await command(actor, claim).then(
          () => "done",
          (error: { code: string }) => error.code,
        )
        expect(
          ["FORBIDDEN", "WRONG_STATUS", "NO_PENDING_STEP", "OWN_CLAIM", "DECIDED_BEFORE"],
          `${actor.role} ${action}`,
        ).toContain(code)
      }
    }
    const [row] = await app.sql.rows<{ version: number }>(sql`select version from claims where id = ${claim.id}`)
    expect(row?.version).toBe(claim.version)
  })
})
