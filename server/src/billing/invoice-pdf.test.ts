import { randomUUID } from "node:crypto"
import type { AddressInfo } from "node:net"
import { text as readText } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { deliverMails } from "../platform/work/mail.ts"
import { readPdfPages } from "../test/pdf-text.ts"
import { createCancelledInvoice, createDraftInvoice, createPremiumRun, createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

const delivered: { to: string[]; message: string }[] = []
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, session, done) {
    readText(stream).then((message) => {
      delivered.push({ to: session.envelope.rcptTo.map(({ address }) => address), message })
      done()
    }, done)
  },
})

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
beforeAll(async () => {
  await new Promise<void>((resolve) => mailServer.listen(0, "127.0.0.1", resolve))
  const { port } = mailServer.server.address() as AddressInfo
  app = await openBillingApp({ smtpUrl: `smtp://127.0.0.1:${port}` })
  server = await app.serve()
  const admin = app.as(app.people.admin)
  const { version, settings } = await admin.settings.detail()
  await admin.settings.save({
    version,
    settings: {
      ...settings,
      organisation: {
        name: "Milkwood Risk (Pty) Ltd",
        vatNumber: "4123456789",
        address: "12 Loop Street\nCape Town",
        bankAccount: {
          bank: "Karoo Bank",
          accountHolder: "Milkwood Risk",
          accountNumber: "62123456789",
          branchCode: "250655",
        },
      },
    },
  })
})
afterAll(async () => {
  await app.close()
  await new Promise<void>((resolve) => mailServer.close(() => resolve()))
})

