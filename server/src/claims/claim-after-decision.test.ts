import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { mailImmediateNotices } from "../notifications/mail-notices.ts"
import { createCompletedPayout, createPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import {
  approveStage,
  createAppealedClaim,
  createApprovedClaim,
  createClaimPendingAt,
  createClaimWithWithdrawnApproval,
  createRejectedClaim,
  createReviewedClaim,
  createSubmittedClaim,
  createWithdrawnClaim,
  reopenClaim,
} from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let underwriter2: UserActor

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Second Thoughts Shipping")
  underwriter2 = await app.people.another("underwriter")
})
afterAll(() => app.close())

const manager = () => scene.cast.manager.claims
const staff = () => app.app.database.direct("staff")
const detail = (claimId: string, actor = app.people.manager) => app.as(actor).claims.detail({ claimId })
const readInboxTexts = async (actor: UserActor) =>
  (await app.as(actor).notifications.inbox({ show: "unread" })).rows.map(({ text }) => text)
const approveAgain = async ({ id: claimId, version }: ClaimDetail, cents: number | null = null) => {
  let claim = await manager().route({ claimId, version })
  while (claim.status.startsWith("pending_")) claim = await approveStage(scene.cast, claim, cents)
  return detail(claimId)
}
const postedFor = (claimId: string) =>
  app.sql.rows(sql`
    select e.source, p.account, p.amount_cents as cents from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.record_id = ${claimId} order by e.seq, p.line`)
const outcomesOf = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls))
    .map((one) => (one.status === "fulfilled" ? "done" : (one.reason as { code: string }).code))
    .sort()

