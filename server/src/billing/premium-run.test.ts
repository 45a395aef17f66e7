import { randomUUID } from "node:crypto"
import type { RunOutcome } from "@milkwood/domain/billing/billing-run"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createDraftInvoice, createPremiumRun, createPreviewedRun } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-08-03T08:00:00Z" })
})
afterAll(() => app.close())
beforeEach(() => app.clock.set("2026-08-03T08:00:00Z"))

const runsClient = () => app.manager.billing.runs

const previewRunOf = (month: string, policyIds: string[] | null) => createPreviewedRun(app, month, policyIds)
const makeRunOf = (month: string, policyIds: string[] | null, outcome?: RunOutcome) =>
  createPremiumRun(app, month, policyIds, outcome)

const readRunRows = async (runId: string) => (await runsClient().policies({ runId, pageSize: 100 })).rows

const invoicesOf = (policyId: string) =>
  app.sql.rows<{ number: string; kind: string; status: string; subtotal: number; total: number; period: string }>(sql`
    select number, kind, status, subtotal_cents as subtotal, total_cents as total, period_start_on::text as period
    from invoices where policy_id = ${policyId} order by number`)

/** Five members, three billed months, then late changes. */
async function createScene() {
  const policy = await app.policy({ startOn: "2026-08-01", members: 5 })
  for (const [month, now] of [
    ["2026-08-01", "2026-08-03T08:00:00Z"],
    ["2026-09-01", "2026-09-02T08:00:00Z"],
    ["2026-10-01", "2026-10-02T08:00:00Z"],
  ] as const) {
    app.clock.set(now)
    expect((await makeRunOf(month, [policy.id])).counts).toMatchObject({ made: 1, parked: 0, unsent: 0 })
  }
  app.clock.set("2026-10-20T08:00:00Z")
  const members = (await app.manager.members.list({ policyId: policy.id, sort: "number", dir: "asc" })).rows
  return { policy, members }
}

async function recordLateChanges({ policy, members }: Awaited<ReturnType<typeof createScene>>) {
  const late = await createMember(app.manager, policy.id, { startOn: "2026-08-20" })
  const [leaver, suspended] = members as [(typeof members)[number], (typeof members)[number]]
  const versionOf = async (memberId: string) => (await app.manager.members.detail({ memberId })).version
  const reason = "Told late by the employer"
  await app.manager.members.terminate({
    memberId: leaver.id,
    version: await versionOf(leaver.id),
    on: "2026-09-10",
    reason,
  })
  await app.manager.members.suspend({
    memberId: suspended.id,
    version: await versionOf(suspended.id),
    on: "2026-10-01",
    reason,
  })
  app.clock.set("2026-10-21T08:00:00Z")
  const { version, coverage } = await app.manager.policies.detail({ policyId: policy.id })
  await app.manager.policies.updateSection({
    policyId: policy.id,
    version,
    change: { section: "coverage", values: { ...coverage, premiumCents: 400_00, premiumFromOn: "2026-10-01" } },
  })
  return { late, leaver, suspended }
}

test("a run starts at the policy's first billing month and uses its payment term", async () => {
  const policy = await app.policy({ startOn: "2026-01-01", billedFromOn: "2026-08-01", dueDays: 10 })
  expect((await makeRunOf("2026-08-01", [policy.id])).counts).toMatchObject({ made: 1 })
  const [invoice] = await app.sql.rows(sql`
    select due_on - invoice_on as days, subtotal_cents as cents from invoices where policy_id = ${policy.id}`)
  expect(invoice).toEqual({ days: 10, cents: 350_00 })
})

