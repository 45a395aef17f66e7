import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { RealServer } from "../test/real-server.ts"
import { createBankAccount, createFnbHistory, uploadStatementFile } from "./banking.samples.ts"

let server: RealServer
beforeAll(async () => {
  server = await RealServer.started(
    `create trigger opening before insert on ledger_entries for each row execute function stand_still('opening');
    create trigger lines before insert on bank_lines for each row when (new.text = 'EFT NUMBER 40') execute function stand_still('lines');
    create constraint trigger committing after insert on bank_statements deferrable initially deferred for each row
      execute function stand_still('committing');`,
  )
}, 120_000)
afterAll(() => server.close())

const lines = Array.from({ length: 60 }, (_, at) => ({
  ...{
    day: `2026-11-${String(1 + Math.floor(at / 6)).padStart(2, "0")}`,
    text: `EFT NUMBER ${at}`,
    amountCents: 100_00,
  },
}))

test.each(["opening", "lines", "committing"].map((point, at) => [point, `6200000010${at}`]))(
  "%s: a killed import stores nothing and can be retried with the same key",
  async (point, accountNumber) => {
    const { client } = server
    const account = await createBankAccount(client, { accountNumber, name: `Killed at ${point}` })
    const uploadId = await server.served((at) =>
      uploadStatementFile({ server: at }, server.actor, account.id, createFnbHistory(accountNumber, 1_000_00, lines)),
    )

    const asked = { uploadId, idempotencyKey: randomUUID() }
    const killed = await server.killedAt(point!, "the database", () => client.banking.import(asked))
    expect(killed.answer).toBeInstanceOf(Error)

    const now = async () => (await client.banking.accounts({})).find(({ id }) => id === account.id)!
    expect(await now()).toMatchObject({ openedOn: null, lineCount: 0, ledgerCents: 0 })
    expect(await client.banking.import(asked)).toMatchObject({ newCount: 60 })
    expect(await client.banking.import(asked)).toMatchObject({ newCount: 60 })
    expect(await now()).toMatchObject({ lineCount: 60, ledgerCents: 1_000_00, statementCents: 7_000_00 })
    expect(await verifyLedger(server.owner)).toEqual([])
  },
  60_000,
)