describe("an appeal", () => {
  test("returns a rejected claim to review and keeps the rejection", async () => {
    const rejected = await createRejectedClaim(scene.cast, scene.sample)
    expect(await detail(rejected.id)).toMatchObject({
      appealUntil: "2027-01-31",
      answerDueBy: null,
      allowedActions: ["reopen"],
    })
    const input = { claimId: rejected.id, version: rejected.version, reason: "New report", receivedOn: "2026-11-02" }
    const open = await manager().reopen(input)
    expect(open).toMatchObject({
      status: "under_review",
      round: 2,
      reviewedBy: app.people.manager.name,
      rejectedAt: null,
      rejectionReason: null,
      appealUntil: null,
      answerDueBy: "2026-12-17",
      sentBack: [],
      reopenings: [
        {
          kind: "appeal",
          round: 2,
          by: app.people.manager.name,
          reason: "New report",
          receivedOn: "2026-11-02",
          isLate: false,
          rejectionReason: rejected.rejectionReason,
          decidedAt: rejected.rejectedAt,
        },
      ],
    })
    expect(open.timeline[0]).toMatchObject({
      sentence: "reopened the claim after an appeal received on 2026-11-02",
      reason: "New report",
    })
    expect(open.approvals.map(({ round, status }) => `${round} ${status}`)).toEqual([
      ...["1 approved", "1 rejected", "1 pending", "2 pending", "2 pending", "2 pending"],
    ])
    const { rows } = await manager().pending({ search: open.number })
    expect(rows).toMatchObject([{ status: "under_review", sentBack: false, reopened: "appeal" }])
    expect(await readInboxTexts(scene.people.hr)).toContain(`Claim ${open.number} was reopened`)
    await expect(manager().reopen(input)).rejects.toMatchObject({ code: "STALE" })

    const approved = await approveAgain(open)
    expect(approved).toMatchObject({ status: "approved", answerDueBy: null, reopenings: [{ kind: "appeal" }] })
    const sources = (await postedFor(open.id)).map((posting) => (posting as { source: string }).source)
    expect(sources.filter((source) => source.includes(":approved"))).toHaveLength(3)
    const listed = await manager().list({ search: open.number })
    expect(listed.rows).toMatchObject([{ status: "approved", reopened: null }])
  })

  test("follows a rejection before routing, and later returns count rounds", async () => {
    const { id: claimId, version } = await createSubmittedClaim(scene.cast, scene.sample)
    const rejected = await manager().reject({ claimId, version, reason: "Not covered" })
    const open = await manager().reopen({
      ...{ claimId, version: rejected.version, reason: "Covered since May", receivedOn: "2026-11-02" },
    })
    expect(open.reopenings).toMatchObject([{ rejectionReason: "Not covered" }])
    const back = await manager().sendBack({ claimId, version: open.version, reason: "Wrong amount" })
    expect(back).toMatchObject({ round: 3, sentBack: [{ round: 2, reason: "Wrong amount" }] })
    const { rows } = await manager().list({ search: back.number })
    expect(rows).toMatchObject([{ status: "submitted", sentBack: true, reopened: null }])
    // The answer to the appeal is still due.
    expect(back.answerDueBy).toBe("2026-12-17")
  })

  test("is accepted late and says so", async () => {
    const claim = await createRejectedClaim(scene.cast, scene.sample)
    const { settings, version } = await app.as(app.people.admin).settings.detail()
    const save = (objectionDays: number, version: number) =>
      app.as(app.people.admin).settings.save({ version, settings: { ...settings, objectionDays } })
    await save(1, version)
    const now = app.clock.now()
    app.clock.set("2026-11-05T08:00:00Z")
    const late = await manager().reopen({
      ...{ claimId: claim.id, version: claim.version, reason: "Was in hospital", receivedOn: "2026-11-04" },
    })
    app.clock.set(now.toString())
    expect(late.reopenings).toMatchObject([{ isLate: true }])
    expect(late.timeline[0]?.sentence).toContain("after the time limit")
    await save(90, version + 1)
  })

  test("is refused without a reason, for a wrong day and for other roles", async () => {
    const { id: claimId, version } = await createRejectedClaim(scene.cast, scene.sample)
    const ask = (actor: UserActor, changes: object) =>
      app.as(actor).claims.reopen({ claimId, version, reason: "Appeal", receivedOn: "2026-11-02", ...changes })
    for (const [changes, path] of [
      [{ reason: " " }, "reason"],
      [{ receivedOn: "2026-11-03" }, "receivedOn"],
      [{ receivedOn: "2026-11-01" }, "receivedOn"],
    ] as const)
      await expect(ask(app.people.manager, changes)).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path }] },
      })
    for (const actor of [scene.people.hr, scene.people.signatory, app.people.underwriter])
      await expect(ask(actor, {})).rejects.toMatchObject({ code: "FORBIDDEN" })
  })

  test("is recorded once when two managers reopen at once", async () => {
    const { id: claimId, version } = await createRejectedClaim(scene.cast, scene.sample)
    const input = { claimId, version, reason: "Appeal", receivedOn: "2026-11-02" }
    const calls = [app.people.manager, app.people.manager2].map((actor) => app.as(actor).claims.reopen(input))
    expect(await outcomesOf(calls)).toEqual(["STALE", "done"])
    expect((await detail(claimId)).reopenings).toHaveLength(1)
  })

  test("restarts the days of the turnaround report", async () => {
    const rejected = await createRejectedClaim(scene.cast, scene.sample)
    const now = app.clock.now()
    app.clock.set("2026-12-20T08:00:00Z")
    const open = await reopenClaim(scene.cast, rejected.id, "2026-12-19")
    app.clock.set("2026-12-21T08:00:00Z")
    await approveAgain(open)
    const { rows } = await app
      .as(app.people.manager)
      .reports.rows({ report: "turnaround", query: { from: "2026-12-20", to: "2026-12-21" } })
    app.clock.set(now.toString())
    expect(rows.at(-1)).toMatchObject({ stage: "Submission to decision", claims: 1, longestDays: 1 })
  })

  test("shows a policy holder neither reason", async () => {
    const { id } = await createAppealedClaim(scene.cast, scene.sample, "2026-11-02")
    const seen = await detail(id, scene.people.signatory)
    expect(seen.reopenings).toMatchObject([{ kind: "appeal", reason: null, rejectionReason: null }])
    const text = JSON.stringify(seen)
    for (const secret of ["existed before cover", "letter of the specialist"]) expect(text).not.toContain(secret)
  })
})

