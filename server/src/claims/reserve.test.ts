import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { startJob } from "../platform/work/jobs.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { claimsDaily } from "./claims.jobs.ts"
import { approveStage, createClaimContent, createDraftClaim, createSubmittedClaim } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let underwriter2: UserActor

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Reserve Roasters")
  underwriter2 = await app.people.another("underwriter")
})
afterAll(() => app.close())

const manager = () => scene.cast.manager.claims
const reserveOf = (claimId: string, actor = app.people.underwriter) => app.as(actor).claims.reserve.detail({ claimId })
const detail = (claimId: string) => manager().detail({ claimId })
const balanceOf = async (claimId: string, account: "claims_outstanding" | "claims_expense") =>
  (await app.sql.row<{ cents: number }>(sql`
      select coalesce(sum(p.amount_cents), 0)::bigint as cents
      from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where e.record_id = ${claimId} and p.account = ${account}`))!.cents
const outstanding = async (claimId: string) => 0 - (await balanceOf(claimId, "claims_outstanding"))
const expense = (claimId: string) => balanceOf(claimId, "claims_expense")
const set = async (claimId: string, amountCents: number | null, reason = "Quote of the hospital") =>
  manager().reserve.set({ claimId, version: (await reserveOf(claimId)).version, amountCents, reason })
const approve = async ({ id: claimId, version }: ClaimDetail, cents: number) => {
  let claim = await manager().route({ claimId, version })
  while (claim.status.startsWith("pending_")) claim = await approveStage(scene.cast, claim, cents)
  return claim
}

test("a reserve follows the claim, and claims outstanding in the ledger follow the reserve", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const { proposedAmountCents } = await detail(claim.id)
  const first = await reserveOf(claim.id)
  expect(first).toMatchObject({ reserveCents: proposedAmountCents, setCents: null, canSet: false })
  expect(first.movements).toMatchObject([{ cause: "submitted", changeCents: proposedAmountCents }])
  expect(await outstanding(claim.id)).toBe(proposedAmountCents)

  const higher = await set(claim.id, proposedAmountCents + 500_00)
  expect(higher).toMatchObject({ reserveCents: proposedAmountCents + 500_00, setCents: proposedAmountCents + 500_00 })
  expect(higher.movements[0]).toMatchObject({
    ...{ cause: "set", changeCents: 500_00, reason: "Quote of the hospital", by: app.people.manager.name },
  })
  expect(await outstanding(claim.id)).toBe(proposedAmountCents + 500_00)

  const approved = await approve(await detail(claim.id), proposedAmountCents - 100_00)
  expect(await reserveOf(claim.id)).toMatchObject({ reserveCents: 0, setCents: null })
  expect([await outstanding(claim.id), await expense(claim.id)]).toEqual([0, proposedAmountCents - 100_00])

  const { version } = await detail(claim.id)
  await app.as(underwriter2).claims.withdrawApproval({ claimId: approved.id, version, reason: "Wrong bill" })
  expect(await reserveOf(claim.id)).toMatchObject({
    ...{ reserveCents: proposedAmountCents + 500_00, setCents: proposedAmountCents + 500_00 },
  })
  expect(await outstanding(claim.id)).toBe(proposedAmountCents + 500_00)

  const cleared = await set(claim.id, null, "The quote was withdrawn")
  expect(cleared).toMatchObject({ reserveCents: proposedAmountCents, setCents: null })
  expect(cleared.movements.map(({ cause }) => cause)).toEqual([
    ...["cleared", "approval_withdrawn", "approved", "set", "submitted"],
  ])

  const open = await detail(claim.id)
  const rejected = await manager().reject({ claimId: claim.id, version: open.version, reason: "Not insured" })
  expect([(await reserveOf(claim.id)).reserveCents, await outstanding(claim.id), await expense(claim.id)]).toEqual([
    0, 0, 0,
  ])
  await manager().reopen({
    claimId: claim.id,
    version: rejected.version,
    reason: "New report",
    receivedOn: "2026-11-02",
  })
  expect((await reserveOf(claim.id)).movements[0]).toMatchObject({
    cause: "reopened",
    reserveCents: proposedAmountCents,
  })
  expect(await verifyLedger(app.app.database.direct("staff"))).toEqual([])
})

