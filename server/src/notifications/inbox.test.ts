import { notificationKinds } from "@milkwood/domain/notifications/notification"
import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { approveStage, createRoutedClaim, createSubmittedClaim } from "../claims/claims.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { type LiveChange, listenForChanges } from "../platform/work/live.ts"
import { deliverMails } from "../platform/work/mail.ts"
import { queueRecurring } from "../platform/work/schedule.ts"
import { mailImmediateNotices } from "./mail-notices.ts"

let app: ClaimApp
let scene: ClaimScene
beforeEach(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Mailed Masons")
})
afterEach(() => app.close())

const notificationsClientOf = (actor: UserActor) => app.as(actor).notifications
const readMailsTo = async (actor: UserActor) => (await app.mails()).filter(({ to }) => to === actor.email)

test("users read and mark only their own notifications", async () => {
  const { hr2, underwriter } = scene.people
  const claims = [await createRoutedClaim(scene.cast, scene.sample), await createRoutedClaim(scene.cast, scene.sample)]
  const { rows, unread } = await notificationsClientOf(hr2).inbox({})
  expect(unread).toBe(2)
  expect(rows.map(({ text }) => text)).toEqual(claims.reverse().map(({ number }) => `Claim ${number} to decide`))
  const ids = rows.map(({ id }) => id)
  for (const stranger of [underwriter, scene.people.signatory, app.people.admin, app.people.none]) {
    expect(await notificationsClientOf(stranger).mark({ ids, isRead: true })).toEqual({ unread: 0 })
    expect((await notificationsClientOf(stranger).inbox({})).rows).toEqual([])
  }
  expect(await notificationsClientOf(hr2).mark({ ids: [ids[0]!], isRead: true })).toEqual({ unread: 1 })
  expect((await notificationsClientOf(hr2).inbox({ show: "unread" })).rows.map(({ id }) => id)).toEqual([ids[1]])
  expect(await notificationsClientOf(hr2).mark({ ids: [ids[0]!], isRead: false })).toEqual({ unread: 2 })
  await createRoutedClaim(scene.cast, scene.sample)
  expect(await notificationsClientOf(hr2).markAll({ upTo: ids[0]! })).toEqual({ unread: 1 })
  const first = await notificationsClientOf(hr2).inbox({ limit: 2 })
  expect(first).toMatchObject({ hasMore: true })
  const rest = await notificationsClientOf(hr2).inbox({ limit: 2, before: first.rows[1]!.id })
  expect(rest).toMatchObject({ hasMore: false })
  expect([...first.rows, ...rest.rows]).toHaveLength(3)
})

test("screens receive live updates of the user's own notifications only", async () => {
  const stop = await listenForChanges(app.app)
  const heard: (string | null | undefined)[] = []
  app.app.news.on("change", ({ kind, userId }: LiveChange) => {
    if (kind === "notification") heard.push(userId)
  })
  const { hr2, underwriter } = scene.people
  const claim = await createRoutedClaim(scene.cast, scene.sample)
  await vi.waitUntil(() => heard.includes(hr2.userId), 5_000)
  expect(heard).not.toContain(underwriter.userId)
  heard.length = 0
  await approveStage(scene.cast, claim)
  await vi.waitUntil(() => heard.includes(hr2.userId) && heard.includes(underwriter.userId), 5_000)
  await stop()
})

test("an unread notification is not repeated, even after marking it unread", async () => {
  const { hr2 } = scene.people
  let claim = await createRoutedClaim(scene.cast, scene.sample)
  const [told] = (await notificationsClientOf(hr2).inbox({})).rows
  await notificationsClientOf(hr2).mark({ ids: [told!.id], isRead: true })
  const { manager } = scene.cast
  const { id: claimId } = claim
  claim = await manager.claims.sendBack({ claimId, version: claim.version, reason: "A slip" })
  claim = await manager.claims.route({ claimId, version: claim.version })
  expect(await notificationsClientOf(hr2).unread()).toEqual({ unread: 1 })
  expect(await notificationsClientOf(hr2).mark({ ids: [told!.id], isRead: false })).toEqual({ unread: 1 })
})

