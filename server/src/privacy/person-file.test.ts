import { randomUUID as newKey, randomBytes } from "node:crypto"
import { PassThrough, type Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import { personFileKeptDays } from "@milkwood/domain/privacy/person-file"
import type { PersonFiles } from "@milkwood/domain/privacy/privacy.contract"
import { sql } from "drizzle-orm"
import { PgDialect } from "drizzle-orm/pg-core"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { fromBuffer, type ZipFile } from "yauzl"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createAppealedClaim, createApprovedClaim } from "../claims/claims.samples.ts"
import { createPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { writeView } from "../platform/trail/looks.ts"
import { archiveSectionsOf } from "./about-person.queries.ts"
import { streamPersonArchive } from "./person-archive.ts"
import { removeOldPersonFiles } from "./person-file.ts"

let app: ClaimApp
let scene: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Privacy Mill")
  server = await app.serve()
})
afterAll(() => app.close())

const privacyClient = () => app.as(app.people.admin).privacy
const requestPersonFile = (memberId: string) => privacyClient().makePersonFile({ memberId, idempotencyKey: newKey() })
const fetchPersonFileAs = (address: string, who: UserActor = app.people.admin) =>
  fetch(server.url + address, { headers: server.headersOf(who) })

async function zipEntriesOf(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  const found: Record<string, string> = {}
  return new Promise((resolve, reject) => {
    zip.on("error", reject)
    zip.on("end", () => resolve(found))
    zip.on("entry", (entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        found[entry.fileName] = (await buffer(stream)).toString("utf8")
        zip.readEntry()
      }),
    )
    zip.readEntry()
  })
}

async function createPersonFile(
  memberId: string,
): Promise<{ files: PersonFiles["files"]; entries: Record<string, string> }> {
  await requestPersonFile(memberId)
  await app.runJobs()
  const { files } = await privacyClient().personFiles({ memberId })
  const { address } = await privacyClient().openPersonFile({ fileId: files[0]!.id })
  const answer = await fetchPersonFileAs(address)
  expect(answer.status).toBe(200)
  return { files, entries: await zipEntriesOf(Buffer.from(await answer.arrayBuffer())) }
}

const createPdfFile = (name: string) => new File(["%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n"], name)

const createCastWithDocuments = (): ClaimScene["cast"] => ({
  ...scene.cast,
  attach: async (draft) => {
    for (const name of ["scan.pdf", "scan.pdf"]) {
      const form = new FormData()
      form.set("documentType", "medical_report")
      form.set("file", createPdfFile(name))
      const url = `${server.url}/api/claims/${draft.id}/documents`
      const answer = await fetch(url, { method: "POST", headers: server.headersOf(scene.people.hr), body: form })
      expect(answer.status).toBe(200)
    }
    return scene.cast.captures.claims.detail({ claimId: draft.id })
  },
})

test("the file contains all of the member's records, payments and reads, and no other person's", async () => {
  const { memberId } = scene
  const claim = await createApprovedClaim(createCastWithDocuments(), { ...scene.sample, diagnosis: "A rare diagnosis" })
  await createPayout(app.as(app.people.manager), claim.id)
  const noted = { claimId: claim.id, idempotencyKey: newKey(), note: { kind: "note", text: "Asked the ward" } } as const
  await scene.cast.underwriter.claims.addNote(noted)
  const record = { kind: "claim" as const, id: claim.id, label: claim.number }
  await app.transaction(app.people.underwriter, (cx) =>
    writeView(cx, { type: "RecordViewed", record, groupId: scene.groupId }),
  )
  await createAppealedClaim(scene.cast, scene.sample, "2026-11-02")
  const { entries, files } = await createPersonFile(memberId)
  expect(files[0]).toMatchObject({ state: "made", askedBy: app.people.admin.name, allowedActions: ["download"] })
  expect(entries["member.csv"]).toContain("Sipho,Dlamini")
  expect(entries["days of cover.csv"]).toContain("covered")
  expect(entries["claims.csv"]).toContain("A rare diagnosis")
  expect(entries["decisions.csv"]).toContain("underwriter")
  expect(entries["reopened claims.csv"]).toContain("letter of the specialist")
  expect(entries["documents.csv"]).toContain("scan.pdf")
  expect(entries[`documents/${claim.number}/scan.pdf`]).toContain("%PDF-1.4")
  expect(entries[`documents/${claim.number}/scan (2).pdf`]).toContain("%PDF-1.4")
  expect(entries["notes.csv"]).toContain("Asked the ward")
  const openings = await scene.cast.manager.claims.openings({ claimId: claim.id })
  expect(openings.map(({ by }) => by)).toEqual(Array(2).fill(app.people.admin.name))
  expect(entries["payments.csv"]).toContain(claim.number)
  const { name: reader } = app.people.underwriter
  expect(entries["who looked.csv"]).toContain(`${reader},underwriter,RecordViewed,claim,${claim.number}`)
  expect(entries["audit trail.csv"]).toContain("ClaimSubmitted")
  expect(entries["audit trail.csv"]).not.toContain("RecordViewed")
  expect(entries["refunds.csv"]).toBe("Nothing is recorded.\r\n")
  expect(entries["read me.txt"]).toContain("Sipho Dlamini")
  expect(Object.values(entries).join()).not.toContain("Lerato")
})

