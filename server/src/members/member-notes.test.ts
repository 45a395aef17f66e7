import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { findPlantedText } from "../test/planted.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Paper Mill")
})
afterAll(() => app.close())

const manager = () => app.as(app.people.manager).members

test("calls about a member are for the insurer's staff only, and the trail has no text", async () => {
  const { memberId } = scene
  const note = { kind: "call", direction: "in", person: "Her brother", text: "Nightjar, he said" } as const
  const notes = await manager().addNote({ memberId, idempotencyKey: randomUUID(), note })
  expect(notes).toMatchObject([{ ...note, contact: "", allowedActions: ["strike"] }])
  const noteId = notes[0]!.id
  await manager().strikeNote({ memberId, noteId, reason: "Nightjar was another member" })

  for (const actor of [scene.people.hr, scene.people.signatory]) {
    const { members, reports } = app.as(actor)
    await expect(members.notes({ memberId })).rejects.toMatchObject({ code: "FORBIDDEN" })
    const readable = [
      await members.detail({ memberId }),
      await members.activity({ memberId }),
      await members.list({}),
      await reports.recentActivity({}),
    ]
    expect(JSON.stringify(readable)).not.toMatch(/Nightjar|a call|a note/)
  }
  const [struck, added] = await manager().activity({ memberId })
  expect([added, struck]).toMatchObject([{ sentence: "logged a call" }, { sentence: "struck out a note" }])
  // The stored answers of idempotent commands are deleted after a week.
  expect(await findPlantedText(app.sql, app.app.files.folder, "Nightjar")).toEqual(["idempotency_keys", "member_notes"])
})

beforeEach(() => app.clock.advance({ minutes: 1 }))

test("a follow-up of a member is on the author's list", async () => {
  const { memberId } = scene
  const note = { kind: "note", text: "Asks for a certificate", followUpOn: "2026-11-30" } as const
  const [saved] = await manager().addNote({ memberId, idempotencyKey: randomUUID(), note })
  const mine = () => app.as(app.people.manager).claims.followUps({})
  expect(await mine()).toMatchObject([{ id: saved!.id, recordKind: "member", recordId: memberId, text: note.text }])
  await manager().completeFollowUp({ memberId, noteId: saved!.id })
  expect(await mine()).toEqual([])
})

test("a member removed from a draft takes the notes along", async () => {
  const id = scene.secondMemberId
  await manager().addNote({ memberId: id, idempotencyKey: randomUUID(), note: { kind: "note", text: "Joins in May" } })
  await app.sql.run(sql`delete from members where id = ${id}`)
  expect(await app.sql.rows(sql`select 1 from member_notes where member_id = ${id}`)).toEqual([])
})