test("an edit of a submitted claim moves its reserve; a withdrawal releases it", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const hr = app.as(scene.people.hr).claims
  const content = createClaimContent({ ...scene.sample, requestedAmountCents: 1_234_00 })
  await hr.saveDraft({ claimId: claim.id, version: claim.version, content })
  const reserve = await reserveOf(claim.id)
  expect(reserve.movements).toMatchObject([
    { cause: "changed", reserveCents: 1_234_00, by: scene.people.hr.name },
    { cause: "submitted" },
  ])
  expect(await outstanding(claim.id)).toBe(1_234_00)
  const { version } = await detail(claim.id)
  await hr.withdrawSubmitted({ claimId: claim.id, version, reason: "Paid by another insurer" })
  expect([(await reserveOf(claim.id)).movements[0]!.cause, await outstanding(claim.id)]).toEqual(["withdrawn", 0])
})

test("users of the employer neither see nor set the reserve, and claims of other employers are unknown", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  await set(claim.id, 4_321_00, "Comorbidity Xyzzy")
  const { hr, signatory } = scene.people
  for (const reader of [hr, signatory]) {
    await expect(reserveOf(claim.id, reader)).rejects.toMatchObject({ code: "FORBIDDEN" })
    const input = { claimId: claim.id, version: 2, amountCents: 1, reason: "Less" }
    await expect(app.as(reader).claims.reserve.set(input)).rejects.toMatchObject({ code: "FORBIDDEN" })
    const answers = [
      await app.as(reader).claims.detail({ claimId: claim.id }),
      await app.as(reader).claims.activity({ claimId: claim.id }),
      await app.as(reader).claims.list({}),
      await app.as(reader).notifications.inbox({ show: "all" }),
    ]
    expect(JSON.stringify(answers)).not.toMatch(/4321|4\s?321|Xyzzy/)
  }
  const other = await insureGroup(app, "Another Roastery")
  const foreign = app.as(other.people.hr).claims
  const { version } = await detail(claim.id)
  const content = createClaimContent(scene.sample)
  await expect(foreign.submit({ claimId: claim.id, version })).rejects.toMatchObject({ code: "NOT_FOUND" })
  await expect(foreign.withdrawSubmitted({ claimId: claim.id, version, reason: "x" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  })
  await expect(foreign.saveDraft({ claimId: claim.id, version, content })).rejects.toMatchObject({ code: "NOT_FOUND" })
  await expect(foreign.saveDraft({ content })).rejects.toMatchObject({
    ...{ code: "INVALID", data: { fields: [{ path: "content.memberId", message: "This member does not exist." }] } },
  })
  const rights = await app.sql.row<{ may: boolean }>(
    sql`select has_table_privilege('milkwood_scoped', 'claim_reserve_movements', 'select') as may`,
  )
  expect(rights!.may).toBe(false)
})

test("the second of two managers who set a reserve at once is refused, and so is an amount without a change", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const { version } = await reserveOf(claim.id)
  const setTo = (amountCents: number | null, reason = "Quote") =>
    manager().reserve.set({ claimId: claim.id, version, amountCents, reason })
  const calls = await Promise.allSettled([setTo(100_00), setTo(200_00)])
  expect(calls.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  expect(calls.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "STALE" } })
  const { setCents } = await reserveOf(claim.id)
  await expect(set(claim.id, setCents)).rejects.toMatchObject({ code: "INVALID" })
  await expect(set(claim.id, 1, " ")).rejects.toMatchObject({ code: "INVALID" })
  await expect(set(claim.id, -1)).rejects.toMatchObject({ code: "INVALID" })
})

