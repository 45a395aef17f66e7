import { randomUUID } from "node:crypto"
import { checkKeys } from "@milkwood/domain/month-end/checklist"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { RealServer } from "../test/real-server.ts"

/* The test kills the database while a closing is paused at a chosen point. */

let server: RealServer
let policyId: string
beforeAll(async () => {
  server = await RealServer.started(
    `create trigger closing before insert on closed_months for each row execute function stand_still('closing');
    create trigger signing before insert on signed_checklists for each row execute function stand_still('signing');
    create trigger reconciling before insert on signed_reconciliations for each row execute function stand_still('reconciling');
    create constraint trigger committing after insert on closed_months deferrable initially deferred for each row
      execute function stand_still('committing');
    create trigger paper before update on signed_checklists for each row execute function stand_still('paper');
    create trigger proof before update on signed_reconciliations for each row execute function stand_still('proof');`,
  )
  policyId = (await createActivePolicy(server.client)).id
}, 120_000)
afterAll(() => server.close())

/** Last month, by the machine's clock. */
const thisMonth = Temporal.Now.plainDateISO("Africa/Johannesburg").with({ day: 1 })
const month = thisMonth.subtract({ months: 1 }).toString()
const reasons = Object.fromEntries(checkKeys.map((key) => [key, "It is a test"]))
const readMonthDetail = () => server.client.monthEnd.month({ month })
const createReceipt = () => recordedReceipt(server.client, { policyId, amountCents: 1_00, receivedOn: month })
const readPostedDay = async (id: string) =>
  (await server.owner.row<{ day: string }>(
    sql`select effective_on as day from ledger_entries where source = ${`receipt:${id}`}`,
  ))!.day

test.each([
  "closing",
  "signing",
  "reconciling",
  "committing",
])("%s: a killed closing leaves the month open, and a retry with its key succeeds", async (point) => {
  const asked = { month, idempotencyKey: randomUUID(), reasons }
  const killed = await server.killedAt(point, "the database", () => server.client.monthEnd.close(asked))
  expect(killed.answer).toBeInstanceOf(Error)

  const before = (await readMonthDetail()).closings.length
  expect((await readMonthDetail()).state).toBe("open")
  // The killed closing does not block others with its lock.
  expect(await readPostedDay((await createReceipt()).id)).toBe(month)
  expect(await server.client.monthEnd.close(asked)).toMatchObject({ state: "closed" })
  expect(await server.client.monthEnd.close(asked)).toMatchObject({ state: "closed" })
  expect((await readMonthDetail()).closings).toHaveLength(before + 1)
  expect(await readPostedDay((await createReceipt()).id)).toBe(thisMonth.toString())
  expect(await verifyLedger(server.owner)).toEqual([])
  await server.client.monthEnd.reopen({ month, idempotencyKey: randomUUID(), reason: "For the next one" })
}, 90_000)

test.each([
  "paper",
  "proof",
])("%s: after a restart the PDFs of checklist and reconciliation are generated", async (point) => {
  const asked = { month, idempotencyKey: randomUUID(), reasons }
  await server.killedAt(point, "the database", () => server.client.monthEnd.close(asked))
  await server.until(async () => {
    const [last] = (await readMonthDetail()).closings
    return last?.sha256 !== null && last?.reconciliationSha256 !== null
  })
  const kept = await server.owner.row<{ count: number }>(
    sql`select count(*)::int as count from signed_checklists s join files f on f.id = s.file_id and f.sha256 = s.sha256`,
  )
  const { closings } = await readMonthDetail()
  expect(kept!.count).toBe(closings.filter(({ sha256 }) => sha256 !== null).length)
  const proved = await server.owner.row<{ count: number }>(sql`
    select count(*)::int as count from signed_reconciliations s
    join files p on p.id = s.pdf_file_id and p.sha256 = s.pdf_sha256 join files c on c.id = s.csv_file_id and c.sha256 = s.csv_sha256`)
  expect(proved!.count).toBe(closings.filter(({ reconciliationSha256: sha256 }) => sha256 !== null).length)
  await server.client.monthEnd.reopen({ month, idempotencyKey: randomUUID(), reason: "For the next one" })
}, 90_000)
