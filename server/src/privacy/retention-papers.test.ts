import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createBankAccount, createFnbHistory, importSampleStatement } from "../banking/banking.samples.ts"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import { createBatch, createPainAnswer, stepInputOf } from "../payouts/batches.samples.ts"
import { createPayout, samplePayee } from "../payouts/payouts.samples.ts"
import { createComparedRemittance } from "../reconciliation/reconciliation.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { findPlantedText } from "../test/planted.ts"
import { sendFile } from "../test/send-file.ts"

/* Files from banks and employers name people, so retention deletes them. It keeps the files of payments without a bank
   answer. */

let app: ClaimApp
let statementUnderwayId: string
let statementId: string
let remittanceId: string
const plantedStranger = "Planted Stranger"
const plantedPayee = "Planted Payee"

beforeAll(async () => {
  app = await openClaimApp()
  const server = await app.serve()
  const scene = await insureGroup(app, "Paper Mill")
  const { manager: actor } = app.people
  const [maker, other] = [app.as(actor), app.as(app.people.manager2)]
  const account = await createBankAccount(app.as(app.people.admin))
  const released = async (payeeName: string) => {
    const claim = await createApprovedClaim(scene.cast, scene.sample)
    const payment = await createPayout(maker, claim.id, { ...samplePayee, payeeName })
    const made = await createBatch(maker, account.id, [payment.id])
    await other.payouts.batches.release(stepInputOf(made))
    await app.runJobs()
    return maker.payouts.batches.detail({ batchId: made.id })
  }
  const batch = await released(plantedPayee)
  const path = `/api/payment-batches/${batch.id}/answers`
  const content = createPainAnswer(batch.files[0]!.messageId, [], "ACSC").replace("BANK-1", `BANK-1 ${plantedPayee}`)
  const answer = await sendFile(server, actor, { path, name: "answer.xml", content })
  expect(answer.status).toBe(200)
  await app.runJobs()
  statementUnderwayId = (await released(plantedPayee)).id
  const history = createFnbHistory(account.accountNumber, 1_000_00, [
    { day: "2026-10-30", text: `EFT ${plantedStranger}`, amountCents: 1_00 },
  ])
  statementId = (await importSampleStatement({ app, server }, actor, account.id, history)).id
  const invoice = await createSentInvoice(maker, {
    policyId: scene.policyId,
    month: "2026-10-01",
    invoiceOn: "2026-10-01",
  })
  const list = `ID Number,Name,Amount\n8001015009087,${plantedStranger},100.00\n`
  remittanceId = (
    await createComparedRemittance(server, actor, maker, invoice.id, { name: "october.csv", content: list })
  ).id
}, 240_000)
afterAll(() => app.close())

const countDueDocuments = () =>
  app.sql.row(sql`
    select (select count(*) from payment_files where file_id is not null) as files,
      (select count(*) from payment_answers where file_id is not null or content <> '{}') as answers,
      (select count(*) from bank_statements where file_id is not null) as statements,
      (select count(*) from remittances where file_id is not null) as remittances`)
const countKeptDocuments = () =>
  app.sql.row(sql`
    select (select jsonb_agg(sha256 order by id) from payment_files) as hashes, (select count(*) from payment_answers) as answers,
      (select jsonb_agg(text order by id) from bank_lines) as lines, (select sum(paid_cents) from remittance_rows) as paid,
      (select jsonb_agg(to_jsonb(p) order by id) from payouts p) as payouts`)

test("retention deletes files except those in progress, and keeps payments, lines, sums and hashes", async () => {
  expect(await countDueDocuments()).toEqual({ files: 2, answers: 1, statements: 1, remittances: 1 })
  const before = await countKeptDocuments()
  app.clock.set("2034-02-01T08:00:00Z")
  const retention = app.as(app.people.admin).privacy.retention
  await retention.look({})
  await app.runJobs()
  const [shown] = (await retention.overview({})).runs
  expect(shown!.due).toMatchObject({ bank_files: 3, remittances: 1 })
  await retention.confirm({ runId: shown!.id })
  await app.runJobs()
  expect((await retention.overview({})).runs[0]).toMatchObject({
    state: "done",
    removed: { bank_files: 3, remittances: 1 },
  })
  await app.sql.run(sql`
    insert into jobs (id, kind, label, payload, state, run_at, created_at)
    values (gen_random_uuid(), 'platform.housekeeping', 'Every night', '{}', 'queued', now(), now())`)
  await app.runJobs()
  expect(await countDueDocuments()).toEqual({ files: 1, answers: 0, statements: 0, remittances: 0 })
  const left = await app.sql.row<{ batchId: string }>(
    sql`select batch_id as "batchId" from payment_files where file_id is not null`,
  )
  expect(left!.batchId).toBe(statementUnderwayId)
  expect(await countKeptDocuments()).toEqual(before)
  expect(await findPlantedText(app.sql, app.app.files.folder, plantedStranger)).toEqual(["bank_lines"])
  const named = await findPlantedText(app.sql, app.app.files.folder, plantedPayee)
  expect(named.filter((place) => place.startsWith("file "))).toHaveLength(1)
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("opening or mapping a deleted file reports its deletion", async () => {
  const server = await app.serve()
  const headers = server.headersOf(app.people.manager)
  for (const path of [`/api/bank-statements/${statementId}/file`, `/api/remittances/${remittanceId}/file`]) {
    const answer = await fetch(server.url + path, { headers })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain("its file was deleted after its retention period")
  }
  const { remittances } = app.as(app.people.manager).reconciliation
  const { version, columns, hasFile, allowedActions } = await remittances.detail({ remittanceId })
  expect([hasFile, allowedActions]).toEqual([false, ["remove"]])
  const again = remittances.lay({ remittanceId, version, columns: columns! })
  await expect(again).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "The rows of this list were deleted after their retention period.",
  })
})

test("no other update can clear the file of a stored record", async () => {
  const change = (table: string) =>
    app.transaction(app.people.admin, async ({ tx }) => {
      await tx.run(sql`select set_config('app.forgetting', 'on', true)`)
      await tx.run(sql`update ${sql.identifier(table)} set file_id = null`)
    })
  for (const table of ["payment_files", "bank_statements", "payment_answers"])
    await expect(change(table)).rejects.toThrow()
})
