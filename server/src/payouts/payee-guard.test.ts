import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import type { Client } from "../test/app.ts"
import { createCompletedPayout, createPayout, createReleasedPayout, samplePayee } from "./payouts.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let maker: Client
let other: Client
let claimId: string

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Guarded Gardens")
  maker = app.as(app.people.manager)
  other = app.as(app.people.manager2)
})
afterAll(() => app.close())
beforeEach(async () => {
  claimId = (await createApprovedClaim(scene.cast, scene.sample)).id
})

const stepInputOf = (payout: { id: string; version: number }) => ({
  payoutId: payout.id,
  version: payout.version,
  idempotencyKey: randomUUID(),
})

const known = { ...samplePayee, payeeName: "N Khumalo", payeeAccountNumber: "62001112223" }
const otherPayee = { ...samplePayee, payeeName: "A Botha", payeeAccountNumber: "62009999999" }
const payeeWaitsError = { code: "PAYEE_WAITS" }
afterEach(() => app.clock.set("2026-11-02T08:00:00Z"))

test("holds a retry to another payee for a second user's confirmation and 24 hours", async () => {
  const released = await createReleasedPayout(maker, other, claimId, known)
  const failed = await maker.payouts.fail({ ...stepInputOf(released), reason: "Account closed" })
  const changed = await maker.payouts.changePayee({ payoutId: failed.id, version: failed.version, ...otherPayee })
  expect(changed.formerPayee).toMatchObject({ payeeName: "N Khumalo", payeeAccountNumber: "62001112223" })
  const retried = await maker.payouts.retry(stepInputOf(changed))
  await expect(other.payouts.release(stepInputOf(retried))).rejects.toMatchObject(payeeWaitsError)
  const unheld = sql`
    update payouts set former_payee = null, status = 'processing', released_by = ${app.people.manager2.userId},
      released_at = '2026-11-02T08:00:00Z' where id = ${failed.id}`
  await expect(app.sql.run(unheld)).rejects.toMatchObject({ code: "23514" })
  const confirmed = await other.payouts.confirmPayee({ payoutId: retried.id, version: retried.version })
  app.clock.set("2026-11-03T07:59:59Z")
  await expect(other.payouts.release(stepInputOf(confirmed))).rejects.toMatchObject(payeeWaitsError)
  app.clock.set("2026-11-03T08:00:00Z")
  const sent = await other.payouts.release(stepInputOf(confirmed))
  const again = await maker.payouts.fail({ ...stepInputOf(sent), reason: "Account closed" })
  const same = await maker.payouts.retry(stepInputOf(again))
  await expect(other.payouts.release(stepInputOf(same))).resolves.toMatchObject({
    payeeName: "A Botha",
    status: "processing",
  })
})

test("holds a claim's next payment to another payee after a payment was cancelled", async () => {
  const heldNow = (payee: typeof known) =>
    createPayout(maker, claimId, payee).then(({ formerPayee }) => formerPayee?.payeeName)
  const cancelLast = async () => {
    const last = await app.sql.row<{ id: string; version: number }>(
      sql`select id, version from payouts where claim_id = ${claimId} and status in ('pending', 'processing')`,
    )
    await maker.payouts.cancel({ ...stepInputOf(last!), reason: "Wrong payee" })
  }
  await createPayout(maker, claimId, known)
  await cancelLast()
  expect(await heldNow(otherPayee)).toBe("N Khumalo")
  await cancelLast()
  expect(await heldNow(otherPayee)).toBe("N Khumalo")
  await cancelLast()
  const completed = await createCompletedPayout(maker, other, claimId, "2026-11-02", known).catch((error) => error.code)
  expect(completed).toBe("PAYEE_WAITS")
})

test("holds a known payee's other account across claims, but not a new payee", async () => {
  await createCompletedPayout(maker, other, claimId, "2026-11-02", { ...known, payeeName: "P Mokoena" })
  const next = (await createApprovedClaim(scene.cast, scene.sample)).id
  const made = await createPayout(maker, next, { ...known, payeeName: "p. mokoena", payeeAccountNumber: "62005556667" })
  expect(made.formerPayee).toMatchObject({ payeeAccountNumber: "62001112223" })
  await expect(other.payouts.release(stepInputOf(made))).rejects.toMatchObject(payeeWaitsError)
  await maker.payouts.cancel({ ...stepInputOf(made), reason: "Wrong account" })
  const third = (await createApprovedClaim(scene.cast, scene.sample)).id
  await expect(createReleasedPayout(maker, other, third, otherPayee)).resolves.toMatchObject({ status: "processing" })
})

test("suggests the payee of the claim's last attempt before the member's", async () => {
  const { policyId, memberId } = (await maker.claims.payable({ claimId }))[0]!
  const of = () => maker.payouts.lastPayee({ policyId, memberId, claimId })
  expect((await of())?.isOfClaim).not.toBe(true)
  const released = await createReleasedPayout(maker, other, claimId, { ...known, payeeName: "B Radebe" })
  await maker.payouts.fail({ ...stepInputOf(released), reason: "Account closed" })
  expect(await of()).toMatchObject({ payeeName: "B Radebe", isOfClaim: true })
})