describe("a withdrawn approval", () => {
  test("reverses the liability, and a new approval posts it again", async () => {
    await mailImmediateNotices(app.app)
    const first = await createClaimWithWithdrawnApproval(scene.cast, scene.sample)
    expect(first).toMatchObject({
      status: "under_review",
      approvedAmountCents: null,
      finalApprovalAt: null,
      answerDueBy: null,
      reopenings: [{ kind: "approval_withdrawn", approvedAmountCents: 50_000_00, receivedOn: null, isLate: false }],
    })
    expect(first.timeline[0]).toMatchObject({ reason: "The hospital corrected its bill" })
    expect(first.timeline[0]?.sentence).toContain("withdrew the approval of R")
    expect(await readInboxTexts(scene.people.hr)).toContain(
      `Claim ${first.number} was returned to review: its approval was withdrawn`,
    )
    await mailImmediateNotices(app.app)
    const subjects = (await app.mails()).filter(({ to }) => to === scene.people.hr.email).map(({ subject }) => subject)
    expect(subjects).toContain(`Claim ${first.number} was returned to review: its approval was withdrawn`)
    const source = `claim:${first.id}:approved`
    const legs = (source: string, cents: number) => [
      { source, account: "claims_expense", cents },
      { source, account: "claims_payable", cents: -cents },
    ]
    expect(await postedFor(first.id)).toEqual([...legs(source, 50_000_00), ...legs(`${source}:reversed`, -50_000_00)])
    expect(await verifyLedger(app.sql)).toEqual([])

    const second = await approveAgain(first, 40_000_00)
    expect((await postedFor(first.id)).slice(4)).toEqual(legs(`${source}:2`, 40_000_00))
    const { version } = await app
      .as(underwriter2)
      .claims.withdrawApproval({ claimId: second.id, version: second.version, reason: "Once more" })
    const third = await approveAgain({ ...second, version })
    expect(third.reopenings.map(({ approvedAmountCents }) => approvedAmountCents)).toEqual([50_000_00, 40_000_00])
    await createCompletedPayout(app.as(app.people.manager), app.as(app.people.manager2), third.id, "2026-11-02")
    expect(await detail(third.id)).toMatchObject({ status: "paid", approvedAmountCents: 50_000_00 })
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("needs a second person from the insurer", async () => {
    const { id: claimId, version } = await createApprovedClaim(scene.cast, scene.sample)
    const ask = (actor: UserActor, reason = "Wrong bill") =>
      app.as(actor).claims.withdrawApproval({ claimId, version, reason })
    await expect(ask(app.people.underwriter)).rejects.toMatchObject({ code: "DECIDED_BEFORE" })
    await expect(ask({ ...scene.people.hr2, role: "manager" })).rejects.toMatchObject({ code: "DECIDED_BEFORE" })
    for (const actor of [scene.people.hr, scene.people.signatory])
      await expect(ask(actor)).rejects.toMatchObject({ code: "FORBIDDEN" })
    const program: UserActor = { ...app.people.manager, program: { keyMadeBy: app.people.admin.userId } }
    await expect(ask(program)).rejects.toMatchObject({ code: "FORBIDDEN" })
    await expect(ask(app.people.manager, " ")).rejects.toMatchObject({ code: "INVALID" })
    expect(await ask(underwriter2)).toMatchObject({ status: "under_review" })
  })

  test("is refused while a payment exists, and allowed after its cancellation or return", async () => {
    const { id: claimId, version } = await createApprovedClaim(scene.cast, scene.sample)
    const ask = async () =>
      manager().withdrawApproval({ claimId, version: (await detail(claimId)).version, reason: "Wrong bill" })
    const payout = await createPayout(app.as(app.people.manager), claimId)
    await expect(ask()).rejects.toMatchObject({ code: "PAYMENT_EXISTS" })
    expect((await detail(claimId)).allowedActions).toEqual([])
    const cancel = {
      payoutId: payout.id,
      version: payout.version,
      reason: "Wrong",
      idempotencyKey: crypto.randomUUID(),
    }
    await app.as(app.people.manager).payouts.cancel(cancel)
    expect((await detail(claimId)).version).toBe(version)
    expect(await ask()).toMatchObject({ status: "under_review" })
  })

  test("is refused for a partly paid claim", async () => {
    const { id: claimId, version } = await createApprovedClaim(scene.cast, scene.sample)
    const { manager2 } = app.people
    const made = await app.as(app.people.manager).claims.pay({
      ...{ claimId, amountCents: 10_000_00, idempotencyKey: crypto.randomUUID(), reference: "", notes: "" },
      ...{ method: "bank_transfer", payeeName: "S Dlamini", payeeBank: "FNB", payeeBranchCode: "250655" },
      payeeAccountNumber: "62001234567",
    })
    const key = () => ({ payoutId: made.id, idempotencyKey: crypto.randomUUID() })
    const released = await app.as(manager2).payouts.release({ ...key(), version: made.version })
    await app.as(manager2).payouts.complete({ ...key(), version: released.version, completedOn: "2026-11-02" })
    const ask = manager().withdrawApproval({ claimId, version, reason: "Wrong bill" })
    await expect(ask).rejects.toMatchObject({ code: "PAYMENT_EXISTS", message: expect.stringContaining("Part") })
    expect((await detail(claimId)).allowedActions).toEqual(["pay"])
    const { rows } = await manager().list({ search: (await detail(claimId)).number })
    expect(rows[0]!.allowedActions).toEqual(["pay"])
  })

  test("and a payment of the claim at once: one of them succeeds", async () => {
    for (let nth = 0; nth < 5; nth++) {
      const { id: claimId, version } = await createApprovedClaim(scene.cast, scene.sample)
      const outcomes = await outcomesOf([
        app.as(underwriter2).claims.withdrawApproval({ claimId, version, reason: "Wrong bill" }),
        createPayout(app.as(app.people.manager), claimId),
      ])
      expect([
        ["PAYMENT_EXISTS", "done"],
        ["WRONG_STATUS", "done"],
      ]).toContainEqual(outcomes)
      const { status, hasPayments } = await detail(claimId)
      expect(hasPayments).toBe(status === "approved")
    }
    expect(await verifyLedger(app.sql)).toEqual([])
  })
})

describe("a withdrawn claim", () => {
  test("is final, only in tab All, and counts against no cover", async () => {
    const claim = await createWithdrawnClaim(scene.cast, scene.sample)
    expect(claim).toMatchObject({
      status: "withdrawn",
      withdrawnBy: scene.people.hr.name,
      withdrawalReason: "The medical aid paid the bill",
      allowedActions: [],
    })
    expect(claim.timeline[0]).toMatchObject({ sentence: "withdrew the claim", reason: "The medical aid paid the bill" })
    const tabs = { all: 1, pending: 0, approved: 0, rejected: 0 } as const
    for (const [tab, total] of Object.entries(tabs))
      expect((await manager().list({ tab: tab as keyof typeof tabs, search: claim.number })).total, tab).toBe(total)
    expect((await manager().list({ status: "withdrawn", search: claim.number })).total).toBe(1)
    expect((await manager().pending({ search: claim.number })).total).toBe(0)
    expect((await manager().list({ sort: "status", search: claim.number })).total).toBe(1)
    const later = await createSubmittedClaim(scene.cast, scene.sample)
    const counted = (await detail(later.id)).otherClaims.find(({ id }) => id === claim.id)
    expect(counted).toMatchObject({ status: "withdrawn", counts: false })
    expect((await detail(later.id)).warnings.flatMap(({ claims }) => claims.map(({ id }) => id))).not.toContain(
      claim.id,
    )
    expect(await detail(claim.id, scene.people.signatory)).toMatchObject({ withdrawalReason: null })
  })

  test("is withdrawn by its submitter or a manager, and the reviewer is notified", async () => {
    const { id: claimId, version, number } = await createReviewedClaim(scene.cast, scene.sample)
    const ask = (actor: UserActor, reason = "Paid elsewhere") =>
      app.as(actor).claims.withdrawSubmitted({ claimId, version, reason })
    for (const actor of [scene.people.hr2, scene.people.signatory, app.people.underwriter])
      await expect(ask(actor)).rejects.toMatchObject({ code: "FORBIDDEN" })
    await expect(ask(scene.people.hr, " ")).rejects.toMatchObject({ code: "INVALID" })
    expect(await ask(scene.people.hr)).toMatchObject({ status: "withdrawn" })
    expect(await readInboxTexts(app.people.manager)).toContain(`Claim ${number} was withdrawn`)

    const other = await createSubmittedClaim(scene.cast, scene.sample)
    expect(await readInboxTexts(app.people.manager)).toContain(`Claim ${other.number} was submitted`)
    const reason = "The family asked for it"
    await app.as(app.people.manager2).claims.withdrawSubmitted({ claimId: other.id, version: other.version, reason })
    expect(await readInboxTexts(scene.people.hr)).toContain(`Claim ${other.number} was withdrawn`)
    expect(await readInboxTexts(app.people.manager)).not.toContain(`Claim ${other.number} was submitted`)
    const routed = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const late = { claimId: routed.id, version: routed.version, reason }
    await expect(manager().withdrawSubmitted(late)).rejects.toMatchObject({ code: "WRONG_STATUS" })
  })

  test("and its routing at once: one of them succeeds", async () => {
    const { id: claimId, version } = await createSubmittedClaim(scene.cast, scene.sample)
    const calls = [
      scene.cast.captures.claims.withdrawSubmitted({ claimId, version, reason: "Paid elsewhere" }),
      manager().route({ claimId, version }),
    ]
    expect(await outcomesOf(calls)).toEqual(["STALE", "done"])
  })
})

describe("the database refuses", () => {
  const set = (claimId: string, change: ReturnType<typeof sql>) =>
    staff().run(sql`update claims set ${change} where id = ${claimId}`)
  const isRefused = { code: "23001" }
  const toReview = sql`status = 'under_review', round = round + 1, routed_at = null, group_admin_approval_at = null,
    underwriter_approval_at = null, policy_holder_approval_at = null, final_approval_at = null, approved_amount_cents = null,
    rejected_at = null, rejection_reason = null`
  const record = (claim: ClaimDetail, kind: string, by: UserActor) =>
    staff().run(sql`
      insert into claim_reopenings (id, group_id, claim_id, kind, round, reason, received_on, is_late, policy_id, decided_at,
        rejection_reason, approved_amount_cents, reopened_by, reopened_at)
      select gen_random_uuid(), group_id, id, ${kind}, round + 1, 'x', case when ${kind} = 'appeal' then '2026-11-02'::date end,
        false, policy_id, now(), rejection_reason, approved_amount_cents, ${by.userId}, now()
      from claims where id = ${claim.id}`)

  test("to reopen a claim or withdraw an approval without a record", async () => {
    for (const create of [createRejectedClaim, createApprovedClaim]) {
      const { id } = await create(scene.cast, scene.sample)
      await expect(set(id, toReview)).rejects.toMatchObject(isRefused)
    }
  })

  test("a withdrawn approval by a decider, or with a payment", async () => {
    const claim = await createApprovedClaim(scene.cast, scene.sample)
    await expect(record(claim, "approval_withdrawn", app.people.underwriter)).rejects.toMatchObject(isRefused)
    await createPayout(app.as(app.people.manager), claim.id)
    await record(claim, "approval_withdrawn", underwriter2)
    await expect(set(claim.id, toReview)).rejects.toMatchObject(isRefused)
  })

  test("a reopening of a claim with another status, and changes to a reopening", async () => {
    const open = await createSubmittedClaim(scene.cast, scene.sample)
    await expect(record(open, "appeal", app.people.manager)).rejects.toThrow()
    const { id } = await createAppealedClaim(scene.cast, scene.sample, "2026-11-02")
    for (const statement of [
      sql`update claim_reopenings set reason = 'y' where claim_id = ${id}`,
      sql`delete from claim_reopenings where claim_id = ${id}`,
    ])
      await expect(staff().run(statement)).rejects.toMatchObject({ code: "42501" })
  })

  test("any other status for a rejected or withdrawn claim", async () => {
    const withdrawn = await createWithdrawnClaim(scene.cast, scene.sample)
    const back = sql`withdrawn_at = null, withdrawn_by = null, withdrawal_reason = null`
    await expect(set(withdrawn.id, sql`status = 'submitted', ${back}`)).rejects.toMatchObject(isRefused)
    await expect(set(withdrawn.id, sql`requested_amount_cents = 1`)).rejects.toMatchObject(isRefused)
    const rejected = await createRejectedClaim(scene.cast, scene.sample)
    const clear = sql`rejected_at = null, rejection_reason = null, routed_at = null, group_admin_approval_at = null`
    await expect(set(rejected.id, sql`status = 'submitted', ${clear}`)).rejects.toMatchObject(isRefused)
  })
})
