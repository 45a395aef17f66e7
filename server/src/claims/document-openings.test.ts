import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { sendFile } from "../test/send-file.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createDraftClaim } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let claimId: string
let scan: string
let bill: string

const attach = async (documentType: string, name: string, content: Buffer | string, to = claimId) => {
  const of = ["documentType", documentType] as const
  const answer = await sendFile(server, scene.people.hr, { path: `/api/claims/${to}/documents`, of, name, content })
  expect(answer.status).toBe(200)
  // Documents of one instant have no order.
  return ((await answer.json()) as ClaimDetail).documents.find((document) => document.name === name)!
}
const open = (documentId: string, actor: UserActor) =>
  fetch(`${server.url}/api/claims/${claimId}/documents/${documentId}`, { headers: server.headersOf(actor) })

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Paper Mill")
  server = await app.serve()
  claimId = (await createDraftClaim(scene.cast, scene.sample)).id
  scan = (await attach("medical_report", "scan.pdf", "%PDF-1.4\n%%EOF\n")).id
  bill = (await attach("police_report", "police.pdf", "%PDF-1.4\n%%EOF\n")).id
})
afterAll(() => app.close())

test("openings of documents are listed for the insurer, with repeats within ten minutes counted once", async () => {
  const { underwriter, manager } = scene.people
  const times: string[] = []
  for (const [documentId, actor, minutes] of [
    [scan, underwriter, 1],
    [scan, underwriter, 5],
    [scan, manager, 1],
    [bill, underwriter, 1],
    [scan, underwriter, 10],
  ] as const) {
    app.clock.advance({ minutes })
    times.push(app.clock.now().toString())
    expect((await open(documentId, actor)).status).toBe(200)
  }
  const by = ({ userId, name, role }: UserActor) => ({ byId: userId, by: name, role })
  expect(await scene.cast.manager.claims.openings({ claimId })).toEqual([
    { documentId: scan, ...by(underwriter), at: times[4] },
    { documentId: bill, ...by(underwriter), at: times[3] },
    { documentId: scan, ...by(manager), at: times[2] },
    { documentId: scan, ...by(underwriter), at: times[0] },
  ])
  for (const reader of [scene.people.hr, scene.people.signatory])
    await expect(app.as(reader).claims.openings({ claimId })).rejects.toMatchObject({ code: "FORBIDDEN" })
})

test("a document whose opening cannot be recorded is not delivered", async () => {
  await app.sql.run(sql`
    create function refuse_opening() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`)
  await app.sql.run(sql`
    create trigger refuse_opening before insert on audit_log for each row
    when (new.fact = 'MedicalDocumentOpened') execute function refuse_opening()`)
  const answer = await open(scan, scene.people.underwriter)
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain("PDF")
  await app.sql.run(sql`drop trigger refuse_opening on audit_log`)
  expect((await open(scan, scene.people.underwriter)).status).toBe(200)
})

test("a photo is stored without device, place and comment, and is recognised on another claim", async () => {
  const photo = readFileSync(join(import.meta.dirname, "../settings/logo/fixtures/camera.jpg"))
  expect(photo.includes("Thandi")).toBe(true)
  const first = await attach("police_report", "photo.jpg", photo)
  const stored = Buffer.from(await (await open(first.id, scene.people.hr)).arrayBuffer())
  expect(stored.includes("Thandi") || stored.includes("Exif")).toBe(false)
  expect(first.size).toBe(stored.length)
  const scanBytes = photo.subarray(photo.indexOf(Buffer.from([0xff, 0xda])))
  expect(stored.subarray(-scanBytes.length).equals(scanBytes)).toBe(true)

  const other = await createDraftClaim(scene.cast, scene.sample)
  await attach("police_report", "again.jpeg", Buffer.concat([photo, Buffer.from("trailing video")]), other.id)
  const { warnings } = await scene.cast.manager.claims.detail({ claimId: other.id })
  expect(JSON.stringify(warnings)).toContain("same content")
})

test("a damaged photo is refused and leaves no file behind", async () => {
  const photo = readFileSync(join(import.meta.dirname, "../settings/logo/fixtures/camera.jpg"))
  const of = ["documentType", "police_report"] as const
  const path = `/api/claims/${claimId}/documents`
  const content = Buffer.concat([photo.subarray(0, 300), Buffer.from([0xff, 0xd9]), Buffer.alloc(50)])
  const answer = await sendFile(server, scene.people.hr, { path, of, name: "photo.jpg", content })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toMatch(/damaged or incomplete/)
})
