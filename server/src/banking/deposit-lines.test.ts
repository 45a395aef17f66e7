import { randomUUID } from "node:crypto"
import { partInputs } from "@milkwood/domain/banking/matching"
import type { LinePart } from "@milkwood/domain/banking/matching.contract"
import type { ReceiptMethod } from "@milkwood/domain/receipts/receipt"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createRefundForm } from "../refunds/refunds.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import {
  type BankDesk,
  createBankAccount,
  createLineImporter,
  type LineImporter,
  openBankDesk,
} from "./banking.samples.ts"

let desk: BankDesk
let manager: Client
let bring: LineImporter
let policyIds: string[]
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  bring = createLineImporter(desk, await createBankAccount(desk.app.as(desk.app.people.admin)))
  policyIds = []
  for (const groupName of ["Soweto Retail", "Acacia Foods", "Karoo Wool"])
    policyIds.push((await createActivePolicy(manager, { groupName })).id)
  await bring({ text: "EFT FIRST", amountCents: 10_00 })
  desk.app.clock.set("2026-11-20T09:00:00Z")
})
afterAll(async () => {
  expect(await verifyLedger(desk.app.sql)).toEqual([])
  await desk.app.close()
})

const key = () => ({ idempotencyKey: randomUUID() })
const createDeposit = (method: ReceiptMethod, ...cents: number[]) =>
  manager.receipts.recordDeposit({
    ...{ ...key(), method, receivedOn: "2026-11-05", reference: "", notes: "" },
    amountCents: cents.reduce((sum, one) => sum + one, 0),
    parts: cents.map((amountCents, at) => ({ policyId: policyIds[at]!, amountCents, allocations: [] })),
  })
const readSuggestions = async (lineId: string, search = "") =>
  (await manager.banking.suggestions({ lineIds: [lineId], search }))[0]!.candidates
const confirmMatch = (lineId: string, parts: LinePart[]) =>
  manager.banking.confirm({ lineId, parts: partInputs(parts), ...key() })
const undoMatches = (...lineIds: string[]) => manager.banking.undo({ lineIds, ...key() })
const readBalances = async () => {
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

test("a cash deposit for three policies is offered, confirmed as all its receipts, and undone", async () => {
  const before = await readBalances()
  const deposit = await createDeposit("cash", 300_00, 200_50, 99_50)
  const [line, silent] = await bring(
    { text: `CASH DEPOSIT ${deposit.number}`, amountCents: 600_00 },
    { text: "CASH DEPOSIT", amountCents: 600_00 },
  )
  const part = { as: "deposit" as const, id: deposit.id, amountCents: 600_00 }
  const [first] = await readSuggestions(line!.id)
  expect(first).toMatchObject({
    kind: "deposit",
    parts: [{ ...part, label: deposit.number, name: "Acacia Foods and 2 more", allocations: null }],
  })
  expect(first!.reasons.map(({ sentence }) => sentence)).toEqual(
    expect.arrayContaining([`${deposit.number} is in the line`, "Its recorded receipts add up to this amount"]),
  )
  expect((await readSuggestions(silent!.id))[0]).toMatchObject({ kind: "deposit", parts: [part] })
  expect(await readSuggestions(silent!.id, deposit.number.toLowerCase())).toMatchObject([{ kind: "deposit" }])
  expect(await readBalances()).toEqual({ ...before, undeposited: before.undeposited + 600_00 })

  const [placed] = await confirmMatch(line!.id, first!.parts)
  expect(placed).toMatchObject({ state: "receipt", matchCount: 3 })
  expect(await readBalances()).toEqual({ ...before, bank: before.bank + 600_00 })
  await expectEquation("confirmed")
  expect((await readSuggestions(silent!.id)).filter(({ kind }) => kind === "deposit")).toEqual([])
  await expect(confirmMatch(silent!.id, [part])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
    message: `${deposit.number} has no receipts left to match.`,
  })

  expect(await undoMatches(line!.id)).toMatchObject([{ state: "open", matchCount: 0 }])
  expect(await readBalances()).toEqual({ ...before, undeposited: before.undeposited + 600_00 })
  await expectEquation("undone")
  for (const { id } of deposit.receipts)
    expect((await manager.receipts.detail({ receiptId: id })).status).not.toBe("reversed")
  await confirmMatch(silent!.id, [part])
  await expectEquation("confirmed by the other line")
})

