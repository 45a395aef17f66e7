import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim, createDraftClaim, createSubmittedClaim } from "../claims/claims.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Account Apparel")
})
afterAll(() => app.close())

test("an employer's figures agree with its invoices, receipts, claims and members", async () => {
  const manager = app.as(app.people.manager)
  const { groupId, policyId } = scene
  const overdue = await createSentInvoice(manager, { policyId, month: "2026-08-01", invoiceOn: "2026-08-01" })
  const current = await createSentInvoice(manager, { policyId, month: "2026-09-01", invoiceOn: "2026-11-01" })
  await recordedReceipt(manager, { policyId, amountCents: 12_34, receivedOn: "2026-10-05" })
  await createDraftClaim(scene.cast, scene.sample)
  await createSubmittedClaim(scene.cast, scene.sample)
  await createApprovedClaim(scene.cast, scene.sample)
  await createMember(manager, policyId, { startOn: "2026-11-02" })

  const account = await manager.reports.employerAccount({ groupId })
  const { rows } = await manager.billing.list({ groupId })
  const { rows: receipts } = await manager.receipts.list({ policyId })
  const unallocated = receipts.reduce((sum, { amountCents, allocatedCents }) => sum + amountCents - allocatedCents, 0)
  expect(account).toMatchObject({
    policies: { active: 1, suspended: 0, draft: 0, ended: 0 },
    members: { active: 3, pending: 0, suspended: 0 },
    ...{ joiners: 1, leavers: 0, openClaims: 1, nextInvoiceFor: "2026-01-01" },
    owedCents: rows.reduce((sum, { openCents }) => sum + openCents, 0),
    creditCents: unallocated,
    staffLists: [{ policyId, last: null, outstanding: null }],
  })
  expect(account.owedCents).toBe(overdue.totalCents + current.totalCents - (12_34 - unallocated))
  expect(account.overdueCents).toBe(account.owedCents - current.openCents)
  expect(account.people.map(({ role }) => role).toSorted()).toEqual(["group_admin", "group_admin", "policy_holder"])

  const { rows: months } = await manager.reports.rows({
    report: "claims_experience",
    query: { from: "2025-12-01", to: "2026-11-30", groupId, pageSize: 100 },
  })
  const sumOf = (name: string) => months.reduce((sum, row) => sum + Number(row[name]), 0)
  expect(account.experience).toMatchObject({
    earnedCents: sumOf("earnedCents"),
    incurredCents: sumOf("incurredCents"),
  })
  expect(account.experience!.incurredCents).toBeGreaterThan(0)
})

test("an employer's users see neither the credit nor the claims experience", async () => {
  const hr = app.as(scene.people.hr)
  expect(await hr.reports.employerAccount({ groupId: scene.groupId })).toMatchObject({
    creditCents: null,
    experience: null,
  })
})