describe("a fourth month", () => {
  test("the fourth month bills its members and each earlier difference with its cause", async () => {
    const there = await createScene()
    const { policy } = there
    const { late, leaver, suspended } = await recordLateChanges(there)
    app.clock.set("2026-11-02T08:00:00Z")
    const run = await previewRunOf("2026-11-01", [policy.id])
    expect(run).toMatchObject({ status: "previewed", month: "2026-11-01", counts: { waiting: 1 } })

    // November: four members at R 400. Earlier: the joiner's September (R 350) and October (R 400), October credited
    // for the leaver and the suspended member, and R 50 more for three members.
    const base = 4 * 400_00
    const adjustment = 350_00 + 400_00 - 350_00 - 350_00 + 3 * 50_00
    const vat = Math.round((base + adjustment) * 0.15)
    const last = 5 * 350_00
    const [row] = await readRunRows(run.id)
    expect(row).toMatchObject({
      members: 4,
      baseCents: base,
      adjustmentCents: adjustment,
      vatCents: vat,
      totalCents: base + adjustment + vat,
      lastCents: last,
      changeCents: base + adjustment - last,
      percent: Math.round(((base + adjustment - last) * 100) / last),
    })
    expect(row!.joinersCents! + row!.leaversCents! + row!.premiumCents! + row!.otherCents!).toBe(row!.changeCents)

    const { lines } = await runsClient().lines({ runId: run.id, policyId: policy.id })
    const told = (memberId: string) =>
      lines
        .filter((line) => line.memberId === memberId)
        .map(({ month, cents, description }) => [month, cents, description.replace(/: [^:]*$/, "")])
    const name = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`
    expect(told(late.id)).toEqual([
      ["2026-09-01", 350_00, `${name(late.personal)} joined on 2026-08-20, recorded 2026-10-20`],
      ["2026-10-01", 350_00, `${name(late.personal)} joined on 2026-08-20, recorded 2026-10-20`],
      [
        "2026-10-01",
        50_00,
        expect.stringMatching(/the premium changed from R.350,00 to R.400,00 on 2026-10-01, recorded 2026-10-21$/),
      ],
      ["2026-11-01", 400_00, `${name(late.personal)} - Standard`],
    ])
    expect(told(leaver.id)).toEqual([
      ["2026-10-01", -350_00, expect.stringContaining("left on 2026-09-10, recorded 2026-10-20")],
    ])
    expect(told(suspended.id)).toEqual([
      ["2026-10-01", -350_00, expect.stringContaining("was suspended on 2026-10-01, recorded 2026-10-20")],
    ])
    expect(lines.filter(({ cents }) => cents === 50_00)).toHaveLength(4)

    await runsClient().make({ runId: run.id, version: run.version, idempotencyKey: randomUUID(), outcome: "sent" })
    await app.runJobs()
    const invoice = (await invoicesOf(policy.id)).at(-1)
    expect(invoice).toMatchObject({
      kind: "premium",
      status: "sent",
      period: "2026-11-01",
      subtotal: base + adjustment,
      total: base + adjustment + vat,
    })
    expect((await readRunRows(run.id))[0]).toMatchObject({
      state: "made",
      totalCents: base + adjustment + vat,
      invoiceNumber: invoice!.number,
    })
    expect(await runsClient().detail({ runId: run.id })).toMatchObject({
      status: "made",
      counts: { made: 1, unsent: 0 },
    })

    const again = await previewRunOf("2026-11-01", [policy.id])
    expect(again.counts).toMatchObject({ waiting: 0, made: 0, parked: 0, nothing: 1 })
    await expect(
      runsClient().make({ runId: again.id, version: again.version, idempotencyKey: randomUUID(), outcome: "sent" }),
    ).rejects.toMatchObject({ code: "NOTHING_TO_BILL" })
  })

  test("with a negative total credits the invoices of those months, newest first", async () => {
    const { policy, members } = await createScene()
    for (const { id: memberId } of members) {
      const { version } = await app.manager.members.detail({ memberId })
      await app.manager.members.terminate({ memberId, version, on: "2026-08-31", reason: "The works closed" })
    }
    app.clock.set("2026-11-02T08:00:00Z")
    const run = await makeRunOf("2026-11-01", [policy.id], "pending")
    const net = -10 * 350_00
    expect((await readRunRows(run.id))[0]).toMatchObject({
      ...{ state: "made", invoiceId: null, creditNotes: 2, baseCents: 0, adjustmentCents: net },
      ...{ vatCents: net * 0.15, totalCents: Math.round(net * 1.15), marks: ["over_20", "no_members"] },
    })
    const notes = await app.sql.rows(sql`
      select i.period_start_on::text as period, c.kind, c.net_cents::int as net, i.credited_whole_at is not null as whole
      from credit_notes c join invoices i on i.id = c.invoice_id where c.policy_id = ${policy.id} order by c.number`)
    expect(notes).toEqual([
      { period: "2026-10-01", kind: "correction", net: 5 * 350_00, whole: true },
      { period: "2026-09-01", kind: "correction", net: 5 * 350_00, whole: true },
    ])
    expect((await previewRunOf("2026-11-01", [policy.id])).counts).toMatchObject({ waiting: 0, nothing: 1 })

    // Sending the run mails credit notes not yet mailed, once.
    const detail = () => runsClient().detail({ runId: run.id })
    const send = async (mailCreditNotes?: boolean) => {
      const { version } = await detail()
      const key = { runId: run.id, version, idempotencyKey: randomUUID() }
      await runsClient().send({ ...key, ...(mailCreditNotes !== undefined && { mailCreditNotes }) })
      await app.runJobs()
    }
    const mails = () =>
      app.sql.rows(sql`
        select m.to_address as "to", c.number from mails m join credit_notes c on c.id = m.about_id and m.about_kind = 'credit_note'
        where c.policy_id = ${policy.id} order by c.number, m.created_at`)
    expect(await detail()).toMatchObject({ counts: { unsent: 0, unmailed: 2 }, allowedActions: ["send"] })
    expect(await mails()).toEqual([])
    await expect(send(false)).rejects.toMatchObject({ code: "NOTHING_TO_SEND" })
    const [first, second] = (
      await app.manager.billing.creditNotes.list({ policyId: policy.id, sort: "number", dir: "asc" })
    ).rows
    const mail = { to: "board@works.example", subject: "Your credit", text: "Attached." }
    await app.manager.billing.delivery.send({
      ...{ kind: "credit_note", documentId: first!.id, idempotencyKey: randomUUID(), mail },
    })
    await app.runJobs()
    expect((await readRunRows(run.id))[0]).toMatchObject({ creditNotes: 2, unmailed: 1 })

    // Without a contact address the row shows the failure and only sending again is offered.
    const contactOf = (address: string) =>
      app.sql.run(sql`update policies set contact_email = ${address} where id = ${policy.id}`)
    await contactOf("")
    await send()
    expect((await readRunRows(run.id))[0]).toMatchObject({
      ...{ unmailed: 1, reason: "The policy's main contact has no e-mail address." },
    })
    await contactOf("hr@works.example")
    await send()
    expect((await readRunRows(run.id))[0]).toMatchObject({ unmailed: 0, reason: null })
    expect(await mails()).toEqual([
      { to: "board@works.example", number: first!.number },
      { to: "hr@works.example", number: second!.number },
    ])
    expect(await detail()).toMatchObject({ counts: { unmailed: 0 }, allowedActions: [] })
    await expect(send()).rejects.toMatchObject({ code: "NOTHING_TO_SEND" })
    const kept = await app.manager.billing.creditNotes.list({ policyId: policy.id, undelivered: true })
    expect(kept.rows.map((note) => note.mail)).toEqual(["kept", "kept"])
    await expect(
      app.sql.run(sql`update billing_run_policies set credit_notes_mailed_at = null where run_id = ${run.id}`),
    ).rejects.toThrow()
  })

  test("a run that sends at once also mails its credit notes", async () => {
    const { policy, members } = await createScene()
    const { version } = await app.manager.members.detail({ memberId: members[0]!.id })
    const left = { memberId: members[0]!.id, version, on: "2026-08-31", reason: "Left" }
    await app.manager.members.terminate(left)
    app.clock.set("2026-10-20T08:00:00Z")
    const preview = await previewRunOf("2026-10-01", [policy.id])
    await runsClient().make({
      ...{ runId: preview.id, version: preview.version },
      idempotencyKey: randomUUID(),
      outcome: "sent",
    })
    await app.runJobs()
    const sent = await app.sql.rows(sql`
      select count(*)::int as notes, m.to_address <> '' as addressed
      from mails m join mail_documents d on d.mail_id = m.id join credit_notes c on c.id = d.document_id
      where c.policy_id = ${policy.id} group by m.id`)
    expect(sent).toEqual([{ notes: 2, addressed: true }])
    expect((await runsClient().detail({ runId: preview.id })).counts).toMatchObject({ unsent: 0, unmailed: 0 })
  })
})

describe("run edge cases", () => {
  test("refuses months later than next month, and bills nothing for months before the policy starts", async () => {
    const policy = await app.policy({ startOn: "2026-08-01" })
    await expect(runsClient().start({ idempotencyKey: randomUUID(), month: "2026-10-01" })).rejects.toMatchObject({
      code: "TOO_EARLY",
    })
    expect((await previewRunOf("2026-07-01", [policy.id])).counts).toMatchObject({ waiting: 0, nothing: 1 })
  })

  test("concurrent runs of a month bill each policy once", async () => {
    const policies = await Promise.all([app.policy({ startOn: "2026-08-01" }), app.policy({ startOn: "2026-08-01" })])
    const ids = policies.map(({ id }) => id)
    const [one, two] = [await previewRunOf("2026-08-01", ids), await previewRunOf("2026-08-01", ids)]
    for (const { id, version } of [one, two])
      await runsClient().make({ runId: id, version, idempotencyKey: randomUUID(), outcome: "pending" })
    await Promise.all([app.runJobs(), app.runJobs()])
    const counts = await Promise.all(
      [one, two].map(async ({ id }) => (await runsClient().detail({ runId: id })).counts),
    )
    expect(counts.map(({ made }) => made).reduce((sum, count) => sum + count)).toBe(2)
    expect(counts.map(({ nothing }) => nothing).reduce((sum, count) => sum + count)).toBe(2)
    for (const id of ids) expect(await invoicesOf(id)).toHaveLength(1)
  })

  test("a member who ends after the preview is not billed", async () => {
    const policy = await app.policy({ startOn: "2026-08-01", members: 2 })
    const run = await previewRunOf("2026-09-01", [policy.id])
    expect(run.totals.netCents).toBe(4 * 350_00)
    const [member] = (await app.manager.members.list({ policyId: policy.id })).rows
    const { version } = await app.manager.members.detail({ memberId: member!.id })
    await app.manager.members.terminate({ memberId: member!.id, version, on: "2026-08-31", reason: "Left" })
    app.clock.set("2026-08-03T09:00:00Z")
    await runsClient().make({ runId: run.id, version: run.version, idempotencyKey: randomUUID(), outcome: "draft" })
    await app.runJobs()
    expect(await invoicesOf(policy.id)).toMatchObject([{ status: "draft", subtotal: 3 * 350_00 }])
  })

  test("a policy that cannot be billed is parked with its reason and billed once fixed", async () => {
    const bare = await app.policy({ startOn: "2026-08-01" })
    const well = await app.policy({ startOn: "2026-08-01" })
    const out = await app.policy({ startOn: "2026-08-01" })
    await app.sql.run(
      sql`update policy_premiums set valid = daterange('2026-09-01', null) where policy_id = ${bare.id}`,
    )
    const run = await previewRunOf("2026-08-01", [bare.id, well.id, out.id])
    expect(run.counts).toMatchObject({ waiting: 2, parked: 1 })
    expect((await readRunRows(run.id)).find(({ policyId }) => policyId === bare.id)).toMatchObject({
      reasonKind: "no_premium",
      reason: expect.stringContaining("no premium"),
    })
    const rowOf = async (policyId: string) => (await readRunRows(run.id)).find((row) => row.policyId === policyId)!
    const left = await runsClient().leaveOut({ runId: run.id, rowIds: [(await rowOf(out.id)).id], isLeftOut: true })
    expect(left.counts).toMatchObject({ waiting: 1, left_out: 1 })
    await runsClient().make({ runId: run.id, version: left.version, idempotencyKey: randomUUID(), outcome: "pending" })
    await app.runJobs()
    const first = await runsClient().detail({ runId: run.id })
    expect(first).toMatchObject({ status: "made", counts: { made: 1, parked: 1, left_out: 1, unsent: 1 } })
    expect(await invoicesOf(out.id)).toEqual([])

    await app.sql.run(
      sql`update policy_premiums set valid = daterange('2026-08-01', null) where policy_id = ${bare.id}`,
    )
    await runsClient().continue({ runId: run.id, version: first.version, idempotencyKey: randomUUID() })
    await app.runJobs()
    const second = await runsClient().detail({ runId: run.id })
    expect(second.counts).toMatchObject({ made: 2, parked: 0, unsent: 2 })
    await runsClient().send({ runId: run.id, version: second.version, idempotencyKey: randomUUID() })
    await app.runJobs()
    expect((await runsClient().detail({ runId: run.id })).counts.unsent).toBe(0)
    expect(await invoicesOf(bare.id)).toMatchObject([{ status: "sent", total: Math.round(350_00 * 1.15) }])
  })

  test("a month billed by an invoice without members is not billed again", async () => {
    const policy = await app.policy({ startOn: "2026-08-01" })
    const { number } = await createDraftInvoice(app.manager, {
      ...{ policyId: policy.id, month: "2026-08-01", invoiceOn: "2026-08-03" },
      with: { lines: [{ description: "August, 1 member", quantity: 1, unitCents: 350_00 }] },
    })
    const run = await previewRunOf("2026-08-01", [policy.id])
    expect((await readRunRows(run.id))[0]).toMatchObject({
      state: "parked",
      reasonKind: "typed_lines",
      mendInvoiceNumber: number,
    })
  })

  test("the database refuses changes to the row of a billed policy", async () => {
    const policy = await app.policy({ startOn: "2026-08-01" })
    const run = await makeRunOf("2026-08-01", [policy.id], "draft")
    await expect(
      app.sql.run(sql`update billing_run_policies set total_cents = 1 where run_id = ${run.id}`),
    ).rejects.toThrow()
    await expect(app.sql.run(sql`delete from billing_run_policies where run_id = ${run.id}`)).rejects.toThrow()
  })
})

test("a run parks a policy whose credit was written off, and names the invoice", async () => {
  const policy = await app.policy({ startOn: "2026-08-01", members: 2 })
  await makeRunOf("2026-08-01", [policy.id])
  app.clock.set("2026-09-02T08:00:00Z")
  const [invoice] = await app.sql.rows<{ id: string; number: string }>(
    sql`select id, number from invoices where policy_id = ${policy.id}`,
  )
  for (const { id, version } of (await app.manager.members.list({ policyId: policy.id })).rows)
    await app.manager.members.suspend({ memberId: id, version, on: "2026-08-01", reason: "Never joined" })
  const { id: runId, version } = await previewRunOf("2026-09-01", [policy.id])
  // The credit is written off between preview and making.
  const [asked] = await app.manager.receipts.writeOff({
    invoiceId: invoice!.id,
    idempotencyKey: randomUUID(),
    amountCents: null,
    reason: "Liquidated",
  })
  const writeOffId = asked!.id
  await app.as(app.people.manager2).receipts.confirmWriteOff({ writeOffId, idempotencyKey: randomUUID() })
  await runsClient().make({ runId, version, idempotencyKey: randomUUID(), outcome: "sent" })
  await app.runJobs()
  const parked = await runsClient().detail({ runId })
  expect(parked.counts).toMatchObject({ made: 0, parked: 1 })
  expect((await readRunRows(parked.id))[0]).toMatchObject({
    reasonKind: "written_off",
    reason: expect.stringContaining("Reverse the write-off on this invoice and continue the run"),
    mendInvoiceId: invoice!.id,
    mendInvoiceNumber: invoice!.number,
  })
  const later = await previewRunOf("2026-09-01", [policy.id])
  expect(later.counts).toMatchObject({ waiting: 0, parked: 1 })
  expect((await readRunRows(later.id))[0]).toMatchObject({ reasonKind: "written_off", mendInvoiceId: invoice!.id })
  const credit = { invoiceId: invoice!.id, amountCents: null, reason: "Never joined" }
  await expect(app.manager.billing.credit({ ...credit, idempotencyKey: randomUUID() })).rejects.toMatchObject({
    code: "NOTHING_TO_CREDIT",
    message: "The rest of this invoice was written off. Reverse the write-off before you credit it.",
  })

  await app.manager.receipts.reverseWriteOff({ writeOffId, idempotencyKey: randomUUID(), reason: "Never owed" })
  await runsClient().continue({ runId: parked.id, version: parked.version, idempotencyKey: randomUUID() })
  await app.runJobs()
  expect((await runsClient().detail({ runId: parked.id })).counts).toMatchObject({ made: 1, parked: 0 })
  expect(await app.manager.billing.detail({ invoiceId: invoice!.id })).toMatchObject({
    status: "credited",
    openCents: 0,
  })
  expect(await verifyLedger(app.sql)).toEqual([])
  // The accounts are as if the policy had never been billed.
  for (const account of ["premium_income", "vat_output", "write_offs", "premium_debtors"] as const)
    expect((await app.manager.ledger.postings({ account, policyId: policy.id })).balanceCents, account).toBe(0)
})
