import { setImmediate } from "node:timers/promises"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createClaimContent, createClaimPendingAt, createDraftClaim, createRoutedClaim } from "./claims.samples.ts"
import { lockCover } from "./other-claims.queries.ts"

let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())

const premiumCheckOf = (claim: ClaimDetail) => {
  const { result, label, evidence } = claim.coverCheck.find(({ check }) => check === "premiums")!
  return { result, label, evidence }
}

async function createBilledMonths(months: string[], invoiceOn: string, paid: boolean) {
  const scene = await insureGroup(app, `Employer ${crypto.randomUUID()}`)
  const { policyId } = scene
  for (const month of months) {
    const invoice = await createSentInvoice(app.as(app.people.manager), { policyId, month, invoiceOn })
    if (paid)
      await recordedReceipt(app.as(app.people.manager), {
        policyId,
        amountCents: invoice.totalCents,
        receivedOn: invoiceOn,
      })
  }
  return createDraftClaim(scene.cast, { ...scene.sample, incidentOn: "2026-10-20" })
}
const months = Array.from({ length: 10 }, (_, at) => `2026-${String(at + 1).padStart(2, "0")}-01`)

test("premiums do not pass with unbilled months, even if the billed month is paid", async () => {
  expect(premiumCheckOf(await createBilledMonths(["2026-10-01"], "2026-10-01", true))).toEqual({
    result: "fail",
    label: "Unpaid",
    evidence: "Jan–Sep 2026 not billed. As at 2026-11-02.",
  })
})

test("premiums do not fail because of an invoice that is not due", async () => {
  const claim = await createBilledMonths(months, "2026-11-02", false)
  expect(premiumCheckOf(claim)).toMatchObject({ result: "open", label: "Not yet due" })
  expect(premiumCheckOf(claim).evidence).toContain("due 2026-12-02. As at 2026-11-02.")
})

test("an incident in the grace period of an unpaid premium is covered", async () => {
  const claim = await createBilledMonths(months, "2026-09-20", false)
  expect(premiumCheckOf(claim)).toMatchObject({ result: "pass", label: "In grace" })
  const { grace } = await app.as(app.people.manager).collection.grace({ policyId: claim.policy.id })
  expect(grace!.coverUntil).toBe("2026-11-04")
  expect(premiumCheckOf(claim).evidence).toContain(
    `cover continues until ${grace!.coverUntil}, so the incident is covered.`,
  )
})

test("premiums pass when every month is billed and paid", async () => {
  expect(premiumCheckOf(await createBilledMonths(months, "2026-10-01", true))).toEqual({
    result: "pass",
    label: "Paid",
    evidence: "Paid up to Oct 2026. As at 2026-11-02.",
  })
})

test("a month before the member joined is not owed", async () => {
  const scene = await insureGroup(app, "Employer before cover")
  const claim = await createDraftClaim(scene.cast, { ...scene.sample, incidentOn: "2025-12-31" })
  expect(premiumCheckOf(claim)).toMatchObject({
    result: "pass",
    evidence: "No premium was owed up to Dec 2025. As at 2026-11-02.",
  })
})

const maximumCheckOf = (claim: ClaimDetail) => claim.coverCheck.find(({ check }) => check === "maximum")!
const withPlainSpaces = (text: string) => text.replaceAll("\u00a0", " ")
const decisionInputOf = (claim: ClaimDetail, comment = "") => ({
  ...{ claimId: claim.id, version: claim.version, idempotencyKey: crypto.randomUUID(), decision: "approve" as const },
  ...{ approvedAmountCents: null, comment, reductionReason: "" },
})
const createWholeCover = async (coverPercentage = 100) =>
  app.sql.run(sql`
    update product_benefit_terms t set percentage = ${coverPercentage} from product_benefits pb
    where pb.id = t.product_benefit_id and pb.benefit_id = ${app.benefits.benefits["Hospital benefit"]!}`)

