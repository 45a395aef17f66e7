import { claimStatusNames } from "@milkwood/domain/claims/claim"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import {
  approveStage,
  createClaimContent,
  createClaimPendingAt,
  createDraftClaim,
  createReviewedClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Handed On Harbours")
})
afterAll(() => app.close())

const staffDatabase = () => app.app.database.direct("staff")
const runSqlAs = (actor: UserActor, change: ReturnType<typeof sql>) =>
  app.app.database.transaction("scoped", (tx) => tx.run(change), actor)

describe("reassigning a claim", () => {
  test("notifies the new manager, who then cannot decide a stage of the claim", async () => {
    const { manager2 } = app.people
    const { id: claimId, version, number } = await createReviewedClaim(scene.cast, scene.sample)
    const given = await scene.cast.manager.claims.reassign({ claimId, version, userId: manager2.userId })
    expect(given).toMatchObject({ status: "under_review", reviewedBy: manager2.name, version: version + 1 })
    expect(given.timeline[0]).toMatchObject({ sentence: `assigned the claim to ${manager2.name}` })
    const { rows } = await scene.cast.manager.claims.pending({ search: number })
    expect(rows).toMatchObject([{ assignedTo: manager2.name }])
    const { rows: told } = await app.as(manager2).notifications.inbox({})
    expect(told.map(({ text }) => text)).toContain(`Claim ${number} was assigned to you`)

    const waiting = await approveStage(
      scene.cast,
      await scene.cast.manager.claims.route({ claimId, version: given.version }),
    )
    const decision = { claimId, version: waiting.version, decision: "approve" as const, comment: "Agreed" }
    for (const person of [manager2, app.people.manager]) {
      const now: UserActor = { ...person, role: "underwriter" }
      await expect(
        app.as(now).claims.decide({ ...decision, idempotencyKey: crypto.randomUUID() }),
      ).rejects.toMatchObject({ code: "OWN_CLAIM" })
    }
  })

  test("is limited to users who review claims", async () => {
    const { id: claimId, version } = await createSubmittedClaim(scene.cast, scene.sample)
    const { manager, manager2, admin, underwriter } = app.people
    const reviewers = await scene.cast.manager.claims.reviewers()
    expect(new Set(reviewers.map(({ userId }) => userId))).toEqual(
      new Set([manager.userId, manager2.userId, admin.userId]),
    )
    for (const { userId } of [underwriter, scene.people.hr]) {
      await expect(scene.cast.manager.claims.reassign({ claimId, version, userId })).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path: "userId" }] },
      })
    }
    await expect(
      scene.cast.manager.claims.reassign({ claimId, version: version - 1, userId: manager2.userId }),
    ).rejects.toMatchObject({ code: "STALE" })
  })
})

describe("withdrawing a draft", () => {
  test("deletes it with its documents and keeps the audit trail", async () => {
    const server = await app.serve()
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const form = new FormData()
    form.set("documentType", "police_report")
    form.set("file", new File(["%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n"], "report.pdf"))
    await fetch(`${server.url}/api/claims/${draft.id}/documents`, {
      method: "POST",
      headers: server.headersOf(scene.people.hr),
      body: form,
    })
    const files = () => app.sql.rows(sql`select id from files where kind = 'claim_document'`)
    expect(await files()).toHaveLength(1)
    const { id: claimId, version } = draft
    await expect(app.as(scene.people.hr2).claims.withdraw({ claimId, version })).rejects.toMatchObject({
      code: "FORBIDDEN",
    })
    expect(await scene.cast.captures.claims.withdraw({ claimId, version })).toEqual({ number: draft.number })
    await expect(scene.cast.captures.claims.detail({ claimId })).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(await files()).toEqual([])
    expect(await app.sql.rows(sql`select fact, actor_id as who from audit_log where record_id = ${claimId}`)).toEqual([
      { fact: "ClaimWithdrawn", who: scene.people.hr.userId },
    ])
    const again = await createDraftClaim(scene.cast, scene.sample)
    expect(again.number > draft.number).toBe(true)
    await scene.cast.manager.claims.withdraw({ claimId: again.id, version: again.version })
  })

  test("cannot delete submitted claims or another user's draft, even by raw SQL", async () => {
    const submitted = await createSubmittedClaim(scene.cast, scene.sample)
    await expect(staffDatabase().run(sql`delete from claims where id = ${submitted.id}`)).rejects.toMatchObject({
      code: "42501",
    })
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const drop = sql`delete from claims where id = ${draft.id}`
    expect(await runSqlAs(scene.people.hr2, drop)).toBe(0)
    expect(await runSqlAs(scene.people.hr, drop)).toBe(1)
  })
})

