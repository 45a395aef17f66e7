import type { DocumentType } from "@milkwood/domain/claims/claim"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { findPlantedText } from "../test/planted.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { approveStage, createClaimContent, createClaimPendingAt, createSubmittedClaim } from "./claims.samples.ts"
import { nominateHeirs, recordProposedPayees, sampleHeirs } from "./payees.samples.ts"

const secretTexts = {
  description: "Collapsed at the depot",
  diagnosis: "Epilepsy",
  hospitalName: "Tygerberg",
  doctorName: "Dr Pillay",
  treatmentDetails: "Levetiracetam",
  billNumber: "TYG-4711",
}
const hiddenFields = [
  ...Object.values(secretTexts),
  "epilepsy-report",
  "Chronic, says the underwriter",
  "HR saw the scans",
  "Medical report",
  "medical_report",
]

let app: ClaimApp
let scene: ClaimScene
let claimId: string
let server: Awaited<ReturnType<ClaimApp["serve"]>>

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Quiet Transport")
  server = await app.serve()
  const { captures, manager } = scene.cast
  const draft = await captures.claims.saveDraft({ content: createClaimContent({ ...scene.sample, ...secretTexts }) })
  claimId = draft.id
  await upload(claimId, "medical_report", "epilepsy-report.pdf")
  await upload(claimId, "police_report", "epilepsy-report police.pdf")
  const claim = await captures.claims.submit({ claimId, version: draft.version })
  const edited = await captures.claims.saveDraft({
    claimId,
    version: claim.version,
    content: createClaimContent({ ...scene.sample, ...secretTexts, diagnosis: "Epilepsy, focal" }),
  })
  const asked = await manager.claims.requestDocuments({
    claimId,
    version: edited.version,
    documents: ["medical_report"],
    note: "HR saw the scans",
  })
  const routed = await manager.claims.route({ claimId, version: asked.version })
  const first = await approveStage(scene.cast, routed, null, "HR saw the scans")
  await approveStage(scene.cast, first, null, "Chronic, says the underwriter")
})
afterAll(() => app.close())

async function upload(toClaim: string, documentType: DocumentType, name: string): Promise<void> {
  const form = new FormData()
  form.set("documentType", documentType)
  form.set("file", new File(["%PDF-1.4\n%%EOF\n"], name, { type: "application/pdf" }))
  const answer = await fetch(`${server.url}/api/claims/${toClaim}/documents`, {
    method: "POST",
    headers: server.headersOf(scene.people.hr),
    body: form,
  })
  expect(answer.status).toBe(200)
}

const signatoryClient = () => app.as(scene.people.signatory)

test("a policy holder reads no medical facts", async () => {
  const read = [
    await signatoryClient().claims.detail({ claimId }),
    await signatoryClient().claims.list({}),
    await signatoryClient().claims.pending({}),
    await signatoryClient().claims.nextForMe({}),
    await signatoryClient().claims.list({ search: "Quiet" }),
  ]
  const text = JSON.stringify(read)
  for (const secret of hiddenFields) expect(text).not.toContain(secret)
  const staff = JSON.stringify(await scene.cast.underwriter.claims.detail({ claimId }))
  for (const secret of hiddenFields.slice(0, -2)) expect(staff).toContain(secret)
})

test("the response to a policy holder's decision or a STALE refusal has no medical facts", async () => {
  const waiting = await signatoryClient().claims.detail({ claimId })
  const decision = { claimId, decision: "approve", comment: "Agreed by the signatory" } as const
  const stale = await signatoryClient()
    .claims.decide({ ...decision, version: 1, idempotencyKey: crypto.randomUUID() })
    .catch((error: { code: string; data: unknown }) => error)
  expect(stale).toMatchObject({ code: "STALE" })
  const answer = await signatoryClient().claims.decide({
    ...decision,
    version: waiting.version,
    idempotencyKey: crypto.randomUUID(),
  })
  const text = JSON.stringify([stale, answer])
  for (const secret of hiddenFields) expect(text).not.toContain(secret)
  expect(answer).toMatchObject({
    medical: null,
    approvals: [{ comment: null }, { comment: null }, { comment: "Agreed by the signatory" }],
  })
  expect(answer.timeline[0]?.reason).toBe("Agreed by the signatory")
})

test("a policy holder sees the ID number masked", async () => {
  const { member } = await signatoryClient().claims.detail({ claimId })
  const full = (await scene.cast.manager.claims.detail({ claimId })).member.idNumber!
  expect(member.idNumber).toBe(`${"•".repeat(10)}${full.slice(-3)}`)
})

