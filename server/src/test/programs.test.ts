import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createBankAccount } from "../banking/banking.samples.ts"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { approveStage, createApprovedClaim, createRoutedClaim } from "../claims/claims.samples.ts"
import { createBatch, stepInputOf } from "../payouts/batches.samples.ts"
import { createPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { createRefund } from "../refunds/refunds.samples.ts"
import { createProgram } from "../users/service-keys.samples.ts"

/* For the four-eyes rule, in code and in the database, the creator of an API key counts as its user. Also tests what
   only people may do. */

let app: ClaimApp
let scene: ClaimScene
let maker: UserActor
let other: UserActor
let program: Awaited<ReturnType<typeof createProgram>>

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Program Mills")
  maker = await app.people.another("admin")
  other = await app.people.another("admin")
  program = await createProgram(app, "manager", { maker })
})
afterAll(() => app.close())

const stepInput = ({ id, version }: { id: string; version: number }) => ({
  ...{ payoutId: id, version, idempotencyKey: randomUUID() },
})

describe("a payment made by an API key", () => {
  const made = async () => createPayout(program.client, (await createApprovedClaim(scene.cast, scene.sample)).id)

  test("an API key's payment cannot be released by the key's creator, who counts as preparer", async () => {
    const payout = await made()
    const seenBy = async (actor: UserActor) =>
      (await app.as(actor).payouts.detail({ payoutId: payout.id })).allowedActions.includes("release")
    expect([await seenBy(maker), await seenBy(other)]).toEqual([false, true])
    await expect(app.as(maker).payouts.release(stepInput(payout))).rejects.toMatchObject({ code: "FOUR_EYES" })
    await expect(app.as(other).payouts.release(stepInput(payout))).resolves.toMatchObject({ status: "processing" })
  })

  test("a batch with an API key's payment cannot be released by the key's creator", async () => {
    const payout = await made()
    const account = await createBankAccount(app.as(app.people.admin))
    const batch = await createBatch(app.as(maker), account.id, [payout.id], "fnb")
    const release = (actor: UserActor) => app.as(actor).payouts.batches.release(stepInputOf(batch))
    await expect(release(maker)).rejects.toMatchObject({ code: "FOUR_EYES" })
    await expect(release(other)).resolves.toMatchObject({ status: "released" })
  })

  test("the database refuses an API key as preparer, releaser or changer of a payment", async () => {
    const { id } = await made()
    const now = app.clock.now()
    for (const change of [
      sql`update payouts set prepared_by = array[${program.id}]::uuid[] where id = ${id}`,
      sql`update payouts set status = 'processing', released_by = ${program.id}, released_at = ${now} where id = ${id}`,
      sql`update payouts set payee_changed_by = ${program.id}, payee_changed_at = ${now} where id = ${id}`,
    ])
      await expect(app.sql.run(change)).rejects.toMatchObject({ code: "23001" })
  })

  test("an API key's payment can only go to a known account", async () => {
    const { policyId } = scene
    await createUnallocatedReceipt(app.as(other), { policyId, amountCents: 50_00, receivedOn: "2026-10-28" })
    await expect(createRefund(program.client, { policyId, amountCents: 20_00 })).rejects.toMatchObject({
      code: "FORBIDDEN",
    })
    await expect(createRefund(app.as(other), { policyId, amountCents: 20_00 })).resolves.toMatchObject({
      status: "pending",
    })
  })
})