test("the database refuses a gap in the movements, a changed movement, and a reserve of a decided claim", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const copy = (seq: number, change: number, reserve: number, of = claim.id) => sql`
    insert into claim_reserve_movements (id, group_id, claim_id, seq, policy_id, cause, moved_on, change_cents,
      reserve_cents, source, moved_at)
    select gen_random_uuid(), group_id, id, ${seq}, policy_id, 'changed', now(), ${change}, ${reserve},
      gen_random_uuid()::text, now() from claims where id = ${of}`
  const { reserveCents } = await reserveOf(claim.id)
  const isNoChain = { constraint: "claim_reserve_movements_are_a_chain" }
  await expect(app.sql.run(copy(3, 1, reserveCents + 1))).rejects.toMatchObject(isNoChain)
  await expect(app.sql.run(copy(2, 1, reserveCents + 2))).rejects.toMatchObject(isNoChain)
  const staff = app.app.database.direct("staff")
  const change = sql`update claim_reserve_movements set reserve_cents = 1 where claim_id = ${claim.id}`
  await expect(staff.run(change)).rejects.toThrow(/permission denied/)
  const { version } = await detail(claim.id)
  await manager().reject({ claimId: claim.id, version, reason: "Not insured" })
  const { seq } = (await reserveOf(claim.id)).movements[0]!
  await expect(app.sql.run(copy(seq + 1, 5, 5))).rejects.toMatchObject({
    constraint: "claim_reserve_movements_end_with_the_decision",
  })
})

test("month end and the check of the ledger name a reserve that differs from claims outstanding by one cent", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const readCheck = async () => {
    const { checks } = await app.as(app.people.manager).monthEnd.month({ month: "2026-11-01" })
    return checks.find(({ key }) => key === "reserves")!
  }
  expect(await readCheck()).toMatchObject({ isDone: true, notes: [] })
  await app.sql.run(sql`
    insert into claim_reserve_movements (id, group_id, claim_id, seq, policy_id, cause, moved_on, change_cents,
      reserve_cents, source, moved_at)
    select gen_random_uuid(), group_id, claim_id, seq + 1, policy_id, 'changed', moved_on, 1, reserve_cents + 1,
      'claim:' || claim_id || ':reserve:' || seq + 1, moved_at
    from claim_reserve_movements where claim_id = ${claim.id}`)
  const check = await readCheck()
  expect([check.isDone, check.notes.length]).toEqual([false, 1])
  expect(check.figures[1]!.value - check.figures[0]!.value).toBe(1)
  expect(await verifyLedger(app.app.database.direct("staff"))).not.toEqual([])
  await app.sql.run(sql`delete from claim_reserve_movements where claim_id = ${claim.id} and change_cents = 1`)
  expect(await verifyLedger(app.app.database.direct("staff"))).toEqual([])
})

test("the daily job reserves open claims that were submitted before claims had reserves, once", async () => {
  const claim = await createDraftClaim(scene.cast, scene.sample)
  await app.sql.run(sql`
    update claims set status = 'submitted', submitted_at = now(), submitted_by = captured_by[1], premium_standing = 'paid'
    where id = ${claim.id}`)
  const { proposedAmountCents } = await detail(claim.id)
  for (let night = 0; night < 2; night++) {
    await app.app.database.transaction("staff", async (tx) => {
      const { now } = await app.app.moment()
      const actor = { kind: "system" as const, name: "Milkwood", onBehalfOf: null }
      await startJob({ tx, actor, now }, { kind: claimsDaily.kind, label: "Daily claim update", payload: {} })
    })
    await app.runJobs()
  }
  expect((await reserveOf(claim.id)).movements).toMatchObject([
    { cause: "taken_on", changeCents: proposedAmountCents, by: null },
  ])
})

test("a reserve that follows the proposed amount can be updated after another claim used the limit", async () => {
  const two = await insureGroup(app, "Two Claims")
  const first = await createSubmittedClaim(two.cast, two.sample)
  const second = await createSubmittedClaim(two.cast, two.sample)
  const { reserveCents } = await reserveOf(second.id)
  const { version } = await detail(first.id)
  await manager().reject({ claimId: first.id, version, reason: "Not insured" })
  const { proposedCents } = await reserveOf(second.id)
  expect(proposedCents).toBeGreaterThan(reserveCents)
  expect(await set(second.id, null, "The first claim was rejected")).toMatchObject({ reserveCents: proposedCents })
  expect(await outstanding(second.id)).toBe(proposedCents)
})
