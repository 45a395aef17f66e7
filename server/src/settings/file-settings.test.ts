import type { Settings } from "@milkwood/domain/settings/settings"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createDraftClaim } from "../claims/claims.samples.ts"
import { createDocument, findDocumentType } from "../policies/policy-documents.samples.ts"
import { sendFile } from "../test/send-file.ts"

let app: ClaimApp
let scene: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let uploadPlaces: Record<
  "claim" | "policy" | "replaced" | "staff list" | "remittance",
  { path: string; of?: [string, string] }
>

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "File Works")
  server = await app.serve()
  const manager = app.as(app.people.manager)
  const { policyId } = scene
  const documentType = await findDocumentType(manager, "Application form")
  const document = await createDocument(server, app.people.manager, { policyId, documentType })
  const claim = await createDraftClaim({ ...scene.cast, captures: manager }, scene.sample)
  const invoice = await createSentInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  uploadPlaces = {
    claim: { path: `/api/claims/${claim.id}/documents`, of: ["documentType", "other"] },
    policy: { path: `/api/policies/${policyId}/documents`, of: ["documentType", documentType] },
    replaced: { path: `/api/policies/${policyId}/documents/${document.id}` },
    "staff list": { path: "/api/members/imports", of: ["policyId", policyId] },
    remittance: { path: "/api/remittances", of: ["invoiceId", invoice.id] },
  }
})
beforeEach(() => saveSettings({}))
afterAll(() => app.close())

async function saveSettings(changes: Partial<Settings>) {
  const admin = app.as(app.people.admin)
  const { version, defaults, settings } = await admin.settings.detail({})
  await admin.settings.save({ version, settings: { ...defaults, organisation: settings.organisation, ...changes } })
}

async function uploadTo(place: keyof typeof uploadPlaces, name: string, content: string | Buffer): Promise<string> {
  const answer = await sendFile(server, app.people.manager, { ...uploadPlaces[place], name, content })
  const body = (await answer.json()) as { data?: { fields: { message: string }[] } }
  return answer.status === 200 ? "taken" : (body.data?.fields[0]?.message ?? `${answer.status}`)
}

function createOldOfficeFile(part: string): Buffer {
  const bytes = Buffer.alloc(2_048)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(bytes)
  bytes.write(`${part}\0`, 1_024, "utf16le")
  return bytes
}
const createOfficeFile = (part: string) => {
  const name = Buffer.from(part)
  const head = Buffer.alloc(30)
  head.write("PK\x03\x04", "latin1")
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name, Buffer.from("PK\x05\x06"), Buffer.alloc(18)])
}
const pdf = "%PDF-1.4\n%%EOF\n"

test("accepts all specified file types; refuses a truncated or mislabelled file", async () => {
  for (const place of ["claim", "policy", "replaced"] as const) {
    expect(await uploadTo(place, "letter.doc", createOldOfficeFile("WordDocument"))).toBe("taken")
    expect(await uploadTo(place, "sheet.xls", createOldOfficeFile("Workbook"))).toBe("taken")
    expect(await uploadTo(place, "letter.docx", createOfficeFile("word/document.xml"))).toBe("taken")
    expect(await uploadTo(place, "sheet.xlsx", createOfficeFile("xl/workbook.xml"))).toBe("taken")
    for (const [name, content] of [
      ["letter.doc", createOldOfficeFile("Workbook")],
      ["sheet.xls", createOldOfficeFile("WordDocument")],
      ["letter.docx", createOfficeFile("xl/workbook.xml")],
      ["sheet.xlsx", createOfficeFile("word/document.xml")],
      ["sheet.xlsx", createOfficeFile("xl/workbook.xml").subarray(0, 40)],
    ] as const) {
      expect(await uploadTo(place, name, content), name).toMatch(/is damaged or incomplete|is not a/)
    }
    expect(await uploadTo(place, "letter.doc", pdf)).toBe('The content of "letter.doc" is not a .doc file.')
  }
})

test("allowed file types apply to documents and lists, but lists may always be CSV", async () => {
  await saveSettings({ allowedFileTypes: ["pdf"] })
  for (const place of ["claim", "policy", "replaced"] as const) {
    expect(await uploadTo(place, "a.pdf", pdf)).toBe("taken")
    expect(await uploadTo(place, "letter.doc", createOldOfficeFile("WordDocument"))).toBe(
      '"letter.doc" has an unsupported type. Supported: .pdf.',
    )
  }
  for (const place of ["staff list", "remittance"] as const) {
    expect(await uploadTo(place, "list.xlsx", createOfficeFile("xl/workbook.xml"))).toBe(
      '"list.xlsx" has an unsupported type. Supported: .csv.',
    )
    expect(await uploadTo(place, "list.csv", "First name,Last name\nAnn,Nkosi\n")).not.toMatch(/unsupported type/)
  }
})

test("a file above the maximum size is refused while streaming and not stored", async () => {
  const kept = async () => (await app.sql.row<{ files: number }>(sql`select count(*) as files from files`))!.files
  const large = Buffer.concat([Buffer.from(pdf), Buffer.alloc(2 * 1024 * 1024, 0x20), Buffer.from(pdf)])
  const list = Buffer.from(`First name,Last name\n${"Ann,Nkosi\n".repeat(200_000)}`)
  expect(await uploadTo("claim", "large.pdf", large)).toBe("taken")
  await saveSettings({ maxFileMegabytes: 1 })
  const before = await kept()
  for (const place of ["claim", "policy", "replaced"] as const) {
    expect(await uploadTo(place, "large.pdf", large)).toBe("The file is larger than 1 MB.")
  }
  for (const place of ["staff list", "remittance"] as const) {
    expect(await uploadTo(place, "list.csv", list)).toBe("The file is larger than 1 MB.")
  }
  expect(await kept()).toBe(before)
  await saveSettings({ maxFileMegabytes: 12 })
  const larger = Buffer.concat([Buffer.from(pdf), Buffer.alloc(11 * 1024 * 1024, 0x20), Buffer.from(pdf)])
  expect(await uploadTo("policy", "larger.pdf", larger)).toBe("taken")
})
