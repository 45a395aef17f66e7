import type { DocumentType } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { approveStage, createClaimContent, createDraftClaim, createSubmittedClaim } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let server: Awaited<ReturnType<ClaimApp["serve"]>>

beforeAll(async () => {
  app = await openClaimApp({ requiresDocuments: true })
  scene = await insureGroup(app, "Paper Mills")
  server = await app.serve()
})
afterAll(() => app.close())

async function attach({ id }: Pick<ClaimDetail, "id">, documentType: DocumentType): Promise<ClaimDetail> {
  const form = new FormData()
  form.set("documentType", documentType)
  form.set("file", new File(["%PDF-1.4\n%%EOF\n"], `${documentType}.pdf`, { type: "application/pdf" }))
  const answer = await fetch(`${server.url}/api/claims/${id}/documents`, {
    method: "POST",
    headers: server.headersOf(scene.people.hr),
    body: form,
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as ClaimDetail
}

const statesOf = ({ requiredDocuments }: ClaimDetail) =>
  Object.fromEntries(requiredDocuments.map(({ documents, state }) => [documents.join(" "), state]))
const submitDeath = () => createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })

describe("routing for approval", () => {
  test("is refused with the names of missing documents, and allowed when they are there", async () => {
    const claim = await submitDeath()
    const { id: claimId, version } = claim
    expect(statesOf(claim)).toEqual({ death_certificate: "missing", id_document: "missing" })
    await expect(scene.cast.manager.claims.route({ claimId, version })).rejects.toMatchObject({
      code: "DOCUMENTS_MISSING",
      message: "Required documents are missing: Death certificate, ID document. Add them, or waive them with a reason.",
      data: { documents: [["death_certificate"], ["id_document"]] },
    })
    await attach(claim, "death_certificate")
    await expect(scene.cast.manager.claims.route({ claimId, version })).rejects.toMatchObject({
      message: "Required documents are missing: ID document. Add them, or waive them with a reason.",
    })
    expect(statesOf(await attach(claim, "id_document"))).toEqual({ death_certificate: "there", id_document: "there" })
    const routed = await scene.cast.manager.claims.route({ claimId, version })
    expect(routed.status).toBe("pending_group_admin")
  })

  test("needs only one of alternative documents", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    expect(statesOf(claim)).toEqual({ "medical_report hospital_bill": "missing" })
    await attach(claim, "hospital_bill")
    const routed = await scene.cast.manager.claims.route({ claimId: claim.id, version: claim.version })
    expect(routed.status).toBe("pending_group_admin")
  })

  test("follows the settings at the time of routing", async () => {
    const admin = app.as(app.people.admin)
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const { version, settings } = await admin.settings.detail()
    const rule = { claimType: "medical" as const, benefitId: null, dependentsOnly: false }
    const above = { ...rule, anyOf: ["police_report" as const], aboveCents: 40_000_00 }
    const saved = await admin.settings.save({ version, settings: { ...settings, requiredDocuments: [above] } })
    expect(statesOf(await scene.cast.manager.claims.detail({ claimId: claim.id }))).toEqual({
      police_report: "missing",
    })
    await admin.settings.save({ version: saved.version, settings })
  })
})

