import { randomUUID } from "node:crypto"
import { nameCoreOf, surnameFirstCoreOf } from "@milkwood/domain/banking/line-words"
import type { Candidate } from "@milkwood/domain/banking/matching"
import { partInputs } from "@milkwood/domain/banking/matching"
import type { LinePart } from "@milkwood/domain/banking/matching.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import { judgeNextBatch } from "./auto-match.ts"
import {
  type BankDesk,
  createBankAccount,
  createLineImporter,
  type LineImporter,
  openBankDesk,
} from "./banking.samples.ts"
import { PolicyBook } from "./policy-book.queries.ts"

let desk: BankDesk
let manager: Client
let bring: LineImporter
let soweto: string
let acacia: string
let invoices: Awaited<ReturnType<typeof createSentInvoice>>[]
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  const account = await createBankAccount(desk.app.as(desk.app.people.admin))
  bring = createLineImporter(desk, account)
  soweto = (await createActivePolicy(manager, { groupName: "Soweto Retail", premiumCents: 350_00 })).id
  acacia = (
    await createActivePolicy(manager, { groupName: "Acacia Foods (Pty) Ltd", premiumCents: 411_00, members: 2 })
  ).id
  const of = (policyId: string, month: string) => createSentInvoice(manager, { policyId, month, invoiceOn: month })
  invoices = [await of(soweto, "2026-09-01"), await of(soweto, "2026-10-01"), await of(acacia, "2026-10-01")]
  await bring({ text: "EFT FIRST", amountCents: 10_00 })
  desk.app.clock.set("2026-11-20T09:00:00Z")
})
afterAll(() => desk.app.close())

const readSuggestions = async (lineId: string) => (await manager.banking.suggestions({ lineIds: [lineId] }))[0]!
const confirmMatch = (lineId: string, parts: LinePart[]) =>
  manager.banking.confirm({ lineId, parts: partInputs(parts), idempotencyKey: randomUUID() })
const undoMatch = (lineId: string) => manager.banking.undo({ lineIds: [lineId], idempotencyKey: randomUUID() })
const readOwed = async (policyId: string) => {
  const { invoices, creditCents } = await manager.receipts.openInvoices({ policyId })
  return { open: invoices.map(({ outstandingCents }) => outstandingCents), creditCents }
}
async function expectEquation(when: string): Promise<void> {
  const [main] = await manager.banking.accounts({})
  const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
  expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!, when).toBe(ledgerCents)
}

