import { randomUUID } from "node:crypto"
import * as XLSX from "@e965/xlsx"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createDraftInvoice, createPremiumRun, createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { createReceiptForm, recordedReceipt } from "../receipts/receipts.samples.ts"
import { createWideXlsx } from "../staff-lists/hostile-lists.samples.ts"
import { createComparedRemittance, uploadRemittanceFile } from "./reconciliation.samples.ts"

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
beforeAll(async () => {
  app = await openBillingApp()
  server = await app.serve()
})
afterAll(() => app.close())

const october = "2026-10-01"
const remittanceClient = () => app.manager.reconciliation.remittances

interface BilledScene {
  policyId: string
  groupId: string
  invoice: InvoiceDetail
  members: { id: string; number: string; name: string; idNumber: string }[]
}

/** October: four members at R 402,50 with VAT, another line of R 115, a discount of R 50. */
async function createBilledScene(groupName: string): Promise<BilledScene> {
  const { id: policyId, groupId } = await app.policy({ groupName, members: 4 })
  const draft = await createDraftInvoice(app.manager, { policyId, month: october, invoiceOn: october })
  const { lines } = await app.manager.billing.fillLines({ policyId, month: october, invoiceOn: october })
  const { id, version } = await app.manager.billing.update({
    invoiceId: draft.id,
    version: draft.version,
    invoice: {
      ...{ kind: "premium", invoiceOn: october, dueOn: "2026-10-31" },
      ...{ periodStartOn: october, periodEndOn: "2026-10-31" },
      lines: [...lines, { description: "Card fee", quantity: 1, unitCents: 100_00 }],
      ...{ discountCents: 50_00, discountReason: "Agreed" },
    },
  })
  const invoice = await app.manager.billing.send({ invoiceId: id, version, idempotencyKey: randomUUID() })
  const { rows } = await app.manager.members.list({ policyId, sort: "number", dir: "asc" })
  const members = await Promise.all(
    rows.map(async ({ id }) => {
      const { number, personal } = await app.manager.members.detail({ memberId: id })
      const name = `${personal.firstName} ${personal.lastName}`
      return { id, number, name, idNumber: personal.idNumber! }
    }),
  )
  return { policyId, groupId, invoice, members }
}

const uploadRemittance = (scene: BilledScene, content: string | Buffer, name = "october.csv") =>
  createComparedRemittance(server, app.people.manager, app.manager, scene.invoice.id, { name, content })

test("an uploaded list is compared at once: equal, different and missing members", async () => {
  const scene = await createBilledScene("Laid Works")
  const [first, second, third] = scene.members
  const content = [
    "Remittance October 2026,,,",
    "Member number,Full name,ID number,Amount",
    `${first!.number},,,402.50`,
    `,${second!.name},,350.00`,
    `,,${third!.idNumber},"R 402,50"`,
    ",Nomsa Unknown,,402.50",
    "Total,,,1557.50",
  ].join("\n")
  const laid = await uploadRemittance(scene, content)
  expect(laid).toMatchObject({
    ...{ fileName: "october.csv", groupName: "Laid Works", month: october, invoiceNumber: scene.invoice.number },
    ...{ paidCents: 1_557_50, billedCents: 1_610_00, differenceCents: -52_50, differingCount: 3 },
    totals: {
      agrees: { count: 2, paidCents: 805_00, billedCents: 805_00 },
      other_amount: { count: 1, paidCents: 350_00, billedCents: 402_50 },
      not_billed: { count: 1, paidCents: 402_50, billedCents: 0 },
      not_paid: { count: 1, paidCents: 0, billedCents: 402_50 },
    },
    // The fee with VAT, less the discount, is not from member lines.
    ...{ otherInvoiceCents: 65_00, invoiceTotalCents: 1_675_00 },
    notes: [expect.stringMatching(/^Line 7 was left out/)],
    allowedActions: ["lay", "remove"],
  })
  const { rows, sums, counts } = await remittanceClient().rows({ remittanceId: laid.id, tab: "differ" })
  expect(rows.map(({ name, outcome, line, differenceCents }) => [name, outcome, line, differenceCents])).toEqual([
    [second!.name, "other_amount", 4, -52_50],
    ["Nomsa Unknown", "not_billed", 6, 402_50],
    [scene.members[3]!.name, "not_paid", null, -402_50],
  ])
  expect(sums).toEqual({ paidCents: 752_50, billedCents: 805_00, differenceCents: -52_50 })
  expect(counts).toEqual({ all: 5, differ: 3, agrees: 2, other_amount: 1, not_billed: 1, not_paid: 1 })
  expect((await remittanceClient().rows({ remittanceId: laid.id, tab: "all", search: "unknown" })).total).toBe(1)
  const file = await fetch(`${server.url}/api/remittance-rows.csv?tab=differ&remittanceId=${laid.id}`, {
    headers: server.headersOf(app.people.manager),
  })
  expect((await file.text()).trim().split("\r\n")[2]).toMatch(/^Nomsa Unknown,,6,Not on the invoice,402\.5/)
  const { timeline } = await app.manager.billing.detail({ invoiceId: scene.invoice.id })
  expect(timeline.map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(/^compared october\.csv with the invoice, .*: 3 of 5 differ$/),
  )
})