describe("a waiver", () => {
  test("of a manager replaces a missing document, with its reason on the claim and in the trail", async () => {
    const claim = await submitDeath()
    await attach(claim, "death_certificate")
    const { manager } = scene.cast
    const waived = await manager.claims.waiveDocuments({
      claimId: claim.id,
      version: claim.version,
      documents: ["id_document"],
      reason: " The ID book burnt in the fire ",
    })
    expect(waived.requiredDocuments).toMatchObject([
      { documents: ["death_certificate"], state: "there", waiver: null },
      {
        documents: ["id_document"],
        state: "waived",
        waiver: { by: scene.people.manager.name, reason: "The ID book burnt in the fire" },
      },
    ])
    expect(waived.timeline[0]).toMatchObject({
      sentence: "waived a required document",
      reason: "The ID book burnt in the fire",
      changes: [{ field: "waivedDocuments", after: "ID document" }],
    })
    const routed = await manager.claims.route({ claimId: claim.id, version: waived.version })
    expect(routed).toMatchObject({ status: "pending_group_admin" })
    expect(statesOf(routed)).toEqual({ death_certificate: "there", id_document: "waived" })
  })

  test("is refused without a reason, for other documents, by other roles, for a draft and after routing", async () => {
    const claim = await submitDeath()
    const waive = { claimId: claim.id, version: claim.version, reason: "Lost" }
    const { manager, captures } = scene.cast
    await expect(
      manager.claims.waiveDocuments({ ...waive, documents: ["id_document"], reason: " " }),
    ).rejects.toMatchObject({ code: "INVALID" })
    await expect(manager.claims.waiveDocuments({ ...waive, documents: ["medical_report"] })).rejects.toMatchObject({
      code: "INVALID",
    })
    await expect(captures.claims.waiveDocuments({ ...waive, documents: ["id_document"] })).rejects.toMatchObject({
      code: "FORBIDDEN",
    })
    const draft = await createDraftClaim(scene.cast, { ...scene.sample, claimType: "death" })
    await expect(
      manager.claims.waiveDocuments({
        ...waive,
        claimId: draft.id,
        version: draft.version,
        documents: ["id_document"],
      }),
    ).rejects.toMatchObject({ code: "WRONG_STATUS" })
  })

  test("cannot be changed or deleted, nor added by a user of an employer", async () => {
    const claim = await submitDeath()
    await scene.cast.manager.claims.waiveDocuments({
      claimId: claim.id,
      version: claim.version,
      documents: ["id_document"],
      reason: "Lost",
    })
    const statements = [
      sql`update claim_document_waivers set reason = 'x' where claim_id = ${claim.id}`,
      sql`delete from claim_document_waivers where claim_id = ${claim.id}`,
    ]
    for (const statement of statements) {
      const refused = app.transaction(scene.people.manager, ({ tx }) => tx.run(statement))
      await expect(refused).rejects.toThrow(/permission denied/)
    }
    const added = app.transaction(scene.people.hr, ({ tx }) =>
      tx.run(sql`insert into claim_document_waivers select gen_random_uuid(), group_id, claim_id, '{other}', 'x', waived_by, waived_at
        from claim_document_waivers where claim_id = ${claim.id}`),
    )
    await expect(added).rejects.toThrow(/permission denied/)
  })
})

describe("the withdrawal of a waiver", () => {
  const waive = async () => {
    const { id: claimId, version } = await submitDeath()
    const documents: DocumentType[] = ["id_document"]
    const waived = await scene.cast.manager.claims.waiveDocuments({ claimId, version, documents, reason: "Lost" })
    return { claimId, version: waived.version, documents, reason: "The ID book was found" }
  }

  test("makes the document missing again, prevents routing, and is in the claim's activity", async () => {
    const { manager } = scene.cast
    const withdrawal = await waive()
    const withdrawn = await manager.claims.withdrawWaiver(withdrawal)
    expect(statesOf(withdrawn)).toEqual({ death_certificate: "missing", id_document: "missing" })
    expect(withdrawn.requiredDocuments.map(({ waiver }) => waiver)).toEqual([null, null])
    expect(withdrawn.timeline[0]).toMatchObject({
      sentence: "withdrew the waiver of a required document",
      reason: "The ID book was found",
      changes: [{ field: "waivedDocuments", before: "ID document", after: null }],
    })
    await attach(withdrawn, "death_certificate")
    const { claimId, version } = { ...withdrawal, version: withdrawn.version }
    await expect(manager.claims.route({ claimId, version })).rejects.toMatchObject({
      code: "DOCUMENTS_MISSING",
      data: { documents: [["id_document"]] },
    })
    const again = await manager.claims.waiveDocuments({ ...withdrawal, version, reason: "Lost again" })
    expect(again.requiredDocuments).toMatchObject([{}, { state: "waived", waiver: { reason: "Lost again" } }])
    const routed = await manager.claims.route({ claimId, version: again.version })
    await expect(manager.claims.withdrawWaiver({ ...withdrawal, version: routed.version })).rejects.toMatchObject({
      code: "WRONG_STATUS",
    })
    const afterRouting = app.sql.run(sql`
      update claim_document_waivers set withdrawn_at = waived_at, withdrawn_by = waived_by, withdrawn_reason = 'x'
      where claim_id = ${claimId} and withdrawn_at is null`)
    await expect(afterRouting).rejects.toMatchObject({ constraint: "claim_document_waivers_withdrawn_before_routing" })
  })

  test("is refused without a reason, for other documents, by other roles and for another claim", async () => {
    const withdrawal = await waive()
    const { manager, captures } = scene.cast
    const refusalOf = (changes: object, claims = manager.claims) =>
      claims.withdrawWaiver({ ...withdrawal, ...changes }).catch(({ code }) => code)
    expect(await refusalOf({ reason: " " })).toBe("INVALID")
    expect(await refusalOf({ documents: ["death_certificate"] })).toBe("INVALID")
    expect(await refusalOf({ version: withdrawal.version - 1 })).toBe("STALE")
    expect(await refusalOf({ claimId: crypto.randomUUID() })).toBe("NOT_FOUND")
    for (const actor of [scene.people.hr, scene.people.signatory, app.people.underwriter]) {
      expect(await refusalOf({}, app.as(actor).claims)).toBe("FORBIDDEN")
    }
    expect(await refusalOf({}, captures.claims)).toBe("FORBIDDEN")
    const upload = await attach({ id: withdrawal.claimId }, "id_document")
    expect(await refusalOf({ version: upload.version })).toBe("INVALID")
  })

  test("is stored once when two managers withdraw at once, and is final", async () => {
    const withdrawal = await waive()
    const managers = [scene.cast.manager, app.as(await app.people.another("manager"))]
    const answers = await Promise.allSettled(managers.map(({ claims }) => claims.withdrawWaiver(withdrawal)))
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(answers.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "STALE" } })
    const change = (set: ReturnType<typeof sql>) =>
      app.sql.run(sql`update claim_document_waivers set ${set} where claim_id = ${withdrawal.claimId}`)
    await expect(change(sql`withdrawn_reason = 'x'`)).rejects.toThrow(/cannot be changed|changed/)
    await expect(change(sql`withdrawn_at = null, withdrawn_by = null, withdrawn_reason = null`)).rejects.toThrow(
      /changed/,
    )
  })

  test("hides its reason and a medical document from the policy holder", async () => {
    const { id: claimId, version } = await submitDeath()
    const documents: DocumentType[] = ["death_certificate"]
    const { manager } = scene.cast
    const waived = await manager.claims.waiveDocuments({ claimId, version, documents, reason: "Planted cholera" })
    await manager.claims.withdrawWaiver({ claimId, version: waived.version, documents, reason: "Planted cholera" })
    const { claims } = app.as(scene.people.signatory)
    const seen = JSON.stringify([await claims.detail({ claimId }), await claims.activity({ claimId })])
    expect(seen).toContain("withdrew the waiver of a required document")
    expect(seen).not.toMatch(/cholera|Death certificate|death_certificate/)
  })
})