async function download(invoiceId: string, as: Parameters<typeof server.headersOf>[0]) {
  const answer = await fetch(`${server.url}/api/invoices/${invoiceId}/pdf`, { headers: server.headersOf(as) })
  return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

const november = { month: "2026-11-01", invoiceOn: "2026-11-02" }

describe("an invoice PDF", () => {
  test("an invoice PDF names the employer's registration, VAT number and address if the policy has none", async () => {
    const policy = await app.policy({ groupName: "Mopane Mills" })
    const { groupId } = policy
    const { version } = await app.manager.employers.detail({ groupId })
    const details = { registrationNumber: "2014/123456/07", vatNumber: "4111222333", phone: "", postalAddress: "" }
    const values = { name: "Mopane Mills", ...details, address: "9 River Street\nPaarl" }
    await app.manager.employers.update({ groupId, version, values })
    const invoice = await createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    const page = async () => (await readPdfPages((await download(invoice.id, app.people.manager)).bytes))[0]
    for (const said of ["Registration number 2014/123456/07", "VAT number 4111222333", "9 River Street", "Paarl"])
      expect(await page()).toContain(said)
    const { version: policyVersion, contact } = await app.manager.policies.detail({ policyId: policy.id })
    await app.manager.policies.updateSection({
      ...{ policyId: policy.id, version: policyVersion },
      change: { section: "contact", values: { ...contact, companyVatNumber: "4987654321" } },
    })
    expect(await page()).toContain("VAT number 4987654321")
  })

  test("an invoice PDF has the invoice's content, with names in every supported script", async () => {
    const policy = await app.policy({ groupName: "Électron & Söhne" })
    const { version, contact } = await app.manager.policies.detail({ policyId: policy.id })
    await app.manager.policies.updateSection({
      policyId: policy.id,
      version,
      change: {
        section: "contact",
        values: { ...contact, companyVatNumber: "4987654321", companyAddress: "7 Dock Road\nDurban" },
      },
    })
    for (const [firstName, lastName] of [
      ["Šárka", "Müller"],
      ["Łukasz", "Dvořák"],
      ["Ελένη", "Ωνάση"],
      ["Nguyễn", "Hạnh"],
    ]) {
      await createMember(app.manager, policy.id, { firstName, lastName, startOn: "2026-11-01" } as object)
    }
    const invoice = await createDraftInvoice(app.manager, {
      policyId: policy.id,
      ...november,
      with: { notes: "Thank you – see you.", discountPercent: 10, discountReason: "Paid a year in advance" },
    })
    const { answer, bytes } = await download(invoice.id, app.people.manager)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": expect.stringContaining(`attachment; filename="${invoice.number}.pdf"`),
      "x-content-type-options": "nosniff",
    })
    const [page, ...more] = await readPdfPages(bytes)
    expect(more).toEqual([])
    for (const said of [
      "Tax invoice",
      invoice.number,
      policy.number,
      "Électron & Söhne",
      "VAT number 4987654321",
      "7 Dock Road",
      "Durban",
      "12 Loop Street",
      "Šárka Müller - Standard",
      "Łukasz Dvořák - Standard",
      "Ελένη Ωνάση - Standard",
      "Nguyễn Hạnh - Standard",
      "R 350,00",
      "Subtotal R 1 750,00",
      "VAT (15%) R 262,50",
      "Discount (10%) -R 175,00 Paid a year in advance",
      "Total amount R 1 837,50",
      "2026-11-01 to 2026-11-30",
      "VAT registration number 4123456789",
      "Karoo Bank",
      "62123456789",
      "250655",
      "Summary of charges MEMBERS EXCL. VAT Nov 2026 Premium 5 R 1 750,00",
      "Thank you – see you.",
      "Page 1 of 1",
      "DRAFT",
    ]) {
      expect(page).toContain(said)
    }
    const { member, memberId } = invoice.lines[0]!
    expect(page).not.toContain(member!.idNumber)
    const { number } = await app.manager.members.detail({ memberId: memberId! })
    expect(page).toContain(`${member!.firstName} ${member!.lastName} - Standard ${number}`)
  })

  test("an invoice PDF repeats table head and page number on each page", async () => {
    const policy = await app.policy()
    const lines = Array.from({ length: 1_200 }, (_, index) => ({
      description: `Line ${index + 1}.`,
      quantity: 1,
      unitCents: 10_01,
    }))
    const invoice = await createDraftInvoice(app.manager, { policyId: policy.id, ...november, with: { lines } })
    const pages = await readPdfPages((await download(invoice.id, app.people.manager)).bytes)
    expect(pages.length).toBeGreaterThan(25)
    const all = pages.join(" ")
    for (const index of [1, 600, 1_200]) expect(all).toContain(`Line ${index}.`)
    expect(all.match(/Line \d+\./g)).toHaveLength(1_200)
    // Four-digit line numbers do not touch the description.
    for (const index of [1, 999, 1_000, 1_200]) expect(all).toContain(` ${index} Line ${index}. `)
    for (const said of ["How to pay", "Karoo Bank", "62123456789", `Your reference ${invoice.number}`]) {
      expect(pages[0]).toContain(said)
    }
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
      expect(page).toContain(invoice.number)
    })
    expect(pages.at(-1)).toContain("Total amount R 13 813,80")
  })

  test("an invoice PDF prints each cause of adjustments once, with a row per member", async () => {
    const policy = await app.policy({ startOn: "2026-09-01", members: 3 })
    for (const month of ["2026-09-01", "2026-10-01"])
      await createSentInvoice(app.manager, { policyId: policy.id, month, invoiceOn: "2026-11-01" })
    app.clock.set("2026-11-03T08:00:00Z")
    const { version, coverage } = await app.manager.policies.detail({ policyId: policy.id })
    await app.manager.policies.updateSection({
      policyId: policy.id,
      version,
      change: { section: "coverage", values: { ...coverage, premiumCents: 370_00, premiumFromOn: "2026-09-01" } },
    })
    const { id: runId } = await createPremiumRun(app, "2026-11-01", [policy.id], "draft")
    const { invoiceId } = (await app.manager.billing.runs.policies({ runId })).rows[0]!
    const pages = await readPdfPages((await download(invoiceId!, app.people.manager)).bytes)
    const said = pages.join(" ")
    expect(
      said.match(/(?<!Adjustment: )The premium changed from R 350,00 to R 370,00 on 2026-09-01, recorded 2026-11-03/g),
    ).toHaveLength(1)
    const invoice = await app.manager.billing.detail({ invoiceId: invoiceId! })
    const members = invoice.lines.filter(({ description }) => description.includes(" - "))
    expect(members).toHaveLength(3)
    for (const [index, { member }] of members.entries())
      expect(said).toMatch(
        new RegExp(`${4 + index} ${member!.firstName} ${member!.lastName}, Sep–Oct 2026 M-\\d+ 2 R 20,00 R 40,00`),
      )
    expect(said).toContain(`Subtotal R 1 230,00`)
    // The summary counts distinct members, not member months.
    const reason = "Adjustment: The premium changed from R 350,00 to R 370,00 on 2026-09-01, recorded 2026-11-03"
    for (const part of [
      "Nov 2026 Premium 3 R 1 110,00",
      `Sep 2026 ${reason} 3 R 60,00`,
      `Oct 2026 ${reason} 3 R 60,00`,
    ])
      expect(said.replaceAll(/(reco) ?(rded)/g, "$1$2")).toContain(part)
  })

  test("a cancelled invoice's PDF is marked; another employer gets NOT_FOUND", async () => {
    const policy = await app.policy()
    const cancelled = await createCancelledInvoice(app.manager, { policyId: policy.id, ...november })
    expect((await readPdfPages((await download(cancelled.id, app.people.manager)).bytes)).join()).toContain("CANCELLED")
    const sent = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    const elsewhere = await app.policy()
    const own = await app.people.groupAdmin(policy.groupId)
    const other = await app.people.policyHolder(elsewhere.groupId)
    expect((await download(sent.id, own)).answer.status).toBe(200)
    const refused = await download(sent.id, other)
    const unknown = await download(randomUUID(), other)
    expect(refused.answer.status).toBe(404)
    expect(Buffer.from(refused.bytes).toString()).toBe(Buffer.from(unknown.bytes).toString())
    expect((await download(cancelled.id, own)).answer.status).toBe(404)
    expect((await download(sent.id, null)).answer.status).toBe(401)
    expect((await download("nonsense", own)).answer.status).toBe(404)
  })
})

test("a later download returns the same PDF that was mailed", async () => {
  const policy = await app.policy({ contactEmail: "pay@employer.example" })
  const sent = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
  const said = await app.manager.reports.recentActivity({ limit: 1 })
  expect(said).toMatchObject([{ sentence: "sent the invoice to pay@employer.example" }])
  delivered.length = 0
  await deliverMails(app.app)
  const mail = delivered.find(({ to }) => to.includes("pay@employer.example"))!
  expect(mail.message).toContain(`Invoice ${sent.number} from Milkwood Risk`)
  const attachment = /Content-Type: application\/pdf[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(mail.message)![1]!
  const mailed = Buffer.from(attachment, "base64")
  const [page] = await readPdfPages(mailed)
  expect(page).toContain(sent.number)
  expect(page).not.toContain("DRAFT")

  const admin = app.as(app.people.admin)
  const { version, settings } = await admin.settings.detail()
  await admin.settings.save({
    version,
    settings: { ...settings, organisation: { ...settings.organisation, name: "Renamed" } },
  })
  const later = await download(sent.id, app.people.underwriter)
  expect(Buffer.compare(Buffer.from(later.bytes), mailed)).toBe(0)
})
