import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { RealServer } from "../test/real-server.ts"
import { createBankAccount, createFnbHistory, premiumAccount, uploadStatementFile } from "./banking.samples.ts"

/* The database is killed while matching pauses at a chosen point. */

const points = ["receipt", "matching", "committing"] as const

let server: RealServer
let policyId: string
let lineIds: string[]
beforeAll(async () => {
  server = await RealServer.started(
    `create trigger receipt before insert on receipts for each row execute function stand_still('receipt');
    create trigger matching before insert on bank_matches for each row execute function stand_still('matching');
    create constraint trigger committing after insert on bank_placements deferrable initially deferred for each row
      execute function stand_still('committing');`,
  )
  const { client } = server
  const account = await createBankAccount(client)
  policyId = (await createActivePolicy(client, { groupName: "Soweto Retail", startOn: "2026-01-01" })).id
  for (const month of ["2026-08-01", "2026-09-01", "2026-10-01"]) {
    await createSentInvoice(client, { policyId, month, invoiceOn: month })
  }
  const lines = points.map((text, at) => ({ day: `2026-11-0${at + 1}`, text, amountCents: 100_00 }))
  const content = createFnbHistory(premiumAccount.accountNumber, 1_000_00, lines)
  const uploadId = await server.served((at) => uploadStatementFile({ server: at }, server.actor, account.id, content))
  await client.banking.import({ uploadId, idempotencyKey: randomUUID() })
  lineIds = (await client.banking.lines({ tab: "all", sort: "day", dir: "asc" })).rows.map(({ id }) => id)
}, 180_000)
afterAll(() => server.close())

test.each(points.map((point, at) => [point, at] as const))(
  "%s: after a crash, a line is matched once or not at all",
  async (point, at) => {
    const { client } = server
    const lineId = lineIds[at]!
    const parts = [{ as: "policy" as const, id: policyId, amountCents: 100_00 }]
    const asked = { lineId, parts, idempotencyKey: randomUUID() }
    const killed = await server.killedAt(point, "the database", () => client.banking.confirm(asked))
    expect(killed.answer).toBeInstanceOf(Error)

    const receipts = async () => (await client.receipts.list({})).total
    expect(await receipts()).toBe(at)
    expect((await client.banking.progress({})).placed).toBe(at)
    const placed = await client.banking.confirm(asked)
    expect(placed).toMatchObject([{ state: "receipt" }])
    expect(await client.banking.confirm(asked)).toEqual(placed)
    expect(await receipts()).toBe(at + 1)
    const [main] = await client.banking.accounts({})
    const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
    expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!).toBe(ledgerCents)
    expect(await verifyLedger(server.owner)).toEqual([])
  },
  60_000,
)
