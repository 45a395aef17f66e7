import { createHash, randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createBankAccount } from "../banking/banking.samples.ts"
import { RealServer } from "../test/real-server.ts"
import { stepInputOf } from "./batches.samples.ts"

/* Kills the database or the server at a chosen point of a release or of making the file. */

let server: RealServer
let accountId: string
beforeAll(async () => {
  server = await RealServer.started(
    `create trigger payments before update on payouts for each row when (new.status = 'processing') execute function stand_still('payments');
    create trigger naming before update on payout_batch_payments for each row when (new.end_to_end_id is not null) execute function stand_still('naming');
    create trigger batch before update on payout_batches for each row when (new.status = 'released') execute function stand_still('batch');
    create trigger stored before insert on files for each row when (new.kind = 'payment_file') execute function stand_still('stored');
    create trigger listed before insert on payment_files for each row execute function stand_still('listed');
    create constraint trigger committing after insert on payment_files deferrable initially deferred for each row
      execute function stand_still('committing');`,
  )
  accountId = (await createBankAccount(server.client)).id
}, 120_000)
afterAll(() => server.close())

/** Inserts rows directly: three payments of approved claims in an open batch by another user. */
async function createOpenBatch() {
  await server.owner.client.query(`
    begin; set local session_replication_role = replica;
    with of as (select gen_random_uuid() as claim, gen_random_uuid() as one, now() as at, place from generate_series(1, 3) place),
    claims_made as (
      insert into claims (id, group_id, policy_id, member_id, number, status, benefit_id, claim_type, incident_on, notification_on,
        requested_amount_cents, approved_amount_cents, description, captured_by, submitted_by, submitted_at, reviewed_by, reviewed_at,
        routed_at, group_admin_approval_at, underwriter_approval_at, policy_holder_approval_at, final_approval_at, cover_tier_id,
        max_cover_cents, created_at, updated_at)
      select claim, one, one, one, 'CLM-' || claim, 'approved', one, 'medical', '2026-01-05', '2026-01-06', 10000, 10000, 'x', array[one],
        one, at, one, at, at, at, at, at, at, one, 10000, at, at from of)
    insert into payouts (id, group_id, policy_id, member_id, number, subject_kind, subject_id, subject_label, amount_cents, method,
      reference, payee_name, payee_bank, payee_branch_code, payee_account_number, prepared_by, created_by, created_at)
    select claim, one, one, one, 'PAY-' || left(claim::text, 20), 'claim', claim, 'CLM', 10000, 'eft', 'CLM', 'S Dlamini', 'FNB', '250655',
      '62001234567', array[one], one, at from of;
    commit`)
  const { firstDay } = await server.client.payouts.batches.choices()
  const asked = { bankAccountId: accountId, executionOn: firstDay, format: "pain001" as const }
  return server.client.payouts.batches.make({ ...asked, idempotencyKey: randomUUID() })
}

async function waitForWholeBatch(batchId: string) {
  const { client } = server
  await server.until(async () => {
    const now = await client.payouts.batches.detail({ batchId }).catch(() => undefined)
    return now?.status === "released" && now.files.length > 0 && now.jobId === null
  })
  const batch = await client.payouts.batches.detail({ batchId })
  expect(batch).toMatchObject({ underway: 3, paymentCount: 3, amountCents: 300_00 })
  expect(batch.files).toMatchObject([{ paymentCount: 3, controlSumCents: 300_00, withdrawn: null }])
  const { rows } = await client.payouts.batches.payments({ batchId })
  expect(new Set(rows.map(({ endToEndId }) => endToEndId)).size).toBe(3)
  const released = await server.owner.rows<{ count: number }>(sql`
    select count(*)::int as count from audit_log where record_id = ${batchId} and fact in ('BatchReleased', 'PaymentFileMade') group by fact`)
  expect(released).toEqual([{ count: 1 }, { count: 1 }])
  const file = await server.owner.row<{ id: string }>(
    sql`select file_id as id from payment_files where batch_id = ${batchId}`,
  )
  const bytes = await server.app.files.bytes(server.owner, file!.id)
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(batch.files[0]!.sha256)
  expect(bytes.toString().match(/<EndToEndId>/g)).toHaveLength(3)
}

test.each([
  "payments",
  "naming",
  "batch",
])("%s: a killed release changes nothing and succeeds when retried with the same key", async (point) => {
  const batch = await createOpenBatch()
  const asked = stepInputOf(batch)
  const killed = await server.killedAt(point, "the database", () => server.client.payouts.batches.release(asked))
  expect(killed.answer).toBeInstanceOf(Error)
  const now = () => server.client.payouts.batches.detail({ batchId: batch.id })
  expect(await now()).toMatchObject({ status: "open", underway: 0, files: [] })
  await server.client.payouts.batches.release(asked)
  await server.client.payouts.batches.release(asked)
  await waitForWholeBatch(batch.id)
}, 90_000)

test.each([
  "stored",
  "listed",
  "committing",
])("%s: an interrupted file is made exactly once, despite leftovers on disk", async (point) => {
  const batch = await createOpenBatch()
  await server.killedAt(point, "both", () => server.client.payouts.batches.release(stepInputOf(batch)))
  await waitForWholeBatch(batch.id)
}, 120_000)
