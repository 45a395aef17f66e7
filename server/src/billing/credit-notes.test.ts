import { randomUUID } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { sql } from "drizzle-orm"
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { deliverMails } from "../platform/work/mail.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createDraftInvoice, createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

/** Rejects addresses that begin with "gone". */
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo({ address }, _session, done) {
    if (!address.startsWith("gone")) return done()
    done(Object.assign(new Error("No such user here"), { responseCode: 550 }))
  },
  onData(stream, _session, done) {
    stream.resume().on("end", done)
  },
})

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
beforeAll(async () => {
  mailServer.listen(0, "127.0.0.1")
  await once(mailServer.server, "listening")
  const { port } = mailServer.server.address() as AddressInfo
  app = await openBillingApp({ smtpUrl: `smtp://127.0.0.1:${port}` })
  server = await app.serve()
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
  await new Promise<void>((resolve) => mailServer.close(() => resolve()))
})

const november = { month: "2026-11-02", invoiceOn: "2026-11-02" }
const idempotencyKey = () => randomUUID()

async function createCreditNote(input: { amountCents?: number; mail?: boolean; groupName?: string } = {}) {
  const { amountCents = 115_00, mail = false, groupName } = input
  const policy = await app.policy(groupName ? { groupName } : {})
  const invoice = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
  const reason = "Thandi left before the month began"
  const asked = { invoiceId: invoice.id, idempotencyKey: idempotencyKey(), amountCents, reason, mail }
  const { creditNotes } = await app.manager.billing.credit(asked)
  return { policy, invoice, note: creditNotes[0]! }
}

async function readPdfText(path: string, actor = app.people.manager): Promise<string> {
  const answer = await fetch(server.url + path, { headers: server.headersOf(actor) })
  expect(answer.status).toBe(200)
  const pdf = await getDocument({ data: new Uint8Array(await answer.arrayBuffer()), verbosity: 0 }).promise
  const { items } = await (await pdf.getPage(1)).getTextContent()
  return items
    .map((item) => ("str" in item ? item.str : ""))
    .join(" ")
    .replaceAll("\u00a0", " ")
}

