import { randomUUID } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { eq, sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import { createCompletedPayout, createPayout, createReleasedPayout, samplePayee } from "./payouts.samples.ts"
import { payouts } from "./payouts.tables.ts"
import { completeByBank, returnByBank, undoBankUpdates } from "./step-payout.ts"

let app: ClaimApp
let scene: ClaimScene
let maker: Client
let other: Client
let claimId: string

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Payout Mills")
  maker = app.as(app.people.manager)
  other = app.as(app.people.manager2)
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})
beforeEach(async () => {
  claimId = (await createApprovedClaim(scene.cast, scene.sample)).id
})

const stepInputOf = (payout: { id: string; version: number }) => ({
  payoutId: payout.id,
  version: payout.version,
  idempotencyKey: randomUUID(),
})

test("a claim is paid once its payment is released by another user and completed", async () => {
  const approved = (await maker.claims.payable({ claimId }))[0]!
  const made = await createPayout(maker, claimId)
  expect(made).toMatchObject({ status: "pending", amountCents: approved.approvedCents, reference: approved.number })
  expect(made.allowedActions).toEqual(["changePayee", "cancel"])
  await expect(maker.payouts.release(stepInputOf(made))).rejects.toMatchObject({ code: "FOUR_EYES", status: 403 })

  const released = await other.payouts.release(stepInputOf(made))
  expect(released).toMatchObject({ status: "processing", releasedByName: app.people.manager2.name })
  const completed = await maker.payouts.complete({ ...stepInputOf(released), completedOn: "2026-11-02" })
  expect(completed).toMatchObject({ status: "completed", completedOn: "2026-11-02", allowedActions: ["return"] })
  await expect(maker.claims.detail({ claimId })).resolves.toMatchObject({ status: "paid", paymentOn: "2026-11-02" })
  await expect(
    app.sql.rows(sql`
      select p.account, p.amount_cents as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where e.source = ${`payout:${made.id}:completed`} order by p.account`),
  ).resolves.toEqual([
    { account: "bank", cents: -made.amountCents },
    { account: "claims_payable", cents: made.amountCents },
  ])
})

test("the list shows rows that need an action first, then the newest", async () => {
  const waits = await createPayout(maker, claimId)
  const { id } = await createApprovedClaim(scene.cast, scene.sample)
  const done = await createCompletedPayout(maker, other, id, "2026-11-02")
  const { rows } = await maker.payouts.list({})
  const open = ["pending", "processing", "failed"]
  const places = rows.map(({ status }) => open.includes(status))
  expect(places).toEqual(places.toSorted((a, b) => Number(b) - Number(a)))
  const at = (payout: { id: string }) => rows.findIndex((row) => row.id === payout.id)
  expect(at(waits)).toBeGreaterThanOrEqual(0)
  expect(at(waits)).toBeLessThan(at(done))
})

test("one user may make and release a payment only up to the limit", async () => {
  const admin = app.as(app.people.admin)
  const setLimit = async (releaseLimitCents: number) => {
    const { settings, version } = await admin.settings.detail({})
    await admin.settings.save({ version, settings: { ...settings, releaseLimitCents } })
  }
  const made = await createPayout(maker, claimId)
  await setLimit(made.amountCents - 1)
  await expect(maker.payouts.release(stepInputOf(made))).rejects.toMatchObject({ code: "FOUR_EYES" })
  await setLimit(made.amountCents)
  expect((await maker.payouts.detail({ payoutId: made.id })).allowedActions).toContain("release")
  const changed = await maker.payouts.changePayee({ payoutId: made.id, version: made.version, ...samplePayee })
  expect(changed.allowedActions).not.toContain("release")
  await expect(maker.payouts.release(stepInputOf(changed))).rejects.toMatchObject({ code: "FOUR_EYES" })
  const again = await other.payouts.changePayee({ payoutId: made.id, version: changed.version, ...samplePayee })
  await expect(other.payouts.release(stepInputOf(again))).rejects.toMatchObject({ code: "FOUR_EYES" })
  await expect(
    app.sql.run(sql`
      update payouts set status = 'processing', released_by = payee_changed_by, released_at = created_at where id = ${made.id}`),
  ).rejects.toMatchObject({ code: "23514" })
  await expect(maker.payouts.release(stepInputOf(again))).resolves.toMatchObject({ status: "processing" })
  await setLimit(0)
})

