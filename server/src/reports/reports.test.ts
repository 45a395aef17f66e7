import { randomUUID } from "node:crypto"
import { ageBucketOf, ageBuckets } from "@milkwood/domain/billing/ageing"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createDraftInvoice, createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import {
  createApprovedClaim,
  createRejectedClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "../claims/claims.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"
import { type Client, openTestApp } from "../test/app.ts"

test("an empty installation has a dashboard of zeros without comparison, and no debtors", async () => {
  const app = await openTestApp()
  const client = app.as(app.people.manager)
  const figures = await client.reports.dashboard({})
  for (const figure of Object.values(figures))
    expect(figure).toEqual({ now: 0, before: 0, changePercent: null, months: [...Array(11).fill(null), 0] })
  await expect(client.reports.debtorsAgeing({})).resolves.toMatchObject({ rows: [], total: 0, asOf: "2026-11-02" })
  await expect(client.reports.recentActivity({})).resolves.toEqual([])
  await expect(client.reports.search({ text: "mas" })).resolves.toEqual([])
  await app.close()
})

describe("a company with data", () => {
  let app: ClaimApp
  let scene: ClaimScene
  let manager: Client
  /** September and October are invoiced; September is paid except R 10. */
  let invoices: { september: number; october: number }

  beforeAll(async () => {
    app = await openClaimApp()
    app.clock.set("2026-10-20T08:00:00Z")
    scene = await insureGroup(app, "Report Dairy")
    manager = app.as(app.people.manager)
    const { policyId } = scene
    const early = { ...scene.sample, incidentOn: "2026-10-10", notificationOn: "2026-10-12" }
    const september = await createSentInvoice(manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
    await createApprovedClaim(scene.cast, early)
    await createSubmittedClaim(scene.cast, early)
    app.clock.set("2026-11-05T08:00:00Z")
    const october = await createSentInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
    await recordedReceipt(manager, { policyId, amountCents: september.totalCents - 10_00, receivedOn: "2026-11-04" })
    await createRejectedClaim(scene.cast, early)
    await createRoutedClaim(scene.cast, early)
    invoices = { september: september.totalCents, october: october.totalCents }
  })
  afterAll(() => app.close())

  test("compares today's figures with last month, each equal to its list", async () => {
    const figures = await manager.reports.dashboard({})
    expect(figures).toMatchObject({
      activePolicies: { now: 1, before: 1, changePercent: 0 },
      totalMembers: { now: 2, before: 2, changePercent: 0 },
      pendingClaims: { now: 2, before: 1, changePercent: 100 },
      outstandingPremiums: { now: invoices.october + 10_00, before: invoices.september + invoices.october },
      claimsProcessed: { now: 1, before: 0, changePercent: null },
      overduePayments: { now: 2, before: 1, changePercent: 100 },
    })
    expect((await manager.policies.list({ status: "Active" })).total).toBe(figures.activePolicies.now)
    expect((await manager.members.list({ status: "Active" })).total).toBe(figures.totalMembers.now)
    expect((await manager.claims.list({ tab: "pending" })).total).toBe(figures.pendingClaims.now)
    expect((await manager.claims.list({ decidedFrom: "2026-11-01" })).total).toBe(figures.claimsProcessed.now)
    expect((await manager.billing.list({ tab: "overdue" })).total).toBe(figures.overduePayments.now)
    const { debitCents } = (await manager.ledger.trialBalance({})).accounts.find(
      ({ account }) => account === "premium_debtors",
    )!
    expect(debitCents).toBe(figures.outstandingPremiums.now)
  })

  test("an employer's users see figures of their own groups", async () => {
    const figures = await manager.reports.dashboard({})
    for (const reader of [scene.people.hr, scene.people.signatory])
      await expect(app.as(reader).reports.dashboard({})).resolves.toMatchObject({
        activePolicies: figures.activePolicies,
        outstandingPremiums: figures.outstandingPremiums,
        overduePayments: figures.overduePayments,
      })
    const stranger = app.as(await app.people.groupAdmin((await insureGroup(app, "Owes Nothing")).groupId))
    await expect(stranger.reports.dashboard({})).resolves.toMatchObject({ outstandingPremiums: { now: 0, before: 0 } })
  })

  test("its Active count includes members yet to start, but not suspended members and leavers", async () => {
    const { policyId } = await insureGroup(app, "Coming Cellars")
    const soon = { policyId, startOn: "2027-01-01" }
    const agrees = async () => {
      const figures = await manager.reports.dashboard({})
      expect(figures.activePolicies.now).toBe((await manager.policies.list({ status: "Active" })).total)
      expect(figures.totalMembers.now).toBe((await manager.members.list({ status: "Active" })).total)
      return figures.totalMembers.now
    }
    const before = await agrees()
    const coming = await createMember(manager, policyId, soon)
    const [suspended, leaving] = [await createMember(manager, policyId), await createMember(manager, policyId)]
    expect(await agrees()).toBe(before + 3)
    const { today } = await manager.settings.display({})
    const on = (member: { id: string; version: number }) => ({
      memberId: member.id,
      version: member.version,
      on: today,
      reason: "Test",
    })
    await manager.members.suspend(on(suspended))
    await manager.members.terminate(on(leaving))
    expect(await agrees()).toBe(before + 1)
    await createActivePolicy(manager, { groupName: "Next Year", startOn: "2027-01-01" })
    const ended = await createActivePolicy(manager, { groupName: "Ended Today" })
    await manager.policies.terminate({ policyId: ended.id, version: ended.version, on: today, reason: "Test" })
    await agrees()
    expect(coming.status).toBe("Active")
  })

  test("a policy's account has the amount owed, paid-up date, next invoice and approvers", async () => {
    const { policyId, people } = scene
    const before = await manager.reports.policyAccount({ policyId })
    expect(before).toMatchObject({
      owedCents: invoices.october + 10_00,
      overdueCents: invoices.october + 10_00,
      creditCents: 0,
      paidUpTo: null,
      invoices: 2,
      receipts: 1,
    })
    expect(before.people.map(({ role }) => role).sort()).toEqual(["group_admin", "group_admin", "policy_holder"])
    expect(before.claims).toBe((await manager.claims.list({ policyId })).total)
    const hers = await app.as(people.signatory).reports.policyAccount({ policyId })
    expect(hers).toEqual({ ...before, creditCents: null, receipts: null, refunds: null })
    const invoice = (await manager.billing.list({ policyId, search: "", sort: "number", dir: "asc" })).rows[0]!
    expect(before.nextInvoiceFor).toBe((await manager.billing.nextPeriod({ policyId })).periodStartOn)
    expect(invoice.openCents).toBe(10_00)
  })

  test("ages amounts owed by due day; rows add up to the totals and the ledger", async () => {
    const ageing = await manager.reports.debtorsAgeing({})
    expect(ageing.rows).toMatchObject([
      {
        groupName: "Report Dairy",
        days1to30: invoices.october,
        days31to60: 10_00,
        current: 0,
        invoices: 2,
        oldestDueOn: "2026-10-01",
      },
    ])
    expect(ageing.sums!.totalCents).toBe(invoices.october + 10_00)
    const owed = (await manager.billing.list({ tab: "overdue" })).rows
    for (const bucket of ageBuckets) {
      const within = owed.filter(({ dueOn }) => ageBucketOf(dueOn, ageing.asOf) === bucket)
      expect(ageing.sums![bucket], bucket).toBe(within.reduce((sum, { openCents }) => sum + openCents, 0))
    }
    const earlier = await manager.reports.debtorsAgeing({ asOf: "2026-09-30" })
    expect(earlier.sums).toMatchObject({ current: invoices.september, totalCents: invoices.september })
    for (const asOf of ["2026-09-30", "2026-10-31", "2026-11-05"]) {
      const { sums } = await manager.reports.debtorsAgeing({ asOf })
      const debtors = (await manager.ledger.trialBalance({ asOf })).accounts.find(
        ({ account }) => account === "premium_debtors",
      )!
      expect(sums!.totalCents, asOf).toBe(debtors.debitCents)
    }
  })

  test("a policy with only credit is in the ageing; credits add up to the ledger", async () => {
    const { policyId } = await insureGroup(app, "Paid Ahead Orchards")
    await createUnallocatedReceipt(manager, { policyId, amountCents: 56_78, receivedOn: "2026-11-04" })
    const { rows, sums } = await manager.reports.debtorsAgeing({ sort: "oldestDueOn", dir: "desc" })
    expect(rows.at(-1)).toMatchObject({
      policyId,
      groupName: "Paid Ahead Orchards",
      totalCents: 0,
      creditCents: 56_78,
      invoices: 0,
      oldestDueOn: null,
    })
    const credit = (await manager.ledger.trialBalance({})).accounts.find(
      ({ account }) => account === "unallocated_receipts",
    )!
    expect(sums!.creditCents).toBe(credit.creditCents)
    const earlier = await manager.reports.debtorsAgeing({ asOf: "2026-11-03" })
    expect(earlier.rows.map((row) => row.policyId)).not.toContain(policyId)
  })

  test("the ageing file has the same figures and no executable cell", async () => {
    await insureGroup(app, "=HYPERLINK(1)").then(async ({ policyId }) => {
      await createSentInvoice(manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
      await createUnallocatedReceipt(manager, { policyId, amountCents: 12_34, receivedOn: "2026-11-04" })
    })
    const { url, headersOf } = await app.serve()
    const ask = (path: string) => fetch(url + path, { headers: headersOf(app.people.manager) })
    const file = await ask("/api/debtors-ageing.csv?sort=groupName&dir=asc")
    expect(file.headers.get("content-disposition")).toContain('filename="debtors-ageing-2026-11-05.csv"')
    const lines = (await file.text()).trim().split("\r\n")
    expect(lines[0]).toBe(
      "Group,Policy,Not due,1–30 days,31–60 days,61–90 days,Over 90 days,Total,Unallocated,Open invoices,Oldest due",
    )
    expect(lines[1]).toMatch(/^"'=HYPERLINK\(1\)",GP-2026-\d{6},.*,12\.34,1,/)
    expect(lines[2]).toMatch(/^Paid Ahead Orchards,.*,0,56\.78,0,$/)
    expect(lines[3]).toContain(`,${invoices.october / 100},10,`)
    expect((await ask("/api/debtors-ageing.csv?asOf=2026-13-01")).status).toBe(422)
  })

  test("recent activity is limited to readable records and contains no medical details", async () => {
    await app.sql.run(sql`
      insert into audit_log (at, actor_name, actor_role, request_id, fact, record_kind, record_id, record_label, detail)
      select now(), 'Somebody', 'manager', 'look', 'RecordViewed', 'policy', id, '', '{}' from policies limit 1`)
    const all = await manager.reports.recentActivity({ limit: 50 })
    expect(all.map(({ sentence }) => sentence)).not.toContain("viewed the record")
    expect(all.map(({ sentence }) => sentence)).toContain("routed the claim for approval")
    const signatory = await app.as(scene.people.signatory).reports.recentActivity({ limit: 50 })
    expect(new Set(signatory.map(({ record }) => record.kind))).not.toContain("receipt")
    expect(JSON.stringify(signatory)).not.toMatch(/Fractured|Groote Schuur|ladder/)
  })

  test("search finds an invoice for an employer's users only after the invoice was sent", async () => {
    const { policyId } = await insureGroup(app, "Draft Foundry")
    const draft = await createDraftInvoice(manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-05" })
    const find = async (actor: Parameters<typeof app.as>[0], text: string) =>
      (await app.as(actor).reports.search({ text })).map(({ title }) => title)
    const hr = await app.people.groupAdmin(draft.groupId)
    await expect(find(app.people.manager, draft.number)).resolves.toEqual([draft.number])
    await expect(find(hr, draft.number)).resolves.toEqual([])
    await manager.billing.send({ invoiceId: draft.id, version: draft.version, idempotencyKey: randomUUID() })
    await expect(find(hr, draft.number)).resolves.toEqual([draft.number])
  })

  test("search finds an employer by its name and registration number", async () => {
    const details = { vatNumber: "", phone: "", address: "", postalAddress: "" }
    const { id } = await manager.employers.create({
      ...{ name: "Yellowwood Yards", registrationNumber: "2019/987654/07", ...details },
    })
    const found = { kind: "group", id, title: "Yellowwood Yards", path: `/groups/${id}` }
    for (const text of ["yellowwood", "987654/07"])
      expect(await manager.reports.search({ text })).toMatchObject([found])
    const { groupId } = await insureGroup(app, "Stinkwood Stores")
    const hr = app.as(await app.people.groupAdmin(groupId))
    expect(await hr.reports.search({ text: "yellowwood" })).toEqual([])
  })

  test("search finds a member by an ID number typed with spaces", async () => {
    const { policyId } = await insureGroup(app, "Grouped Digits")
    const member = await createMember(manager, policyId)
    const typed = member.personal.idNumber!.replace(/^(.{6})(.{4})(.{2})/, " $1 $2 $3 ")
    const found = await manager.reports.search({ text: typed })
    expect(found.map(({ kind, id }) => `${kind} ${id}`)).toEqual([`member ${member.id}`])
    const listed = await manager.members.list({ search: typed })
    expect(listed.rows.map(({ id }) => id)).toEqual([member.id])
  })

  test("search finds a member by any part of the phone number in any notation", async () => {
    const { policyId, groupId } = await insureGroup(app, "Dialled Digits")
    const member = await createMember(manager, policyId, { phone: "+27 (83) 417-2650" })
    const hr = app.as(await app.people.groupAdmin(groupId))
    for (const typed of ["083 417 2650", "+27 83 417 2650", "(083) 417 2650", "0834172650", "172650"]) {
      for (const reader of [manager, hr]) {
        const found = await reader.reports.search({ text: typed })
        expect(found.map(({ kind, id }) => `${kind} ${id}`)).toEqual([`member ${member.id}`])
        const listed = await reader.members.list({ search: typed })
        expect(listed.rows.map(({ id }) => id)).toEqual([member.id])
      }
    }
    const signatory = app.as(await app.people.policyHolder(groupId))
    await expect(signatory.reports.search({ text: "0834172650" })).resolves.toEqual([])
    expect((await signatory.members.list({ search: "0834172650" })).rows).toEqual([])
  })

  test("search ranks prefix matches first and former members last", async () => {
    const { policyId } = await insureGroup(app, "Ranked Robotics")
    const named = (firstName: string, lastName: string) => createMember(manager, policyId, { firstName, lastName })
    await named("Anna", "Mcquokka")
    const left = await named("Quokka", "Adams")
    await named("Quokka", "Zwane")
    await named("Ben", "Quokkason")
    const { today } = await manager.settings.display({})
    await manager.members.terminate({ memberId: left.id, version: left.version, on: today, reason: "Left" })
    const found = await manager.reports.search({ text: "quokka" })
    expect(found.map(({ title }) => title)).toEqual(["Ben Quokkason", "Quokka Zwane", "Quokka Adams", "Anna Mcquokka"])
  })

  test("search covers numbers, names, ID numbers and emails, but no ID numbers for policy holders", async () => {
    const { personal, contact } = await manager.members.detail({ memberId: scene.memberId })
    const idNumber = personal.idNumber!
    const find = async (actor: Parameters<typeof app.as>[0], text: string) =>
      (await app.as(actor).reports.search({ text })).map(({ kind }) => kind)
    await expect(find(app.people.manager, "dlamini")).resolves.toContain("member")
    await expect(find(app.people.manager, idNumber)).resolves.toContain("member")
    await expect(find(app.people.manager, contact.email)).resolves.toContain("member")
    await expect(find(app.people.manager, "clm-2026-000001")).resolves.toEqual(["claim"])
    await expect(find(app.people.manager, "inv-2026-000001")).resolves.toEqual(["invoice"])
    await expect(find(app.people.manager, "rec-2026")).resolves.toContain("receipt")
    await expect(find(app.people.underwriter, "rec-2026")).resolves.not.toContain("receipt")
    for (const text of [idNumber, contact.email.toUpperCase()]) {
      expect(new Set(await find(scene.people.hr, text))).toEqual(new Set(["member", "claim"]))
    }
    await expect(find(scene.people.signatory, idNumber)).resolves.toEqual([])
    await expect(find(scene.people.signatory, "Dlamini")).resolves.toContain("member")
    await expect(find(app.people.none, "dlamini")).resolves.toEqual([])
    await expect(find(app.people.manager, "%_\\")).resolves.toEqual([])
  })

  test("a credit note is searchable, counted for its policy and shown once in recent activity", async () => {
    const { policyId, people } = await insureGroup(app, "Credited Creamery")
    const invoice = await createSentInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
    expect((await manager.reports.policyAccount({ policyId })).creditNotes).toBe(0)
    const { creditNotes } = await manager.billing.credit({
      ...{ invoiceId: invoice.id, idempotencyKey: randomUUID(), amountCents: 10_00, reason: "Left in October" },
    })
    const { id, number } = creditNotes[0]!
    const stranger = await insureGroup(app, "Other Creamery")
    for (const reader of [manager, app.as(people.hr), app.as(people.signatory)]) {
      for (const text of [number, number.toLowerCase(), number.slice(0, 7)]) {
        const found = await reader.reports.search({ text })
        expect(found).toMatchObject([{ kind: "credit_note", id, title: number, path: `/invoices/credit-notes/${id}` }])
      }
      expect((await reader.reports.policyAccount({ policyId })).creditNotes).toBe(1)
      const told = (await reader.reports.recentActivity({ limit: 50 })).filter(({ sentence }) =>
        /credit/.test(sentence),
      )
      expect(told.map(({ record }) => record)).toEqual([{ kind: "credit_note", id, label: number }])
    }
    const other = app.as(stranger.people.hr)
    await expect(other.reports.search({ text: number })).resolves.toEqual([])
    expect((await other.reports.recentActivity({ limit: 50 })).map(({ record }) => record.id)).not.toContain(id)
  })

  test("each card equals the count of its list for every role", async () => {
    const stranger = await insureGroup(app, "Beside Them")
    await createSentInvoice(manager, { policyId: stranger.policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
    await createRoutedClaim(stranger.cast, {
      ...stranger.sample,
      incidentOn: "2026-10-10",
      notificationOn: "2026-10-12",
    })
    const readers = [app.people.admin, app.people.manager, app.people.underwriter, ...Object.values(scene.people)]
    for (const reader of readers) {
      const client = app.as(reader)
      const figures = await client.reports.dashboard({})
      const label = `for ${reader.name}`
      expect((await client.policies.list({ status: "Active" })).total, label).toBe(figures.activePolicies.now)
      expect((await client.members.list({ status: "Active" })).total, label).toBe(figures.totalMembers.now)
      expect((await client.claims.list({ tab: "pending" })).total, label).toBe(figures.pendingClaims.now)
      expect((await client.claims.list({ decidedFrom: "2026-11-01" })).total, label).toBe(figures.claimsProcessed.now)
      expect((await client.billing.list({ tab: "overdue" })).total, label).toBe(figures.overduePayments.now)
      const owed = (await client.billing.list({ tab: "unpaid" })).sums!.openCents
      expect(owed, label).toBe(figures.outstandingPremiums.now)
    }
  })
})
