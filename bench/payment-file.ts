import { fork } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { validateXML } from "xmllint-wasm"
import { serverFlags } from "../scripts/node.mjs"
import {
  createBankAccount,
  createFnbHistory,
  type SampleLine,
  storeStatementUpload,
} from "../server/src/banking/banking.samples.ts"
import { openBillingApp } from "../server/src/billing/billing-scene.samples.ts"
import { stepInputOf } from "../server/src/payouts/batches.samples.ts"
import { Database, type Tx } from "../server/src/platform/database/database.ts"
import { withClient } from "../server/src/platform/database/with-client.ts"
import { startTestPostgres } from "../server/src/runtime/postgres.ts"
import { testPostgresVariable } from "../server/src/runtime/test-postgres.setup.ts"
import { type Bench, measureMs, requireTrue } from "./measure.ts"
import { processorTime } from "./processor-time.ts"

const paymentCount = 10_000
const schema = join(import.meta.dirname, "../../shared/fixtures/public/iso20022/pain.001.001.09.xsd")

/**
 * One batch of 10,000 payments: released, its pain.001 written to disk in a separate process, and completed by one bank
 * line. The reference writes the rows of one statement to a file.
 */
export const paymentFile: Bench = {
  name: "payment-file",
  async run(say) {
    const postgres = await startTestPostgres({ durable: true })
    process.env[testPostgresVariable] = postgres.url
    const house = await openBillingApp({ now: Temporal.Now.instant().toString() })
    const { ownerUrl } = house.app.database
    const database = new Database(ownerUrl)
    const owner = database.direct("owner")
    const { folder } = house.app.files
    const worker = fork(
      join(import.meta.dirname, "premium-run.process.ts"),
      [ownerUrl, join(folder, ".."), "payment-"],
      {
        execArgv: [...serverFlags, "--import", new URL("../server/src/runtime/tuning.ts", import.meta.url).href],
      },
    )
    await once(worker, "message")
    try {
      const { id: accountId, accountNumber } = await createBankAccount(house.as(house.people.admin))
      const today = Temporal.Now.plainDateISO("UTC")
      const bring = async (openingCents: number, made: SampleLine) => {
        const content = createFnbHistory(accountNumber, openingCents, [made])
        const uploadId = await storeStatementUpload(house, house.people.manager, accountId, content)
        const { id: statementId } = await house.manager.banking.import({ uploadId, idempotencyKey: randomUUID() })
        const { rows } = await house.manager.banking.lines({ statementId, tab: "all" })
        return rows[0]!
      }
      await bring(1_000_00, { day: today.subtract({ days: 1 }).toString(), text: "EFT FIRST", amountCents: 10_00 })
      const policy = await house.policy()
      await insertPayments(ownerUrl, { ...policy, by: house.people.manager.userId })
      const { batches } = house.manager.payouts
      const { firstDay: executionOn } = await batches.choices()
      const paid = { bankAccountId: accountId, executionOn, format: "pain001" as const }
      const batch = await batches.make({ idempotencyKey: randomUUID(), ...paid })
      requireTrue(batch.paymentCount === paymentCount, "the batch holds them all")
      const worked = async (call: () => Promise<unknown>) => {
        const before = processorTime(process.pid, postgres.pid())
        const ms = await measureMs(call)
        return { ms, work: processorTime(process.pid, postgres.pid()) - before }
      }
      const releasing = await worked(() => house.as(house.people.manager2).payouts.batches.release(stepInputOf(batch)))
      let most = 0
      const ms = await measureMs(async () => {
        worker.send("run")
        most = (await once(worker, "message"))[0].most
      })
      const { files } = await batches.detail({ batchId: batch.id })
      requireTrue(files.length === 1 && files[0]!.paymentCount === paymentCount, "one file with all payments")
      const text = await readFileText(owner, folder, files[0]!.id)
      await expectValid(text, say)
      requireTrue((text.match(/<CdtTrfTxInf>/g) ?? []).length === paymentCount, "each payment is in it once")
      const reference = await measureHandWrittenFile(ownerUrl, folder, batch.id)
      const amountCents = -batch.amountCents
      const inLine = `ELECTRONIC BATCH ${batch.number}-1`
      const line = await bring(1_010_00, { day: today.toString(), text: inLine, amountCents })
      const parts = [{ as: "batch" as const, id: batch.id, amountCents }]
      const completing = await worked(() =>
        house.manager.banking.confirm({ lineId: line.id, parts, idempotencyKey: randomUUID() }),
      )
      const { completed } = await batches.detail({ batchId: batch.id })
      const claims = await owner.row<{ count: number }>(sql`select count(*) as count from claims where status = 'paid'`)
      requireTrue(
        completed === paymentCount && claims!.count === paymentCount,
        "one line completes them all, and pays their claims",
      )
      return [
        {
          what: `payment file of ${paymentCount} payments, from the database to the disk`,
          ours: ms,
          reference,
          unit: "ms",
          against: "the same payments from one statement, written to a file as lines",
          also: [
            { what: "time of the file", value: ms, unit: "ms", atMost: 10_000 },
            { what: "peak memory of the process", value: most, unit: "MB", atMost: 200 },
            { what: "release of the batch", value: releasing.ms, unit: "ms", atMost: 5_000 },
            { what: "… CPU time, server and database", value: releasing.work, unit: "ms" },
            { what: "completion of the batch by one bank line", value: completing.ms, unit: "ms", atMost: 10_000 },
            { what: "… CPU time", value: completing.work, unit: "ms" },
          ],
        },
      ]
    } finally {
      worker.send("stop")
      await once(worker, "exit")
      await database.close()
      await house.close()
      await postgres.close()
    }
  },
}