test("a user who changed the payee cannot release it", async () => {
  const made = await createPayout(maker, claimId)
  const changed = await other.payouts.changePayee({
    payoutId: made.id,
    version: made.version,
    ...samplePayee,
    payeeName: "A Botha",
  })
  await expect(other.payouts.release(stepInputOf(changed))).rejects.toMatchObject({ code: "FOUR_EYES" })
  await expect(maker.payouts.release(stepInputOf(changed))).rejects.toMatchObject({ code: "FOUR_EYES" })
  await expect(app.as(app.people.admin).payouts.release(stepInputOf(changed))).resolves.toMatchObject({
    status: "processing",
  })
})

test("a claim has one live payment, even when two users make one concurrently", async () => {
  const outcomes = await Promise.allSettled([createPayout(maker, claimId), createPayout(other, claimId)])
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1)
  expect(outcomes.find((outcome) => outcome.status === "rejected")).toMatchObject({
    reason: { code: "PAYMENT_EXISTS" },
  })
})

test("paying a claim waits for its payment lock without locking the claim", async () => {
  const made = await createPayout(maker, claimId)
  const paying = await app.transaction(app.people.manager, async ({ tx }) => {
    await tx.run(sql`update payouts set notes = 'on its way elsewhere' where id = ${made.id}`)
    const call = createPayout(other, claimId).catch((error: { code: string }) => error.code)
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while (!(await app.sql.row(waits))) await setImmediate()
    await expect(tx.rows(sql`select from claims where id = ${claimId} for update nowait`)).resolves.toHaveLength(1)
    return { call }
  })
  expect(await paying.call).toBe("PAYMENT_EXISTS")
})

test("a payment step keeps the payment locked while it waits for the claim", async () => {
  const released = await createReleasedPayout(maker, other, claimId)
  const completing = await app.transaction(app.people.manager, async ({ tx }) => {
    await tx.rows(sql`select from claims where id = ${claimId} for update`)
    const call = maker.payouts.complete({ ...stepInputOf(released), completedOn: "2026-11-02" })
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while (!(await app.sql.row(waits))) await setImmediate()
    await expect(app.sql.rows(sql`select from payouts where id = ${released.id} for update nowait`)).rejects.toThrow()
    return { call }
  })
  expect(await completing.call).toMatchObject({ status: "completed" })
})

test("a failed payment can be retried, or cancelled and replaced", async () => {
  const released = await createReleasedPayout(maker, other, claimId)
  const failed = await maker.payouts.fail({ ...stepInputOf(released), reason: "Account closed" })
  expect(failed).toMatchObject({ status: "failed", statusReason: "Account closed", releasedByName: null })
  const listed = await maker.payouts.list({ status: "failed" })
  expect(listed.rows.map(({ id, status }) => [id, status])).toEqual([[failed.id, "failed"]])
  const { rows, cards, total } = await maker.payouts.list({ pageSize: 100 })
  const sumOf = (...statuses: string[]) => {
    const counted = rows.filter(({ status }) => statuses.includes(status))
    return { count: counted.length, cents: counted.reduce((sum, { amountCents }) => sum + amountCents, 0) }
  }
  expect(rows).toHaveLength(total)
  expect(cards).toEqual({
    waiting: sumOf("waiting"),
    underway: sumOf("pending", "processing", "failed"),
    completed: sumOf("completed"),
  })
  await expect(createPayout(maker, claimId)).rejects.toMatchObject({ code: "PAYMENT_EXISTS" })
  const again = await maker.payouts.retry(stepInputOf(failed))
  expect(again.status).toBe("pending")
  await maker.payouts.cancel({ ...stepInputOf(again), reason: "Wrong payee" })
  await expect(createCompletedPayout(maker, other, claimId, "2026-11-02")).resolves.toMatchObject({
    status: "completed",
  })
})