test("the database prevents reading and creating notifications of other users", async () => {
  const { hr2, hr } = scene.people
  const stranger = await insureGroup(app, "Strange Smiths")
  await createRoutedClaim(scene.cast, scene.sample)
  const seen = (actor: UserActor) =>
    app.transaction(actor, ({ tx }) => tx.rows(sql`select id from notifications where kind = 'claim_to_decide'`))
  expect(await seen(hr2)).toHaveLength(1)
  for (const actor of [hr, scene.people.signatory, stranger.people.hr]) expect(await seen(actor)).toEqual([])
  const changed = app.transaction(hr, ({ tx }) => tx.run(sql`update notifications set read_at = now()`))
  expect(await changed).toBe(0)
  const writes = (statement: ReturnType<typeof sql>) => app.transaction(hr, ({ tx }) => tx.run(statement))
  await expect(
    writes(sql`
      insert into notifications (user_id, group_id, kind, record_kind, record_id, record_label, channel, at)
      values (${stranger.people.hr.userId}, ${stranger.groupId}, 'claim_to_decide', 'claim', gen_random_uuid(), 'X', 'product', now())`),
  ).rejects.toThrow(/row-level security/)
  await expect(writes(sql`update notifications set kind = 'x'`)).rejects.toThrow(/permission denied/)
  await expect(writes(sql`delete from notifications`)).rejects.toThrow(/permission denied/)
  await expect(
    writes(sql`insert into notification_choices values (${hr2.userId}, 'claim_to_decide', 'none')`),
  ).rejects.toThrow(/row-level security/)
})

test("each kind is delivered by the chosen channel", async () => {
  const { hr2, hr, signatory } = scene.people
  const choices = await notificationsClientOf(hr2).choices()
  expect(choices.map(({ kind }) => kind)).toEqual([
    ...["claim_to_decide", "claim_returned", "claim_decided", "invoice_sent", "invoice_overdue", "policy_expiring"],
  ])
  expect(choices[0]).toMatchObject({ label: "Claims to decide", channel: notificationKinds.claim_to_decide.usual })
  expect((await notificationsClientOf(app.people.underwriter).choices()).map(({ kind }) => kind)).toEqual([
    "claim_to_decide",
    "report_failed",
  ])
  expect(await notificationsClientOf(app.people.none).choices()).toEqual([])
  await expect(notificationsClientOf(hr2).choose({ kind: "payout_to_release", channel: "mail" })).rejects.toMatchObject(
    {
      code: "FORBIDDEN",
    },
  )

  const chosen = await notificationsClientOf(hr2).choose({ kind: "claim_to_decide", channel: "none" })
  expect(chosen[0]).toMatchObject({ kind: "claim_to_decide", channel: "none" })
  const hr3 = await app.people.groupAdmin(scene.groupId)
  await notificationsClientOf(hr3).choose({ kind: "claim_to_decide", channel: "product" })
  const hr4 = await app.people.groupAdmin(scene.groupId)
  const claim = await createRoutedClaim(scene.cast, scene.sample)
  expect(await notificationsClientOf(hr2).unread()).toEqual({ unread: 0 })
  for (const actor of [hr3, hr4]) expect(await notificationsClientOf(actor).unread()).toEqual({ unread: 1 })
  await mailImmediateNotices(app.app)
  await mailImmediateNotices(app.app)
  expect(await readMailsTo(hr2)).toEqual([])
  expect(await readMailsTo(hr3)).toEqual([])
  const [mail, ...more] = await readMailsTo(hr4)
  expect(more).toEqual([])
  expect(mail!.subject).toBe(`Claim ${claim.number} to decide`)
  expect(mail!.text).toContain(`http://127.0.0.1:3000/claims/${claim.id}/approve`)
  // Mails contain no medical facts, and no names but the recipient's.
  for (const secret of ["Sipho", "Dlamini", "wrist", "ladder", "Groote", "Adams", "cast"])
    expect(mail!.text).not.toContain(secret)

  await notificationsClientOf(signatory).choose({ kind: "claim_to_decide", channel: "digest" })
  await notificationsClientOf(hr).choose({ kind: "claim_decided", channel: "digest" })
  await queueRecurring(app.app)
  let decided = await approveStage({ ...scene.cast, group_admin: app.as(hr4) }, claim)
  decided = await approveStage(scene.cast, decided)
  const second = await createSentInvoice(app.as(app.people.manager), {
    policyId: scene.policyId,
    month: "2026-10-01",
    invoiceOn: "2026-10-01",
  })
  await notificationsClientOf(signatory).choose({ kind: "invoice_sent", channel: "digest" })
  const third = await createSentInvoice(app.as(app.people.manager), {
    policyId: scene.policyId,
    month: "2026-11-01",
    invoiceOn: "2026-11-01",
  })
  await mailImmediateNotices(app.app)
  expect(await readMailsTo(signatory)).toEqual([])
  app.clock.set("2026-11-03T05:30:00Z")
  await queueRecurring(app.app)
  await app.runJobs()
  const [digest, ...others] = await readMailsTo(signatory)
  expect(others).toEqual([])
  // October's invoice was overdue by then; overdue invoices are in the morning mail by default.
  expect(digest!.subject).toBe("This morning: 3 notifications")
  expect(digest!.text).toContain(decided.number)
  expect(digest!.text).toContain(`Invoice ${third.number} of`)
  expect(digest!.text).toContain(`Invoice ${second.number} was due on`)
  expect(digest!.text).not.toContain(`Invoice ${second.number} of`)
  await app.runJobs()
  expect(await readMailsTo(signatory)).toHaveLength(1)
})