test("a reader that stops early leaves no document open and no query running", async () => {
  await createApprovedClaim(createCastWithDocuments(), { ...scene.sample, memberId: scene.secondMemberId })
  const [{ storage }, opened] = [app.app.files, [] as Readable[]]
  const open = vi.spyOn(storage, "open").mockImplementation(async () => {
    const document = new PassThrough()
    document.write(randomBytes(1_000_000))
    opened.push(document)
    return document
  })
  try {
    const about = {
      memberId: scene.secondMemberId,
      number: "M",
      name: "N",
      organisation: "O",
      askedBy: "A",
      askedAt: "",
    }
    const asked = await app.transaction(app.people.admin, async (cx) => {
      const rows = vi.spyOn(cx.tx, "rows")
      const archive = streamPersonArchive(cx, about, { documents: 0, missing: [] })
      while (opened.length === 0) await archive.next()
      await archive.return(undefined)
      const before = rows.mock.calls.length
      await pause(50)
      return { before, after: rows.mock.calls.length }
    })
    expect(asked.after).toBe(asked.before)
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true])
  } finally {
    open.mockRestore()
  }
})

test("the file includes every table that refers to a member", async () => {
  const tables = await app.sql.rows<{ name: string }>(sql`
    select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname in ('member_id', 'claim_id', 'dependent_id')
    order by 1`)
  const dialect = new PgDialect()
  const read = archiveSectionsOf(scene.memberId)
    .map(({ rows }) => dialect.sqlToQuery(rows).sql)
    .join()
  // A file about a person does not contain the list of such files.
  const others = tables.map(({ name }) => name).filter((name) => name !== "person_files")
  expect(others.filter((name) => !read.includes(`${name} `))).toEqual([])
})

test("one file at a time, after a password check; the trail names requester and downloader", async () => {
  const memberId = scene.secondMemberId
  const provenAt = app.clock.now().subtract({ minutes: 11 })
  const stale: UserActor = { ...app.people.admin, session: { id: newKey(), provenAt, proofBy: "password" } as never }
  const asked = app.as(stale).privacy.makePersonFile({ memberId, idempotencyKey: newKey() })
  await expect(asked).rejects.toMatchObject({ code: "PROOF_REQUIRED" })
  await requestPersonFile(memberId)
  await expect(requestPersonFile(memberId)).rejects.toMatchObject({ code: "UNDERWAY" })
  await expect(requestPersonFile(newKey())).rejects.toMatchObject({ code: "NOT_FOUND" })
  await app.runJobs()
  const { files } = await privacyClient().personFiles({ memberId })
  expect(files).toHaveLength(1)
  const fileId = files[0]!.id
  await expect(app.as(stale).privacy.openPersonFile({ fileId })).rejects.toMatchObject({ code: "PROOF_REQUIRED" })
  const { address } = await privacyClient().openPersonFile({ fileId })
  const other = await app.people.another("admin")
  expect((await fetchPersonFileAs(address, app.people.manager)).status).toBe(403)
  expect((await fetchPersonFileAs(address, other)).status).toBe(404)
  expect((await fetchPersonFileAs(address)).status).toBe(200)
  expect((await fetchPersonFileAs(address)).status).toBe(404)
  const facts = await app.sql.rows<{ fact: string; actor: string }>(sql`
    select fact, actor_name as actor from audit_log where record_id = ${memberId} and fact like 'PersonFile%' order by id`)
  const { name: actor } = app.people.admin
  expect(facts).toMatchObject([
    { fact: "PersonFileAsked", actor },
    { fact: "PersonFileMade" },
    { fact: "PersonFileFetched", actor },
  ])
})

test("the file is deleted after a week and its record remains", async () => {
  const { memberId } = scene
  const { files } = await createPersonFile(memberId)
  const stored = () => app.sql.rows(sql`select from files where kind = 'person_file'`)
  const before = (await stored()).length
  app.clock.advance({ hours: 24 * personFileKeptDays - 1 })
  expect(await app.transaction(app.people.admin, removeOldPersonFiles)).toBe(0)
  app.clock.advance({ hours: 2 })
  expect(await app.transaction(app.people.admin, removeOldPersonFiles)).toBe(before)
  expect(await stored()).toEqual([])
  const kept = (await privacyClient().personFiles({ memberId })).files
  expect(kept[0]).toMatchObject({ id: files[0]!.id, state: "removed", allowedActions: [], sha256: files[0]!.sha256 })
  await expect(privacyClient().openPersonFile({ fileId: files[0]!.id })).rejects.toMatchObject({ code: "NO_FILE" })
})