test("a compared list explains the month's difference", async () => {
  const scene = await createBilledScene("Explained Works")
  await recordedReceipt(app.manager, {
    policyId: scene.policyId,
    amountCents: 1_675_00 - 402_50,
    receivedOn: "2026-10-25",
  })
  const month = () => app.manager.reconciliation.detail({ groupId: scene.groupId, month: october })
  expect((await month()).invoices).toMatchObject([{ remittanceId: null }])
  const content = ["Number,Member number,Amount", ...scene.members.slice(1).map(({ number }) => `x,${number},402.50`)]
  const { id } = await uploadRemittance(scene, content.join("\n"))
  expect(await month()).toMatchObject({
    parts: [
      { kind: "not_listed", cents: -350_00, words: `${scene.members[0]!.name}, ${scene.members[0]!.number}` },
      { kind: "vat", cents: -52_50, words: "For 1 member missing from the list" },
    ],
    invoices: [{ remittanceId: id }],
  })
})

test("missing VAT, a missing member and an unused credit are separate parts of the difference", async () => {
  app.clock.set("2026-11-02T08:00:00Z")
  const { id: policyId, groupId } = await app.policy({ groupName: "Leaver Works", members: 4, startOn: "2026-09-01" })
  for (const month of ["2026-09-01", october])
    await createSentInvoice(app.manager, { policyId, month, invoiceOn: month })
  const { rows } = await app.manager.members.list({ policyId, sort: "number", dir: "asc" })
  const [leaver, missing, ...paid] = rows
  await app.manager.members.terminate({
    memberId: leaver!.id,
    version: leaver!.version,
    on: "2026-09-30",
    reason: "Left, and was reported late",
  })
  // Three members less the leaver's October: 350 + 350 without VAT. The list pays two members without VAT.
  await createPremiumRun(app, "2026-11-01", [policyId])
  const { rows: invoices } = await app.manager.billing.list({ policyId, sort: "number", dir: "desc" })
  const invoice = invoices[0]!
  expect(invoice.totalCents).toBe(805_00)
  const content = ["Member number,Amount", ...paid.map(({ number }) => `${number},350.00`)].join("\n")
  await createComparedRemittance(server, app.people.manager, app.manager, invoice.id, { name: "november.csv", content })
  await app.manager.receipts.record({
    ...createReceiptForm({ policyId, amountCents: 700_00, receivedOn: "2026-11-02" }),
    ...{ idempotencyKey: randomUUID(), allocations: [{ invoiceId: invoice.id, amountCents: 700_00 }] },
  })
  const { parts, differenceCents } = await app.manager.reconciliation.detail({ groupId, month: "2026-11-01" })
  const who = ({ firstName, lastName, number }: (typeof rows)[number]) => `${firstName} ${lastName}, ${number}`
  expect(differenceCents).toBe(-105_00)
  expect(parts).toEqual([
    { kind: "credit_not_taken", cents: 350_00, words: who(leaver!) },
    { kind: "not_listed", cents: -350_00, words: who(missing!) },
    { kind: "vat", cents: -105_00, words: "2 members with VAT on the list or the invoice, but not both" },
    { kind: "vat", cents: 52_50, words: "For the credit not used" },
    { kind: "vat", cents: -52_50, words: "For 1 member missing from the list" },
  ])
})