test("claims of one member and benefit add up, so earlier claims reduce later cover", async () => {
  await createWholeCover()
  const { cast, sample, memberId, benefitId, secondMemberId } = await insureGroup(app, "Adding Up Acres")
  const first = await createClaimPendingAt(cast, "underwriter", sample)
  const later = await createClaimPendingAt(cast, "underwriter", {
    ...{ ...sample, incidentOn: "2026-10-25", notificationOn: "2026-10-26" },
  })
  await createRoutedClaim(cast, { ...sample, memberId: secondMemberId })
  await createRoutedClaim(cast, { ...sample, incidentOn: "2025-12-31" })
  expect(maximumCheckOf(await cast.manager.claims.detail({ claimId: first.id }))).toMatchObject({ result: "pass" })
  const used = await app.sql.row<{ cents: number }>(sql`
    select sum(requested_amount_cents)::bigint as cents from claims
    where member_id = ${memberId} and benefit_id = ${benefitId} and incident_on >= '2026-01-01' and id <> ${later.id}`)
  const shown = await cast.underwriter.claims.detail({ claimId: later.id })
  expect(shown).toMatchObject({ limitCents: 80_000_00 - used!.cents, proposedAmountCents: 30_000_00 })
  expect(shown.otherClaims).toMatchObject([
    { number: first.number, status: "pending_underwriter", amountCents: 50_000_00, counts: true },
    { incidentOn: "2025-12-31", counts: false },
  ])
  expect(maximumCheckOf(shown).result).toBe("fail")
  expect(withPlainSpaces(maximumCheckOf(shown).evidence)).toBe(
    `R 50 000,00 requested. R 80 000,00 maximum cover less R 50 000,00 for ${first.number} leaves R 30 000,00.`,
  )
  await expect(cast.underwriter.claims.decide(decisionInputOf(shown))).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "comment" }] },
  })
})

test("a concurrent approval for the same cover counts against the claim", async () => {
  await createWholeCover()
  const { cast, sample, people } = await insureGroup(app, "Race For Cover Farms")
  const first = await createClaimPendingAt(cast, "policy_holder", sample)
  const later = await createClaimPendingAt(cast, "policy_holder", sample)
  const approving = await app.transaction(app.people.manager, async ({ tx }) => {
    await lockCover(tx, createClaimContent(sample))
    const call = cast.policy_holder.claims.decide(decisionInputOf(first)).catch((error: { code: string }) => error.code)
    const waits = sql`select from pg_locks where locktype = 'advisory' and not granted`
    while (!(await app.sql.row(waits))) await setImmediate()
    await tx.run(sql`
      update claim_approvals set status = 'approved', approved_amount_cents = 5000000, decided_by = ${people.signatory.userId},
        decided_at = '2026-11-02T08:00:00Z' where claim_id = ${later.id} and stage = 'policy_holder'`)
    await tx.run(sql`
      update claims set status = 'approved', due_on = null, approved_amount_cents = 5000000, policy_holder_approval_at = '2026-11-02T08:00:00Z',
        final_approval_at = '2026-11-02T08:00:00Z' where id = ${later.id}`)
    await tx.run(sql`
      insert into claim_reserve_movements (id, group_id, claim_id, seq, policy_id, cause, moved_on, change_cents,
        reserve_cents, source, moved_at)
      select gen_random_uuid(), group_id, claim_id, seq + 1, policy_id, 'approved', moved_on, -reserve_cents, 0, 'approval', moved_at
      from claim_reserve_movements where claim_id = ${later.id} order by seq desc limit 1`)
    return { call }
  })
  expect(await approving.call).toBe("INVALID")
  const shown = await cast.manager.claims.detail({ claimId: first.id })
  expect(maximumCheckOf(shown).result).toBe("fail")
  await expect(cast.policy_holder.claims.decide(decisionInputOf(first, "Ex gratia"))).resolves.toMatchObject({
    status: "approved",
  })
})

test("the cover percentage applies to the claimed amount; 0 means 100 %, and no maximum", async () => {
  const { cast, sample } = await insureGroup(app, "Percentage Pastures")
  await createWholeCover(80)
  const part = await createDraftClaim(cast, { ...sample, claimAmountCents: 60_000_00 })
  expect(part).toMatchObject({ limitCents: 48_000_00, proposedAmountCents: 48_000_00 })
  expect(withPlainSpaces(maximumCheckOf(part).evidence)).toContain("R 60 000,00 claimed × 80 % = R 48 000,00.")
  await app.sql.run(sql`
    update product_benefit_terms t set amount_cents = 0, percentage = 0 from product_benefits pb
    where pb.id = t.product_benefit_id and pb.benefit_id = ${sample.benefitId!}`)
  const whole = await createDraftClaim(cast, sample)
  expect(whole).toMatchObject({ limitCents: null, proposedAmountCents: 50_000_00 })
  expect(maximumCheckOf(whole)).toMatchObject({ result: "pass" })
  await app.sql.run(sql`
    update product_benefit_terms x set amount_cents = 8000000 * t.position, percentage = 80
    from product_benefits pb join benefit_tiers t on t.id = pb.tier_id
    where pb.id = x.product_benefit_id and pb.benefit_id = ${sample.benefitId!}`)
})

