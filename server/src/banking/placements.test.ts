import { randomUUID } from "node:crypto"
import type { ReceiptMethod } from "@milkwood/domain/receipts/receipt"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import {
  type BankDesk,
  createBankAccount,
  createLineImporter,
  type LineImporter,
  openBankDesk,
} from "./banking.samples.ts"
import { loadLines, placeLines } from "./place-lines.ts"

let desk: BankDesk
let manager: Client
let account: Awaited<ReturnType<typeof createBankAccount>>
let policyId: string
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  account = await createBankAccount(desk.app.as(desk.app.people.admin))
  const bring = createLineImporter(desk, account)
  importLines = (...made) => {
    files++
    return bring(...made)
  }
  policyId = (await createActivePolicy(manager, { groupName: "Soweto Retail" })).id
  await importLines({ text: "EFT FIRST", amountCents: 10_00 })
  // The opening balance excludes receipts recorded after this time, whatever their day.
  desk.app.clock.set("2026-11-20T09:00:00Z")
})
afterAll(() => desk.app.close())

let importLines: LineImporter
let files = 0
const createReceipt = (
  amountCents: number,
  more: { receivedOn?: string; reference?: string; method?: ReceiptMethod } = {},
) => createUnallocatedReceipt(manager, { policyId, amountCents, receivedOn: "2026-11-05", ...more })
const setLinesAside = (
  lineIds: string[],
  why: { reason: "charge" | "interest" | "transfer" | "unknown"; note?: string },
) => manager.banking.notOurs({ lineIds, idempotencyKey: randomUUID(), why })
const linkToReceipt = (line: { id: string; amountCents: number }, receiptId: string) =>
  manager.banking.confirm({
    lineId: line.id,
    parts: [{ as: "receipt", id: receiptId, amountCents: line.amountCents }],
    idempotencyKey: randomUUID(),
  })
const readOfferedReceipts = async (lineId: string) => {
  const [found] = await manager.banking.suggestions({ lineIds: [lineId] })
  return found!.candidates.filter(({ kind }) => kind === "receipt")
}
const undoPlacements = (lineIds: string[]) => manager.banking.undo({ lineIds, idempotencyKey: randomUUID() })
const balanceOf = async (name: string) => {
  const { accounts } = await manager.ledger.trialBalance({})
  const found = accounts.find(({ account }) => account === name)!
  return found.debitCents - found.creditCents
}

/**
 * Ledger bank = statement + receipts not yet on a statement − payments not yet on a statement − net of lines not
 * posted.
 */
async function expectEquation(when: string): Promise<void> {
  const [main] = await manager.banking.accounts({})
  const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
  expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!, when).toBe(ledgerCents)
  expect(await balanceOf("undeposited"), `${when}: undeposited`).toBe(await readWaitingCents())
}

