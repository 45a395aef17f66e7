import { randomUUID } from "node:crypto"
import {
  type NeedKey,
  sortWaiting,
  workItemKeys,
  workItemKeysOf,
  workItemKindOf,
  workItemSearch,
} from "@milkwood/domain/reports/needs"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createBankAccount, createFnbHistory, storeStatementUpload } from "../banking/banking.samples.ts"
import { createDraftInvoice, createPendingInvoice, createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import {
  createApprovedClaim,
  createClaimPendingAt,
  createDraftClaim,
  createReviewedClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "../claims/claims.samples.ts"
import { createBatch } from "../payouts/batches.samples.ts"
import { createPayout, createReleasedPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { createRefund, stepRefund } from "../refunds/refunds.samples.ts"
import { createCheckedList } from "../staff-lists/staff-lists.samples.ts"
import type { Client } from "../test/app.ts"

let app: ClaimApp
let scene: ClaimScene
let other: ClaimScene
let third: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Needy Nurseries")
  other = await insureGroup(app, "Other Orchards")
  for (const each of [scene, other]) await createOpenWork(each)
  third = await insureGroup(app, "Third Thorns")
  await createSentInvoice(app.as(app.people.manager), {
    ...{ policyId: third.policyId, month: "2026-09-01", invoiceOn: "2026-09-01" },
  })
  for (const followUpOn of ["2026-11-03", "2026-11-04"])
    await app.as(app.people.underwriter).members.addNote({
      ...{ memberId: third.memberId, idempotencyKey: randomUUID() },
      note: { kind: "note", text: "Ask again", followUpOn },
    })
  await createFailedSchedule()
  await createBankWork()
  await createRefundWork()
  await createUnfinishedRecords()
  app.clock.set("2026-11-03T08:00:00Z")
})
afterAll(() => app.close())

async function createOpenWork({ cast, sample, policyId }: ClaimScene): Promise<void> {
  const manager = app.as(app.people.manager)
  await createDraftClaim(cast, sample)
  await createSubmittedClaim(cast, sample)
  const asked = await createSubmittedClaim(cast, sample)
  await cast.manager.claims.requestDocuments({
    ...{ claimId: asked.id, version: asked.version, documents: ["hospital_bill"], note: "" },
  })
  await createReviewedClaim(cast, sample)
  await createRoutedClaim(cast, sample)
  await createClaimPendingAt(cast, "underwriter", { ...sample, incidentOn: "2026-02-10", notificationOn: "2026-02-12" })
  const late = await createClaimPendingAt(cast, "policy_holder", sample)
  await app.sql.run(sql`update claims set due_on = '2026-11-02' where id = ${late.id}`)
  await createApprovedClaim(cast, sample)
  await createPayout(manager, (await createApprovedClaim(cast, sample)).id)
  const failing = await createReleasedPayout(
    manager,
    app.as(app.people.manager2),
    (await createApprovedClaim(cast, sample)).id,
  )
  await manager.payouts.fail({
    ...{ payoutId: failing.id, version: failing.version, idempotencyKey: randomUUID(), reason: "Account closed" },
  })
  const invoice = await createSentInvoice(manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await createDraftInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  await createPendingInvoice(manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
  await manager.receipts.writeOff({
    ...{ invoiceId: invoice.id, amountCents: 100_00, reason: "Liquidated", idempotencyKey: randomUUID() },
  })
  await manager.collection.logCall({
    ...{ policyId, idempotencyKey: randomUUID() },
    call: { outcome: "promise", promisedCents: 100_00, promisedOn: "2026-11-02", note: "" },
  })
  await app.sql.run(sql`update policies set end_on = '2026-12-20', staff_list_day = 2 where id = ${policyId}`)
  await app.sql.run(sql`
    insert into mails (id, to_address, subject, text_body, attachments, state, next_attempt_at, created_at)
    values (gen_random_uuid(), 'gone@example.test', 'Lost', '', '[]', 'failed', now(), now())`)
}

async function createFailedSchedule(): Promise<void> {
  const create = (name: string) =>
    app.as(app.people.manager).reports.createSchedule({
      ...{ name, description: "", report: "premium_billing", format: "csv", query: {}, skipWhenEmpty: false },
      ...{ type: "daily", hour: 9, dayOfWeek: null, dayOfMonth: null, recipients: [app.people.manager.email] },
      idempotencyKey: randomUUID(),
    })
  await create("Runs")
  const { id } = await create("Fails")
  await app.sql.run(
    sql`update report_schedules set is_active = false, failures = 3, paused_because = 'It failed' where id = ${id}`,
  )
}

async function createBankWork(): Promise<void> {
  const admin = app.as(app.people.admin)
  const manager = app.as(app.people.manager)
  const account = await createBankAccount(admin)
  await createBankAccount(admin, { name: "Savings account", accountNumber: "62000000002" })
  const lines = [{ day: "2026-11-01", text: "UNKNOWN DEPOSITOR", amountCents: 123_45 }]
  const text = createFnbHistory(account.accountNumber, 0, lines)
  const uploadId = await storeStatementUpload(app, app.people.manager, account.id, text)
  await manager.banking.import({ uploadId, idempotencyKey: randomUUID() })
  const { id } = await createPayout(manager, (await createApprovedClaim(scene.cast, scene.sample)).id)
  await createBatch(manager, account.id, [id])
}

async function createRefundWork(): Promise<void> {
  const manager = app.as(app.people.manager)
  const { policyId } = third
  await createUnallocatedReceipt(manager, { policyId, amountCents: 90_00, receivedOn: "2026-11-02" })
  const refund = () => createRefund(manager, { policyId, amountCents: 30_00, payeeName: "Third Thorns" })
  const fail = async (refundId: string) => {
    await stepRefund(app.as(app.people.manager2), refundId, "release")
    await stepRefund(manager, refundId, "fail")
  }
  await refund()
  await fail((await refund()).id)
  const twice = await refund()
  await fail(twice.id)
  await stepRefund(manager, twice.id, "retry")
  await fail(twice.id)
}

async function createUnfinishedRecords(): Promise<void> {
  await createDraftPolicy(app.as(app.people.manager), { groupName: "Drafty Dairies" })
  await app.sql.run(sql`update members set to_complete = array['phone'] where id = ${third.secondMemberId}`)
  const desk = { app, server: await app.serve() }
  const list = [
    "First Name,Last Name,ID Number,Email,Group Policy",
    "Thabo,Nkosi,8001015009087,t@third.example,Third Thorns\n",
  ].join("\n")
  await createCheckedList(desk, app.people.manager, third.policyId, "staff.csv", list)
}

const listTotals: Record<string, (client: Client, search: object) => Promise<number>> = {
  "/claims": async (client, search) => (await client.claims.list(search)).total,
  "/claims/pending": async (client, search) => (await client.claims.pending(search)).total,
  "/claims/follow-ups": async (client) =>
    (await client.claims.followUps({})).filter(({ followUpOn }) => followUpOn <= "2026-11-03").length,
  "/invoices": async (client, search) => (await client.billing.list(search)).total,
  "/invoices/collection": async (client, search) =>
    Object.keys(search).length > 0
      ? (await client.collection.list(search)).total
      : (await client.receipts.waitingWriteOffs({ forMe: true })).length,
  "/invoices/reconciliation/lines": async (client) => (await client.banking.lines({})).total,
  "/invoices/reconciliation/statements": async (client) =>
    (await client.banking.accounts({ statementDue: true })).length,
  "/finance/claims-payments": async (client, search) =>
    (await client.payouts.list({ ...search, paidFor: "claims" })).total,
  "/finance/payment-batches": async (client, search) => (await client.payouts.batches.list(search)).total,
  "/finance/premium-refunds": async (client, search) => (await client.refunds.list(search)).total,
  "/finance/month-end/policies": async (client, search) => (await client.monthEnd.policies(search)).total,
  "/members/import/outstanding": async (client, search) => (await client.staffLists.outstanding(search)).total,
  "/members/import": async (client, search) => (await client.staffLists.list(search)).total,
  "/members": async (client, search) => (await client.members.list(search)).total,
  "/policies": async (client, search) => (await client.policies.list(search)).total,
  "/reports/scheduled": async (client, search) => (await client.reports.schedules(search)).length,
  "/settings/email": async (client, search) => (await client.settings.outbox.list(search)).total,
}

const needsWithoutList = new Set<NeedKey>(["monthToClose", "mailServerMissing", "backupKeyMissing"])

const actorsByName = (): Record<string, UserActor> => ({
  admin: app.people.admin,
  manager: app.people.manager,
  manager2: app.people.manager2,
  underwriter: app.people.underwriter,
  hr: scene.people.hr,
  hr2: scene.people.hr2,
  signatory: scene.people.signatory,
  none: app.people.none,
})
const readNeedsOf = async (who: string) => {
  const actor = actorsByName()[who]!
  if (actor.role === null) return []
  return app.as(actor).reports.needsYou({})
}

test.each([
  "admin",
  "manager",
  "manager2",
  "underwriter",
  "hr",
  "hr2",
  "signatory",
])("each work queue item of %s equals the total of its list", async (who) => {
  const actor = actorsByName()[who]!
  const client = app.as(actor)
  const waiting = new Map((await readNeedsOf(who)).map((line) => [line.key, line.count]))
  for (const key of workItemKeysOf(actor.role)) {
    if (needsWithoutList.has(key)) continue
    const total = await listTotals[workItemKindOf(key).list]!(client, workItemSearch(key, "2026-11-03"))
    expect(total, `${key} of ${who}`).toBe(waiting.get(key) ?? 0)
  }
})

test("the test data has every kind of work queue item for at least one user", async () => {
  const lines = await Promise.all(Object.keys(actorsByName()).map(readNeedsOf))
  const seen = new Set(lines.flat().map(({ key }) => key))
  expect(workItemKeys.filter((key) => !seen.has(key))).toEqual([])
})

test("users see only work queue items they may act on, not their own work's approvals", async () => {
  const said = async (who: string) => Object.fromEntries((await readNeedsOf(who)).map(({ key, count }) => [key, count]))
  const theirs = {
    ...{ claimsDue: 2, claimsToReview: 2, claimsToRoute: 2, claimsToPay: 2, paymentsFailed: 2, promisesBroken: 2 },
    ...{ invoicesToApprove: 2, invoicesToSend: 2, membersToComplete: 1, policyDrafts: 1, staffListsToImport: 1 },
    ...{ invoicesUndelivered: 3, policiesExpiring: 2, schedulesFailed: 1, refundsFailed: 2 },
    ...{ noticesDue: 3, graceOver: 3, groupsToCall: 1, monthToBill: 1, monthToClose: 1 },
    ...{ statementsDue: 1, linesToMatch: 1, staffListsLate: 2 },
  }
  expect(await said("manager")).toEqual(theirs)
  const toRelease = { paymentsToRelease: 2, writeOffsToConfirm: 2, batchesToRelease: 1, refundsToRelease: 1 }
  expect(await said("manager2")).toEqual({ ...theirs, ...toRelease })
  expect(await said("admin")).toEqual({
    ...theirs,
    ...toRelease,
    mailsFailed: 2,
    ...{ mailServerMissing: 1, backupKeyMissing: 1 },
  })
  expect(await said("underwriter")).toEqual({ claimsToDecide: 2, unusualCovers: 2, followUps: 1 })
  expect(await said("hr")).toEqual({ claimDrafts: 1, claimsToComplete: 1, invoicesOverdue: 1, staffListsToSend: 1 })
  expect(await said("hr2")).toEqual({ claimsToDecide: 1, claimsToComplete: 1, invoicesOverdue: 1, staffListsToSend: 1 })
  expect(await said("signatory")).toEqual({ claimsToDecide: 1, invoicesOverdue: 1 })
  const decide = (await readNeedsOf("hr2")).find(({ key }) => key === "claimsToDecide")
  const claims = (await app.as(scene.people.hr2).claims.pending({ forMe: true })).rows
  expect(decide).toMatchObject({ key: "claimsToDecide", next: `/claims/${claims[0]!.id}/approve` })
  await expect(app.as(app.people.none).reports.needsYou({})).rejects.toMatchObject({ code: "FORBIDDEN" })
})

test("an item disappears when another user has handled it", async () => {
  const { rows } = await app.as(app.people.manager2).payouts.list({ paidFor: "claims", forMe: true })
  const [payment] = rows
  await app.as(app.people.admin).payouts.release({
    ...{ payoutId: payment!.id, version: payment!.version, idempotencyKey: randomUUID() },
  })
  const line = (await readNeedsOf("manager2")).find(({ key }) => key === "paymentsToRelease")
  expect(line?.count).toBe(1)
})

test("work queue items that are not late are sorted by deadline, without a deadline last", () => {
  const line = (key: NeedKey, dueOn: string | null, cents: number) => ({
    ...{ key, count: 1, late: 0, cents, dueOn, next: null },
  })
  const queue = sortWaiting([
    line("claimsToPay", null, 900_00),
    line("policiesExpiring", "2026-12-20", 900_00),
    line("claimsToDecide", "2026-11-09", 1_00),
    line("claimsToReview", "2026-11-09", 500_00),
  ])
  expect(queue.map(({ key }) => key)).toEqual([
    ...["claimsToReview", "claimsToDecide", "policiesExpiring", "claimsToPay"],
  ])
})

test("late work queue items are first, others by amount at risk, ties in declared order", () => {
  const line = (key: NeedKey, late: number, cents: number | null) => ({
    key,
    count: 1,
    late,
    cents,
    dueOn: null,
    next: null,
  })
  const queue = sortWaiting([
    line("policyDrafts", 0, null),
    line("membersToComplete", 0, null),
    line("claimsToPay", 0, 500),
    line("linesToMatch", 0, 900),
    line("mailsFailed", 1, null),
    { key: "claimsToDecide", count: 0, late: 0, cents: 0, dueOn: null, next: null },
  ])
  expect(queue.map(({ key }) => key)).toEqual([
    ...["mailsFailed", "linesToMatch", "claimsToPay", "membersToComplete", "policyDrafts"],
  ])
})

test("employers in default and the unbilled month remain in the work queue until handled", async () => {
  const line = async (key: NeedKey) => (await readNeedsOf("manager")).find((found) => found.key === key)
  const manager = app.as(app.people.manager)
  const { policyId } = third
  const overdue = await app.sql.row<{ dueOn: string; cents: number }>(sql`
    select min(due_on) as "dueOn", sum(total_cents - allocated_cents - credited_cents - written_off_cents)::bigint as cents
    from invoices where status = 'sent' and kind = 'premium' and due_on < '2026-11-03'`)
  const due = Temporal.PlainDate.from(overdue!.dueOn).add({ days: 15 }).toString()
  expect(await line("noticesDue")).toMatchObject({ count: 3, late: 3, cents: overdue!.cents, dueOn: due })
  expect(await line("graceOver")).toMatchObject({ count: 3 })
  for (const waits of [scene.policyId, other.policyId]) {
    await app.sql.run(sql`
      with mail as (
        insert into mails (id, to_address, subject, text_body, attachments, state, next_attempt_at, created_at)
        values (gen_random_uuid(), 'hr@example.test', 'Notice', '', '[]', 'sent', now(), now()) returning id)
      insert into premium_contacts (id, group_id, policy_id, kind, run, sent_to, mail_id, made_at)
      select gen_random_uuid(), p.group_id, p.id, 'notice', 'asked', 'hr@example.test', mail.id, '2026-11-03T07:00:00Z'
      from policies p, mail where p.id = ${waits}`)
  }
  expect(await line("noticesDue")).toMatchObject({ count: 1, next: `/policies/${policyId}` })
  expect(await line("groupsToCall")).toMatchObject({ count: 1 })
  await manager.collection.logCall({
    ...{ policyId, idempotencyKey: randomUUID() },
    call: { outcome: "no_answer", promisedCents: null, promisedOn: null, note: "" },
  })
  expect(await line("groupsToCall")).toBeUndefined()
  expect(await line("monthToBill")).toMatchObject({ count: 1 })
  expect(await line("monthToClose")).toMatchObject({ count: 1, late: 0 })
  app.clock.set("2026-12-03T08:00:00Z")
  expect(await line("monthToBill")).toMatchObject({ count: 3 })
  app.clock.set("2026-11-03T08:00:00Z")
})

test("a broken promise in the work queue has the amount still owed", async () => {
  const broken = async () => (await readNeedsOf("manager")).find(({ key }) => key === "promisesBroken")
  const before = await broken()
  await app.as(app.people.manager).collection.logCall({
    ...{ policyId: third.policyId, idempotencyKey: randomUUID() },
    call: { outcome: "promise", promisedCents: 900_000_00, promisedOn: "2026-11-04", note: "" },
  })
  app.clock.set("2026-11-05T08:00:00Z")
  const owed = await app.sql.row<{ cents: number }>(sql`
    select sum(total_cents - allocated_cents - credited_cents - written_off_cents)::bigint as cents
    from invoices where status = 'sent' and policy_id = ${third.policyId}`)
  expect(await broken()).toMatchObject({ count: before!.count + 1, cents: before!.cents! + owed!.cents })
  app.clock.set("2026-11-03T08:00:00Z")
})