test("a released payment that the bank has not sent can be cancelled and replaced", async () => {
  const released = await createReleasedPayout(maker, other, claimId)
  const cancelled = await other.payouts.cancel({ ...stepInputOf(released), reason: "Duplicate of a payment by hand" })
  expect(cancelled).toMatchObject({ status: "cancelled", allowedActions: [] })
  await expect(maker.payouts.complete({ ...stepInputOf(cancelled), completedOn: "2026-11-02" })).rejects.toMatchObject({
    code: "WRONG_STATUS",
  })
  await expect(createCompletedPayout(maker, other, claimId, "2026-11-02")).resolves.toMatchObject({
    status: "completed",
  })
})

test("only the first of two concurrent releases succeeds", async () => {
  const made = await createPayout(maker, claimId)
  const outcomes = await Promise.allSettled([
    other.payouts.release(stepInputOf(made)),
    app.as(app.people.admin).payouts.release(stepInputOf(made)),
  ])
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"])
  expect(outcomes.find((outcome) => outcome.status === "rejected")).toMatchObject({ reason: { code: "WRONG_STATUS" } })
})

describe("refusals", () => {
  test("refuses a payment date in the future or before the release", async () => {
    const released = await createReleasedPayout(maker, other, claimId)
    for (const completedOn of ["2026-11-03", "2026-11-01"]) {
      await expect(maker.payouts.complete({ ...stepInputOf(released), completedOn })).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path: "completedOn" }] },
      })
    }
  })

  test("refuses a bank payment without bank details", async () => {
    const input = {
      idempotencyKey: randomUUID(),
      claimId,
      reference: "",
      notes: "",
      ...samplePayee,
      payeeBank: "",
      payeeAccountNumber: "12",
    }
    await expect(maker.claims.pay(input)).rejects.toMatchObject({
      data: { fields: [{ path: "payeeBank" }, { path: "payeeAccountNumber" }] },
    })
    await expect(
      maker.claims.pay({ ...input, method: "cash", payeeBranchCode: "", payeeAccountNumber: "" }),
    ).resolves.toMatchObject({ method: "cash" })
  })

  test("refuses a stale version and an unknown payment", async () => {
    const made = await createPayout(maker, claimId)
    await expect(maker.payouts.cancel({ ...stepInputOf(made), version: 9, reason: "x" })).rejects.toMatchObject({
      code: "STALE",
    })
    await expect(other.payouts.release({ ...stepInputOf(made), payoutId: randomUUID() })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
  })
})

test("the database protects completed payments and refuses an overpaid claim or second live payment", async () => {
  const done = await createCompletedPayout(maker, other, claimId, "2026-11-02")
  const staff = app.app.database.direct("staff")
  await expect(staff.run(sql`update payouts set amount_cents = 1 where id = ${done.id}`)).rejects.toThrow(
    /never changed/,
  )
  await expect(staff.run(sql`delete from payouts where id = ${done.id}`)).rejects.toThrow(/permission denied/)
  const [row] = await staff.select().from(payouts).where(eq(payouts.id, done.id))
  const { claimId: _, ...columns } = row!
  await expect(staff.insert(payouts).values({ ...columns, id: randomUUID(), number: "X" })).rejects.toMatchObject({
    cause: { constraint: "payouts_within_the_claim" },
  })
  claimId = (await createApprovedClaim(scene.cast, scene.sample)).id
  const waits = await createPayout(maker, claimId)
  const second = sql`
    insert into payouts (id, group_id, policy_id, number, subject_kind, subject_id, subject_label, member_id, amount_cents, method,
      reference, payee_name, prepared_by, created_by, created_at)
    select gen_random_uuid(), group_id, policy_id, 'X', subject_kind, subject_id, subject_label, member_id, 1, 'cash',
      reference, payee_name, prepared_by, created_by, created_at from payouts where id = ${waits.id}`
  await expect(staff.run(second)).rejects.toMatchObject({ constraint: "payouts_one_live_per_subject" })
})

