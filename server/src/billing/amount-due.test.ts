import { randomUUID } from "node:crypto"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createUnallocatedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createRandomSource, type RandomSource } from "../test/money/hand.ts"
import { normalizeSpaces, readPdfPages } from "../test/pdf-text.ts"
import { createDraftInvoice, createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const historyCount = Number(process.env.HISTORIES ?? 6)
const formatRand = (cents: number) => normalizeSpaces(formatMoney(cents, "ZAR"))

/** Calculated only from documents and receipts. */
async function readAmountDue(invoiceId: string): Promise<{ due: number; credited: number; paid: number }> {
  const found = await app.sql.row<{ total: number; credited: number; paid: number; off: number }>(sql`
    select total_cents as total,
      (select coalesce(sum(total_cents), 0)::bigint from credit_notes where invoice_id = i.id) as credited,
      (select coalesce(sum(amount_cents), 0)::bigint from receipt_allocations
        where invoice_id = i.id and released_at is null) as paid,
      (select coalesce(sum(total_cents), 0)::bigint from write_offs
        where invoice_id = i.id and written_off_on is not null and reversed_on is null) as off
    from invoices i where id = ${invoiceId}`)
  const { total, credited, paid, off } = found!
  return { due: total - credited - paid - off, credited, paid }
}

async function newestMail(invoiceId: string): Promise<{ text: string; paper: string }> {
  const mail = await app.sql.row<{ text: string; fileId: string }>(sql`
    select text_body as text, attachments -> 0 ->> 'fileId' as "fileId" from mails
    where about_id = ${invoiceId} order by created_at desc, id desc limit 1`)
  const pages = await readPdfPages(await app.app.files.bytes(app.sql, mail!.fileId))
  return { text: normalizeSpaces(mail!.text), paper: normalizeSpaces(pages.join(" ")) }
}

async function expectAgreement(invoiceId: string): Promise<void> {
  const { due, credited, paid } = await readAmountDue(invoiceId)
  const { text, paper } = await newestMail(invoiceId)
  expect(paper).toContain(`Amount due ${formatRand(due)}`)
  if (due > 0) expect(text).toMatch(new RegExp(`(^|[;.] )${formatRand(due)} is (still )?due on`))
  else expect(text).toContain("; nothing remains due.")
  for (const [cents, words] of [
    [credited, "credited"],
    [paid, "paid"],
  ] as const) {
    if (cents > 0) expect(text).toMatch(new RegExp(`${formatRand(cents)}( has been)? ${words}`))
    else expect(text).not.toContain(` ${words}`)
    const row = new RegExp(`${words === "credited" ? "Credited" : "Paid( from your credit)?"} -${formatRand(cents)}`)
    if (cents > 0) expect(paper).toMatch(row)
  }
}

async function mailInvoiceAgain(invoiceId: string): Promise<void> {
  app.clock.advance({ seconds: 1 })
  const { dueCents, ...mail } = await app.manager.billing.delivery.draft({ kind: "invoice", documentId: invoiceId })
  await app.manager.billing.delivery.send({
    ...{ kind: "invoice", documentId: invoiceId, idempotencyKey: randomUUID(), mail, dueCents },
  })
}

async function settleRandomly(invoiceId: string, policyId: string, draw: RandomSource): Promise<void> {
  const { openCents, totalCents, creditedCents, payments } = await app.manager.billing.detail({ invoiceId })
  const left = totalCents - creditedCents
  const kinds = [
    ...(left > 0 ? ["credit"] : []),
    ...(openCents > 0 ? ["pay", "payAll"] : []),
    ...(payments.length > 0 ? ["reverse"] : []),
  ]
  const kind = draw.of(kinds)
  const idempotencyKey = randomUUID()
  if (kind === "credit") {
    const creditKind = draw.of(["correction", "concession"] as const)
    const amountCents = 1 + draw.below(left)
    await app.manager.billing.credit({ invoiceId, idempotencyKey, kind: creditKind, amountCents, reason: "Agreed" })
  } else if (kind === "reverse") {
    const { receiptId } = payments[0]!
    const { version } = await app.manager.receipts.detail({ receiptId })
    await app.manager.receipts.reverse({ receiptId, version, idempotencyKey, reason: "Bounced" })
  } else {
    const amountCents = kind === "payAll" ? openCents : 1 + draw.below(openCents)
    await recordedReceipt(app.manager, { policyId, amountCents, receivedOn: "2026-11-02" })
  }
}

test.each(
  Array.from({ length: historyCount }, (_, seed) => ({ seed: seed + 1 })),
)("each invoice mail has the same amounts as its PDF and the records: history $seed", async ({ seed }) => {
  const draw = createRandomSource(seed)
  const { id: policyId } = await app.policy({ premiumCents: 1 + draw.below(90_000), members: 1 + draw.below(2) })
  if (draw.below(2) > 0)
    await createUnallocatedReceipt(app.manager, {
      policyId,
      amountCents: 1 + draw.below(150_000),
      receivedOn: "2026-11-01",
    })
  const { id, version } = await createDraftInvoice(app.manager, {
    ...{ policyId, month: "2026-11-01", invoiceOn: "2026-11-02" },
    with: draw.below(2) > 0 ? { discountPercent: 5, discountReason: "Agreed" } : {},
  })
  await app.manager.billing.send({ invoiceId: id, version, idempotencyKey: randomUUID(), useCredit: draw.below(3) > 0 })
  await expectAgreement(id)
  for (let step = 0; step < 3; step++) {
    await settleRandomly(id, policyId, draw)
    await mailInvoiceAgain(id)
    await expectAgreement(id)
  }
})

test("an unchanged invoice is mailed again with the stored PDF", async () => {
  const { id: policyId } = await app.policy()
  const { id } = await createSentInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-02" })
  await mailInvoiceAgain(id)
  const files = await app.sql.rows<{ fileId: string }>(sql`
    select distinct attachments -> 0 ->> 'fileId' as "fileId" from mails where about_id = ${id}`)
  const kept = await app.sql.row<{ fileId: string }>(sql`select pdf_file_id as "fileId" from invoices where id = ${id}`)
  expect(files).toEqual([kept])
})

test("a copy is marked as such; a mail with an outdated amount due is refused", async () => {
  const { id: policyId } = await app.policy()
  const { id } = await createSentInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-02" })
  const { delivery } = app.manager.billing
  const { dueCents, ...mail } = await delivery.draft({ kind: "invoice", documentId: id })
  await recordedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn: "2026-11-02" })
  const asked = { kind: "invoice", documentId: id, mail } as const
  await expect(delivery.send({ ...asked, idempotencyKey: randomUUID(), dueCents })).rejects.toMatchObject({
    code: "AMOUNT_CHANGED",
  })
  await mailInvoiceAgain(id)
  const { paper } = await newestMail(id)
  expect(paper).toContain("Tax invoice, copy")
  expect(paper).toContain("Amounts as at 2026-11-02")
})
