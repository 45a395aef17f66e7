import type { Stage } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { completePayout, createPayout } from "../payouts/payouts.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { createRandomSource, type RandomSource } from "../test/money/hand.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createClaimContent, createClaimPendingAt, reopenClaim } from "./claims.samples.ts"

const today = "2026-11-02"
const maxCoverCents = 80_000_00
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 0x7fffffff))

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp({ connections: 12 })
  scene = await insurePaidUpGroup("Limits Laundry")
})
afterAll(() => app.close())

/** Every line of the cover check passes, so that only an amount above cover needs a comment. */
async function insurePaidUpGroup(name: string): Promise<ClaimScene> {
  const insured = await insureGroup(app, name)
  const { policyId } = insured
  const manager = app.as(app.people.manager)
  const { totalCents } = await createSentInvoice(manager, { policyId, month: "2026-01-01", invoiceOn: "2026-01-01" })
  await recordedReceipt(manager, { policyId, amountCents: totalCents, receivedOn: "2026-01-01" })
  await app.sql.run(sql`
    update product_benefit_terms t set percentage = 100 from product_benefits pb
    where pb.id = t.product_benefit_id and pb.benefit_id = ${insured.benefitId}`)
  return { ...insured, sample: { ...insured.sample, incidentOn: "2026-01-20" } }
}

const key = () => crypto.randomUUID()
const approveWithoutComment = ({ id, version, status, proposedAmountCents }: ClaimDetail, amountCents?: number) => {
  const stage = status.replace("pending_", "") as Stage
  return scene.cast[stage].claims.decide({
    ...{ claimId: id, version, idempotencyKey: key(), decision: "approve" as const, reductionReason: "Cover left" },
    approvedAmountCents: amountCents ?? proposedAmountCents,
  })
}

async function rejectStage({ id: claimId, version, status }: ClaimDetail): Promise<void> {
  const decision = { claimId, version, idempotencyKey: key(), decision: "reject" as const, comment: "Not now" }
  await scene.cast[status.replace("pending_", "") as Stage].claims.decide(decision)
}

/** One step of a claim by a user who may take it: the next one, or one back. */
async function takeStep(claimId: string, random: RandomSource): Promise<void> {
  const manager = app.as(app.people.manager)
  const colleague = app.as(app.people.manager2)
  const claim = await manager.claims.detail({ claimId })
  const { id, version, status } = claim
  const isBack = random.below(4) === 0
  if (status === "submitted" || status === "under_review") await manager.claims.route({ claimId: id, version })
  else if (status === "rejected") await reopenClaim(scene.cast, id, today)
  else if (status.startsWith("pending_")) {
    if (!isBack && claim.proposedAmountCents! > 0)
      await approveWithoutComment(claim, random.below(4) === 0 ? claim.requestedAmountCents! : undefined)
    else await rejectStage(claim)
  } else {
    const payments = await app.sql.rows<{ id: string; version: number; status: string }>(sql`
      select id, version, status from payouts where subject_id = ${id} and status not in ('cancelled', 'returned')`)
    const [payment] = payments
    if (!payment && isBack) await colleague.claims.withdrawApproval({ claimId: id, version, reason: "A wrong bill" })
    else if (!payment) await createPayout(manager, id)
    else if (payment.status === "completed")
      await manager.payouts.return({
        ...{ payoutId: payment.id, version: payment.version, idempotencyKey: key(), returnedOn: today },
        reason: "Account closed",
      })
    else await completePayout(colleague, payment.id, today)
  }
}

/** Takes a claim that is not approved to a decision; it is approved with the amount that cover allows. */
async function decideWithoutPayment(claimId: string, decision: "approve" | "reject"): Promise<void> {
  const { manager } = scene.cast
  for (let isRejected = false; !isRejected; ) {
    const claim = await manager.claims.detail({ claimId })
    const { version, status, proposedAmountCents, requestedAmountCents } = claim
    if (status === "approved" || status === "paid" || (status === "rejected" && decision === "reject")) return
    if (status === "rejected") await reopenClaim(scene.cast, claimId, today)
    else if (!status.startsWith("pending_")) await manager.claims.route({ claimId, version })
    else if (decision === "reject") return rejectStage(claim)
    else
      await approveWithoutComment(claim, requestedAmountCents!).catch(async () => {
        if (proposedAmountCents! > 0) await approveWithoutComment(claim)
        else await rejectStage(claim)
      })
    if (status.startsWith("pending_")) isRejected = (await manager.claims.detail({ claimId })).status === "rejected"
  }
}