describe("the benefit of a claim", () => {
  test("pays its own claim types only", async () => {
    const { cast, sample } = await insureGroup(app, "Typed Tanneries")
    const admin = app.as(app.people.admin)
    const { version, name } = await admin.benefits.benefits.get({ id: sample.benefitId! })
    const pays = (claimTypes: ("medical" | "death")[], of: number) =>
      admin.benefits.benefits.update({ id: sample.benefitId!, version: of, name, claimTypes })
    await pays(["death"], version)
    const draft = await createDraftClaim(cast, sample)
    const submit = () => cast.captures.claims.submit({ claimId: draft.id, version: draft.version })
    await expect(submit()).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "claimType" }] } })
    await pays(["medical", "death"], version + 1)
    await expect(submit()).resolves.toMatchObject({ status: "submitted" })
  })

  test("must be given by the product at the member's tier on the incident day", async () => {
    const { cast, sample, memberId } = await insureGroup(app, "Offered Orchards")
    const { benefits } = await cast.captures.claims.benefits({ memberId, incidentOn: "2026-10-20" })
    const given = await app.sql.rows<{ name: string }>(sql`
      select b.name from product_benefits pb join benefits b on b.id = pb.benefit_id
      join policies p on p.product_type_id = pb.product_type_id join members m on m.policy_id = p.id
      where m.id = ${memberId} and pb.tier_id = m.tier_id order by b.name`)
    expect(benefits.map(({ name }) => name)).toEqual(given.map(({ name }) => name))
    const benefitId = app.benefits.benefits["Death benefit"]!
    const draft = await createDraftClaim(cast, { ...sample, benefitId, claimType: "death" })
    expect(maximumCheckOf(draft)).toMatchObject({ result: "fail" })
    await expect(cast.captures.claims.submit({ claimId: draft.id, version: draft.version })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "benefitId" }] },
    })
  })
})

test("a funeral product's waiting period depends on the cause of death, which a policy holder cannot infer", async () => {
  const admin = app.as(app.people.admin)
  const manager = app.as(app.people.manager)
  const scene = await insureGroup(app, "Funeral Employer")
  const id = app.benefits.productTypes["Group Health"]!
  const { version, name, description, vatRates } = await admin.benefits.productTypes.get({ id })
  const marked = await admin.benefits.productTypes.update({ id, version, name, description, vatRates, isFuneral: true })
  expect(marked.isFuneral).toBe(true)
  const policy = await manager.policies.detail({ policyId: scene.policyId })
  const saveWaiting = (waitingPeriodMonths: number) =>
    manager.policies.updateSection({
      ...{ policyId: policy.id, version: policy.version },
      change: {
        section: "coverage",
        values: { ...policy.coverage, waitingPeriodMonths, waitingPeriodFromOn: "2026-01-01" },
      },
    })
  await expect(saveWaiting(7)).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "waitingPeriodMonths" }] },
  })
  await saveWaiting(6)
  const waitingOf = async (causeOfDeath: "accident" | "natural", reader: UserActor) => {
    const sample = { ...scene.sample, claimType: "death" as const, causeOfDeath, incidentOn: "2026-03-01" }
    const { id: claimId } = await createClaimPendingAt(scene.cast, "policy_holder", sample)
    const { coverCheck } = await app.as(reader).claims.detail({ claimId })
    return coverCheck.find(({ check }) => check === "waiting")!
  }
  const { manager: insider, signatory } = scene.people
  expect((await waitingOf("accident", insider)).result).toBe("pass")
  expect((await waitingOf("natural", insider)).result).toBe("fail")
  const seen = await waitingOf("accident", signatory)
  expect(seen).toMatchObject({ result: "open", label: "Depends on the cause of death" })
  expect(await waitingOf("natural", signatory)).toEqual(seen)
  await admin.benefits.productTypes.update({
    ...{ id, version: marked.version, name, description, vatRates, isFuneral: false },
  })
})
