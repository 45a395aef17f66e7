import { randomUUID } from "node:crypto"
import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import type { BankAccountForm } from "@milkwood/domain/banking/banking-shape"
import type { Organisation } from "@milkwood/domain/platform/organisation-shape"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { holdLock } from "../platform/database/locks.ts"
import { lockRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { bankAccountRowOf } from "./bank-accounts.queries.ts"
import { bankAccounts } from "./banking.tables.ts"

/** A lock serialises two concurrent additions. */
async function expectFreeNumber({ tx }: Cx, accountNumber: string, accountId: string | null): Promise<void> {
  await holdLock(tx, "bankAccounts")
  const taken = await tx.row(
    sql`select from bank_accounts where account_number = ${accountNumber} and id is distinct from ${accountId}::uuid`,
  )
  if (taken) throw refused("ACCOUNT_EXISTS")
}

const trailFieldsOf = ({ name, bank, accountNumber, branchCode }: BankAccountForm) => ({
  name,
  bank,
  accountNumber,
  branchCode,
})

export const addBankAccount = command(bankingContract.addAccount, async (cx) => {
  expectProof(cx)
  const account = trailFieldsOf(cx.input.account)
  await expectFreeNumber(cx, account.accountNumber, null)
  const main = await cx.tx.row(sql`select from bank_accounts where is_main`)
  return bankAccountRowOf(cx, await insertAccount(cx, account, main === undefined))
})

/**
 * Adds the bank account entered at set-up, so that statements can be imported. Does nothing if the bank or the number
 * is blank.
 */
export async function addFirstAccount(cx: Cx, { bankAccount: typed }: Organisation): Promise<void> {
  if (typed.bank === "" || typed.accountNumber === "") return
  const { bank, accountNumber, branchCode } = typed
  const account = { name: `${bank} account`.slice(0, 60), bank, accountNumber, branchCode }
  await insertAccount(cx, account, true)
}

async function insertAccount(cx: Cx, account: BankAccountForm, isMain: boolean): Promise<string> {
  const id = randomUUID()
  const createdBy = actorUserId(cx.actor)
  await cx.tx.insert(bankAccounts).values({ ...account, id, isMain, createdBy, createdAt: cx.now })
  const of = { kind: "bank_account" as const, id, label: account.name }
  await record(cx, [{ type: "BankAccountAdded", record: of, groupId: null, after: account }])
  return id
}

export const editBankAccount = command(bankingContract.editAccount, async (cx) => {
  expectProof(cx)
  const { tx, input } = cx
  const before = await lockRecord(tx, bankAccounts, input.accountId, "This bank account does not exist.")
  expectVersion(before, input.version)
  const account = trailFieldsOf(input.account)
  if (account.accountNumber !== before.accountNumber) {
    if (before.openedOn !== null) throw refused("HAS_STATEMENTS")
    await expectFreeNumber(cx, account.accountNumber, before.id)
  }
  await saveRecord(tx, bankAccounts, before, { ...account, version: before.version + 1 })
  const of = { kind: "bank_account" as const, id: before.id, label: account.name }
  await record(cx, [
    { type: "BankAccountEdited", record: of, groupId: null, before: trailFieldsOf(before), after: account },
  ])
  return bankAccountRowOf(cx, before.id)
})