describe("the tier and cover of a claim", () => {
  const incidentOn = "2026-10-20"
  const shown = { tier: "Standard", maxCoverCents: 80_000_00 }
  const coverOf = ({ member, maxCoverCents }: Awaited<ReturnType<typeof createDraftClaim>>) => ({
    tier: member.tier,
    maxCoverCents,
  })

  test("stay as submitted until the claim is sent back or changes member, benefit or day", async () => {
    const { cast, sample, memberId } = await insureGroup(app, "Frozen Fields")
    const pending = await createClaimPendingAt(cast, "underwriter", { ...sample, incidentOn })
    const submitted = await createSubmittedClaim(cast, { ...sample, incidentOn })
    const draft = await createDraftClaim(cast, { ...sample, incidentOn })
    for (const claim of [pending, submitted, draft]) expect(coverOf(claim)).toEqual(shown)

    const manager = app.as(app.people.manager)
    const tierOf = async (tier: string, on: string) => {
      const { version } = await manager.members.detail({ memberId })
      await manager.members.changeTier({ memberId, version, tierId: app.benefits.tiers[tier]!, on })
    }
    // The change is effective after the incident, so even the draft is unchanged.
    await tierOf("Silver", "2026-10-21")
    const read = (id: string) => cast.manager.claims.detail({ claimId: id })
    for (const { id } of [pending, submitted, draft]) expect(coverOf(await read(id))).toEqual(shown)
    // The change is effective before the incident: the draft changes, the submitted claim does not.
    await tierOf("Gold", "2026-10-01")
    const gold = { tier: "Gold", maxCoverCents: 240_000_00 }
    expect(coverOf(await read(draft.id))).toEqual(gold)
    for (const { id } of [pending, submitted]) expect(coverOf(await read(id))).toEqual(shown)
    // The underwriter's limit is the maximum at submission.
    const above = { claimId: pending.id, version: pending.version, idempotencyKey: crypto.randomUUID() }
    await expect(
      cast.underwriter.claims.decide({ ...above, decision: "approve", approvedAmountCents: 50_000_00, comment: "" }),
    ).rejects.toMatchObject({ code: "INVALID" })
    // Edits that keep member, benefit and day keep the cover; another day recalculates it.
    const { version } = submitted
    const content = createClaimContent({ ...sample, incidentOn, requestedAmountCents: 100_00 })
    const typed = await cast.captures.claims.saveDraft({ claimId: submitted.id, version, content })
    expect(coverOf(typed)).toEqual(shown)
    const moved = await cast.captures.claims.saveDraft({
      claimId: submitted.id,
      version: typed.version,
      content: { ...content, incidentOn: "2026-10-19" },
    })
    expect(coverOf(moved)).toEqual(gold)
    const back = await cast.manager.claims.sendBack({ claimId: pending.id, version: pending.version, reason: "Tier" })
    expect(coverOf(back)).toEqual(gold)
  })

  test("do not change for a submitted claim when the product changes", async () => {
    const one = await insureGroup(app, "Product Pans")
    const draft = await createDraftClaim(one.cast, { ...one.sample, incidentOn })
    const submitted = await one.cast.captures.claims.submit({ claimId: draft.id, version: draft.version })
    expect(submitted).toMatchObject({
      ...{ maxCoverCents: draft.maxCoverCents, coverPercentage: draft.coverPercentage },
      member: draft.member,
    })
    const admin = app.as(app.people.admin)
    const { rows } = await admin.benefits.productBenefits.list({ search: "Hospital", pageSize: 100 })
    const row = rows.find(({ tier }) => tier === "Standard")!
    await app.sql.run(sql`update product_benefit_terms set amount_cents = 100 where product_benefit_id = ${row.id}`)
    expect(await one.cast.manager.claims.detail({ claimId: draft.id })).toMatchObject({ maxCoverCents: 80_000_00 })
    const later = await createDraftClaim(one.cast, { ...one.sample, incidentOn })
    expect(later.maxCoverCents).toBe(100)
    await app.sql.run(sql`update product_benefit_terms set amount_cents = 8000000 where product_benefit_id = ${row.id}`)
  })

  test("cannot be changed directly in the database", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    await expect(
      staffDatabase().run(sql`update claims set max_cover_cents = 99999999 where id = ${claim.id}`),
    ).rejects.toMatchObject({ code: "23001" })
    const draft = await createDraftClaim(scene.cast, scene.sample)
    await expect(
      runSqlAs(scene.people.hr, sql`update claims set max_cover_cents = 1 where id = ${draft.id}`),
    ).rejects.toThrow()
  })
})

test("the pending list exports as a file with the list's wording", async () => {
  const server = await app.serve()
  const headers = server.headersOf(app.people.manager)
  const answer = await fetch(`${server.url}/api/pending-claims.csv`, { headers })
  const [head, ...lines] = (await answer.text()).replace("\uFEFF", "").trim().split("\r\n")
  expect(head).toBe(
    "Claim,Member,Insured person,Member number,Policy group,Type,Claim amount,Requested,Submitted,Waiting,Time left,Priority,Status,Assessment,Assigned to",
  )
  const { rows } = await app.as(app.people.manager).claims.pending({ pageSize: 100 })
  expect(rows.length).toBeGreaterThan(3)
  expect(lines.map((line) => line.split(","))).toEqual(
    rows.map((row) => [
      row.number,
      `${row.member.firstName} ${row.member.lastName}`,
      row.insuredPerson,
      row.member.number,
      row.group.name,
      "Medical",
      String(row.claimAmountCents! / 100),
      String(row.requestedAmountCents! / 100),
      "2026-11-02",
      String(row.waitingDays),
      row.timeLeft,
      row.priority,
      claimStatusNames[row.status],
      row.state,
      row.assignedTo,
    ]),
  )
})