test("read, decided or removed notifications are not mailed; document requests are mailed once", async () => {
  const { hr2, underwriter } = scene.people
  const claim = await createRoutedClaim(scene.cast, scene.sample)
  const submitted = await createSubmittedClaim(scene.cast, scene.sample)
  const [told] = (await notificationsClientOf(hr2).inbox({})).rows
  await notificationsClientOf(hr2).mark({ ids: [told!.id], isRead: true })
  await approveStage(scene.cast, claim)
  await app.sql.run(sql`update users set disabled_at = ${app.clock.now()} where id = ${underwriter.userId}`)
  await scene.cast.manager.claims.requestDocuments({
    ...{ claimId: submitted.id, version: submitted.version, documents: ["hospital_bill"], note: "" },
  })
  await mailImmediateNotices(app.app)
  expect(await readMailsTo(hr2)).toEqual([])
  expect(await readMailsTo(underwriter)).toEqual([])
  expect((await readMailsTo(scene.people.hr)).map(({ subject }) => subject)).toEqual([
    `Documents needed for claim ${submitted.number}`,
  ])
  expect(await notificationsClientOf(scene.people.hr).unread()).toEqual({ unread: 1 })
})

test("several notifications share one mail, which waits in the outbox during an outage", async () => {
  await app.close()
  app = { ...(await openClaimApp({ smtpUrl: "smtp://127.0.0.1:9" })) }
  scene = await insureGroup(app, "Waiting Weavers")
  const claims = [await createRoutedClaim(scene.cast, scene.sample), await createRoutedClaim(scene.cast, scene.sample)]
  await mailImmediateNotices(app.app)
  await deliverMails(app.app)
  const mails = await app.sql.rows<{ subject: string; state: string; attempts: number }>(
    sql`select subject, state, attempts from mails where to_address = ${scene.people.hr2.email}`,
  )
  expect(mails).toEqual([{ subject: "2 notifications in Milkwood", state: "queued", attempts: 1 }])
  const [mail] = await readMailsTo(scene.people.hr2)
  for (const { number } of claims) expect(mail!.text).toContain(number)
  await approveStage(scene.cast, claims[0]!)
  expect(await notificationsClientOf(scene.people.underwriter).unread()).toEqual({ unread: 1 })
})
