import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createDraftClaim, createReviewedClaim, createRoutedClaim } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let draft: ClaimDetail

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Paper Mill")
  server = await app.serve()
})
beforeEach(async () => {
  draft = await createDraftClaim(scene.cast, scene.sample)
})
afterAll(() => app.close())

const pdf = "%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n"
const png = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (c) => c.charCodeAt(0),
)

function uploadDocument(
  claimId: string,
  file: File,
  fields: Record<string, string> = {},
  actor: UserActor = scene.people.hr,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ documentType: "police_report", ...fields })) form.set(name, value)
  form.set("file", file)
  return fetch(`${server.url}/api/claims/${claimId}/documents`, {
    method: "POST",
    headers: server.headersOf(actor),
    body: form,
  })
}
const downloadDocument = (claimId: string, documentId: string, actor: UserActor = scene.people.hr) =>
  fetch(`${server.url}/api/claims/${claimId}/documents/${documentId}`, { headers: server.headersOf(actor) })
const readIncomingFolder = () => readdir(join(app.app.files.folder, "incoming")).catch(() => [])
const readStoredDocuments = () => app.sql.rows(sql`select 1 from claim_documents where claim_id = ${draft.id}`)

test("a document downloads byte for byte, as an attachment that cannot run scripts", async () => {
  const answer = await uploadDocument(draft.id, new File([png], "scan.png"), { documentName: "Photo of the ladder" })
  expect(answer.status).toBe(200)
  const claim = (await answer.json()) as ClaimDetail
  expect(claim.documents).toMatchObject([
    {
      documentType: "police_report",
      name: "Photo of the ladder",
      mime: "image/png",
      size: png.length,
      uploadedBy: scene.people.hr.name,
    },
  ])
  expect(claim.version).toBe(draft.version)
  const file = await downloadDocument(draft.id, claim.documents[0]!.id)
  expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.from(png))).toBe(true)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": expect.stringMatching(/^attachment; /),
    "content-security-policy": expect.stringContaining("sandbox"),
    "x-content-type-options": "nosniff",
    "cache-control": expect.stringContaining("no-store"),
  })
})

describe("a refused document upload stores nothing", () => {
  const refused = async (answer: Response, path: string) => {
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      code: "INVALID",
      data: { fields: [{ path, message: expect.any(String) }] },
    })
    expect(await readStoredDocuments()).toEqual([])
    expect(await readIncomingFolder()).toEqual([])
  }
  test.each([
    ["a web page", "page.html", "<script>alert(1)</script>"],
    ["an SVG", "image.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
    ["a web page that calls itself a PDF", "page.pdf", "<html><script>alert(1)</script></html>"],
    ["a PDF that calls itself a picture", "scan.png", pdf],
    ["a program", "setup.exe", "MZ"],
    ["no ending", "report", pdf],
    ["an empty file", "empty.pdf", ""],
    ["half a PDF, with the mark of its first part", "half.pdf", `%PDF-1.7\n%%EOF\n${"0".repeat(9_000)}`],
    ["half a picture", "half.png", png.slice(0, 40)],
    ["an archive that calls itself a letter", "letter.docx", "PK\x03\x04 hello.txt PK\x05\x06"],
  ])("%s", async (_what, name, content) => refused(await uploadDocument(draft.id, new File([content], name)), "file"))

  test("if the file exceeds 10 MB, which ends the upload early", async () => {
    const big = new File([pdf, new Uint8Array(10 * 1024 * 1024)], "big.pdf")
    await refused(await uploadDocument(draft.id, big), "file")
  })
  test.each([
    ["without a boundary", "multipart/form-data", "abc"],
    [
      "that ends in its headers",
      "multipart/form-data; boundary=b",
      '--b\r\ncontent-disposition: form-data; name="file',
    ],
    [
      "that ends in its file",
      "multipart/form-data; boundary=b",
      `--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${pdf}`,
    ],
    [
      "with more fields than any form has",
      "multipart/form-data; boundary=b",
      `${Array.from({ length: 30 }, (_, at) => `--b\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\nx\r\n`).join("")}--b--\r\n`,
    ],
  ])("if the form is one %s", async (_what, type, body) => {
    const headers = { ...server.headersOf(scene.people.hr), "content-type": type }
    await refused(
      await fetch(`${server.url}/api/claims/${draft.id}/documents`, { method: "POST", headers, body }),
      "file",
    )
  })
  test("if the document type is unknown", async () =>
    refused(await uploadDocument(draft.id, new File([pdf], "a.pdf"), { documentType: "selfie" }), "documentType"))
  test("if the form has an unknown field", async () =>
    refused(await uploadDocument(draft.id, new File([pdf], "a.pdf"), { colour: "red" }), "colour"))
  test("if the file name is too long", async () =>
    refused(
      await uploadDocument(draft.id, new File([pdf], "a.pdf"), { documentName: "x".repeat(201) }),
      "documentName",
    ))
  test("if the user may not capture claims", async () => {
    for (const actor of [scene.people.signatory, scene.people.underwriter]) {
      expect((await uploadDocument(draft.id, new File([pdf], "a.pdf"), {}, actor)).status).toBe(403)
    }
    expect(await readStoredDocuments()).toEqual([])
  })
})