test("an upload ends the request for it and for its alternatives", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const asked = await scene.cast.manager.claims.requestDocuments({
    claimId: claim.id,
    version: claim.version,
    documents: ["medical_report", "police_report"],
    note: "",
  })
  expect(asked.requestedDocuments).toEqual(["medical_report", "police_report"])
  expect((await attach(claim, "hospital_bill")).requestedDocuments).toEqual(["police_report"])
})

test("a policy holder sees neither requirements of medical documents nor the reasons of waivers", async () => {
  const claim = await submitDeath()
  await attach(claim, "death_certificate")
  const waived = await scene.cast.manager.claims.waiveDocuments({
    claimId: claim.id,
    version: claim.version,
    documents: ["id_document"],
    reason: "Burnt with the body",
  })
  const routed = await scene.cast.manager.claims.route({ claimId: claim.id, version: waived.version })
  await approveStage(scene.cast, routed)
  const seen = await scene.cast.policy_holder.claims.detail({ claimId: claim.id })
  expect(seen.requiredDocuments).toMatchObject([{ documents: ["id_document"], waiver: { reason: null } }])
  expect(JSON.stringify(seen)).not.toContain("Burnt")
})

describe("the cause of death", () => {
  test("is stored for death claims only, and unknown if it is not given", async () => {
    const death = await createSubmittedClaim(scene.cast, {
      ...scene.sample,
      claimType: "death",
      causeOfDeath: "accident",
    })
    expect(death.medical?.causeOfDeath).toBe("accident")
    expect((await submitDeath()).medical?.causeOfDeath).toBe("unknown")
    const medical = await createSubmittedClaim(scene.cast, { ...scene.sample, causeOfDeath: "accident" })
    expect(medical.medical?.causeOfDeath).toBeNull()
  })

  test("is in the history when it changes, and hidden from the policy holder", async () => {
    const content = { ...scene.sample, claimType: "death" as const, causeOfDeath: "natural" as const }
    const claim = await createSubmittedClaim(scene.cast, content)
    const edited = await scene.cast.captures.claims.saveDraft({
      claimId: claim.id,
      version: claim.version,
      content: createClaimContent({ ...content, causeOfDeath: "suicide" }),
    })
    expect(edited.timeline[0]?.changes).toEqual([{ field: "causeOfDeath", before: "natural", after: "suicide" }])
    const seen = JSON.stringify(await scene.cast.policy_holder.claims.detail({ claimId: claim.id }))
    for (const hidden of ["suicide", "natural", "causeOfDeath"]) expect(seen).not.toContain(hidden)
  })
})