test("a list with unknown columns waits for the choice, which is remembered per employer", async () => {
  const scene = await createBilledScene("Own Columns Works")
  const rows = scene.members.map(({ number }) => `${number};${402.5}`).join("\n")
  const waits = await uploadRemittance(scene, `Wie;Hoeveel\n${rows}`)
  expect(waits).toMatchObject({ differingCount: null, headers: ["Wie", "Hoeveel"], columns: {} })
  expect(waits.sample).toHaveLength(4)
  const asked = { remittanceId: waits.id, version: waits.version }
  await expect(remittanceClient().lay({ ...asked, columns: { memberNumber: 0 } })).rejects.toMatchObject({
    code: "INVALID",
  })
  const laid = await remittanceClient().lay({ ...asked, columns: { memberNumber: 0, amount: 1 } })
  expect(laid).toMatchObject({ differingCount: 0, paidCents: 1_610_00 })
  await expect(remittanceClient().lay({ ...asked, columns: { name: 0, amount: 1 } })).rejects.toMatchObject({
    code: "STALE",
  })
  const wrong = await remittanceClient().lay({
    remittanceId: waits.id,
    version: laid.version,
    columns: { name: 0, amount: 1 },
  })
  expect(wrong.totals.not_billed.count).toBe(4)
  expect((await remittanceClient().rows({ remittanceId: waits.id, tab: "all" })).total).toBe(8)
  await remittanceClient().lay({
    remittanceId: waits.id,
    version: wrong.version,
    columns: { memberNumber: 0, amount: 1 },
  })
  const again = await uploadRemittance(scene, `Wie;Hoeveel\n${rows.replace("402.5", "300")}`, "again.csv")
  expect(again).toMatchObject({ differingCount: 1 })
})

test("a remittance list in Excel is read like one in CSV", async () => {
  const scene = await createBilledScene("Workbook Works")
  const sheet = XLSX.utils.aoa_to_sheet([
    ["Laerskool", null],
    ["ID Number", "Total contribution"],
    ...scene.members.map(({ idNumber }) => [Number(idNumber), 402.5]),
  ])
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, "Payroll")
  const laid = await uploadRemittance(
    scene,
    XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer,
    "october.xlsx",
  )
  expect(laid).toMatchObject({ differingCount: 0, paidCents: 1_610_00, otherInvoiceCents: 65_00 })
})

test("refuses invalid remittance files, duplicates and invoices without members, and stores nothing", async () => {
  const scene = await createBilledScene("Refused Works")
  const { id } = await uploadRemittance(scene, `Member number,Amount\n${scene.members[0]!.number},1.00`)
  const draft = await createDraftInvoice(app.manager, {
    policyId: scene.policyId,
    month: "2026-11-01",
    invoiceOn: october,
  })
  const words = async (invoiceId: string, name: string, content: string | Buffer) => {
    const answer = await uploadRemittanceFile(server, app.people.manager, invoiceId, { name, content })
    return [answer.status, ((await answer.json()) as { message: string }).message]
  }
  const list = `Member number,Amount\n${scene.members[0]!.number},1.00`
  const { id: invoiceId } = scene.invoice
  expect(await words(invoiceId, "again.csv", list)).toEqual([
    422,
    "This file was already compared with this invoice. Nothing was imported.",
  ])
  expect(await words(invoiceId, "a.csv", "Member number,Amount\n")).toEqual([422, expect.stringMatching(/no rows/)])
  expect(await words(invoiceId, "a.csv", "nothing")).toEqual([422, expect.stringMatching(/No list found/)])
  expect(await words(invoiceId, "a.xlsx", createWideXlsx("ZZZZZZ2"))).toEqual([
    422,
    expect.stringMatching(/Nothing was imported/),
  ])
  expect(await words(draft.id, "a.csv", list)).toEqual([422, expect.stringMatching(/This invoice was not sent/)])
  expect(await words(randomUUID(), "a.csv", list)).toEqual([422, "This invoice does not exist."])
  const kept = await remittanceClient().list({ groupId: scene.groupId })
  expect(kept.rows.map((row) => row.id)).toEqual([id])
})