const made = (amountCents?: number, by = maker) =>
  by.claims.pay({ idempotencyKey: randomUUID(), claimId, reference: "", notes: "", ...samplePayee, amountCents })
const releaseAndComplete = async (payout: { id: string; version: number }) => {
  const released = await other.payouts.release(stepInputOf(payout))
  return other.payouts.complete({ ...stepInputOf(released), completedOn: "2026-11-02" })
}
const readClaim = () => maker.claims.detail({ claimId })

describe("payment in parts", () => {
  test("a claim paid in parts is paid once its payments equal the approved amount", async () => {
    const { approvedCents } = (await maker.claims.payable({ claimId }))[0]!
    const first = await made(approvedCents - 100_00)
    expect(first.amountCents).toBe(approvedCents - 100_00)
    await expect(made(100_00)).rejects.toMatchObject({ code: "PAYMENT_EXISTS" })
    await releaseAndComplete(first)
    expect(await readClaim()).toMatchObject({ status: "approved", paymentOn: null })
    await expect(made(100_01)).rejects.toMatchObject({
      code: "INVALID",
      message: "Enter at most R\u00a0100,00, the unpaid amount of this claim",
      data: { fields: [{ path: "amountCents" }] },
    })
    const rest = await made()
    expect(rest.amountCents).toBe(100_00)
    await releaseAndComplete(rest)
    expect(await readClaim()).toMatchObject({ status: "paid", paymentOn: "2026-11-02" })
    await expect(made(1)).rejects.toMatchObject({ code: "WRONG_STATUS" })
  })

  test("concurrent payments of the remainder make one payment, never above the approved amount", async () => {
    const { approvedCents } = (await maker.claims.payable({ claimId }))[0]!
    await releaseAndComplete(await made(approvedCents - 50_00))
    const outcomes = await Promise.allSettled([made(50_00), made(50_00, other)])
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })

  test("the database refuses overpayment, and a paid status before or after the payments reach the approved amount", async () => {
    const first = await made(100_00)
    await releaseAndComplete(first)
    const copy = (cents: number) => sql`
      insert into payouts (id, group_id, policy_id, number, subject_kind, subject_id, subject_label, member_id, amount_cents, method,
        reference, payee_name, prepared_by, created_by, created_at)
      select gen_random_uuid(), group_id, policy_id, 'X', subject_kind, subject_id, subject_label, member_id, ${cents}, 'cash',
        reference, payee_name, prepared_by, created_by, created_at from payouts where id = ${first.id}`
    const { approvedAmountCents } = await readClaim()
    await expect(app.sql.run(copy(approvedAmountCents! - 100_00 + 1))).rejects.toMatchObject({
      constraint: "payouts_within_the_claim",
    })
    await expect(
      app.sql.run(sql`update claims set status = 'paid', payment_on = '2026-11-02' where id = ${claimId}`),
    ).rejects.toMatchObject({ constraint: "claims_paid_is_what_arrived" })
    const rest = await releaseAndComplete(await made())
    await expect(
      app.sql.run(sql`update payouts set status = 'returned', returned_on = completed_on where id = ${rest.id}`),
    ).rejects.toMatchObject({ constraint: "claims_paid_is_what_arrived" })
  })
})