test("a transfer's line excludes reversed receipts, and matched receipts are offered once", async () => {
  const deposit = await createDeposit("bank_transfer", 410_00, 320_00, 230_00)
  const [gone, , other] = deposit.receipts
  const { version } = await manager.receipts.detail({ receiptId: gone!.id })
  await manager.receipts.reverse({ receiptId: gone!.id, version, ...key(), reason: "Not theirs" })
  const left = 960_00 - gone!.amountCents
  const [whole, rest] = await bring(
    { text: "EFT", amountCents: left },
    { text: `REC ${other!.number}`, amountCents: other!.amountCents },
  )
  expect((await readSuggestions(whole!.id))[0]).toMatchObject({
    kind: "deposit",
    parts: [{ id: deposit.id, amountCents: left, name: expect.stringMatching(/^\w+ \w+ and \w+ \w+$/) }],
  })
  await confirmMatch(rest!.id, [{ as: "receipt", id: other!.id, amountCents: other!.amountCents }])
  expect((await readSuggestions(whole!.id)).filter(({ kind }) => kind === "deposit")).toEqual([])
  await expect(confirmMatch(whole!.id, [{ as: "deposit", id: deposit.id, amountCents: left }])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
  })
  await undoMatches(rest!.id)
  const [more] = await bring({ text: "EFT", amountCents: left + 5_00 })
  const parts: LinePart[] = [
    { as: "deposit", id: deposit.id, amountCents: left },
    { as: "policy", id: policyIds[0]!, amountCents: 5_00 },
  ]
  expect(await confirmMatch(more!.id, parts)).toMatchObject([{ matchCount: 3 }])
  await expectEquation("split")
})

test.each([
  ["bank_transfer", 6_00],
  ["cash", 7_00],
] as const)("a returned deposit by %s is reversed as a whole, and undo restores it", async (method, unit) => {
  const cents = 6 * unit
  const deposit = await createDeposit(method, unit, 2 * unit, 3 * unit)
  const [came] = await bring({ text: `EFT ${deposit.number}`, amountCents: cents })
  const [back, silent, part] = await bring(
    { text: `UNPAID DEBIT ORDER ${deposit.number}`, amountCents: -cents },
    { text: "UNPAID", amountCents: -cents },
    { text: `UNPAID ${deposit.number}`, amountCents: -2 * unit },
  )
  const whole: LinePart = { as: "returnedDeposit", id: deposit.id, amountCents: -cents }
  // A deposit cannot be returned before it was received.
  expect((await readSuggestions(back!.id)).map(({ kind }) => kind)).not.toContain("returnedDeposit")
  await expect(confirmMatch(back!.id, [whole])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
    message: `${deposit.number} has no matched receipts to return.`,
  })
  await confirmMatch(came!.id, [{ as: "deposit", id: deposit.id, amountCents: cents }])
  const before = await readBalances()

  const [first] = await readSuggestions(back!.id)
  expect(first).toMatchObject({
    kind: "returnedDeposit",
    parts: [{ ...whole, label: deposit.number, name: "Acacia Foods and 2 more", allocations: null }],
  })
  expect(first!.reasons.map(({ sentence }) => sentence)).toEqual(
    expect.arrayContaining([
      `${deposit.number} is in the line`,
      "Its receipts add up to this amount",
      "The line mentions a return",
    ]),
  )
  expect((await readSuggestions(silent!.id))[0]).toMatchObject({ kind: "returnedDeposit" })
  expect(await readSuggestions(silent!.id, deposit.number)).toMatchObject([{ kind: "returnedDeposit" }])
  expect((await readSuggestions(part!.id)).map(({ kind }) => kind)).not.toContain("returnedDeposit")
  await expect(confirmMatch(part!.id, [{ ...whole, amountCents: -2 * unit }])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
    message: expect.stringMatching(
      /DEP-\S+ has R\s\d\d,00 to return, not R\s1\d,00\. Only the full amount can be returned/,
    ),
  })

  expect(await confirmMatch(back!.id, first!.parts)).toMatchObject([{ state: "returned", matchCount: 3 }])
  expect(await readBalances()).toEqual({ ...before, bank: before.bank - cents })
  await expectEquation("taken back")
  const statuses = async (of: typeof deposit) =>
    Promise.all(of.receipts.map(async ({ id }) => (await manager.receipts.detail({ receiptId: id })).status))
  expect(await statuses(deposit)).toEqual(["Reversed", "Reversed", "Reversed"])
  expect((await readSuggestions(silent!.id)).map(({ kind }) => kind)).not.toContain("returnedDeposit")
  await expect(undoMatches(came!.id)).rejects.toMatchObject({ code: "RETURNED" })

  await undoMatches(back!.id)
  expect(await readBalances()).toEqual(before)
  await expectEquation("not taken back")
  const { rows } = await manager.banking.lines({ tab: "all", search: deposit.number })
  const again = rows.find(({ id }) => id === came!.id)!
  expect(again).toMatchObject({ state: "receipt", matchCount: 3 })
  const anew = (await manager.receipts.detail({ receiptId: again.matches[0]!.id })).deposit!
  expect(anew).toMatchObject({ amountCents: cents, receiptedCents: cents })
  expect(anew.number).not.toBe(deposit.number)
  await confirmMatch(silent!.id, [{ ...whole, id: anew.id }])
  await expectEquation("taken back again")
  expect(await undoMatches(came!.id, silent!.id)).toMatchObject([{ state: "open" }, { state: "open" }])
  await expectEquation("all undone")
})

