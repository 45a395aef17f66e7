import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { RealServer } from "../test/real-server.ts"
import { createBankAccount, createFnbHistory, uploadStatementFile } from "./banking.samples.ts"

/* The test kills server and database at a chosen point, after the first of three lines was posted automatically. */

const points = ["receipt", "matching", "committing"] as const

let server: RealServer
let account: Awaited<ReturnType<typeof createBankAccount>>
let invoices: Awaited<ReturnType<typeof createSentInvoice>>[]
let openingCents = 1_000_00
beforeAll(async () => {
  server = await RealServer.started(
    `create trigger receipt before insert on receipts for each row execute function stand_still('receipt');
    create trigger matching before insert on bank_matches for each row execute function stand_still('matching');
    create constraint trigger committing after insert on bank_placements deferrable initially deferred for each row
      execute function stand_still('committing');`,
    // At commit the transaction already includes its own placement.
    "(select count(*) from bank_placements) % 3 = case when tg_argv[0] = 'receipt' then 1 else 2 end",
  )
  const { client } = server
  account = await createBankAccount(client)
  const { id: policyId } = await createActivePolicy(client, { groupName: "Acacia Foods", startOn: "2026-01-01" })
  invoices = []
  for (let month = 1; month <= 9; month++) {
    const first = `2026-0${month}-01`
    invoices.push(await createSentInvoice(client, { policyId, month: first, invoiceOn: first }))
  }
  const { settings, version } = await client.settings.detail()
  await client.settings.save({
    settings: { ...settings, autoMatch: true, autoMatchUpToCents: 1_000_000_00 },
    version,
  })
}, 180_000)
afterAll(() => server.close())

test.each(points.map((point, at) => [point, at] as const))(
  "%s: after a crash during automatic matching, every line is posted exactly once",
  async (point, at) => {
    const paid = invoices.slice(at * 3, at * 3 + 3)
    const lines = paid.map(({ number, totalCents }, nth) => {
      return { day: `2026-11-${10 + at * 3 + nth}`, text: `EFT ACACIA FOODS ${number}`, amountCents: totalCents }
    })
    const content = createFnbHistory(account.accountNumber, openingCents, lines)
    const uploadId = await server.served((over) =>
      uploadStatementFile({ server: over }, server.actor, account.id, content),
    )
    openingCents += lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const asked = { uploadId, idempotencyKey: randomUUID() }
    await server.killedAt(point, "both", () => server.client.banking.import(asked))
    const before = (await server.client.banking.progress({})).placed
    expect(before).toBeGreaterThan(at * 3)
    await server.until(async () => (await server.client.banking.progress({})).placed === at * 3 + 3)
    await server.until(async () => {
      const left = await server.owner.rows(sql`select from jobs where kind = 'banking.autoMatch' and state <> 'done'`)
      return left.length === 0
    })

    expect(await server.client.banking.progress({})).toMatchObject({ placed: at * 3 + 3, automatic: at * 3 + 3 })
    expect((await server.client.receipts.list({})).total).toBe(at * 3 + 3)
    const open = await server.owner.rows(sql`
      select from invoices where allocated_cents = total_cents and id = any (${sql.param(paid.map(({ id }) => id))}::uuid[])`)
    expect(open).toHaveLength(3)
    const [main] = await server.client.banking.accounts({})
    const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
    expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!).toBe(ledgerCents)
    expect(await verifyLedger(server.owner)).toEqual([])
  },
  120_000,
)
