import { createHash, randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { BatchDetail } from "@milkwood/domain/payouts/batches.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { validateXML } from "xmllint-wasm"
import { createBankAccount } from "../banking/banking.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import { sendFile } from "../test/send-file.ts"
import { createBatch, createPainAnswer, stepInputOf } from "./batches.samples.ts"
import { createPayout, samplePayee } from "./payouts.samples.ts"
import { completeBatchByBank } from "./step-payouts.ts"

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
let maker: Client
let other: Client
let accountId: string

const schemaPath = join(import.meta.dirname, "../../../../shared/fixtures/public/iso20022/pain.001.001.09.xsd")

beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  scene = await insureGroup(app, "Batch Bakery")
  maker = app.as(app.people.manager)
  other = app.as(app.people.manager2)
  accountId = (await createBankAccount(app.as(app.people.admin))).id
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const createWaitingPayment = async (by = maker) =>
  createPayout(by, (await createApprovedClaim(scene.cast, scene.sample)).id)
const createPayments = async (count: number) => {
  const made = []
  for (let at = 0; at < count; at++) made.push(await createWaitingPayment())
  return made
}
const idsOf = (payments: { id: string }[]) => payments.map(({ id }) => id)
const readBatchDetail = (batchId: string) => maker.payouts.batches.detail({ batchId })
const readPayout = (payoutId: string) => maker.payouts.detail({ payoutId })

async function createReleasedBatch(
  payments: { id: string }[],
  format: "pain001" | "fnb" | "standard_bank" = "pain001",
) {
  const batch = await createBatch(maker, accountId, idsOf(payments), format)
  await other.payouts.batches.release(stepInputOf(batch))
  await app.runJobs()
  return readBatchDetail(batch.id)
}

const exportBatchFile = (batch: BatchDetail, by = other) =>
  by.payouts.batches.export({ batchId: batch.id, idempotencyKey: randomUUID() })
const fetchAs = (address: string, actor: UserActor = app.people.manager2) =>
  fetch(server.url + address, { headers: server.headersOf(actor) })

async function uploadAnswer(batch: BatchDetail, content: string, actor = app.people.manager) {
  const path = `/api/payment-batches/${batch.id}/answers`
  const response = await sendFile(server, actor, { path, name: "answer.xml", content })
  await app.runJobs()
  return response
}

test("a batch is made, released by another user and exported once as a valid file", async () => {
  const payments = await createPayments(3)
  const batch = await createBatch(maker, accountId, idsOf(payments))
  const amountCents = payments.reduce((sum, payment) => sum + payment.amountCents, 0)
  expect(batch).toMatchObject({ status: "open", paymentCount: 3, amountCents, executionOn: "2026-11-02", files: [] })
  expect(batch.allowedActions).toEqual(["edit", "add", "takeOut", "cancel"])
  await expect(maker.payouts.batches.release(stepInputOf(batch))).rejects.toMatchObject({
    code: "FOUR_EYES",
    status: 403,
  })

  await other.payouts.batches.release(stepInputOf(batch))
  expect(await app.runJobs()).toBeGreaterThan(0)
  const released = await readBatchDetail(batch.id)
  expect(released).toMatchObject({ status: "released", underway: 3, jobId: null })
  const [file] = released.files
  const messageId = `${batch.number}-1`
  expect(file).toMatchObject({ messageId, paymentCount: 3, controlSumCents: amountCents, exportedAt: null })
  for (const { id } of payments) {
    expect(await readPayout(id)).toMatchObject({ status: "processing", batch: { number: batch.number } })
  }

  const { address, sha256 } = await exportBatchFile(released)
  await expect(exportBatchFile(released)).rejects.toMatchObject({ code: "ALREADY_EXPORTED" })
  await expect(exportBatchFile(released, maker)).rejects.toMatchObject({ code: "ALREADY_EXPORTED" })
  expect((await fetchAs(address, app.people.manager)).status).toBe(404)
  const response = await fetchAs(address)
  const text = await response.text()
  expect(response.headers.get("content-disposition")).toContain(`${messageId}.xml`)
  expect(createHash("sha256").update(text).digest("hex")).toBe(sha256)
  expect(file!.sha256).toBe(sha256)
  expect((await fetchAs(address)).status).toBe(404)

  const found = (pattern: RegExp) => Array.from(text.matchAll(pattern), ([, value]) => value!)
  expect(found(/<EndToEndId>(.*?)<\/EndToEndId>/g)).toEqual(payments.map(({ number }) => number).sort())
  expect(found(/<NbOfTxs>(.*?)<\/NbOfTxs>/g)).toEqual(["3", "3"])
  const sum = (amountCents / 100).toFixed(2)
  expect(found(/<CtrlSum>(.*?)<\/CtrlSum>/g)).toEqual([sum, sum])
  const amounts = found(/<InstdAmt Ccy="ZAR">(.*?)<\/InstdAmt>/g).map((amount) => Math.round(Number(amount) * 100))
  expect(amounts.reduce((one, two) => one + two, 0)).toBe(amountCents)
  expect(found(/<ReqdExctnDt><Dt>(.*?)<\/Dt>/g)).toEqual(["2026-11-02"])
  if (!existsSync(schemaPath)) return console.warn("The schema is not here: the file was not held against it.")
  const schema = readFileSync(schemaPath, "utf8")
  const valid = await validateXML({ xml: [{ fileName: "file.xml", contents: text }], schema: [schema] })
  expect(valid.errors).toEqual([])
  const broken = text.replace("<PmtMtd>TRF</PmtMtd>", "")
  expect((await validateXML({ xml: [{ fileName: "b.xml", contents: broken }], schema: [schema] })).valid).toBe(false)
})

test.each([
  ["fnb", "csv", /^BInSol - U ver 1\.00\r\n02\/11\/2026\r\n62000000001\r\n/],
  ["standard_bank", "csv", /^HEADER,BAT-2026-\d+-1,62000000001,250655,20261102\r\nCONTROL,2,/],
] as const)("the file for %s contains every payment to the cent", async (format, extension, head) => {
  const payments = await createPayments(2)
  const batch = await createReleasedBatch(payments, format)
  const { address } = await exportBatchFile(batch)
  const response = await fetchAs(address)
  expect(response.headers.get("content-disposition")).toContain(`.${extension}`)
  const text = await response.text()
  expect(text).toMatch(head)
  for (const { number, amountCents } of payments) {
    expect(text).toMatch(new RegExp(`S Dlamini,62001234567,.*${(amountCents / 100).toFixed(2)},${number},`))
  }
})

describe("payments of a batch", () => {
  test("a batch accepts only bank payments that await release and are in no other batch", async () => {
    const [first, second] = await createPayments(2)
    const batch = await createBatch(maker, accountId, [first!.id])
    const put = (payoutIds: string[]) => createBatch(maker, accountId, payoutIds)
    await expect(put([first!.id])).rejects.toMatchObject({ code: "NOT_FOR_BATCH" })
    await expect(put([randomUUID()])).rejects.toMatchObject({ code: "NOT_FOR_BATCH" })
    const cash = await maker.payouts.changePayee({
      ...{ payoutId: second!.id, version: second!.version, method: "cash", payeeName: "S Dlamini" },
      ...{ payeeBank: "", payeeBranchCode: "", payeeAccountNumber: "" },
    })
    await expect(put([cash.id])).rejects.toMatchObject({ code: "NOT_FOR_BATCH" })
    const third = await createWaitingPayment()
    const added = await maker.payouts.batches.add({ ...stepInputOf(batch), payoutIds: [third.id] })
    expect(added).toMatchObject({ paymentCount: 2, amountCents: first!.amountCents + third.amountCents })
    const left = await maker.payouts.batches.takeOut({ ...stepInputOf(added), payoutIds: [first!.id] })
    expect(left).toMatchObject({ paymentCount: 1, amountCents: third.amountCents })
    await expect(put([first!.id])).resolves.toMatchObject({ paymentCount: 1 })
    await maker.payouts.batches.cancel({ ...stepInputOf(left), reason: "Wrong account" })
    await expect(put([third.id])).resolves.toMatchObject({ paymentCount: 1 })
  })

  test("a batch contains all waiting payments by default; concurrent batches never share one", async () => {
    const payments = await createPayments(2)
    const { firstDay, waiting: before } = await maker.payouts.batches.choices()
    expect(before.count).toBeGreaterThanOrEqual(2)
    const asked = { bankAccountId: accountId, executionOn: firstDay, format: "pain001" as const }
    const outcomes = await Promise.allSettled(
      [maker, other].map((by) => by.payouts.batches.make({ ...asked, idempotencyKey: randomUUID() })),
    )
    const held = await app.sql.rows<{ count: number }>(sql`
      select count(*)::int as count from payout_batch_payments where removed_at is null
        and payout_id = any (${sql.param(idsOf(payments))}::uuid[]) group by payout_id`)
    expect(held).toEqual([{ count: 1 }, { count: 1 }])
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true)
  })

  test("a payment in a batch cannot be released, completed or cancelled alone", async () => {
    const payment = await createWaitingPayment()
    const batch = await createBatch(maker, accountId, [payment.id])
    const step = { payoutId: payment.id, version: payment.version, idempotencyKey: randomUUID() }
    await expect(other.payouts.release(step)).rejects.toMatchObject({ code: "WRONG_STATUS" })
    await expect(other.payouts.cancel({ ...step, reason: "x" })).rejects.toMatchObject({ code: "WRONG_STATUS" })
    const cash = { method: "cash" as const, payeeBank: "", payeeBranchCode: "", payeeAccountNumber: "" }
    const { idempotencyKey: _, ...of } = step
    await expect(other.payouts.changePayee({ ...of, ...samplePayee, ...cash })).rejects.toMatchObject({
      code: "WRONG_STATUS",
    })
    expect((await other.payouts.detail({ payoutId: payment.id })).allowedActions).toEqual(["changePayee"])
    const changed = await other.payouts.changePayee({ ...of, ...samplePayee, payeeEmail: "s@example.test" })
    expect(changed.batch).toMatchObject({ id: batch.id })
    await expect(other.payouts.batches.release(stepInputOf(batch))).rejects.toMatchObject({ code: "FOUR_EYES" })
    expect((await other.payouts.batches.detail({ batchId: batch.id })).allowedActions).not.toContain("release")
    const list = await other.payouts.batches.payments({ batchId: batch.id })
    expect(list).toMatchObject({ total: 1, rows: [{ payoutId: payment.id, isOwn: true }] })
  })
})