test("refuses to return a deposit if one of its receipts was refunded", async () => {
  const deposit = await createDeposit("bank_transfer", 51_00, 52_00)
  const [came] = await bring({ text: `EFT ${deposit.number}`, amountCents: 103_00 })
  const [back] = await bring({ text: `UNPAID ${deposit.number}`, amountCents: -103_00 })
  await confirmMatch(came!.id, [{ as: "deposit", id: deposit.id, amountCents: 103_00 }])
  const form = createRefundForm({ policyId: policyIds[1]!, amountCents: 52_00, reason: "overpayment" })
  const { creditAfterCents } = await manager.refunds.offer({ policyId: policyIds[1]!, reason: "overpayment" })
  await manager.refunds.process({ ...form, amountCents: creditAfterCents, correctionCents: 0, ...key() })
  const before = await readBalances()
  await expect(
    confirmMatch(back!.id, [{ as: "returnedDeposit", id: deposit.id, amountCents: -103_00 }]),
  ).rejects.toMatchObject({ code: "REFUNDED" })
  expect(await readBalances()).toEqual(before)
  const [whole] = await manager.banking
    .lines({ tab: "all", search: `UNPAID ${deposit.number}` })
    .then(({ rows }) => rows)
  expect(whole).toMatchObject({ state: "open" })
  for (const { id } of deposit.receipts)
    expect((await manager.receipts.detail({ receiptId: id })).status).not.toBe("Reversed")
  await expectEquation("nothing taken back")
})

test("the second of two concurrent matches of a deposit is refused", async () => {
  const deposit = await createDeposit("cash", 71_00, 72_00)
  const [one, two] = await bring({ text: "CASH", amountCents: 143_00 }, { text: "CASH AGAIN", amountCents: 143_00 })
  const part = { as: "deposit" as const, id: deposit.id, amountCents: 143_00 }
  const elsewhere = desk.app.another(desk.app.people.manager2)
  const outcomes = await Promise.allSettled([
    confirmMatch(one!.id, [part]),
    elsewhere.banking.confirm({ lineId: two!.id, parts: [part], ...key() }),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  const told = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult
  expect(told.reason).toMatchObject({ code: "NOT_THIS_RECEIPT" })
  await expectEquation("at once")
})
