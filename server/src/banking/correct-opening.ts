import { randomUUID } from "node:crypto"
import { correctOpening } from "@milkwood/domain/banking/bank-account"
import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { openingCorrectedEntry } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { firstOpenDayOfBooks } from "../ledger/closed-months.ts"
import { post } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { bankAccountRowOf } from "./bank-accounts.queries.ts"
import { bankAccounts, bankOpeningCorrections } from "./banking.tables.ts"

/** The lock on the account prevents concurrent imports and corrections, and month end waits for it. */
export const correctOpeningBalance = command(bankingContract.correctOpening, async (cx) => {
  const { tx, input, now, actor } = cx
  const { accountId, reason } = input
  const account = await lockRecord(tx, bankAccounts, accountId, "This bank account does not exist.")
  expectVersion(account, input.version)
  const { byCents, ...opening } = orRefuse(correctOpening(account, input.openingCents, await firstOpenDayOfBooks(cx)))
  const correction = {
    ...{ id: randomUUID(), accountId, reason, correctedBy: actorUserId(actor), correctedAt: now },
    ...{ beforeCents: account.openingCents!, afterCents: opening.openingCents },
    nth: sql`(select count(*) + 1 from bank_opening_corrections where account_id = ${accountId})`,
  }
  await tx.insert(bankOpeningCorrections).values(correction)
  await saveRecord(tx, bankAccounts, account, { ...opening, version: account.version + 1 })
  const { name, openedOn } = account
  const posted = { on: openedOn!, accountId, name, amountCents: byCents }
  await post(cx, openingCorrectedEntry({ ...posted, correctionId: correction.id, reason }))
  const before = { openingCents: account.openingCents! }
  const after = { openingCents: opening.openingCents }
  const of = { kind: "bank_account" as const, id: accountId, label: name }
  await record(cx, [{ type: "BankOpeningCorrected", record: of, groupId: null, before, after, reason }])
  return bankAccountRowOf(cx, accountId)
})