async function insertPayments(
  ownerUrl: string,
  { id, groupId, by }: { id: string; groupId: string; by: string },
): Promise<void> {
  const asked = [id, groupId, by, paymentCount]
  await withClient(ownerUrl, async (client) => {
    await client.query("begin; set local session_replication_role = replica")
    await client.query(
      `with approved as (
         insert into claims (id, group_id, policy_id, member_id, number, status, claim_type, incident_on, notification_on, claim_amount_cents,
           requested_amount_cents, approved_amount_cents, description, captured_by, submitted_by, submitted_at, reviewed_by, reviewed_at,
           routed_at, group_admin_approval_at, underwriter_approval_at, policy_holder_approval_at, final_approval_at, created_at, updated_at, benefit_id,
           cover_tier_id, max_cover_cents)
         select gen_random_uuid(), $2, $1, one.id, 'CLM-2025-' || lpad(nth::text, 6, '0'),
           'approved', 'medical', current_date, current_date, cents, cents, cents, 'Of a benchmark', array[$3::uuid], $3, now(), $3, now(),
           now(), now(), now(), now(), now(), now(), now(), (select id from benefits limit 1), one.tier_id, cents
         from (select id, tier_id from members where policy_id = $1 limit 1) one, (select nth, 100 + nth * 7919 % 5000000 as cents from generate_series(1, $4::int) nth) asked
         returning id, number, approved_amount_cents, right(number, 6)::int as nth
       )
       insert into payouts (id, group_id, policy_id, number, subject_kind, subject_id, subject_label, amount_cents, method, reference,
         payee_name, payee_bank, payee_branch_code, payee_account_number, prepared_by, created_by, created_at)
       select gen_random_uuid(), $2, $1, 'PAY-2025-' || right(number, 6), 'claim', id, number, approved_amount_cents, 'bank_transfer', number,
         (array['Zoë Müller', 'Thandi Nkosi', 'J & P van der Merwe', 'Siphiwe Dlamini'])[1 + nth % 4] || ' ' || nth, 'FNB', '250655',
         (62000000000 + nth)::text, array[$3::uuid], $3, now()
       from approved`,
      asked,
    )
    await client.query("commit")
    await client.query("analyze")
  })
}

async function readFileText(owner: Tx, folder: string, fileId: string): Promise<string> {
  const { name } = (await owner.row<{ name: string }>(sql`
    select f.storage_name as name from payment_files p join files f on f.id = p.file_id where p.id = ${fileId}`))!
  return readFileSync(join(folder, name), "utf8")
}

async function expectValid(text: string, say: (line: string) => void): Promise<void> {
  if (!existsSync(schema)) return say("the schema was not found: the file is not validated")
  const xsd = readFileSync(schema, "utf8")
  const { errors } = await validateXML({ xml: [{ fileName: "file.xml", contents: text }], schema: [xsd] })
  requireTrue(errors.length === 0, `the file is valid: ${errors[0]?.message}`)
  say(`valid against pain.001.001.09, ${(text.length / 1024 / 1024).toFixed(1)} MB`)
}

async function measureHandWrittenFile(ownerUrl: string, folder: string, batchId: string): Promise<number> {
  return withClient(ownerUrl, (client) =>
    measureMs(async () => {
      const { rows } = await client.query(
        `select i.end_to_end_id, o.amount_cents, o.payee_name, o.payee_branch_code, o.payee_account_number, o.reference
         from payout_batch_payments i join payouts o on o.id = i.payout_id where i.batch_id = $1 order by i.end_to_end_id`,
        [batchId],
      )
      const file = await open(join(folder, "reference.txt"), "w")
      await file.write(rows.map((row) => Object.values(row).join(";")).join("\n"))
      await file.sync()
      await file.close()
    }),
  )
}
