import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../../claims/claim-scene.samples.ts"
import { createDraftClaim } from "../../claims/claims.samples.ts"
import { Browser, findLink } from "../../users/browser.samples.ts"
import { scryptParameters } from "../../users/passwords.ts"

let app: ClaimApp
let scene: ClaimScene
let manager: Browser
let hr: Browser

async function signInAs(role: "manager" | "group_admin") {
  const email = `${role}@looks.example`
  const groupIds = role === "group_admin" ? [scene.groupId] : []
  const { link } = await app.as(app.people.admin).users.invite({ email, role, groupIds })
  const browser = new Browser(app.app)
  const password = "Jacaranda-77-avenue"
  await (await browser.api()).users.acceptInvitation({ token: findLink(link).token, fullName: role, password })
  return browser
}

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openClaimApp()
  scene = await insureGroup(app, "Paper Mill")
  manager = await signInAs("manager")
  hr = await signInAs("group_admin")
})
afterAll(() => app.close())
beforeEach(() => app.clock.advance({ minutes: 15 }))

const readViewFacts = (recordId: string) =>
  app.sql.rows<{ fact: string; kind: string; actor: string; label: string; groupId: string }>(sql`
    select fact, record_kind as kind, actor_name as actor, record_label as label, group_id as "groupId"
    from audit_log where record_id = ${recordId} and fact in ('RecordViewed', 'DocumentOpened', 'MedicalDocumentOpened')
    order by id`)
const viewPolicy = async (browser: Browser, headers?: Record<string, string>) =>
  (await browser.api(headers)).policies.detail({ policyId: scene.policyId })

test("a user's view of a record is audited once in ten minutes, not in histories", async () => {
  const { number } = await viewPolicy(manager)
  await viewPolicy(manager)
  await viewPolicy(hr)
  await viewPolicy(manager, { "x-milkwood-background": "1" })
  const kept = { fact: "RecordViewed", kind: "policy", label: number, groupId: scene.groupId }
  expect(await readViewFacts(scene.policyId)).toEqual([
    { ...kept, actor: "manager" },
    { ...kept, actor: "group_admin" },
  ])
  const history = await (await manager.api()).policies.activity({ policyId: scene.policyId })
  expect(history.length).toBeGreaterThan(0)
  expect(history.map(({ fact }) => fact)).not.toContain("RecordViewed")
  app.clock.advance({ minutes: 10 })
  await viewPolicy(manager)
  expect(await readViewFacts(scene.policyId)).toHaveLength(3)
})

test("views of missing records, and views by the demo or the system, are not recorded", async () => {
  const before = await readViewFacts(scene.memberId)
  await expect((await hr.api()).members.detail({ memberId: scene.groupId })).rejects.toMatchObject({
    code: "NOT_FOUND",
  })
  await app.as(scene.people.manager).members.detail({ memberId: scene.memberId })
  expect(await readViewFacts(scene.memberId)).toEqual(before)
  expect(await readViewFacts(scene.groupId)).toEqual([])
})

test("without audit logging, only openings of claim documents are recorded, each time", async () => {
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, auditLogging: false } })
  app.app.forgetSettings()
  const before = await readViewFacts(scene.policyId)
  await viewPolicy(manager)
  expect(await readViewFacts(scene.policyId)).toEqual(before)

  const { id } = await createDraftClaim(scene.cast, scene.sample)
  const server = await app.serve()
  const headers = server.headersOf(scene.people.hr)
  for (const documentType of ["medical_report", "police_report"]) {
    const form = new FormData()
    form.set("documentType", documentType)
    form.set("file", new File(["%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n"], `${documentType}.pdf`))
    const answer = await fetch(`${server.url}/api/claims/${id}/documents`, { method: "POST", headers, body: form })
    expect(answer.status).toBe(200)
  }
  const { documents } = await scene.cast.captures.claims.detail({ claimId: id })
  const open = async () => {
    for (const document of documents)
      expect((await fetch(`${server.url}/api/claims/${id}/documents/${document.id}`, { headers })).status).toBe(200)
  }
  await open()
  await open()
  const facts = await readViewFacts(id)
  expect(facts.map(({ fact, actor }) => `${actor}: ${fact}`).toSorted()).toEqual([
    ...Array(2).fill(`${scene.people.hr.name}: DocumentOpened`),
    ...Array(2).fill(`${scene.people.hr.name}: MedicalDocumentOpened`),
  ])
})