test("offers an exact reference and amount first; confirming creates the receipt with allocations", async () => {
  const { number, id, totalCents } = invoices[1]!
  const [line] = await bring({
    text: `FNB OB PMT SOWETO RETAIL ${number.replaceAll("-", "")}`,
    amountCents: totalCents,
  })
  const { candidates, payer } = await readSuggestions(line!.id)
  expect(payer).toBe("SOWETO RETAIL")
  expect(candidates[0]).toMatchObject({
    kind: "policy",
    parts: [
      { as: "policy", id: soweto, amountCents: totalCents, allocations: [{ invoiceId: id, amountCents: totalCents }] },
    ],
    isSure: true,
    lost: null,
  })
  expect(candidates[0]!.reasons.map(({ sentence }) => sentence)).toEqual([
    `${number} is in the line`,
    `${number} has exactly this amount outstanding`,
    "Soweto Retail is in the line",
    `${number} is due around this date`,
  ])
  const [placed] = await confirmMatch(line!.id, candidates[0]!.parts)
  expect(placed).toMatchObject({
    state: "receipt",
    matches: [{ kind: "receipt", amountCents: totalCents }],
    isAutomatic: false,
  })
  expect(await readOwed(soweto)).toEqual({ open: [invoices[0]!.totalCents], creditCents: 0 })
  await expectEquation("confirmed")
  expect(await manager.banking.payers({ policyId: soweto })).toMatchObject([{ payer: "SOWETO RETAIL", confirmed: 1 }])

  expect(await undoMatch(line!.id)).toMatchObject([{ state: "open", matches: [] }])
  expect((await readOwed(soweto)).open).toEqual([invoices[0]!.totalCents, totalCents])
  await expectEquation("undone")
  expect(await manager.banking.payers({ policyId: soweto })).toEqual([])
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

test("splits one line over several policies and undoes it as a whole", async () => {
  const cents = [invoices[0]!.totalCents, invoices[2]!.totalCents]
  const [line] = await bring({ text: "EFT TWO GROUPS", amountCents: cents[0]! + cents[1]! })
  const parts: LinePart[] = [
    { as: "policy", id: soweto, amountCents: cents[0]!, allocations: null },
    { as: "policy", id: acacia, amountCents: cents[1]!, allocations: null },
  ]
  await expect(confirmMatch(line!.id, [parts[0]!])).rejects.toMatchObject({ code: "NOT_THIS_MUCH" })
  await expect(confirmMatch(line!.id, [parts[0]!, parts[0]!])).rejects.toMatchObject({ code: "NOT_TOGETHER" })
  const [placed] = await confirmMatch(line!.id, parts)
  expect(placed!.matches.map(({ name }) => name).sort()).toEqual(["Acacia Foods (Pty) Ltd", "Soweto Retail"])
  expect(await readOwed(acacia)).toEqual({ open: [], creditCents: 0 })
  await expectEquation("split")
  await undoMatch(line!.id)
  expect((await readOwed(acacia)).open).toEqual([cents[1]])
  await expectEquation("split undone")
})

test("joins several lines to one receipt up to its amount", async () => {
  const lines = await bring({ text: "EFT A", amountCents: 60_00 }, { text: "EFT B", amountCents: 40_00 })
  const receipt = await createUnallocatedReceipt(manager, {
    policyId: soweto,
    amountCents: 110_00,
    receivedOn: "2026-11-05",
  })
  const ids = lines.map(({ id }) => id)
  await manager.banking.join({ lineIds: ids, to: { as: "receipt", id: receipt.id }, idempotencyKey: randomUUID() })
  await expectEquation("joined")
  const [more] = await bring({ text: "EFT C", amountCents: 20_00 })
  const part: LinePart = { as: "receipt", id: receipt.id, amountCents: 20_00 }
  await expect(confirmMatch(more!.id, [part])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
    message: /R\s10,00 left/,
  })
  await undoMatch(ids[0]!)
  await expectEquation("one of them undone")
  await undoMatch(ids[1]!)

  const made = { as: "policy" as const, id: acacia, allocations: [] }
  await manager.banking.join({ lineIds: ids, to: made, idempotencyKey: randomUUID() })
  expect((await readOwed(acacia)).creditCents).toBe(100_00)
  await expectEquation("joined to one that is made")
  // The receipt was made for both lines, so both are open again.
  await undoMatch(ids[0]!)
  const { rows } = await manager.banking.lines({ tab: "open" })
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect((await readOwed(acacia)).creditCents).toBe(0)
  await expectEquation("and reversed")
  expect(await verifyLedger(desk.app.sql)).toEqual([])
})

const candidateLabels = (list: { parts: { label: string }[] }[]) =>
  list.map(({ parts }) => parts.map(({ label }) => label).join("+"))
const declineCandidateOf = (lineId: string, key: string) =>
  manager.banking.decline({ lineId, key, idempotencyKey: randomUUID() })

test("offers a split between two policies by their numbers or their employer's name", async () => {
  const second = await createActivePolicy(manager, { groupName: "Soweto Retail", premiumCents: 120_00 })
  const { number, totalCents } = await createSentInvoice(manager, {
    policyId: second.id,
    month: "2026-10-01",
    invoiceOn: "2026-10-01",
  })
  const [both, group] = await bring(
    { text: `EFT ${invoices[0]!.number} ${number}`, amountCents: invoices[0]!.totalCents + totalCents },
    { text: "EFT SOWETO RETAIL", amountCents: invoices[0]!.totalCents + invoices[1]!.totalCents + totalCents },
  )
  for (const line of [both!, group!]) {
    const [first] = (await readSuggestions(line.id)).candidates
    expect(first!.parts.map(({ id }) => id).sort()).toEqual([soweto, second.id].sort())
    await confirmMatch(line.id, first!.parts)
    await expectEquation("split by itself")
    await undoMatch(line.id)
  }
})

test("a payer's name outweighs another employer's number with two swapped digits", async () => {
  // Both have the same amount open, so the payer decides.
  const [one, two] = [
    await createActivePolicy(manager, { groupName: "Karoo Citrus", premiumCents: 77_00 }),
    await createActivePolicy(manager, { groupName: "Cape Textiles", premiumCents: 77_00 }),
  ]
  const made: Awaited<ReturnType<typeof createSentInvoice>>[] = []
  while (made.length < 20) {
    const policyId = made.length % 2 === 0 ? one.id : two.id
    const month = `2026-${String(1 + Math.floor(made.length / 2)).padStart(2, "0")}-01`
    made.push(await createSentInvoice(manager, { policyId, month, invoiceOn: "2026-10-15" }))
  }
  const turned = (number: string) => `${number.slice(0, -2)}${number.at(-1)}${number.at(-2)}`
  const pair = made.flatMap((invoice) => {
    const other = made.find(({ number }) => number !== invoice.number && number === turned(invoice.number))
    return other && other.policyNumber !== invoice.policyNumber ? [[invoice, other] as const] : []
  })[0]
  expect(pair, "two invoices of which one is the other turned round").toBeDefined()
  const [meant, written] = pair!
  const [line] = await bring({ text: `EFT ${meant.groupName} ${written.number}`, amountCents: meant.totalCents })
  const { candidates } = await readSuggestions(line!.id)
  expect(candidateLabels(candidates)[0]).toBe(meant.policyNumber)
  expect(candidates[0]).toMatchObject({ isSure: false })
  expect(candidates[0]!.parts[0]!.allocations![0]!.invoiceId).toBe(meant.id)
  const other = candidates.find(({ parts }) => parts[0]!.label === written.policyNumber)!
  expect(other.lost).toMatch(/^Less likely: the line names/)
})

test("learns confirmed payers, counts declined payers, and forgets both on request", async () => {
  const text = "MAGTAPE CREDIT SRT PAYMASTER"
  const bringOne = async () => (await bring({ text, amountCents: 13_00 }))[0]!
  expect((await readSuggestions((await bringOne()).id)).candidates).toEqual([])
  for (let time = 0; time < 3; time++) {
    const line = await bringOne()
    await confirmMatch(line.id, [{ as: "policy", id: acacia, amountCents: 13_00, allocations: [] }])
  }
  const next = await bringOne()
  const [first] = (await readSuggestions(next.id)).candidates
  expect(first).toMatchObject({ kind: "policy", parts: [{ id: acacia }] })
  expect(first!.reasons.map(({ sentence }) => sentence)).toContain(
    "“SRT PAYMASTER” was confirmed for this policy 3 times",
  )
  const after = await declineCandidateOf(next.id, first!.key)
  expect(after.candidates).toEqual([])
  const [again] = (await readSuggestions((await bringOne()).id)).candidates
  expect(again!.reasons.map(({ sentence }) => sentence)).toContain("“SRT PAYMASTER” was declined for this policy once")
  expect(again!.score).toBeLessThan(first!.score)
  const [payer] = await manager.banking.payers({ policyId: acacia })
  expect(payer).toMatchObject({ payer: "SRT PAYMASTER", confirmed: 3, declined: 1 })
  const learnt = async (tab: "policy" | "notOurs") =>
    (await manager.banking.learntPayers({ tab, pageSize: 100 })).rows.map(({ id, policyId }) => [id, policyId])
  expect(await learnt("policy")).toContainEqual([payer!.id, acacia])
  expect((await learnt("notOurs")).every(([, policyId]) => policyId === null)).toBe(true)
  await manager.banking.forgetPayer({ payerId: payer!.id })
  expect(await learnt("policy")).not.toContainEqual([payer!.id, acacia])
  const forgotten = (await readSuggestions((await bringOne()).id)).candidates.flatMap(({ reasons }) => reasons)
  expect(forgotten.map(({ about }) => about)).not.toContain("payer")
  await expect(manager.banking.forgetPayer({ payerId: payer!.id })).rejects.toMatchObject({ code: "NOT_FOUND" })

  const [fee] = await bring({ text: "ZUMA CLEANING", amountCents: -40_00 })
  await manager.banking.notOurs({
    lineIds: [fee!.id],
    idempotencyKey: randomUUID(),
    why: { reason: "transfer", note: "" },
  })
  const [cleaning] = await bring({ text: "ZUMA CLEANING", amountCents: -41_00 })
  expect((await readSuggestions(cleaning!.id)).candidates).toMatchObject([
    { kind: "notOurs", reason: "transfer", parts: [] },
  ])
})

test("offers a split between two named employers, or the only pair of matching invoices", async () => {
  const of = async (groupName: string, premiumCents: number) => {
    const { id } = await createActivePolicy(manager, { groupName, premiumCents })
    const { totalCents } = await createSentInvoice(manager, {
      policyId: id,
      month: "2026-10-01",
      invoiceOn: "2026-10-01",
    })
    return { id, totalCents }
  }
  const [one, two] = [await of("Limpopo Carriers", 1_234_00), await of("Tshwane Print", 2_345_67)]
  const sum = one.totalCents + two.totalCents
  const [short] = await bring({ text: "PROTEA BROKERS LIMPOPO AND TSHWANE", amountCents: 1_500_00 })
  const [shared] = (await readSuggestions(short!.id)).candidates
  expect(shared!.parts.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort())
  expect(shared!.parts.reduce((cents, { amountCents }) => cents + amountCents, 0)).toBe(1_500_00)
  expect(shared).toMatchObject({ isSure: false })
  const [both, silent] = await bring(
    { text: "EFT LIMPOPO CARRIERS AND TSHWANE PRINT", amountCents: sum },
    { text: "EFT SOME BROKER", amountCents: sum },
  )
  for (const line of [both!, silent!]) {
    const [first] = (await readSuggestions(line.id)).candidates
    expect(first!.parts.map(({ id, amountCents }) => [id, amountCents]).sort()).toEqual(
      [
        [one.id, one.totalCents],
        [two.id, two.totalCents],
      ].sort(),
    )
    expect(first!.isSure).toBe(false)
  }
  // Checked from the invoices: no other pair has this sum.
  const pairs = await desk.app.sql.rows(sql`
    with open as (select policy_id, total_cents - credited_cents - allocated_cents - written_off_cents as cents from invoices where status = 'sent')
    select from open a join open b on a.policy_id < b.policy_id and a.cents > 0 and b.cents > 0 and a.cents + b.cents = ${sum}`)
  expect(pairs).toHaveLength(1)
})

test("a line can have more than 50 parts", async () => {
  const parts: LinePart[] = []
  for (let part = 0; part < 60; part++) {
    const of = { policyId: soweto, amountCents: 1_00 + part, receivedOn: "2026-11-05" }
    const { id } = await createUnallocatedReceipt(manager, of)
    parts.push({ as: "receipt", id, amountCents: of.amountCents })
  }
  const [line] = await bring({ text: "EFT SIXTY", amountCents: parts.reduce((sum, part) => sum + part.amountCents, 0) })
  expect(await confirmMatch(line!.id, parts)).toMatchObject([{ state: "receipt", matchCount: 60 }])
  await expectEquation("sixty parts")
  await undoMatch(line!.id)
  await expectEquation("sixty parts undone")
})

test("a search finds records by number and name without other evidence", async () => {
  const [line] = await bring({ text: "EFT", amountCents: 3_33 })
  const search = async (text: string) =>
    (await manager.banking.suggestions({ lineIds: [line!.id], search: text }))[0]!.candidates
  expect((await search("acacia")).map(({ parts }) => parts[0]!.name)).toEqual(["Acacia Foods (Pty) Ltd"])
  const receipt = await createUnallocatedReceipt(manager, {
    policyId: soweto,
    amountCents: 9_99,
    receivedOn: "2026-11-05",
  })
  expect(await search(receipt.number)).toMatchObject([
    { kind: "receipt", parts: [{ id: receipt.id, amountCents: 3_33 }] },
  ])
  expect(await search("nobody")).toEqual([])
})

test("posts sure lines automatically up to the cap, and one undo reverses them all", async () => {
  desk.app.clock.set("2026-11-30T09:00:00Z")
  const admin = desk.app.as(desk.app.people.admin)
  const save = async (autoMatch: boolean, autoMatchUpToCents: number) => {
    const { settings, version } = await admin.settings.detail()
    await admin.settings.save({ settings: { ...settings, autoMatch, autoMatchUpToCents }, version })
  }
  const { number, totalCents } = invoices[0]!
  const sure = { text: `EFT SOWETO RETAIL ${number}`, amountCents: totalCents }
  const other = { text: `EFT SOMEBODY ELSE ${number}`, amountCents: totalCents }
  const stateOf = async (id: string) =>
    (await manager.banking.lines({ tab: "all", pageSize: 100 })).rows.find((row) => row.id === id)!
  const [account] = await manager.banking.accounts({})
  const run = async () => {
    await manager.banking.autoMatch({ accountId: account!.id, idempotencyKey: randomUUID() })
    await desk.app.runJobs()
  }
  const [strange] = await bring(other)
  const [line] = await bring(sure)
  await desk.app.runJobs()
  expect(await stateOf(line!.id)).toMatchObject({ state: "open" })
  await expect(run()).rejects.toMatchObject({ code: "OFF" })
  await save(true, totalCents - 1)
  await run()
  expect(await stateOf(line!.id)).toMatchObject({ state: "open" })
  await save(true, totalCents)
  await run()
  expect(await stateOf(line!.id)).toMatchObject({ state: "receipt", isAutomatic: true })
  // This payer also paid another policy, so the line is not sure.
  expect(await stateOf(strange!.id)).toMatchObject({ state: "open" })
  expect((await manager.banking.payers({ policyId: soweto })).filter(({ payer }) => payer === "SOWETO RETAIL")).toEqual(
    [],
  )
  await expectEquation("automatically")
  expect(await manager.banking.progress({ accountId: account!.id })).toMatchObject({ automatic: 1 })
  await undoMatch(line!.id)
  await expectEquation("by itself, undone")
  const [imported] = await bring({ ...sure, text: `${sure.text} AGAIN` })
  await desk.app.runJobs()
  expect(await verifyLedger(desk.app.sql)).toEqual([])
  // A line that a user has undone stays open; the imported line is a separate payment.
  expect(await stateOf(line!.id)).toMatchObject({ state: "open" })
  expect(await stateOf(imported!.id)).toMatchObject({ isAutomatic: true })
  await save(false, 0)
})

test("employer search and domain rules compare the same letters of a name", async () => {
  const names = [
    "Soweto Retail (Pty) Ltd",
    "Café Königin CC",
    "ABC CC",
    "Co-operative Ltd",
    "Bäckerei & Söhne",
    "Å-Z 2",
    "Nomsa Radebe",
    "Jan van der Merwe",
  ]
  const rows = await desk.app.sql.rows<{ core: string; turned: string | null }>(
    sql`select name_core(name) as core, name_core_turned(name) as turned from unnest(${sql.param(names)}::text[]) with ordinality as of (name, nth) order by nth`,
  )
  expect(rows.map(({ core }) => core)).toEqual(names.map(nameCoreOf))
  expect(rows.map(({ turned }) => turned)).toEqual(names.map(surnameFirstCoreOf))
  expect(rows.map(({ turned }) => turned)).toContain("RADEBENOMSA")
})

test("judges lines equally for a single request and for the automatic job", async () => {
  const [account] = await manager.banking.accounts({})
  const { rows } = await manager.banking.lines({ tab: "open", pageSize: 100 })
  const asked = await manager.banking.suggestions({ lineIds: rows.map(({ id }) => id) })
  const book = new PolicyBook({ isWhole: true })
  const all = new Map<string, readonly Candidate[]>()
  const look = ({ id }: { id: string }, candidates: readonly Candidate[]) => all.set(id, candidates)
  await judgeNextBatch(desk.app.sql, { accountId: account!.id, after: null, book }, look, "ZAR")
  const both = asked.filter(({ lineId }) => all.has(lineId))
  expect(both.length).toBeGreaterThan(2)
  for (const { lineId, candidates } of both) expect(all.get(lineId)).toEqual(candidates)
})