test.each([
  "../../etc/passwd.pdf",
  "a\u0000b\r\nSet-Cookie: x.pdf",
  "C:\\Users\\me\\bill.pdf",
  `${"n".repeat(300)}.pdf`,
  "=cmd|' /C calc'!A0.pdf",
])("a malicious name is stored as plain text: %j", async (name) => {
  const answer = await uploadDocument(draft.id, new File([pdf], name))
  expect(answer.status).toBe(200)
  const { documents } = (await answer.json()) as ClaimDetail
  expect(documents[0]!.name).not.toMatch(/[/\\\r\n\0]/)
  expect(documents[0]!.name.length).toBeLessThanOrEqual(200)
  const [file] = await app.sql.rows<{ storageName: string }>(sql`
      select f.storage_name as "storageName" from files f join claim_documents d on d.file_id = f.id where d.id = ${documents[0]!.id}`)
  expect(file!.storageName).toMatch(/^[0-9a-f]{2}\/[0-9a-f-]{36}$/)
  const download = await downloadDocument(draft.id, documents[0]!.id)
  expect(download.status).toBe(200)
  expect(download.headers.get("set-cookie")).toBeNull()
})

test("a requested document is missing until it is uploaded", async () => {
  const claim = await createReviewedClaim(scene.cast, scene.sample)
  const documents = ["police_report", "id_document"] as const
  const asked = await scene.cast.manager.claims.requestDocuments({
    claimId: claim.id,
    version: claim.version,
    documents: [...documents],
  })
  const first = (await (await uploadDocument(claim.id, new File([pdf], "police.pdf"))).json()) as ClaimDetail
  expect(first).toMatchObject({ requestedDocuments: ["id_document"], version: asked.version })
  expect(first.documents).toMatchObject([{ name: "police.pdf" }])
  const second = (await (
    await uploadDocument(claim.id, new File([pdf], "id.pdf"), { documentType: "id_document" })
  ).json()) as ClaimDetail
  expect(second.requestedDocuments).toEqual([])
  expect(second.timeline[0]).toMatchObject({
    fact: "ClaimDocumentAttached",
    sentence: "added a document",
    changes: [{ field: "document", before: null, after: "ID document: id.pdf" }],
  })
  expect(second.timeline[2]).toMatchObject({
    sentence: "requested documents",
    changes: [{ field: "documents", before: null, after: "Police report, ID document" }],
  })
  const { timeline } = await app.as(scene.people.signatory).claims.detail({ claimId: claim.id })
  expect(timeline[0]).toMatchObject({ sentence: "added a document", changes: [] })
})

test("a document can be removed until the claim is routed", async () => {
  const { documents } = (await (await uploadDocument(draft.id, new File([pdf], "a.pdf"))).json()) as ClaimDetail
  const documentId = documents[0]!.id
  expect((await scene.cast.captures.claims.removeDocument({ claimId: draft.id, documentId })).documents).toEqual([])
  expect((await downloadDocument(draft.id, documentId)).status).toBe(404)
  await expect(scene.cast.captures.claims.removeDocument({ claimId: draft.id, documentId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  })

  const routed = await createRoutedClaim(scene.cast, scene.sample)
  const late = await uploadDocument(routed.id, new File([pdf], "late.pdf"))
  expect(late.status).toBe(409)
  expect(await late.json()).toMatchObject({ code: "WRONG_STATUS" })
})
