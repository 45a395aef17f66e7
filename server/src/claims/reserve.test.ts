import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { claimsDaily } from "./claims.jobs.ts"
import { approveStage, createSubmittedClaim } from "./claims.samples.ts"

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
const outstanding = async (claimId: string) =>
  (await app.sql.row<{ cents: number }>(sql`
      select coalesce(-sum(p.amount_cents), 0)::bigint as cents
      from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where e.record_id = ${claimId} and p.account = 'claims_outstanding'`))!.cents
const expense = async (claimId: string) =>
  (await app.sql.row<{ cents: number }>(sql`
      select coalesce(sum(p.amount_cents), 0)::bigint as cents
      from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where e.record_id = ${claimId} and p.account = 'claims_expense'`))!.cents
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
  await manager().reopen({ claimId: claim.id, version: rejected.version, reason: "New report", receivedOn: "2026-11-02" })
  expect((await reserveOf(claim.id)).movements[0]).toMatchObject({
    cause: "reopened",
    reserveCents: proposedAmountCents,
  })
  expect(await verifyLedger(app.app.database.direct("staff"))).toEqual([])
})