test("a policy holder's search for a hidden fact finds no claim", async () => {
  for (const actor of [scene.people.signatory, scene.people.manager]) {
    for (const search of Object.values(secretTexts)) {
      expect((await app.as(actor).claims.list({ search })).total).toBe(0)
      expect((await app.as(actor).claims.pending({ search })).total).toBe(0)
    }
  }
})

test("a policy holder gets no medical documents, and no file names of others", async () => {
  const { documents } = await signatoryClient().claims.detail({ claimId })
  expect(documents).toMatchObject([{ documentType: "police_report", name: "Police report" }])
  const stored = await app.sql.rows<{ id: string; type: string }>(sql`
    select id, document_type as type from claim_documents where claim_id = ${claimId}`)
  for (const { id, type } of stored) {
    const answer = await fetch(`${server.url}/api/claims/${claimId}/documents/${id}`, {
      headers: server.headersOf(scene.people.signatory),
    })
    expect(answer.status).toBe(type === "medical_report" ? 404 : 200)
    expect(answer.headers.get("content-disposition") ?? "").not.toContain("epilepsy")
    const staff = await fetch(`${server.url}/api/claims/${claimId}/documents/${id}`, {
      headers: server.headersOf(scene.people.underwriter),
    })
    expect(staff.status).toBe(200)
    expect(staff.headers.get("content-disposition")).toContain("epilepsy-report")
  }
})

test("a policy holder sees that a claim was sent back, but not the reason", async () => {
  const { manager } = scene.cast
  const { id, version } = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
  await manager.claims.sendBack({ claimId: id, version, reason: "Epilepsy is not named" })
  const read = await signatoryClient().claims.detail({ claimId: id })
  expect(read.sentBack).toMatchObject([{ round: 1, by: scene.people.manager.name, reason: null }])
  expect(JSON.stringify(read)).not.toContain("Epilepsy is not named")
})

test("a policy holder reads a rejection's reason only if a policy holder rejected", async () => {
  const reject = async (stage: "underwriter" | "policy_holder", comment: string) => {
    const { id, version } = await createClaimPendingAt(scene.cast, stage, scene.sample)
    await scene.cast[stage].claims.decide({
      claimId: id,
      version,
      decision: "reject",
      comment,
      idempotencyKey: crypto.randomUUID(),
    })
    return signatoryClient().claims.detail({ claimId: id })
  }
  expect(await reject("underwriter", "Epilepsy since birth")).toMatchObject({
    status: "rejected",
    rejectionReason: null,
  })
  expect(await reject("policy_holder", "Left our employ")).toMatchObject({ rejectionReason: "Left our employ" })
})

test("employers' users get no note of a claim in any answer, file, mail or notification", async () => {
  const { manager } = scene.cast
  const planted = "Kingfisher ward"
  const note = { kind: "call", direction: "out", person: planted, contact: "0215550100", text: planted } as const
  const [saved] = await manager.claims.addNote({ claimId, idempotencyKey: crypto.randomUUID(), note })
  await manager.claims.strikeNote({ claimId, noteId: saved!.id, reason: planted })
  for (const reader of [scene.people.hr, scene.people.signatory]) {
    const { claims, reports, notifications } = app.as(reader)
    for (const asked of [
      claims.notes({ claimId }),
      claims.followUps({}),
      claims.openings({ claimId }),
      claims.addNote({ claimId, idempotencyKey: crypto.randomUUID(), note }),
      claims.strikeNote({ claimId, noteId: saved!.id, reason: "?" }),
      claims.completeFollowUp({ claimId, noteId: saved!.id }),
    ])
      await expect(asked).rejects.toMatchObject({ code: "FORBIDDEN" })
    const answers = [
      await claims.detail({ claimId }),
      await claims.activity({ claimId }),
      await claims.list({}),
      await reports.recentActivity({}),
      await notifications.inbox({}),
    ]
    const files = ["/api/claims.csv", "/api/pending-claims.csv"].map(async (path) =>
      (await fetch(`${server.url}${path}`, { headers: server.headersOf(reader) })).text(),
    )
    const text = JSON.stringify([answers, await Promise.all(files)])
    expect(text).not.toMatch(/Kingfisher|a note|logged a call/)
    expect((await claims.list({ search: "Kingfisher" })).total).toBe(0)
  }
  await app.runJobs()
  expect(JSON.stringify(await app.mails())).not.toContain("Kingfisher")
  const { folder } = app.app.files
  expect(await findPlantedText(app.sql, folder, "Kingfisher")).toEqual(["claim_notes", "idempotency_keys"])
})

