import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bankAccount, fnbHistory, importedStatement } from "../banking/banking.samples.ts"
import { sentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { approvedClaim } from "../claims/claims.samples.ts"
import { madeBatch, painAnswer, stepOf } from "../payouts/batches.samples.ts"
import { madePayout, samplePayee } from "../payouts/payouts.samples.ts"
import { laidRemittance } from "../reconciliation/reconciliation.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { whereFound } from "../test/planted.ts"
import { sendFile } from "../test/send-file.ts"

/* Files of banks and employers name people, so retention deletes them, except those of payments without a bank answer. */

let app: ClaimApp
let underway: string
let statementId: string
let remittanceId: string
const stranger = "Planted Stranger"
const payee = "Planted Payee"

beforeAll(async () => {
  app = await openClaimApp()
  const server = await app.serve()
  const scene = await insureGroup(app, "Paper Mill")
  const { manager: actor } = app.people
  const [maker, other] = [app.as(actor), app.as(app.people.manager2)]
  const account = await bankAccount(app.as(app.people.admin))
  const released = async (payeeName: string) => {
    const claim = await approvedClaim(scene.cast, scene.sample)
    const payment = await madePayout(maker, claim.id, { ...samplePayee, payeeName })
    const made = await madeBatch(maker, account.id, [payment.id])
    await other.payouts.batches.release(stepOf(made))
    await app.runJobs()
    return maker.payouts.batches.detail({ batchId: made.id })
  }
  const batch = await released(payee)
  const path = `/api/payment-batches/${batch.id}/answers`
  const content = painAnswer(batch.files[0]!.messageId, [], "ACSC").replace("BANK-1", `BANK-1 ${payee}`)
  const answer = await sendFile(server, actor, { path, name: "answer.xml", content })
  expect(answer.status).toBe(200)
  await app.runJobs()
  underway = (await released(payee)).id
  const history = fnbHistory(account.accountNumber, 1_000_00, [
    { day: "2026-10-30", text: `EFT ${stranger}`, amountCents: 1_00 },
  ])
  statementId = (await importedStatement({ app, server }, actor, account.id, history)).id
  const invoice = await sentInvoice(maker, { policyId: scene.policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  const list = `ID Number,Name,Amount\n8001015009087,${stranger},100.00\n`
  remittanceId = (await laidRemittance(server, actor, maker, invoice.id, { name: "october.csv", content: list })).id
}, 240_000)
afterAll(() => app.close())

const due = () =>
  app.sql.row(sql`
    select (select count(*) from payment_files where file_id is not null) as files,
      (select count(*) from payment_answers where file_id is not null or content <> '{}') as answers,
      (select count(*) from bank_statements where file_id is not null) as statements,
      (select count(*) from remittances where file_id is not null) as remittances`)
const kept = () =>
  app.sql.row(sql`
    select (select jsonb_agg(sha256 order by id) from payment_files) as hashes, (select count(*) from payment_answers) as answers,
      (select jsonb_agg(text order by id) from bank_lines) as lines, (select sum(paid_cents) from remittance_rows) as paid,
      (select jsonb_agg(to_jsonb(p) order by id) from payouts p) as payouts`)

test("retention deletes files except those in progress, and keeps payments, lines, sums and hashes", async () => {
  expect(await due()).toEqual({ files: 2, answers: 1, statements: 1, remittances: 1 })
  const before = await kept()
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
  expect(await due()).toEqual({ files: 1, answers: 0, statements: 0, remittances: 0 })
  const left = await app.sql.row<{ batchId: string }>(
    sql`select batch_id as "batchId" from payment_files where file_id is not null`,
  )
  expect(left!.batchId).toBe(underway)
  expect(await kept()).toEqual(before)
  expect(await whereFound(app.sql, app.app.files.folder, stranger)).toEqual(["bank_lines"])
  const named = await whereFound(app.sql, app.app.files.folder, payee)
  expect(named.filter((place) => place.startsWith("file "))).toHaveLength(1)
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("opening or mapping a deleted file reports that it is no longer stored", async () => {
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