test("concurrent releases or exports succeed once", async () => {
  const batch = await createBatch(maker, accountId, idsOf(await createPayments(2)))
  const admin = app.as(app.people.admin)
  const outcomes = await Promise.allSettled([other, admin].map((by) => by.payouts.batches.release(stepInputOf(batch))))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  await app.runJobs()
  const released = await readBatchDetail(batch.id)
  expect(released.files).toHaveLength(1)
  const exports = await Promise.allSettled([other, admin].map((by) => exportBatchFile(released, by)))
  expect(exports.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
})

test("a day without bank payments and an unknown account are refused with their field", async () => {
  const [payment] = await createPayments(1)
  const make = (changes: object) =>
    maker.payouts.batches.make({
      ...{
        idempotencyKey: randomUUID(),
        bankAccountId: accountId,
        executionOn: "2026-11-02",
        format: "pain001" as const,
      },
      ...{ payoutIds: [payment!.id], ...changes },
    })
  for (const executionOn of ["2026-11-01", "2026-11-07", "2026-12-16"]) {
    await expect(make({ executionOn })).rejects.toMatchObject({ data: { fields: [{ path: "executionOn" }] } })
  }
  await expect(make({ bankAccountId: randomUUID() })).rejects.toMatchObject({
    data: { fields: [{ path: "bankAccountId" }] },
  })
})

describe("replacing a file", () => {
  test("a file can be replaced only after its withdrawal; both hashes are stored", async () => {
    const batch = await createReleasedBatch(await createPayments(2))
    const again = (of: BatchDetail) => other.payouts.batches.replace({ ...stepInputOf(of), executionOn: "2026-11-03" })
    await expect(again(batch)).rejects.toMatchObject({ code: "FILE_COUNTS" })
    await exportBatchFile(batch)
    await expect(again(await readBatchDetail(batch.id))).rejects.toMatchObject({ code: "FILE_COUNTS" })
    const withdrawn = await other.payouts.batches.withdraw({
      ...stepInputOf(await readBatchDetail(batch.id)),
      ...{ why: "not_sent" as const, reason: "The download was lost" },
    })
    await expect(exportBatchFile(withdrawn)).rejects.toMatchObject({ code: "NO_FILE" })
    await again(withdrawn)
    await app.runJobs()
    const { files, executionOn } = await readBatchDetail(batch.id)
    expect(executionOn).toBe("2026-11-03")
    expect(files).toMatchObject([
      { messageId: `${batch.number}-2`, withdrawn: null, exportedAt: null },
      { messageId: `${batch.number}-1`, withdrawn: "not_sent", withdrawnReason: "The download was lost" },
    ])
    expect(files[0]!.sha256).not.toBe(files[1]!.sha256)
    expect(files[1]!.sha256).toBe(batch.files[0]!.sha256)
  })
})

describe("the bank's answer", () => {
  let batch: BatchDetail
  let payments: Awaited<ReturnType<typeof createPayments>>
  beforeEach(async () => {
    payments = await createPayments(3)
    batch = await createReleasedBatch(payments)
  })
  const messageId = () => batch.files[0]!.messageId

  test("the bank's answer completes and fails payments; a retried payment gets a new reference", async () => {
    const [first, second, third] = payments.map(({ number }) => number)
    const content = createPainAnswer(messageId(), [
      { endToEndId: first!, status: "ACSC" },
      { endToEndId: second!, status: "RJCT", code: "AC04", remark: "Closed in October" },
      { endToEndId: third!, status: "ACSP" },
      { endToEndId: "PAY-OF-NOBODY", status: "ACSC" },
    ])
    expect((await uploadAnswer(batch, content)).status).toBe(200)
    expect(await readPayout(payments[0]!.id)).toMatchObject({ status: "completed", completedOn: "2026-11-02" })
    const failed = await readPayout(payments[1]!.id)
    expect(failed).toMatchObject({
      status: "failed",
      statusReason: "The account is closed: Closed in October (AC04)",
      batch: null,
    })
    expect(await readPayout(payments[2]!.id)).toMatchObject({ status: "processing" })
    expect(await readBatchDetail(batch.id)).toMatchObject({ underway: 1, completed: 1, failed: 1 })

    // Each answer is processed once; a later answer completes the remaining payments.
    const repeat = await uploadAnswer(batch, content)
    expect(await repeat.json()).toMatchObject({
      message: "This bank response was already imported. Nothing was changed.",
    })
    await uploadAnswer(batch, createPainAnswer(messageId(), [{ endToEndId: third!, status: "ACCC" }]))
    expect(await readPayout(payments[2]!.id)).toMatchObject({ status: "completed" })

    const step = { payoutId: failed.id, version: failed.version, idempotencyKey: randomUUID() }
    const retried = await maker.payouts.retry(step)
    const next = await createReleasedBatch([retried])
    const { rows } = await maker.payouts.batches.payments({ batchId: next.id })
    expect(rows).toMatchObject([{ endToEndId: `${second}-2` }])
  })

  test("an answer for the whole file completes all payments; a hostile file changes nothing", async () => {
    const refusals: [string, RegExp][] = [
      [createPainAnswer("BAT-2026-999999-1", []), /is not a payment file of BAT-/],
      [`<!DOCTYPE x [<!ENTITY a "b">]>${createPainAnswer(messageId(), [])}`, /DOCTYPE/],
      [createPainAnswer(messageId(), []).slice(0, 300), /damaged or incomplete/],
      ["<html></html>", /not a bank response .*pain\.002/],
      ["Date,Amount\n", /not a bank response .*pain\.002/],
      [createPainAnswer(messageId(), [{ endToEndId: payments[0]!.number, status: "WHAT" }]), /has an unknown status/],
    ]
    for (const [content, message] of refusals) {
      const response = await uploadAnswer(batch, content)
      expect(response.status).toBe(422)
      expect(((await response.json()) as { message: string }).message).toMatch(message)
    }
    expect(await readBatchDetail(batch.id)).toMatchObject({ underway: 3 })
    await uploadAnswer(batch, createPainAnswer(messageId(), [], "ACSC"))
    expect(await readBatchDetail(batch.id)).toMatchObject({ underway: 0, completed: 3, failed: 0 })
    const paid = await app.sql.rows<{ status: string }>(sql`
      select distinct c.status from claims c join payouts o on o.claim_id = c.id where o.id = any (${sql.param(idsOf(payments))}::uuid[])`)
    expect(paid).toEqual([{ status: "paid" }])
  })

  test("an answer that rejects the whole file withdraws it and allows a replacement", async () => {
    await uploadAnswer(batch, createPainAnswer(messageId(), [], "RJCT"))
    const rejected = await readBatchDetail(batch.id)
    expect(rejected).toMatchObject({ underway: 3, files: [{ withdrawn: "rejected" }] })
    expect(rejected.allowedActions).toContain("replace")
  })
})

test("one bank debit completes a whole batch from its account", async () => {
  const payments = await createPayments(3)
  const batch = await createReleasedBatch(payments)
  const { amountCents } = batch
  const done = await app.transaction(app.people.manager, (cx) =>
    completeBatchByBank(cx, { batchId: batch.id, on: "2026-11-02", bankAccountId: accountId }),
  )
  expect(done).toMatchObject({ amountCents })
  expect(done.payoutIds.toSorted()).toEqual(idsOf(payments).toSorted())
  expect(await readBatchDetail(batch.id)).toMatchObject({ underway: 0, completed: 3, returned: 0 })
})

test("a batch counts a returned payment apart from the completed ones", async () => {
  const batch = await createReleasedBatch(await createPayments(2))
  const { payoutIds } = await app.transaction(app.people.manager, (cx) =>
    completeBatchByBank(cx, { batchId: batch.id, on: "2026-11-02", bankAccountId: accountId }),
  )
  const { id: payoutId, version } = await readPayout(payoutIds[0]!)
  const step = { payoutId, version, idempotencyKey: randomUUID() }
  await maker.payouts.return({ ...step, returnedOn: "2026-11-02", reason: "Account closed" })
  expect(await readBatchDetail(batch.id)).toMatchObject({ underway: 0, completed: 1, returned: 1, failed: 0 })
})

test("a payee with an address is mailed about the payment, without medical details", async () => {
  const claim = await createApprovedClaim(scene.cast, { ...scene.sample, diagnosis: "Appendicitis" })
  const made = await maker.claims.pay({
    ...{ idempotencyKey: randomUUID(), claimId: claim.id, reference: "", notes: "Appendicitis" },
    ...samplePayee,
    payeeEmail: "sipho@example.test",
  })
  const batch = await createReleasedBatch([made])
  await uploadAnswer(batch, createPainAnswer(batch.files[0]!.messageId, [], "ACSC"))
  const mails = (await app.mails()).filter(({ to }) => to === "sipho@example.test")
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatchObject({ subject: `Remittance advice ${claim.number}` })
  expect(mails[0]!.text).toContain("account ending in 4567")
  expect(mails[0]!.text).not.toMatch(/Appendicitis|62001234567|medical/i)
})

test("the database prevents changes to files, batches and their former payments", async () => {
  const batch = await createReleasedBatch(await createPayments(1))
  const staff = app.app.database.direct("staff")
  const refusedBy = (statement: ReturnType<typeof sql>) => expect(staff.run(statement)).rejects.toThrow()
  await refusedBy(sql`update payment_files set sha256 = repeat('0', 64) where batch_id = ${batch.id}`)
  await refusedBy(sql`insert into payment_files select gen_random_uuid(), batch_id, 2, message_id || 'x', format, file_id, sha256,
    payment_count, control_sum_cents, execution_on, made_at from payment_files where batch_id = ${batch.id}`)
  await refusedBy(sql`update payout_batches set bank_account_id = null, amount_cents = 1 where id = ${batch.id}`)
  await refusedBy(sql`update payout_batch_payments set end_to_end_id = 'X' where batch_id = ${batch.id}`)
  await refusedBy(sql`delete from payout_batch_payments where batch_id = ${batch.id}`)
  await exportBatchFile(batch)
  await refusedBy(
    sql`update payment_files set exported_at = null, exported_by = null, ticket = null where batch_id = ${batch.id}`,
  )
  await refusedBy(sql`update payment_files set ticket = gen_random_uuid() where batch_id = ${batch.id}`)
  const payment = await createWaitingPayment()
  const changed = await other.payouts.changePayee({ payoutId: payment.id, version: payment.version, ...samplePayee })
  const open = await createBatch(maker, accountId, [changed.id])
  await expect(
    staff.run(
      sql`update payout_batches set status = 'released', released_by = ${app.people.manager2.userId}, released_at = created_at where id = ${open.id}`,
    ),
  ).rejects.toThrow(/payee/)
})
