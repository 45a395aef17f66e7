import { randomUUID } from "node:crypto"
import type { LinePart } from "@milkwood/domain/banking/matching.contract"
import type { ReceiptMethod } from "@milkwood/domain/receipts/receipt"
import { afterAll, beforeAll, expect, test } from "vitest"
import { activePolicy } from "../policies/policies.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import { type BankDesk, type Bringing, bankAccount, bringLines, openBankDesk } from "./banking.samples.ts"

let desk: BankDesk
let manager: Client
let bring: Bringing
let policyIds: string[]
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  bring = bringLines(desk, await bankAccount(desk.app.as(desk.app.people.admin)))
  policyIds = []
  for (const groupName of ["Soweto Retail", "Acacia Foods", "Karoo Wool"])
    policyIds.push((await activePolicy(manager, { groupName })).id)
  await bring({ text: "EFT FIRST", amountCents: 10_00 })
  desk.app.clock.set("2026-11-20T09:00:00Z")
})
afterAll(async () => {
  expect(await verifyLedger(desk.app.sql)).toEqual([])
  await desk.app.close()
})

const key = () => ({ idempotencyKey: randomUUID() })
const depositOf = (method: ReceiptMethod, ...cents: number[]) =>
  manager.receipts.recordDeposit({
    ...{ ...key(), method, receivedOn: "2026-11-05", reference: "", notes: "" },
    amountCents: cents.reduce((sum, one) => sum + one, 0),
    parts: cents.map((amountCents, at) => ({ policyId: policyIds[at]!, amountCents, allocations: [] })),
  })
const suggested = async (lineId: string, search = "") =>
  (await manager.banking.suggestions({ lineIds: [lineId], search }))[0]!.candidates
const confirm = (lineId: string, parts: LinePart[]) => manager.banking.confirm({ lineId, parts, ...key() })
const undo = (lineId: string) => manager.banking.undo({ lineIds: [lineId], ...key() })
const balances = async () => {
  const { accounts } = await manager.ledger.trialBalance({})
  const of = (name: string) => {
    const { debitCents, creditCents } = accounts.find(({ account }) => account === name)!
    return debitCents - creditCents
  }
  return { bank: of("bank"), undeposited: of("undeposited") }
}
async function expectEquation(when: string): Promise<void> {
  const [main] = await manager.banking.accounts({})
  const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
  expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!, when).toBe(ledgerCents)
}

test("the one line of a cash deposit for three policies is offered it, confirmed as all its receipts, and undone", async () => {
  const before = await balances()
  const deposit = await depositOf("cash", 300_00, 200_50, 99_50)
  const [line, silent] = await bring(
    { text: `CASH DEPOSIT ${deposit.number}`, amountCents: 600_00 },
    { text: "CASH DEPOSIT", amountCents: 600_00 },
  )
  const part = { as: "deposit" as const, id: deposit.id, amountCents: 600_00 }
  const [first] = await suggested(line!.id)
  expect(first).toMatchObject({
    kind: "deposit",
    parts: [{ ...part, label: deposit.number, name: "Acacia Foods and 2 more", allocations: null }],
  })
  expect(first!.reasons.map(({ sentence }) => sentence)).toEqual(
    expect.arrayContaining([
      `${deposit.number} stands in the line`,
      "Its receipts come to this amount, recorded already",
    ]),
  )
  expect((await suggested(silent!.id))[0]).toMatchObject({ kind: "deposit", parts: [part] })
  expect(await suggested(silent!.id, deposit.number.toLowerCase())).toMatchObject([{ kind: "deposit" }])
  expect(await balances()).toEqual({ ...before, undeposited: before.undeposited + 600_00 })

  const [placed] = await confirm(line!.id, first!.parts)
  expect(placed).toMatchObject({ state: "receipt", matchCount: 3 })
  expect(await balances()).toEqual({ ...before, bank: before.bank + 600_00 })
  await expectEquation("confirmed")
  // Nothing of it is left for the other line.
  expect((await suggested(silent!.id)).filter(({ kind }) => kind === "deposit")).toEqual([])
  await expect(confirm(silent!.id, [part])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
    message: `Nothing of ${deposit.number} is left that no line shows.`,
  })

  expect(await undo(line!.id)).toMatchObject([{ state: "open", matchCount: 0 }])
  expect(await balances()).toEqual({ ...before, undeposited: before.undeposited + 600_00 })
  await expectEquation("undone")
  for (const { id } of deposit.receipts)
    expect((await manager.receipts.detail({ receiptId: id })).status).not.toBe("reversed")
  await confirm(silent!.id, [part])
  await expectEquation("confirmed by the other line")
})

test("of a transfer for several policies what was reversed is not in the line, and what a line shows already is not offered twice", async () => {
  const deposit = await depositOf("bank_transfer", 410_00, 320_00, 230_00)
  const [gone, , other] = deposit.receipts
  const { version } = await manager.receipts.detail({ receiptId: gone!.id })
  await manager.receipts.reverse({ receiptId: gone!.id, version, ...key(), reason: "Not theirs" })
  const left = 960_00 - gone!.amountCents
  const [whole, rest] = await bring(
    { text: "EFT", amountCents: left },
    { text: `REC ${other!.number}`, amountCents: other!.amountCents },
  )
  expect((await suggested(whole!.id))[0]).toMatchObject({
    kind: "deposit",
    parts: [{ id: deposit.id, amountCents: left, name: expect.stringMatching(/^\w+ \w+ and \w+ \w+$/) }],
  })
  // One of its receipts has a line of its own: the deposit is not the other line's any more.
  await confirm(rest!.id, [{ as: "receipt", id: other!.id, amountCents: other!.amountCents }])
  expect((await suggested(whole!.id)).filter(({ kind }) => kind === "deposit")).toEqual([])
  await expect(confirm(whole!.id, [{ as: "deposit", id: deposit.id, amountCents: left }])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
  })
  await undo(rest!.id)
  // Together with something else the deposit is a part of a line.
  const [more] = await bring({ text: "EFT", amountCents: left + 5_00 })
  const parts: LinePart[] = [
    { as: "deposit", id: deposit.id, amountCents: left },
    { as: "policy", id: policyIds[0]!, amountCents: 5_00 },
  ]
  expect(await confirm(more!.id, parts)).toMatchObject([{ matchCount: 3 }])
  await expectEquation("split")
})

test("of two who match a deposit's lines at once one is told", async () => {
  const deposit = await depositOf("cash", 71_00, 72_00)
  const [one, two] = await bring({ text: "CASH", amountCents: 143_00 }, { text: "CASH AGAIN", amountCents: 143_00 })
  const part = { as: "deposit" as const, id: deposit.id, amountCents: 143_00 }
  const elsewhere = desk.app.another(desk.app.people.manager2)
  const outcomes = await Promise.allSettled([
    confirm(one!.id, [part]),
    elsewhere.banking.confirm({ lineId: two!.id, parts: [part], ...key() }),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  const told = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult
  expect(told.reason).toMatchObject({ code: "NOT_THIS_RECEIPT" })
  await expectEquation("at once")
})