describe("a returned payment", () => {
  test("a returned payment posts, and its claim can be paid again", async () => {
    const done = await createCompletedPayout(maker, other, claimId, "2026-11-02")
    expect(done.allowedActions).toEqual(["return"])
    const back = await maker.payouts.return({
      ...stepInputOf(done),
      returnedOn: "2026-11-02",
      reason: "Account closed",
    })
    expect(back).toMatchObject({ status: "returned", returnedOn: "2026-11-02", statusReason: "Account closed" })
    expect(await readClaim()).toMatchObject({ status: "approved", paymentOn: null })
    await expect(
      app.sql.rows(sql`
        select p.account, sum(p.amount_cents)::bigint as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
        where e.record_id = ${done.id} group by 1 order by 1`),
    ).resolves.toEqual([
      { account: "bank", cents: 0 },
      { account: "claims_payable", cents: 0 },
    ])
    await createCompletedPayout(maker, other, claimId, "2026-11-02")
    expect(await readClaim()).toMatchObject({ status: "paid" })
  })

  test("refuses a return dated before completion, and a second return", async () => {
    const done = await createCompletedPayout(maker, other, claimId, "2026-11-02")
    const back = (payout: { id: string; version: number }, returnedOn: string) =>
      maker.payouts.return({ ...stepInputOf(payout), returnedOn, reason: "Account closed" })
    await expect(back(done, "2026-11-01")).rejects.toMatchObject({ data: { fields: [{ path: "returnedOn" }] } })
    const returned = await back(done, "2026-11-02")
    await expect(back(returned, "2026-11-02")).rejects.toMatchObject({ code: "WRONG_STATUS" })
  })
})

test("a bank line completes or returns a payment from its account, and can be undone", async () => {
  const account = await app.as(app.people.admin).banking.addAccount({
    idempotencyKey: randomUUID(),
    account: { name: "Payments", bank: "FNB", accountNumber: "62000000017", branchCode: "250655" },
  })
  const { id: payoutId } = await createReleasedPayout(maker, other, claimId)
  const as = <T>(work: (cx: Cx) => Promise<T>) => app.transaction(app.people.manager, work)
  const on = "2026-11-02"
  const { id: bankAccountId } = account
  await as((cx) => completeByBank(cx, { payoutId, on, bankAccountId }))
  expect(await readClaim()).toMatchObject({ status: "paid" })
  await as((cx) => undoBankUpdates(cx, [payoutId], "it was another payment's line"))
  expect(await readClaim()).toMatchObject({ status: "approved" })
  expect(await maker.payouts.detail({ payoutId })).toMatchObject({ status: "processing", completedOn: null })
  await as((cx) => completeByBank(cx, { payoutId, on, bankAccountId }))
  await as((cx) => returnByBank(cx, { payoutId, on, reason: "Account closed" }))
  expect(await readClaim()).toMatchObject({ status: "approved" })
  await as((cx) => undoBankUpdates(cx, [payoutId], "it was another payment's line"))
  expect(await readClaim()).toMatchObject({ status: "paid", paymentOn: on })
  await expect(
    app.sql.row(
      sql`select sum(amount_cents)::bigint as cents from ledger_postings where bank_account_id = ${bankAccountId}`,
    ),
  ).resolves.toEqual({ cents: -(await maker.payouts.detail({ payoutId })).amountCents })
})

test("undoing a return waits for a new payment of the same claim and is then refused", async () => {
  const done = await createCompletedPayout(maker, other, claimId, "2026-11-02")
  await maker.payouts.return({ ...stepInputOf(done), returnedOn: "2026-11-02", reason: "Account closed" })
  const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const { undone } = await app.transaction(app.people.manager, async (cx) => {
    await cx.tx.run(sql`
      insert into payouts (id, group_id, policy_id, number, subject_kind, subject_id, subject_label, member_id, amount_cents, method,
        reference, payee_name, prepared_by, created_by, created_at)
      select gen_random_uuid(), group_id, policy_id, 'PAY-NEXT', subject_kind, subject_id, subject_label, member_id, amount_cents, 'cash',
        reference, payee_name, prepared_by, created_by, created_at from payouts where id = ${done.id}`)
    await cx.tx.run(sql`select from claims where id = ${claimId} for update`)
    const work = app.transaction(app.people.manager, (late) => undoBankUpdates(late, [done.id], "it was not returned"))
    const undone = work.then(
      () => "undone",
      (error: unknown) => error,
    )
    while (!(await app.sql.row(waits))) await setImmediate()
    return { undone }
  })
  expect(await undone).toMatchObject({
    refusal: { refused: "WRONG_STATUS" },
    message: expect.stringContaining(`has a later payment than ${done.number}`),
  })
})