test("a policy holder reads no reason, cause of death or document name in any answer, file, mail or log", async () => {
  const logged = (["info", "warn", "error"] as const).map((level) => vi.spyOn(app.app.log, level))
  const planted = "Kudu syndrome"
  const { manager, captures } = scene.cast
  const staff = app.as(app.people.manager)
  const { id: memberId } = await createMember(staff, scene.policyId, { startOn: "2026-01-01" })
  await nominateHeirs(staff, memberId)
  const wrong = (await staff.members.nominations.list({ memberId })).currentId!
  const nominees = [{ ...sampleHeirs[0]!, shareBasisPoints: 10_000 }]
  await staff.members.nominations.correct({
    ...{ memberId, nominationId: wrong, fromOn: "2026-02-01", nominees, reason: planted },
  })
  const death = { ...scene.sample, memberId, claimType: "death", causeOfDeath: "suicide" } as const
  const draft = await captures.claims.saveDraft({
    content: createClaimContent({ ...death, treatmentDetails: planted }),
  })
  await upload(draft.id, "death_certificate", `${planted}.pdf`)
  await upload(draft.id, "police_report", `${planted}, scene.pdf`)
  let claim = await captures.claims.submit({ claimId: draft.id, version: draft.version })
  const next = (current: { id: string; version: number }) => ({ claimId: current.id, version: current.version })
  claim = await manager.claims.requestDocuments({ ...next(claim), documents: ["medical_report"], note: planted })
  claim = await manager.claims.reject({ ...next(claim), reason: planted })
  claim = await manager.claims.reopen({ ...next(claim), reason: planted, receivedOn: "2026-11-02" })
  claim = await manager.claims.route(next(claim))
  while (claim.status !== "approved")
    claim = await approveStage(scene.cast, claim, null, claim.status === "pending_policy_holder" ? "Agreed" : planted)
  claim = await app.as(app.people.manager2).claims.withdrawApproval({ ...next(claim), reason: planted })
  await recordProposedPayees(staff, claim.id)
  const { current } = await staff.claims.payees.detail({ claimId: claim.id })
  const [payee] = sampleHeirs
  const { shareBasisPoints: _, phone: __, ...person } = payee!
  await app.as(scene.people.underwriter).claims.payees.record({
    ...{ claimId: claim.id, replaces: current!.id, basis: "decision", reason: planted },
    payees: [{ ...person, relationship: "spouse", shareBasisPoints: 10_000, receivedBy: "self", receiverName: "" }],
  })
  const withdrawn = await createSubmittedClaim(scene.cast, { ...death, treatmentDetails: "" })
  await manager.claims.withdrawSubmitted({ ...next(withdrawn), reason: planted })

  const reader = signatoryClient()
  const answers = {
    claim: await reader.claims.detail({ claimId: claim.id }),
    claimActivity: await reader.claims.activity({ claimId: claim.id }),
    withdrawn: await reader.claims.detail({ claimId: withdrawn.id }),
    withdrawnActivity: await reader.claims.activity({ claimId: withdrawn.id }),
    lists: [await reader.claims.list({}), await reader.claims.pending({})],
    member: await reader.members.detail({ memberId }),
    memberActivity: await reader.members.activity({ memberId }),
    nominations: await reader.members.nominations.list({ memberId }),
    recentActivity: await reader.reports.recentActivity({}),
    inbox: await reader.notifications.inbox({}),
  }
  const files = ["/api/claims.csv", "/api/pending-claims.csv", "/api/members.csv"].map(async (path) =>
    (await fetch(`${server.url}${path}`, { headers: server.headersOf(scene.people.signatory) })).text(),
  )
  await app.runJobs()
  const mails = (await app.mails()).filter(({ to }) => to === scene.people.signatory.email)
  const shown = { ...answers, files: await Promise.all(files), mails, logged: logged.map(({ mock }) => mock.calls) }
  for (const [place, value] of Object.entries(shown)) {
    expect(JSON.stringify(value), place).not.toContain(planted)
    expect(JSON.stringify(value), place).not.toMatch(/"suicide"|Suicide/)
  }
  const found = await findPlantedText(app.sql, app.app.files.folder, planted)
  expect(found).toContain("claim_reopenings")
  expect(found.filter((table) => /notif|notice|webhook|message|jobs|audit/.test(table))).toEqual([])
})
