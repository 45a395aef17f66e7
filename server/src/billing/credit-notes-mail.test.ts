import { randomUUID } from "node:crypto"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { normalizeSpaces, readPdfPages } from "../test/pdf-text.ts"
import { createPremiumRun, createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

/** The policy's only member left before three billed months, so a run credits three invoices. */
async function createCorrection() {
  const terms = { startOn: "2026-08-01", billedFromOn: "2026-09-01" }
  const policy = await app.policy(terms)
  for (const month of ["2026-09-01", "2026-10-01", "2026-11-01"])
    await createSentInvoice(app.manager, { policyId: policy.id, month, invoiceOn: "2026-11-02" })
  const member = await app.sql.row<{ id: string; version: number }>(
    sql`select id, version from members where policy_id = ${policy.id}`,
  )
  const { id: memberId, version } = member!
  await app.manager.members.terminate({ memberId, version, on: "2026-08-31", reason: "The works closed" })
  const run = await createPremiumRun(app, "2026-11-01", [policy.id], "pending")
  const { rows: notes } = await app.manager.billing.creditNotes.list({
    policyId: policy.id,
    sort: "number",
    dir: "asc",
  })
  expect(notes).toHaveLength(3)
  const sendRun = async () => {
    const { version } = await app.manager.billing.runs.detail({ runId: run.id })
    await app.manager.billing.runs.send({ runId: run.id, version, idempotencyKey: randomUUID() })
  }
  return { policy, run, notes, sendRun }
}

const readCreditMails = async () => (await app.mails()).filter(({ subject }) => subject.includes("redit note"))

test("one mail has all credit notes of a correction, their PDFs and one total", async () => {
  const { notes, run, sendRun } = await createCorrection()
  await sendRun()
  await app.runJobs()
  const [mail, ...more] = await readCreditMails()
  expect(more).toEqual([])
  expect(mail!.attachments.map(({ name }) => name)).toEqual(notes.map(({ number }) => `${number}.pdf`))
  const total = notes.reduce((sum, { totalCents }) => sum + totalCents, 0)
  expect(normalizeSpaces(mail!.text)).toContain(`: ${normalizeSpaces(formatMoney(total, "ZAR"))} in total.`)
  for (const [place, note] of notes.entries()) {
    const amount = normalizeSpaces(formatMoney(note.totalCents, "ZAR"))
    expect(normalizeSpaces(mail!.text)).toContain(`${note.number}: ${amount}, credits invoice ${note.invoiceNumber}`)
    const pages = await readPdfPages(await app.app.files.bytes(app.sql, mail!.attachments[place]!.fileId))
    expect(pages.join()).toContain(note.number)
    const detail = await app.manager.billing.creditNotes.detail({ creditNoteId: note.id })
    expect(detail).toMatchObject({ mail: "kept", mails: [{ id: mail!.id, state: "kept" }] })
    expect(detail.timeline.some(({ sentence }) => sentence.includes("mail"))).toBe(true)
  }
  expect((await app.manager.billing.runs.detail({ runId: run.id })).counts.unmailed).toBe(0)
  await expect(sendRun()).rejects.toMatchObject({ code: "NOTHING_TO_SEND" })
})

test("a failed joint mail marks each credit note until it is mailed again", async () => {
  const { policy, notes, sendRun } = await createCorrection()
  await sendRun()
  await app.runJobs()
  const together = sql`select mail_id from mail_documents where document_id = ${notes[0]!.id}`
  await app.sql.run(sql`update mails set state = 'failed', last_error = 'No such user' where id in (${together})`)
  const undelivered = async () =>
    (await app.manager.billing.creditNotes.list({ policyId: policy.id, undelivered: true })).rows
      .map(({ number, mail }) => `${number} ${mail}`)
      .sort()
  expect(await undelivered()).toEqual(notes.map(({ number }) => `${number} failed`))
  const { mails } = await app.manager.billing.creditNotes.detail({ creditNoteId: notes[1]!.id })
  expect(mails).toMatchObject([{ state: "failed", error: "No such user" }])

  app.clock.advance({ seconds: 1 })
  const { dueCents: _, ...mail } = await app.manager.billing.delivery.draft({
    ...{ kind: "credit_note", documentId: notes[0]!.id },
  })
  const again = { kind: "credit_note", documentId: notes[0]!.id, idempotencyKey: randomUUID(), mail } as const
  await app.manager.billing.delivery.send(again)
  await app.sql.run(sql`update mails set state = 'sent' where about_id = ${notes[0]!.id}`)
  expect(await undelivered()).toEqual(notes.slice(1).map(({ number }) => `${number} failed`))
})

test("an interrupted mail job queues the joint mail once after a restart", async () => {
  const { notes, sendRun } = await createCorrection()
  await app.sql.client.query(`
    create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
    create trigger cut_off before insert on mail_documents for each row execute function cut_off()`)
  const before = (await readCreditMails()).length
  await sendRun()
  await app.runJobs()
  expect(await readCreditMails()).toHaveLength(before)
  await app.sql.client.query("drop trigger cut_off on mail_documents")
  const again = sql`
    update jobs set state = 'queued', attempts = 0, run_at = clock_timestamp()
    where state <> 'done' and kind in ('billing.sendRun', 'billing.creditNotesMail')`
  await app.sql.run(again)
  await app.runJobs()
  await app.sql.run(again)
  await app.runJobs()
  expect(await readCreditMails()).toHaveLength(before + 1)
  const covered = await app.sql.rows(sql`
    select document_id from mail_documents where document_id = any (${sql.param(notes.map(({ id }) => id))}::uuid[])`)
  expect(covered).toHaveLength(3)
})

test("credit notes without PDFs are mailed together once rendered", async () => {
  const { notes, sendRun } = await createCorrection()
  await app.sql.client.query("alter table credit_notes disable trigger user")
  await app.sql.run(sql`
    update credit_notes set pdf_file_id = null where id = any (${sql.param(notes.map(({ id }) => id))}::uuid[])`)
  await app.sql.client.query("alter table credit_notes enable trigger user")
  const before = (await readCreditMails()).length
  app.clock.advance({ seconds: 1 })
  await sendRun()
  await app.runJobs()
  const mails = await readCreditMails()
  expect(mails).toHaveLength(before + 1)
  expect(mails.at(-1)!.attachments.map(({ name }) => name)).toEqual(notes.map(({ number }) => `${number}.pdf`))
})