test("removing a list deletes its file and is recorded in the audit trail", async () => {
  const scene = await createBilledScene("Removed Works")
  const { id: remittanceId, version } = await uploadRemittance(
    scene,
    `Member number,Amount\n${scene.members[0]!.number},1.00`,
  )
  await expect(remittanceClient().remove({ remittanceId, version: version + 1 })).rejects.toMatchObject({
    code: "STALE",
  })
  await remittanceClient().remove({ remittanceId, version })
  await expect(remittanceClient().detail({ remittanceId })).rejects.toMatchObject({ code: "NOT_FOUND" })
  const left = await app.sql.rows(sql`
    select from files f where kind = 'remittance' and not exists (select from remittances where file_id = f.id)`)
  expect(left).toEqual([])
  const { timeline } = await app.manager.billing.detail({ invoiceId: scene.invoice.id })
  expect(timeline[0]!.sentence).toBe("removed the remittance list october.csv")
  await uploadRemittance(scene, `Member number,Amount\n${scene.members[0]!.number},1.00`)
})

test("a member removed by undoing an import stays in the remittance list by name", async () => {
  const scene = await createBilledScene("Undone Works")
  const joiner = await createMember(app.manager, scene.policyId, { startOn: "2026-11-01" })
  const { id } = await uploadRemittance(scene, `Member number,Amount\n${joiner.number},402.50`)
  const row = async () => (await remittanceClient().rows({ remittanceId: id, tab: "not_billed" })).rows[0]!
  expect(await row()).toMatchObject({ memberId: joiner.id })
  await app.sql.run(sql`delete from member_covers where member_id = ${joiner.id}`)
  await app.sql.run(sql`delete from members where id = ${joiner.id}`)
  expect(await row()).toMatchObject({ memberId: null, name: expect.stringContaining(joiner.number) })
})

test("the database checks outcomes against amounts and hides the rows from employers", async () => {
  const insert = (outcome: string, paid: number | null, billedCents: number | null) =>
    app.sql.run(sql`
      insert into remittance_rows (id, group_id, remittance_id, position, who, line, outcome, paid_cents, billed_cents, words)
      select gen_random_uuid(), group_id, id, 999, 'X', ${paid === null ? null : 1}::int, ${outcome}, ${paid}::bigint, ${billedCents}::bigint, ''
      from remittances where differing_count is not null limit 1`)
  for (const [outcome, paid, bill] of [
    ["agrees", 1, 2],
    ["other_amount", 1, 1],
    ["not_billed", 1, 1],
    ["not_paid", 0, 1],
    ["lost", 1, 1],
  ] as const) {
    await expect(insert(outcome, paid, bill)).rejects.toThrow(/remittance_rows_outcome/)
  }
  const scene = await createBilledScene("Own Works")
  const { id: remittanceId } = await uploadRemittance(scene, `Member number,Amount\n${scene.members[0]!.number},1.00`)
  const hr = await app.people.groupAdmin(scene.groupId)
  for (const person of [app.people.underwriter, hr]) {
    await expect(app.as(person).reconciliation.remittances.detail({ remittanceId })).rejects.toMatchObject({
      code: "FORBIDDEN",
    })
    expect((await uploadRemittanceFile(server, person, scene.invoice.id, { name: "a.csv", content: "x" })).status).toBe(
      403,
    )
  }
  await expect(app.app.database.direct("scoped").rows(sql`select from remittances`)).rejects.toThrow(
    /permission denied/,
  )
  const { timeline } = await app.as(hr).billing.detail({ invoiceId: scene.invoice.id })
  expect(JSON.stringify(timeline)).not.toContain("october.csv")
})