test("50 clients that approve, reject, reopen, pay and return claims never exceed the maximum cover", async () => {
  const claims: ClaimDetail[] = []
  for (let nth = 0; nth < 5; nth++)
    claims.push(
      await createClaimPendingAt(scene.cast, "policy_holder", {
        ...scene.sample,
        requestedAmountCents: 30_000_00 + nth,
      }),
    )
  const random = createRandomSource(seed)
  const refusals = new Set<string>()
  let most = 0
  const expectWithinLimits = async () => {
    const found = await app.sql.row<{ approved: number; paid: number; isOverpaid: boolean }>(sql`
      select coalesce(sum(c.approved_amount_cents) filter (where c.status in ('approved', 'paid')), 0)::bigint as approved,
        coalesce(sum(p.completed), 0)::bigint as paid, bool_or(p.live > coalesce(c.approved_amount_cents, 0)) as "isOverpaid"
      from claims c cross join lateral (
        select coalesce(sum(amount_cents), 0) as live, coalesce(sum(amount_cents) filter (where status = 'completed'), 0) as completed
        from payouts where subject_id = c.id and status not in ('cancelled', 'returned')) p
      where c.member_id = ${scene.memberId} and c.benefit_id = ${scene.benefitId}`)
    expect(found!.approved, `seed ${seed}`).toBeLessThanOrEqual(maxCoverCents)
    expect(found!.paid, `seed ${seed}`).toBeLessThanOrEqual(maxCoverCents)
    expect(found!.isOverpaid, `seed ${seed}`).toBe(false)
    most = Math.max(most, found!.approved)
  }
  const client = async () => {
    for (let turn = 0; turn < 2; turn++) {
      await takeStep(random.of(claims).id, random).catch(({ code }) => refusals.add(code))
      await expectWithinLimits()
    }
  }
  await Promise.all(Array.from({ length: 50 }, client))
  // Latest first: earlier claims are then appealed after later ones used up the cover.
  for (const { id } of claims) await decideWithoutPayment(id, "reject")
  for (const { id } of claims.toReversed()) {
    await decideWithoutPayment(id, "approve")
    await expectWithinLimits()
  }
  const known = ["INVALID", "STALE", "WRONG_STATUS", "NO_PENDING_STEP", "PAYMENT_EXISTS", "CONFLICT"]
  expect(
    [...refusals].filter((code) => !known.includes(code)),
    `seed ${seed}`,
  ).toEqual([])
  expect(most, `seed ${seed}`).toBeGreaterThan(50_000_00)
}, 120_000)

test("two relatives who claim for one funeral at once are both warned, and the cover is paid once", async () => {
  const death = createClaimContent({
    ...{ ...scene.sample, memberId: scene.secondMemberId, claimType: "death", causeOfDeath: "natural" },
    requestedAmountCents: maxCoverCents,
  })
  const relatives = [scene.people.hr, scene.people.manager].map((actor) => app.as(actor).claims)
  const drafts = await Promise.all(relatives.map((claims) => claims.saveDraft({ content: death })))
  const submitted = await Promise.all(
    drafts.map(({ id, version }, at) => relatives[at]!.submit({ claimId: id, version })),
  )
  const read = ({ id }: { id: string }) => scene.cast.manager.claims.detail({ claimId: id })
  const both = await Promise.all(submitted.map(read))
  expect(both.map(({ warnings }) => warnings[0])).toEqual(
    [1, 0].map((other) => ({
      sentence: "The person, benefit and incident date are the same as on",
      claims: [{ id: both[other]!.id, number: both[other]!.number }],
    })),
  )
  expect(both.map(({ limitCents }) => limitCents).toSorted()).toEqual([0, maxCoverCents])
  const routed = await Promise.all(
    both.map(({ id, version }) => app.as(app.people.manager2).claims.route({ claimId: id, version })),
  )
  const decided: ClaimDetail[] = []
  const refusals: string[] = []
  for (let claim of routed) {
    while (claim.status.startsWith("pending_")) {
      const approved = await approveWithoutComment(claim, maxCoverCents).catch(({ code }: { code: string }) => code)
      if (typeof approved === "string") {
        refusals.push(approved)
        break
      }
      claim = approved
    }
    decided.push(await read(claim))
  }
  const payable = decided.filter(({ status }) => status === "approved")
  expect(payable.map(({ approvedAmountCents }) => approvedAmountCents)).toEqual([maxCoverCents])
  expect(refusals).toEqual(["INVALID"])
})