/** Cash and card receipts that are on no statement. */
const readWaitingCents = async () =>
  (await desk.app.sql.row<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from receipts r
    where method <> 'bank_transfer' and number <> 'OLD-1' and reversed_at is null
      and not exists (select from bank_matches m where m.receipt_id = r.id and m.undone_at is null)`))!.cents

test("posts charges and interest and reverses them on undo", async () => {
  const [fee, credit, more] = await importLines(
    { text: "#MONTHLY FEE", amountCents: -75_00 },
    { text: "CREDIT INTEREST", amountCents: 12_00 },
    { text: "CASH HANDLING FEE", amountCents: -5_00 },
  )
  const key = { lineIds: [fee!.id, more!.id], idempotencyKey: randomUUID(), why: { reason: "charge" as const } }
  const placed = await manager.banking.notOurs(key)
  expect(placed).toMatchObject([{ state: "charge", allowedActions: ["undo"] }, { state: "charge" }])
  expect(await manager.banking.notOurs(key)).toEqual(placed)
  await setLinesAside([credit!.id], { reason: "interest" })
  expect([await balanceOf("bank_charges"), await balanceOf("interest_received")]).toEqual([80_00, -12_00])
  await expectEquation("all posted")

  const [open] = await importLines({ text: "FEE", amountCents: -1_00 })
  await expect(setLinesAside([open!.id, fee!.id], { reason: "charge" })).rejects.toMatchObject({ code: "PLACED" })
  expect(await balanceOf("bank_charges")).toBe(80_00)

  expect(await undoPlacements([fee!.id])).toMatchObject([{ state: "open", allowedActions: ["match", "notOurs"] }])
  await expect(undoPlacements([fee!.id])).rejects.toMatchObject({ code: "NOT_PLACED" })
  expect(await balanceOf("bank_charges")).toBe(5_00)
  await expectEquation("undone")
  await setLinesAside([fee!.id], { reason: "charge" })
  expect(await balanceOf("bank_charges")).toBe(80_00)
  expect(await verifyLedger(desk.app.sql)).toEqual([])
  const { timeline } = await manager.banking.statement({ statementId: fee!.statementId })
  expect(timeline.map(({ sentence }) => sentence)).toContain(
    "unmatched -R 75,00 (#MONTHLY FEE): undone by hand".replaceAll("R 75", "R\u00a075"),
  )
})

test('lines that are not posted need a reason; the reason "unknown" also needs a note', async () => {
  const [line] = await importLines({ text: "UNKNOWN DEPOSIT", amountCents: 400_00 })
  await expect(setLinesAside([line!.id], { reason: "unknown" })).rejects.toMatchObject({ code: "INVALID" })
  expect(await setLinesAside([line!.id], { reason: "unknown", note: "A cash deposit in Newlands" })).toMatchObject([
    { state: "unknown", note: "A cash deposit in Newlands" },
  ])
  await expectEquation("unknown")
  const { rows, counts } = await manager.banking.lines({ tab: "notOurs" })
  expect(rows.map(({ id }) => id)).toEqual([line!.id])
  expect(counts.notOurs).toBe(1)
})

test("offers a recorded receipt with reasons, links it, and releases the line on reversal", async () => {
  const [line, other] = await importLines(
    { text: "EFT SOWETO RETAIL INV-2026-000077", amountCents: 1_234_00 },
    { text: "EFT SOWETO RETAIL", amountCents: 1_234_00 },
  )
  const [far, near] = [
    await createReceipt(1_234_00, { receivedOn: "2026-10-20" }),
    await createReceipt(1_234_00, { reference: "EFT INV-2026-000077" }),
  ]
  await expectEquation("recorded")
  const offered = await readOfferedReceipts(line!.id)
  expect(offered.map(({ parts }) => parts[0]!.id)).toEqual([near.id, far.id])
  expect(offered[0]!.reasons.map(({ sentence }) => sentence)).toEqual([
    "Its reference INV-2026-000077 is in the line",
    "Soweto Retail is in the line",
    "Already recorded, with the same amount",
    "A day apart",
  ])
  expect(await linkToReceipt(line!, near.id)).toMatchObject([{ state: "receipt", matches: [{ number: near.number }] }])
  await expectEquation("linked")
  await expect(linkToReceipt(other!, near.id)).rejects.toMatchObject({ code: "NOT_THIS_RECEIPT" })
  await expect(linkToReceipt(line!, far.id)).rejects.toMatchObject({ code: "PLACED" })
  expect((await readOfferedReceipts(other!.id)).map(({ parts }) => parts[0]!.id)).toEqual([far.id])
  const small = await createReceipt(1_00)
  await expect(linkToReceipt(other!, small.id)).rejects.toMatchObject({ code: "NOT_THIS_RECEIPT" })

  const { version } = await manager.receipts.detail({ receiptId: near.id })
  await manager.receipts.reverse({ receiptId: near.id, version, idempotencyKey: randomUUID(), reason: "Returned" })
  const { rows } = await manager.banking.lines({ tab: "open", search: "INV-2026-000077" })
  expect(rows).toMatchObject([{ id: line!.id, state: "open", matches: [] }])
  await expectEquation("reversed")
  await expect(linkToReceipt(line!, near.id)).rejects.toMatchObject({ code: "NOT_THIS_RECEIPT" })
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

test.each([
  "cash",
  "cheque",
  "credit_card",
  "debit_card",
] as const)("a receipt by %s is undeposited while no line is matched to it", async (method) => {
  const [bank, undeposited] = [await balanceOf("bank"), await balanceOf("undeposited")]
  const by = async () => [(await balanceOf("bank")) - bank, (await balanceOf("undeposited")) - undeposited]
  const receipt = await createReceipt(321_00, { method })
  expect(await by()).toEqual([0, 321_00])
  await expectEquation("received")
  const [line] = await importLines({ text: "DEPOSIT", amountCents: 321_00 })
  expect(await by()).toEqual([0, 321_00])
  await linkToReceipt(line!, receipt.id)
  expect(await by()).toEqual([321_00, 0])
  await expectEquation("deposited")
  const { rows } = await manager.ledger.postings({ account: "undeposited", asOf: "2026-11-30" })
  expect(rows.find(({ kind, record }) => kind === "receipt_deposited" && record.id === receipt.id)).toMatchObject({
    ...{ effectiveOn: line!.day, creditCents: 321_00 },
    description: `Receipt ${receipt.number} deposited in the bank`,
  })
  await undoPlacements([line!.id])
  expect(await by()).toEqual([0, 321_00])
  await expectEquation("undone")
  await linkToReceipt(line!, receipt.id)
  const { version } = await manager.receipts.detail({ receiptId: receipt.id })
  await manager.receipts.reverse({ receiptId: receipt.id, version, idempotencyKey: randomUUID(), reason: "Bounced" })
  expect(await by()).toEqual([0, 0])
  await expectEquation("reversed")
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

test("the database posts a new receipt by its method and does not change earlier receipts", async () => {
  const { id } = await createReceipt(1_00, { method: "cash" })
  const raw = (paidInto: string, method: string) =>
    desk.app.sql.run(sql`
      insert into receipts (id, group_id, policy_id, number, amount_cents, method, paid_into, received_on, created_at)
      select gen_random_uuid(), group_id, policy_id, gen_random_uuid(), amount_cents, ${method}, ${paidInto}, received_on, created_at
      from receipts where id = ${id}`)
  await expect(raw("bank", "cash")).rejects.toMatchObject({ constraint: "receipts_paid_into_by_method" })
  await expect(raw("undeposited", "bank_transfer")).rejects.toMatchObject({
    constraint: "receipts_paid_into_by_method",
  })

  // Before the migration, cash was posted to the bank account, so matching its line posts nothing.
  const old = { id: randomUUID(), entryId: randomUUID(), number: "OLD-1" }
  await desk.app.sql.run(
    sql.raw(`do $$ begin
      alter table receipts disable trigger check_receipt_paid_into;
      insert into receipts (id, group_id, policy_id, number, amount_cents, method, paid_into, received_on, created_at)
      select '${old.id}', group_id, policy_id, '${old.number}', 1700, 'cash', 'bank', received_on, created_at from receipts where id = '${id}';
      set constraints all immediate;
      alter table receipts enable trigger check_receipt_paid_into;
      set constraints all deferred;
      insert into ledger_entries (id, source, kind, effective_on, posted_at, description, record_kind, record_id)
      select '${old.entryId}', 'receipt:${old.id}', 'receipt_taken', '2026-11-05', created_at, 'Receipt OLD-1', 'receipt', '${old.id}'
      from receipts where id = '${id}';
      insert into ledger_postings (entry_id, line, account, policy_id, group_id, amount_cents)
      select '${old.entryId}', line, account, policy_id, group_id, cents
      from receipts, (values (0, 'bank', 1700), (1, 'unallocated_receipts', -1700)) leg (line, account, cents) where id = '${id}';
    end $$`),
  )
  await expectEquation("an old one")
  const before = await balanceOf("bank")
  const [line] = await importLines({ text: "CASH DEPOSIT", amountCents: 17_00 })
  await linkToReceipt(line!, old.id)
  expect(await balanceOf("bank")).toBe(before)
  await expectEquation("an old one on a line")
  await undoPlacements([line!.id])
  await expectEquation("an old one undone")
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

test("the second of two users who match the same line is refused", async () => {
  const [line] = await importLines({ text: "EFT TWICE", amountCents: 77_00 })
  const receipt = await createReceipt(77_00)
  const elsewhere = desk.app.another(desk.app.people.manager2)
  const outcomes = await Promise.allSettled([
    linkToReceipt(line!, receipt.id),
    elsewhere.banking.notOurs({ lineIds: [line!.id], idempotencyKey: randomUUID(), why: { reason: "transfer" } }),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  const told = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult
  expect(told.reason).toMatchObject({ code: "PLACED" })
  await expectEquation("raced")
})

test("matching a receipt that is reversed at the same time is refused and stores nothing", async () => {
  const [line] = await importLines({ text: "EFT TOO LATE", amountCents: 78_00 })
  const { id, number, version } = await createReceipt(78_00)
  const { app } = desk
  const { groupId } = (await app.sql.row<{ groupId: string }>(
    sql`select group_id as "groupId" from receipts where id = ${id}`,
  ))!
  await manager.receipts.reverse({ receiptId: id, version, reason: "Typed twice", idempotencyKey: randomUUID() })
  const placing = app.transaction(app.people.manager, async (cx) => {
    const [found] = await loadLines(cx, [line!.id])
    const matches = [{ kind: "linked" as const, id, groupId, amountCents: 78_00, number }]
    return placeLines(cx, [{ line: found!, kind: "receipt", matches }])
  })
  await expect(placing).rejects.toMatchObject({ refusal: { refused: "CONFLICT" } })
  await expectEquation("too late")
})

test("the database also enforces one placement per line, matching amounts and immutable matches", async () => {
  const [line, other] = await importLines(
    { text: "EFT RAW", amountCents: 55_00 },
    { text: "EFT RAW 2", amountCents: 56_00 },
  )
  const receipt = await createReceipt(56_00)
  const { groupId } = (await desk.app.sql.row<{ groupId: string }>(
    sql`select group_id as "groupId" from receipts where id = ${receipt.id}`,
  ))!
  const staff = desk.app.app.database.direct("staff")
  const raw = (kind: string, match: { of: string; kind: string; cents: number } | null) =>
    staff.run(sql`
      with placed as (
        insert into bank_placements (id, line_id, kind, placed_at)
        values (gen_random_uuid(), ${line!.id}, ${kind}, now()) returning id)
      insert into bank_matches (id, placement_id, line_id, group_id, kind, receipt_id, amount_cents)
      select gen_random_uuid(), placed.id, ${line!.id}, ${groupId}, ${match?.kind ?? ""}, ${match?.of ?? null}::uuid, ${match?.cents ?? 0}
      from placed where ${match !== null}`)
  const linked = (cents: number) => raw("receipt", { of: receipt.id, kind: "linked", cents })
  await expect(linked(56_00)).rejects.toThrow(/add up to its amount/)
  await expect(linked(57_00)).rejects.toThrow(/must not exceed its amount/)
  await expect(raw("receipt", null)).rejects.toThrow(/add up to its amount/)
  await expect(raw("transfer", { of: receipt.id, kind: "linked", cents: 55_00 })).rejects.toThrow(
    /add up to its amount/,
  )
  await expect(raw("returned", { of: receipt.id, kind: "returned", cents: -56_00 })).rejects.toThrow(
    /add up to its amount/,
  )
  await expect(raw("unknown", null)).rejects.toThrow(/check/)
  await raw("transfer", null)
  await expect(raw("transfer", null)).rejects.toThrow(/bank_placements_line/)
  await expect(staff.run(sql`update bank_placements set kind = 'charge'`)).rejects.toThrow(/permission denied/)
  await expect(desk.app.sql.run(sql`update bank_placements set note = 'x'`)).rejects.toThrow(/never changed/)
  await expect(desk.app.sql.run(sql`delete from bank_placements`)).rejects.toThrow(/never changed/)
  await linkToReceipt(other!, receipt.id)
  await expect(staff.run(sql`update bank_matches set undone_at = now()`)).rejects.toThrow(/undone with its placement/)
  await expect(staff.run(sql`update bank_matches set amount_cents = 1`)).rejects.toThrow(/permission denied/)
  await expect(desk.app.sql.run(sql`delete from bank_matches`)).rejects.toThrow(/never changed/)
  const reversed = sql`update receipts set reversed_on = received_on, reversed_at = now(), reverse_reason = 'x' where id = ${receipt.id}`
  await expect(staff.run(reversed)).rejects.toThrow(/must not be matched to a bank line/)
})

test("random histories: bank and ledger reconcile after every step", async () => {
  let seed = 20_261_122
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const open: { id: string; amountCents: number }[] = []
  const done: string[] = []
  const receipts: { id: string; amountCents: number }[] = []
  const steps = [
    async () => {
      const rows = await importLines(
        { text: `EFT ${chance(9)}`, amountCents: (1 + chance(4)) * 10_00 },
        { text: "FEE", amountCents: -1_00 },
      )
      open.push(...rows)
      return "import"
    },
    async () => {
      const { id, amountCents } = await createReceipt((1 + chance(4)) * 10_00, {
        receivedOn: chance(2) ? "2026-11-05" : "2026-10-15",
        method: chance(2) ? "cash" : "bank_transfer",
      })
      receipts.push({ id, amountCents })
      return "receipt"
    },
    async () => {
      const line = open.splice(chance(open.length), 1)[0]
      if (!line) return "nothing"
      const receipt = receipts.findIndex(({ amountCents }) => amountCents === line.amountCents)
      if (receipt >= 0) await linkToReceipt(line, receipts.splice(receipt, 1)[0]!.id)
      else
        await setLinesAside([line.id], {
          reason: line.amountCents < 0 ? "charge" : (["interest", "transfer"] as const)[chance(2)]!,
        })
      done.push(line.id)
      return "place"
    },
    async () => {
      const id = done.splice(chance(done.length), 1)[0]
      if (!id) return "nothing"
      const [line] = await undoPlacements([id])
      open.push(line!)
      return "undo"
    },
    async () => {
      const receipt = receipts.splice(chance(receipts.length), 1)[0]
      if (!receipt) return "nothing"
      const { version } = await manager.receipts.detail({ receiptId: receipt.id })
      await manager.receipts.reverse({
        receiptId: receipt.id,
        version,
        idempotencyKey: randomUUID(),
        reason: "Bounced",
      })
      return "reverse"
    },
  ]
  for (let step = 0; step < 40; step++) {
    const what = await steps[files < 17 ? chance(steps.length) : 1 + chance(4)]!()
    await expectEquation(`${step}: ${what}`)
  }
  expect(await verifyLedger(desk.app.sql)).toEqual([])
}, 120_000)
