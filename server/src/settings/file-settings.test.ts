import type { Settings } from "@milkwood/domain/settings/settings"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { sentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { draftClaim } from "../claims/claims.samples.ts"
import { typeNamed, uploadedDocument } from "../policies/policy-documents.samples.ts"
import { sendFile } from "../test/send-file.ts"

let app: ClaimApp
let scene: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let places: Record<
  "claim" | "policy" | "replaced" | "staff list" | "remittance",
  { path: string; of?: [string, string] }
>

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "File Works")
  server = await app.serve()
  const manager = app.as(app.people.manager)
  const { policyId } = scene
  const documentType = await typeNamed(manager, "Application form")
  const document = await uploadedDocument(server, app.people.manager, { policyId, documentType })
  const claim = await draftClaim({ ...scene.cast, captures: manager }, scene.sample)
  const invoice = await sentInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  places = {
    claim: { path: `/api/claims/${claim.id}/documents`, of: ["documentType", "other"] },
    policy: { path: `/api/policies/${policyId}/documents`, of: ["documentType", documentType] },
    replaced: { path: `/api/policies/${policyId}/documents/${document.id}` },
    "staff list": { path: "/api/members/imports", of: ["policyId", policyId] },
    remittance: { path: "/api/remittances", of: ["invoiceId", invoice.id] },
  }
})
beforeEach(() => save({}))
afterAll(() => app.close())

async function save(changes: Partial<Settings>) {
  const admin = app.as(app.people.admin)
  const { version, defaults, settings } = await admin.settings.detail({})
  await admin.settings.save({ version, settings: { ...defaults, organisation: settings.organisation, ...changes } })
}

async function sent(place: keyof typeof places, name: string, content: string | Buffer): Promise<string> {
  const answer = await sendFile(server, app.people.manager, { ...places[place], name, content })
  const body = (await answer.json()) as { data?: { fields: { message: string }[] } }
  return answer.status === 200 ? "taken" : (body.data?.fields[0]?.message ?? `${answer.status}`)
}

function oldOffice(part: string): Buffer {
  const bytes = Buffer.alloc(2_048)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(bytes)
  bytes.write(`${part}\0`, 1_024, "utf16le")
  return bytes
}
const office = (part: string) => {
  const name = Buffer.from(part)
  const head = Buffer.alloc(30)
  head.write("PK\x03\x04", "latin1")
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name, Buffer.from("PK\x05\x06"), Buffer.alloc(18)])
}
const pdf = "%PDF-1.4\n%%EOF\n"

test("accepts all specified types; refuses a truncated file or one of another type", async () => {
  for (const place of ["claim", "policy", "replaced"] as const) {
    expect(await sent(place, "letter.doc", oldOffice("WordDocument"))).toBe("taken")
    expect(await sent(place, "sheet.xls", oldOffice("Workbook"))).toBe("taken")
    expect(await sent(place, "letter.docx", office("word/document.xml"))).toBe("taken")
    expect(await sent(place, "sheet.xlsx", office("xl/workbook.xml"))).toBe("taken")
    for (const [name, content] of [
      ["letter.doc", oldOffice("Workbook")],
      ["sheet.xls", oldOffice("WordDocument")],
      ["letter.docx", office("xl/workbook.xml")],
      ["sheet.xlsx", office("word/document.xml")],
      ["sheet.xlsx", office("xl/workbook.xml").subarray(0, 40)],
    ] as const) {
      expect(await sent(place, name, content), name).toMatch(/is damaged or incomplete|is not a/)
    }
    expect(await sent(place, "letter.doc", pdf)).toBe('The content of "letter.doc" is not a .doc file.')
  }
})

test("allowed file types apply to documents and lists, except that lists may be CSV", async () => {
  await save({ allowedFileTypes: ["pdf"] })
  for (const place of ["claim", "policy", "replaced"] as const) {
    expect(await sent(place, "a.pdf", pdf)).toBe("taken")
    expect(await sent(place, "letter.doc", oldOffice("WordDocument"))).toBe(
      '"letter.doc" has an unsupported type. Supported: .pdf.',
    )
  }
  for (const place of ["staff list", "remittance"] as const) {
    expect(await sent(place, "list.xlsx", office("xl/workbook.xml"))).toBe(
      '"list.xlsx" has an unsupported type. Supported: .csv.',
    )
    expect(await sent(place, "list.csv", "First name,Last name\nAnn,Nkosi\n")).not.toMatch(/unsupported type/)
  }
})

test("a file above the maximum size is refused while streaming and not stored", async () => {
  const kept = async () => (await app.sql.row<{ files: number }>(sql`select count(*) as files from files`))!.files
  const large = Buffer.concat([Buffer.from(pdf), Buffer.alloc(2 * 1024 * 1024, 0x20), Buffer.from(pdf)])
  const list = Buffer.from(`First name,Last name\n${"Ann,Nkosi\n".repeat(200_000)}`)
  expect(await sent("claim", "large.pdf", large)).toBe("taken")
  await save({ maxFileMegabytes: 1 })
  const before = await kept()
  for (const place of ["claim", "policy", "replaced"] as const) {
    expect(await sent(place, "large.pdf", large)).toBe("The file is larger than 1 MB.")
  }
  for (const place of ["staff list", "remittance"] as const) {
    expect(await sent(place, "list.csv", list)).toBe("The file is larger than 1 MB.")
  }
  expect(await kept()).toBe(before)
  await save({ maxFileMegabytes: 12 })
  const larger = Buffer.concat([Buffer.from(pdf), Buffer.alloc(11 * 1024 * 1024, 0x20), Buffer.from(pdf)])
  expect(await sent("policy", "larger.pdf", larger)).toBe("taken")
})
