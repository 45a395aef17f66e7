import { sql } from "drizzle-orm"
import { afterAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import {
  approveStage,
  createClaimPendingAt,
  createReviewedClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "../claims/claims.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { queueRecurring } from "../platform/work/schedule.ts"
import { sendFile } from "../test/send-file.ts"

let app: ClaimApp
let scene: ClaimScene
let other: ClaimScene
beforeEach(async () => {
  await app?.close()
  app = await openClaimApp()
  scene = await insureGroup(app, "Told Tinsmiths")
  other = await insureGroup(app, "Other Ovens")
})
afterAll(() => app.close())

const readInbox = (actor: UserActor) => app.as(actor).notifications.inbox({})
const readOpenTexts = async (actor: UserActor) =>
  (await app.as(actor).notifications.inbox({ show: "unread" })).rows.map(({ text }) => text)
const allActors = () => [
  app.people.admin,
  app.people.manager2,
  ...Object.values(scene.people),
  ...Object.values(other.people),
  app.people.none,
]
async function notifiedUserIds(text: string): Promise<string[]> {
  const people = [...new Map(allActors().map((actor) => [actor.userId, actor])).values()]
  const hear: string[] = []
  for (const actor of people) if ((await readOpenTexts(actor)).includes(text)) hear.push(actor.userId)
  return hear.sort()
}
const userIdsOf = (...actors: UserActor[]) => actors.map(({ userId }) => userId).sort()

test("a stage's approvers are notified until one of them decides", async () => {
  const { cast, sample, people } = scene
  const { manager2 } = app.people
  let claim = await createSubmittedClaim(cast, sample)
  expect(await notifiedUserIds(`Claim ${claim.number} was submitted`)).toEqual(userIdsOf(people.manager, manager2))

  claim = await cast.manager.claims.route({ claimId: claim.id, version: claim.version })
  const waits = `Claim ${claim.number} to decide`
  expect(await notifiedUserIds(`Claim ${claim.number} was submitted`)).toEqual([])
  // Not notified: the other employer's users, the submitter, and approvers of later stages.
  expect(await notifiedUserIds(waits)).toEqual(userIdsOf(people.hr2))
  expect((await readInbox(people.hr2)).rows[0]).toMatchObject({
    kind: "claim_to_decide",
    path: `/claims/${claim.id}/approve`,
    groupName: "Told Tinsmiths",
    isRead: false,
  })

  claim = await approveStage(cast, claim)
  expect(await notifiedUserIds(waits)).toEqual(userIdsOf(people.underwriter))
  expect((await readInbox(people.hr2)).rows[0]).toMatchObject({ text: waits, isDone: true })
  expect((await readInbox(people.hr2)).unread).toBe(0)
  claim = await approveStage(cast, claim)
  expect(await notifiedUserIds(waits)).toEqual(userIdsOf(people.signatory))
  claim = await approveStage(cast, claim)
  expect(await notifiedUserIds(waits)).toEqual([])
  expect(await notifiedUserIds(`Claim ${claim.number} was approved`)).toEqual(userIdsOf(people.hr, people.manager))
})

test("submitters are notified of rejections, document requests and returns, except by themselves", async () => {
  const { cast, sample, people } = scene
  let claim = await createReviewedClaim(cast, sample)
  const { id: claimId, number } = claim
  claim = await cast.manager.claims.requestDocuments({
    ...{ claimId, version: claim.version, documents: ["hospital_bill"], note: "The ward's account" },
  })
  expect(await notifiedUserIds(`Claim ${number} needs documents`)).toEqual(userIdsOf(people.hr))
  expect(await notifiedUserIds(`Documents were added to claim ${number}`)).toEqual([])
  const sent = await sendFile(await app.serve(), people.hr, {
    ...{ path: `/api/claims/${claimId}/documents`, of: ["documentType", "hospital_bill"] },
    ...{ name: "bill.pdf", content: "%PDF-1.4\n%%EOF\n" },
  })
  expect(sent.status).toBe(200)
  expect(await notifiedUserIds(`Documents were added to claim ${number}`)).toEqual(userIdsOf(people.manager))
  expect(await notifiedUserIds(`Claim ${number} needs documents`)).toEqual([])

  claim = await cast.manager.claims.detail({ claimId })
  claim = await cast.manager.claims.route({ claimId, version: claim.version })
  claim = await cast.manager.claims.sendBack({ claimId, version: claim.version, reason: "The wrong member" })
  expect(await notifiedUserIds(`Claim ${number} to decide`)).toEqual([])
  expect(await notifiedUserIds(`Claim ${number} was sent back`)).toEqual(userIdsOf(people.hr))
  claim = await cast.manager.claims.reject({ claimId, version: claim.version, reason: "Withdrawn" })
  expect(await notifiedUserIds(`Claim ${number} was rejected`)).toEqual(userIdsOf(people.hr))
  expect(await notifiedUserIds(`Claim ${number} was sent back`)).toEqual([])

  const own = await createSubmittedClaim({ ...cast, captures: cast.manager }, sample)
  expect(await notifiedUserIds(`Claim ${own.number} was submitted`)).toEqual(userIdsOf(app.people.manager2))
})

test("disabled, unconfirmed, moved or re-roled users are not notified", async () => {
  const { cast, sample, people } = scene
  const hr3 = await app.people.groupAdmin(scene.groupId)
  const [disabled, unconfirmed] = [
    await app.people.groupAdmin(scene.groupId),
    await app.people.groupAdmin(scene.groupId),
  ]
  await app.sql.run(sql`update users set disabled_at = ${app.clock.now()} where id = ${disabled.userId}`)
  await app.sql.run(sql`update users set email_verified = false where id = ${unconfirmed.userId}`)
  const { number } = await createRoutedClaim(cast, sample)
  const waits = `Claim ${number} to decide`
  expect(await readOpenTexts(hr3)).toEqual([waits])
  expect(await readOpenTexts(disabled)).toEqual([])
  expect(await readOpenTexts(unconfirmed)).toEqual([])
  // Notifications of a removed group are not shown, counted or marked.
  const moved: UserActor = { ...hr3, groupIds: [other.groupId] }
  expect(await readInbox(moved)).toMatchObject({ rows: [], unread: 0 })
  expect(await app.as(moved).notifications.markAll({ upTo: 1_000_000 })).toEqual({ unread: 0 })
  expect(await readOpenTexts(hr3)).toEqual([waits])
  expect(await readInbox({ ...people.hr2, role: "manager" })).toMatchObject({ rows: [], unread: 0 })
  expect(await readInbox({ ...people.hr2, role: null })).toMatchObject({ rows: [], unread: 0 })
})

test("a waiting claim is reminded once after 3 days and escalated once after 7", async () => {
  const { cast, sample, people } = scene
  const morning = async (day: string) => {
    app.clock.set(`${day}T05:20:00Z`)
    await queueRecurring(app.app)
    await app.runJobs()
  }
  await queueRecurring(app.app)
  app.clock.set("2026-11-02T20:00:00Z")
  let claim = await createClaimPendingAt(cast, "underwriter", sample)
  const { number } = claim
  const has = (days: number) => `Claim ${number} has waited ${days} days for your decision`
  const late = (days: number) => `Claim ${number} has waited ${days} days for the underwriter`
  await morning("2026-11-04")
  expect(await readOpenTexts(people.underwriter)).toEqual([`Claim ${number} to decide`])
  // The claim was submitted late on the 2nd in Johannesburg.
  await morning("2026-11-05")
  expect(await readOpenTexts(people.underwriter)).toEqual([has(3)])
  expect(await notifiedUserIds(has(3))).toEqual(userIdsOf(people.underwriter))
  await morning("2026-11-06")
  await morning("2026-11-08")
  expect((await readInbox(people.underwriter)).rows.filter(({ text }) => text.includes("waited"))).toHaveLength(1)
  expect(await notifiedUserIds(late(7))).toEqual([])
  await app.as(people.underwriter).notifications.markAll({ upTo: 1_000_000 })
  await morning("2026-11-09")
  await morning("2026-11-12")
  expect(await notifiedUserIds(late(7))).toEqual(userIdsOf(people.manager, app.people.manager2))
  expect(await readOpenTexts(people.underwriter)).toEqual([])
  // The decision settles the managers' notification, and the next stage starts counting.
  claim = await approveStage(cast, claim)
  expect(await notifiedUserIds(late(7))).toEqual([])
  await morning("2026-11-14")
  expect(await readOpenTexts(people.signatory)).toEqual([`Claim ${number} to decide`])
  await morning("2026-11-15")
  expect(await readOpenTexts(people.signatory)).toEqual([has(3)])
})