test("a write-off requested by an API key cannot be confirmed by its creator", async () => {
  const invoice = await createSentInvoice(app.as(other), {
    ...{ policyId: scene.policyId, month: "2026-09-01", invoiceOn: "2026-09-01" },
  })
  const [asked] = await program.client.receipts.writeOff({
    ...{ invoiceId: invoice.id, amountCents: 10_00, reason: "The employer was liquidated" },
    idempotencyKey: randomUUID(),
  })
  expect(asked).toMatchObject({ state: "waiting" })
  const writeOffId = asked!.id
  const seenBy = async (actor: UserActor) =>
    (await app.as(actor).receipts.writeOffs({ invoiceId: invoice.id }))[0]!.allowedActions
  expect([await seenBy(maker), await seenBy(other)]).toEqual([["decline"], ["confirm", "decline"]])
  const confirm = (actor: UserActor) =>
    app.as(actor).receipts.confirmWriteOff({ writeOffId, idempotencyKey: randomUUID() })
  await expect(confirm(maker)).rejects.toMatchObject({ code: "OWN_WRITE_OFF" })
  const byHand = (userId: string) =>
    app.sql.run(sql`
      update write_offs set written_off_on = '2026-11-02', confirmed_by = ${userId}, confirmed_at = now() where id = ${writeOffId}`)
  await expect(byHand(maker.userId)).rejects.toMatchObject({ code: "23514" })
  await expect(byHand((await createProgram(app, "manager")).id)).rejects.toMatchObject({ code: "23001" })
  await expect(
    app.sql.run(sql`
      insert into write_offs (id, group_id, policy_id, invoice_id, net_cents, vat_cents, total_cents, reason, asked_by, asked_at, limit_cents)
      select gen_random_uuid(), group_id, policy_id, invoice_id, net_cents, vat_cents, total_cents, reason, asked_by, asked_at, limit_cents
      from write_offs where id = ${writeOffId}`),
  ).rejects.toMatchObject({ code: "23001" })
  await expect(confirm(other)).resolves.toMatchObject([{ state: "written_off" }])
})

test("the creator of a key cannot decide claims that the key captured", async () => {
  const once = await app.people.another("admin")
  const { client, id } = await createProgram(app, "group_admin", { groupIds: [scene.groupId], maker: once })
  const claim = await createRoutedClaim({ ...scene.cast, captures: client }, scene.sample)
  await app.sql.run(sql`update users set role = 'group_admin' where id = ${once.userId}`)
  const now: UserActor = { ...once, role: "group_admin", groupIds: [scene.groupId] }
  expect((await app.as(now).claims.detail({ claimId: claim.id })).allowedActions).not.toContain("approve")
  await expect(approveStage({ ...scene.cast, group_admin: app.as(now) }, claim)).rejects.toMatchObject({
    code: "OWN_CLAIM",
  })
  const withoutMaker = sql`update claims set captured_by = array[${id}::uuid] where id = ${claim.id}`
  await expect(app.sql.run(withoutMaker)).rejects.toMatchObject({ code: "23001" })
  await expect(approveStage(scene.cast, claim)).resolves.toMatchObject({ status: "pending_underwriter" })
})

describe("reports", () => {
  const form = () => ({
    ...{
      name: "Register",
      report: "member_register" as const,
      format: "csv" as const,
      type: "daily" as const,
      hour: 9,
    },
    ...{ recipients: [app.people.manager.email], idempotencyKey: randomUUID() },
  })

  test("only people can schedule reports, in the database too", async () => {
    const forPeople = "Only a signed-in user can do this, not a service key."
    const refused = { code: "FORBIDDEN", message: forPeople }
    await expect(program.client.reports.createSchedule(form())).rejects.toMatchObject(refused)
    const { id: scheduleId, version } = await app.as(other).reports.createSchedule(form())
    const { idempotencyKey: _key, ...changed } = form()
    for (const attempt of [
      () => program.client.reports.updateSchedule({ ...changed, scheduleId, version }),
      () => program.client.reports.toggleSchedule({ scheduleId, version, isActive: false }),
      () => program.client.reports.runSchedule({ scheduleId, idempotencyKey: randomUUID() }),
      () => program.client.reports.deleteSchedule({ scheduleId }),
    ])
      await expect(attempt()).rejects.toMatchObject(refused)
    expect(await program.client.reports.schedules({})).toHaveLength(1)
    await expect(
      app.sql.run(sql`update report_schedules set owner_id = ${program.id} where id = ${scheduleId}`),
    ).rejects.toMatchObject({ code: "23001" })
  })

  test("reports run for an API key only while the key is valid", async () => {
    const { id, client } = await createProgram(app, "manager", { maker })
    const generate = () =>
      client.reports.generate({ report: "member_register", format: "csv", query: {}, idempotencyKey: randomUUID() })
    const states = async () =>
      (
        await app.sql.rows<{ state: string }>(
          sql`select state from report_runs where owner_id = ${id} order by asked_at, id`,
        )
      ).map(({ state }) => state)
    await generate()
    await app.runJobs()
    expect(await states()).toEqual(["done"])
    expect((await client.reports.runs({})).rows).toMatchObject([{ report: "member_register", state: "done" }])
    app.clock.advance({ seconds: 1 })
    await generate()
    await app.as(maker).users.serviceKeys.revoke({ id })
    await app.runJobs()
    expect(await states()).toEqual(["done", "failed"])
  })
})
