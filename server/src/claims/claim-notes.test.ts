import { randomUUID } from "node:crypto"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createDraftClaim, createSubmittedClaim } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let claim: ClaimDetail
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Paper Mill")
})
beforeEach(async () => {
  claim = await createSubmittedClaim(scene.cast, scene.sample)
  app.clock.advance({ minutes: 1 })
})
afterAll(() => app.close())

type Added = Parameters<ClaimScene["cast"]["manager"]["claims"]["addNote"]>[0]["note"]

const add = (note: Added, client = scene.cast.manager, idempotencyKey = randomUUID()) =>
  client.claims.addNote({ claimId: claim.id, idempotencyKey, note })
const call = { kind: "call", direction: "out", person: "Sister Mokoena", contact: "021 555 0100" } as const

test("notes and calls are listed newest first, with author and time, once per key", async () => {
  const key = randomUUID()
  await add({ kind: "note", text: "Waits for the ward's bill" }, scene.cast.manager, key)
  await add({ kind: "note", text: "Waits for the ward's bill" }, scene.cast.manager, key)
  app.clock.advance({ minutes: 1 })
  const answer = await add(
    { ...call, text: "Bill follows on Friday", happenedOn: "2026-10-30" },
    scene.cast.underwriter,
  )
  expect(answer).toMatchObject([
    { ...call, text: "Bill follows on Friday", happenedOn: "2026-10-30", writtenBy: scene.people.underwriter.name },
    { kind: "note", direction: null, writtenBy: scene.people.manager.name, allowedActions: [] },
  ])
  expect(answer).toHaveLength(2)
  const read = await scene.cast.manager.claims.notes({ claimId: claim.id })
  expect(read.map(({ allowedActions }) => allowedActions)).toEqual([[], ["strike"]])
})

test("a note with problems is refused by field, and one of an unknown claim is not found", async () => {
  await expect(add({ kind: "call", text: "" })).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: ["text", "direction", "person"].map((field) => ({ path: `note.${field}` })) },
  })
  await expect(
    scene.cast.manager.claims.addNote({
      claimId: randomUUID(),
      idempotencyKey: randomUUID(),
      note: { kind: "note", text: "?" },
    }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" })
})

test("only the author strikes a note out, with a reason, and its text remains", async () => {
  const [note] = await add({ kind: "note", text: "Wrong claim", followUpOn: "2026-11-20" })
  const strike = (client = scene.cast.manager) =>
    client.claims.strikeNote({ claimId: claim.id, noteId: note!.id, reason: "About another member" })
  await expect(strike(scene.cast.underwriter)).rejects.toMatchObject({ code: "FORBIDDEN" })
  const [struck] = await strike()
  expect(struck).toMatchObject({ text: "Wrong claim", struckReason: "About another member", allowedActions: [] })
  await expect(strike()).rejects.toMatchObject({ code: "ALREADY_STRUCK" })
  await expect(
    scene.cast.manager.claims.strikeNote({
      claimId: (await createDraftClaim(scene.cast, scene.sample)).id,
      noteId: note!.id,
      reason: "x",
    }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" })
})

test("a follow-up is on the author's list until anyone of the insurer completes it", async () => {
  const [note] = await add({ ...call, text: "Ask for the bill again", followUpOn: "2026-11-20" })
  const mine = async () => (await scene.cast.manager.claims.followUps({})).filter(({ id }) => id === note!.id)
  expect(await mine()).toMatchObject([
    { recordKind: "claim", recordNumber: claim.number, text: "Ask for the bill again", followUpOn: "2026-11-20" },
  ])
  expect(await scene.cast.underwriter.claims.followUps({})).toEqual([])
  const complete = () => scene.cast.underwriter.claims.completeFollowUp({ claimId: claim.id, noteId: note!.id })
  expect(await complete()).toMatchObject([{ followedUpBy: scene.people.underwriter.name, allowedActions: [] }])
  await expect(complete()).rejects.toMatchObject({ code: "NO_FOLLOW_UP" })
  expect(await mine()).toEqual([])
})

test("the database refuses changes of saved notes, deletion, a second strike, and every access of employers' users", async () => {
  const [note] = await add({ kind: "note", text: "Kept" })
  await scene.cast.manager.claims.strikeNote({ claimId: claim.id, noteId: note!.id, reason: "Wrong" })
  const id = note!.id
  const as = (role: "staff" | "scoped" | "auth", statement: ReturnType<typeof sql>) =>
    app.app.database.transaction(role, (tx) => tx.run(statement), scene.people.manager)
  for (const statement of [
    sql`update claim_notes set text = 'Changed' where id = ${id}`,
    sql`update claim_notes set written_by = null where id = ${id}`,
    sql`delete from claim_notes where id = ${id}`,
    sql`update claim_notes set struck_reason = 'Another' where id = ${id}`,
    sql`update claim_notes set struck_at = null, struck_reason = null where id = ${id}`,
  ])
    await expect(as("staff", statement)).rejects.toMatchObject({ code: "42501" })
  for (const role of ["scoped", "auth"] as const)
    for (const table of [sql`claim_notes`, sql`member_notes`])
      await expect(as(role, sql`select 1 from ${table}`)).rejects.toMatchObject({ code: "42501" })
})

test("a draft is withdrawn with its notes", async () => {
  claim = await createDraftClaim(scene.cast, scene.sample)
  await add({ kind: "note", text: "Captured from a letter" })
  await scene.cast.captures.claims.withdraw({ claimId: claim.id, version: claim.version })
  expect(await app.sql.rows(sql`select 1 from claim_notes where claim_id = ${claim.id}`)).toEqual([])
})
