import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { approvedClaim } from "../claims/claims.samples.ts"
import type { Client } from "../test/app.ts"
import { completedPayout, madePayout, releasedPayout, samplePayee } from "./payouts.samples.ts"

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
  claimId = (await approvedClaim(scene.cast, scene.sample)).id
})

const step = (payout: { id: string; version: number }) => ({
  payoutId: payout.id,
  version: payout.version,
  idempotencyKey: randomUUID(),
})

const known = { ...samplePayee, payeeName: "N Khumalo", payeeAccountNumber: "62001112223" }
const stranger = { ...samplePayee, payeeName: "A Botha", payeeAccountNumber: "62009999999" }
const waits = { code: "PAYEE_WAITS" }
afterEach(() => app.clock.set("2026-11-02T08:00:00Z"))

test("holds the retry of a failed payment for a second user and 24 hours", async () => {
  const released = await releasedPayout(maker, other, claimId, known)
  const failed = await maker.payouts.fail({ ...step(released), reason: "Account closed" })
  const changed = await maker.payouts.changePayee({ payoutId: failed.id, version: failed.version, ...stranger })
  expect(changed.formerPayee).toMatchObject({ payeeName: "N Khumalo", payeeAccountNumber: "62001112223" })
  const retried = await maker.payouts.retry(step(changed))
  await expect(other.payouts.release(step(retried))).rejects.toMatchObject(waits)
  const unheld = sql`
    update payouts set former_payee = null, status = 'processing', released_by = ${app.people.manager2.userId},
      released_at = '2026-11-02T08:00:00Z' where id = ${failed.id}`
  await expect(app.sql.run(unheld)).rejects.toMatchObject({ code: "23514" })
  const confirmed = await other.payouts.confirmPayee({ payoutId: retried.id, version: retried.version })
  app.clock.set("2026-11-03T07:59:59Z")
  await expect(other.payouts.release(step(confirmed))).rejects.toMatchObject(waits)
  app.clock.set("2026-11-03T08:00:00Z")
  const sent = await other.payouts.release(step(confirmed))
  const again = await maker.payouts.fail({ ...step(sent), reason: "Account closed" })
  const same = await maker.payouts.retry(step(again))
  await expect(other.payouts.release(step(same))).resolves.toMatchObject({
    payeeName: "A Botha",
    status: "processing",
  })
})

test("holds another payment of a claim after one was cancelled before release", async () => {
  const heldNow = (payee: typeof known) =>
    madePayout(maker, claimId, payee).then(({ formerPayee }) => formerPayee?.payeeName)
  const cancelLast = async () => {
    const last = await app.sql.row<{ id: string; version: number }>(
      sql`select id, version from payouts where claim_id = ${claimId} and status in ('pending', 'processing')`,
    )
    await maker.payouts.cancel({ ...step(last!), reason: "Wrong payee" })
  }
  await madePayout(maker, claimId, known)
  await cancelLast()
  expect(await heldNow(stranger)).toBe("N Khumalo")
  await cancelLast()
  expect(await heldNow(stranger)).toBe("N Khumalo")
  await cancelLast()
  const completed = await completedPayout(maker, other, claimId, "2026-11-02", known).catch((error) => error.code)
  expect(completed).toBe("PAYEE_WAITS")
})

test("holds a known payee with another account across claims, but no different payee", async () => {
  await completedPayout(maker, other, claimId, "2026-11-02", { ...known, payeeName: "P Mokoena" })
  const next = (await approvedClaim(scene.cast, scene.sample)).id
  const made = await madePayout(maker, next, { ...known, payeeName: "p. mokoena", payeeAccountNumber: "62005556667" })
  expect(made.formerPayee).toMatchObject({ payeeAccountNumber: "62001112223" })
  await expect(other.payouts.release(step(made))).rejects.toMatchObject(waits)
  await maker.payouts.cancel({ ...step(made), reason: "Wrong account" })
  const third = (await approvedClaim(scene.cast, scene.sample)).id
  await expect(releasedPayout(maker, other, third, stranger)).resolves.toMatchObject({ status: "processing" })
})

test("suggests the payee of the claim's last attempt before the member's", async () => {
  const { policyId, memberId } = (await maker.claims.payable({ claimId }))[0]!
  const of = () => maker.payouts.lastPayee({ policyId, memberId, claimId })
  expect((await of())?.isOfClaim).not.toBe(true)
  const released = await releasedPayout(maker, other, claimId, { ...known, payeeName: "B Radebe" })
  await maker.payouts.fail({ ...step(released), reason: "Account closed" })
  expect(await of()).toMatchObject({ payeeName: "B Radebe", isOfClaim: true })
})