describe("a credit note", () => {
  test("a credit note has a number, a stored PDF, a detail page and a history", async () => {
    const { note, invoice, policy } = await createCreditNote()
    expect(note.number).toMatch(/^CN-2026-\d{6}$/)
    const path = `/api/credit-notes/${note.id}/pdf`
    // The PDF can be downloaded before the job has stored it.
    expect(await readPdfText(path)).toContain(note.number)
    await app.runJobs()
    const kept = await app.sql.row<{ id: string }>(
      sql`select pdf_file_id as id from credit_notes where id = ${note.id}`,
    )
    expect(kept!.id).not.toBeNull()
    const text = await readPdfText(path)
    for (const said of [
      "Credit note",
      invoice.number,
      "R 115,00",
      "R 15,00",
      "Correction",
      "VAT (15%)",
      "Thandi left before the month began",
    ]) {
      expect(text).toContain(said)
    }
    const detail = await app.manager.billing.creditNotes.detail({ creditNoteId: note.id })
    expect(detail).toMatchObject({
      number: note.number,
      invoiceNumber: invoice.number,
      policyNumber: policy.number,
      netCents: 100_00,
      vatCents: 15_00,
      totalCents: 115_00,
      kind: "correction",
      lineCount: 1,
      lines: [{ netCents: 100_00, vatCents: 15_00 }],
      mailTo: "",
      mails: [],
      allowedActions: ["mail", "download"],
    })
    expect(detail.timeline.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^issued the credit note, a correction of R.115,00 for INV-.*; it was not emailed$/),
    ])
    // A repeated job keeps the first PDF.
    await app.sql.run(
      sql`update jobs set state = 'queued', run_at = clock_timestamp() where kind = 'billing.creditNotePaper'`,
    )
    await app.runJobs()
    await expect(app.sql.row(sql`select pdf_file_id as id from credit_notes where id = ${note.id}`)).resolves.toEqual(
      kept,
    )
  })

  test("a credit note cannot be changed or deleted, and its PDF is set once", async () => {
    const { note } = await createCreditNote()
    await app.runJobs()
    const change = (what: ReturnType<typeof sql>) =>
      app.sql.run(sql`update credit_notes set ${what} where id = ${note.id}`)
    for (const what of [
      sql`reason = 'Another'`,
      sql`total_cents = 1`,
      sql`pdf_file_id = null`,
      sql`mail_to = 'a@b.co'`,
    ]) {
      await expect(change(what)).rejects.toMatchObject({ message: expect.stringContaining("never changed") })
    }
    await expect(app.sql.run(sql`delete from credit_notes where id = ${note.id}`)).rejects.toThrow("never changed")
  })

  test("credit note numbers have no gaps after a refusal", async () => {
    const { invoice, note } = await createCreditNote()
    await expect(
      app.manager.billing.credit({
        invoiceId: invoice.id,
        idempotencyKey: idempotencyKey(),
        amountCents: 99_999_00,
        reason: "Too much",
      }),
    ).rejects.toMatchObject({ code: "CREDIT_TOO_LARGE" })
    const next = await createCreditNote()
    const numberOf = ({ number }: { number: string }) => Number(number.slice(-6))
    expect(numberOf(next.note)).toBe(numberOf(note) + 1)
  })

  test("a credit note is mailed with its PDF on request, but needs a contact address", async () => {
    const { note } = await createCreditNote({ mail: true })
    await app.runJobs()
    await deliverMails(app.app)
    const { mails, mailTo } = await app.manager.billing.creditNotes.detail({ creditNoteId: note.id })
    expect(mailTo).toBe("hr@acacia.example")
    expect(mails).toMatchObject([{ to: "hr@acacia.example", state: "sent", error: null }])
    const [mail] = (await app.mails()).filter(({ subject }) => subject.includes(note.number))
    expect(mail!.attachments).toMatchObject([{ name: `${note.number}.pdf` }])

    const policy = await app.policy()
    const invoice = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    await app.sql.run(sql`update policies set contact_email = '' where id = ${policy.id}`)
    const asked = { invoiceId: invoice.id, idempotencyKey: idempotencyKey(), amountCents: null, reason: "A test" }
    await expect(app.manager.billing.credit({ ...asked, mail: true })).rejects.toMatchObject({ code: "NO_CONTACT" })
    await expect(app.manager.billing.credit(asked)).resolves.toMatchObject({ status: "credited" })
  })

  test("a search finds credit notes; employer users find only their employer's", async () => {
    const { note, policy, invoice } = await createCreditNote({ groupName: "Baobab Foods" })
    const list = (input: object) => app.manager.billing.creditNotes.list(input)
    for (const search of [note.number, invoice.number, "baobab", policy.number]) {
      expect((await list({ search })).rows.map(({ id }) => id)).toContain(note.id)
    }
    const own = await list({ policyId: policy.id })
    expect(own).toMatchObject({ total: 1, sums: { totalCents: 115_00 } })
    expect((await list({ policyId: policy.id, kind: "concession" })).total).toBe(0)
    expect((await list({ policyId: policy.id, creditedFrom: "2026-11-03" })).total).toBe(0)
    const hr = await app.people.groupAdmin(policy.groupId)
    const theirs = await app.as(hr).billing.creditNotes.list({})
    expect(theirs.rows).toMatchObject([{ id: note.id, allowedActions: ["download"] }])
    expect(await app.as(hr).billing.creditNotes.detail({ creditNoteId: note.id })).toMatchObject({ mails: [] })
    const other = await createCreditNote()
    await expect(app.as(hr).billing.creditNotes.detail({ creditNoteId: other.note.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
    expect(await readPdfText(`/api/credit-notes/${note.id}/pdf`, hr)).toContain(note.number)
    const foreign = await fetch(`${server.url}/api/credit-notes/${other.note.id}/pdf`, {
      headers: server.headersOf(hr),
    })
    expect(foreign.status).toBe(404)
  })
})

describe("the delivery of an invoice", () => {
  test("an invoice shows its mail's state (queued, failed, sent) and can be mailed again", async () => {
    const policy = await app.policy()
    await app.sql.run(sql`update policies set contact_email = 'gone@acacia.example' where id = ${policy.id}`)
    const sent = await createSentInvoice(app.manager, { policyId: policy.id, ...november })
    const detail = () => app.manager.billing.detail({ invoiceId: sent.id })
    const undelivered = async () =>
      (await app.manager.billing.list({ policyId: policy.id, undelivered: true })).rows.map(({ number }) => number)
    expect(sent).toMatchObject({ mail: "queued", mails: [{ to: "gone@acacia.example", state: "queued" }] })
    expect(await undelivered()).toEqual([sent.number])
    await deliverMails(app.app)
    // A permanent rejection is not retried for two days.
    expect(await detail()).toMatchObject({
      mail: "failed",
      mails: [{ error: expect.stringContaining("No such user") }],
    })
    expect(await undelivered()).toEqual([sent.number])
    expect((await app.manager.billing.list({ policyId: policy.id })).rows).toMatchObject([{ mail: "failed" }])

    app.clock.set("2026-11-02T09:00:00Z")
    const draft = await app.manager.billing.delivery.draft({ kind: "invoice", documentId: sent.id })
    expect(draft).toMatchObject({ to: "gone@acacia.example", subject: expect.stringContaining(sent.number) })
    const mail = { to: "accounts@acacia.example", subject: draft.subject, text: "As we said on the phone." }
    const asked = { kind: "invoice" as const, documentId: sent.id, idempotencyKey: idempotencyKey(), mail }
    await expect(app.manager.billing.delivery.send(asked)).resolves.toEqual({ mailed: true })
    await app.manager.billing.delivery.send(asked)
    await deliverMails(app.app)
    const after = await detail()
    expect(after).toMatchObject({
      mail: "sent",
      mails: [{ to: "accounts@acacia.example", state: "sent" }, { state: "failed" }],
      sentTo: "gone@acacia.example",
    })
    expect(after.timeline[0]!.sentence).toBe("resent the document to accounts@acacia.example")
    expect(await undelivered()).toEqual([])
    const [again] = (await app.mails()).filter(({ to }) => to === "accounts@acacia.example")
    expect(again).toMatchObject({ text: "As we said on the phone.", attachments: [{ name: `${sent.number}.pdf` }] })
  })

  test("mails are hidden from employer users, and refused for an unsent invoice", async () => {
    const policy = await app.policy()
    const draft = await createDraftInvoice(app.manager, { policyId: policy.id, ...november })
    const mail = { to: "a@acacia.example", subject: "Invoice", text: "Here it is." }
    const asked = { kind: "invoice" as const, documentId: draft.id, idempotencyKey: idempotencyKey(), mail }
    await expect(app.manager.billing.delivery.send(asked)).rejects.toMatchObject({ code: "NOT_SENT" })
    await expect(
      app.manager.billing.delivery.send({ ...asked, documentId: randomUUID(), idempotencyKey: idempotencyKey() }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" })
    const wrong = { ...asked, mail: { ...mail, to: "nobody" }, idempotencyKey: idempotencyKey() }
    await expect(app.manager.billing.delivery.send(wrong)).rejects.toMatchObject({ code: "INVALID" })
    const sent = await app.manager.billing.send({
      invoiceId: draft.id,
      version: draft.version,
      idempotencyKey: idempotencyKey(),
    })
    const hr = app.as(await app.people.groupAdmin(policy.groupId))
    await expect(hr.billing.detail({ invoiceId: sent.id })).resolves.toMatchObject({ mail: null, mails: [] })
    expect((await hr.billing.list({ undelivered: true })).rows).toEqual([])
  })
})
