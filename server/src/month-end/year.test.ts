import { randomUUID } from "node:crypto"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { partInputs } from "@milkwood/domain/banking/matching"
import { addDays, addMonths, type Day, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createBankAccount, storeStatementUpload } from "../banking/banking.samples.ts"
import { statementFiles, type WrittenLine } from "../banking/statement-files.samples.ts"
import { createPremiumRun } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { createCompletedPayout } from "../payouts/payouts.samples.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"

/* A year of one employer, up to the closed December. The expected figures are calculated by hand in this file, without
   product code. */

let app: ClaimApp
let scene: ClaimScene
let manager: Client
let account: BankAccountRow
beforeAll(async () => {
  app = await openClaimApp({ now: "2026-01-02T08:00:00Z" })
  scene = await insureGroup(app, "Protea Mills")
  manager = app.as(app.people.manager)
  account = await createBankAccount(app.as(app.people.admin))
})
afterAll(() => app.close())

const key = () => ({ idempotencyKey: randomUUID() })
const nthMonth = (nth: number): Day => addMonths("2026-01-01", nth - 1)

/** Monthly premium per member, and the number of members owed for each month in the end. */
const premiumCents = (nth: number) => (nth >= 7 ? 400_00 : 350_00)
// Two members in January, a third from February; one leaves on 31 March, one joins on 1 June, one is suspended in
// October.
const membersOwed = [2, 3, 3, 2, 2, 3, 3, 3, 3, 2, 3, 3]
const earnedCentsIn = (nth: number) => membersOwed[nth - 1]! * premiumCents(nth)
/** Without VAT, by billing month: April's invoice was created before the member left on 31 March. */
const billedNet = membersOwed.map((_, at) => {
  const nth = at + 1
  if (nth === 4) return 3 * 350_00
  if (nth === 5) return 2 * 350_00 - 350_00
  return earnedCentsIn(nth)
})
const addVat = (net: number) => net + Math.round((net * 15) / 100)

const lines: WrittenLine[] = []
const openingCents = 5_000_00
const readBankBalance = (day: Day) =>
  lines.filter((line) => line.day <= day).reduce((sum, line) => sum + line.amountCents, openingCents)
const feeCents = 45_00
/** By month number: items in the ledger that are not yet on the statement. */
const outstanding: Record<number, { kind: string; amountCents: number; name: string }[]> = {}

const readAccountSums = async (account: string, day: Day) =>
  (await app.sql.row<{ cents: number }>(sql`
    select coalesce(sum(p.amount_cents), 0)::bigint as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
    where p.account = ${account} and e.effective_on <= ${day}`))!.cents

async function bringStatement(nth: number): Promise<void> {
  const month = nthMonth(nth)
  const own = lines.filter(({ day }) => day.slice(0, 7) === month.slice(0, 7))
  const content = statementFiles.fnb({
    accountNumber: account.accountNumber,
    openingCents: readBankBalance(addDays(month, -1)),
    lines: own,
  })
  const uploadId = await storeStatementUpload(app, app.people.manager, account.id, content)
  await manager.banking.import({ uploadId, ...key() })
  await app.runJobs()
  const { rows } = await manager.banking.lines({
    accountId: account.id,
    tab: "open",
    sort: "day",
    dir: "asc",
    pageSize: 100,
  })
  for (const { id: lineId, text } of rows) {
    if (text.includes("FEE")) {
      await manager.banking.notOurs({ lineIds: [lineId], ...key(), why: { reason: "charge", note: "" } })
      continue
    }
    const [found] = await manager.banking.suggestions({ lineIds: [lineId] })
    const candidate = found!.candidates.find(({ kind }) => kind !== "notOurs")
    expect(candidate, `a candidate for ${text}`).toBeTruthy()
    await manager.banking.confirm({ lineId, parts: partInputs(candidate!.parts), ...key() })
  }
}

async function closeMonth(nth: number): Promise<void> {
  const month = nthMonth(nth)
  const last = lastOfMonth(month)
  const { checks } = await manager.monthEnd.month({ month })
  expect(
    checks.filter(({ isDone }) => !isDone),
    `checks of ${month}`,
  ).toEqual([])
  const { accounts } = await manager.monthEnd.bank({ month })
  const [proof] = accounts
  const items = proof!.groups.flatMap(({ items }) => items)
  expect(items.map(({ kind, amountCents, name }) => ({ kind, amountCents, name }))).toEqual(outstanding[nth] ?? [])
  const items0 = (outstanding[nth] ?? []).reduce((sum, { amountCents }) => sum + amountCents, 0)
  expect(proof).toMatchObject({ statement: { cents: readBankBalance(last) }, unexplainedCents: 0 })
  expect(proof!.ledgerCents).toBe(readBankBalance(last) + items0)
  expect(proof!.ledgerCents).toBe(await readAccountSums("bank", last))
  await manager.monthEnd.close({ ...key(), month, reasons: {} })
}

async function playWholeYear(): Promise<void> {
  const { policyId, memberId } = scene
  let leaver = ""
  let owing = 0
  for (let nth = 1; nth <= 12; nth++) {
    const month = nthMonth(nth)
    const last = lastOfMonth(month)
    if (nth > 1) app.clock.set(`${addDays(month, 1)}T08:00:00Z`)
    if (nth === 2) leaver = (await createMember(manager, policyId, { startOn: month })).id
    if (nth === 6) await createMember(manager, policyId, { startOn: month })
    // December was billed in November.
    if (nth < 12) await createPremiumRun({ manager, runJobs: app.runJobs }, month, [policyId])
    owing += addVat(billedNet[nth - 1]!)

    app.clock.set(`${addDays(month, 9)}T08:00:00Z`)
    if (nth === 4) {
      const { version } = await manager.members.detail({ memberId: leaver })
      await manager.members.terminate({ memberId: leaver, version, on: "2026-03-31", reason: "Resigned" })
    }
    if (nth === 6) {
      const { coverage, version } = await manager.policies.detail({ policyId })
      const values = { ...coverage, premiumCents: 400_00, premiumFromOn: nthMonth(7) }
      await manager.policies.updateSection({ policyId, version, change: { section: "coverage", values } })
    }
    if (nth === 9 || nth === 10) {
      const { version } = await manager.members.detail({ memberId })
      const act = nth === 9 ? manager.members.suspend : manager.members.reinstate
      await act({ memberId, version, on: nthMonth(nth + 1), reason: "Unpaid leave" })
    }
    if (nth === 5) {
      const claim = await createApprovedClaim(scene.cast, {
        ...{ ...scene.sample, incidentOn: "2026-05-02", notificationOn: "2026-05-03" },
        ...{ claimAmountCents: 2_000_00, requestedAmountCents: 1_500_00 },
      })
      app.clock.set("2026-05-30T08:00:00Z")
      const paid = await createCompletedPayout(manager, app.as(app.people.manager2), claim.id, "2026-05-30")
      outstanding[5] = [{ kind: "payment", amountCents: -1_500_00, name: paid.payeeName }]
      lines.push({
        day: "2026-06-01",
        text: `PAYMENT ${paid.number}`,
        reference: paid.reference,
        amountCents: -1_500_00,
      })
    }

    // The employer pays on the 20th; August's transfer reaches the bank in September.
    app.clock.set(`${addDays(month, 19)}T08:00:00Z`)
    const { invoices } = await manager.receipts.openInvoices({ policyId })
    expect(
      invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0),
      `open in ${month}`,
    ).toBe(owing)
    if (nth === 8) {
      app.clock.set("2026-08-31T08:00:00Z")
      await recordedReceipt(manager, { policyId, amountCents: owing, receivedOn: "2026-08-31" })
      outstanding[8] = [{ kind: "deposit", amountCents: owing, name: "Protea Mills" }]
      lines.push({ day: "2026-09-01", text: "CREDIT TRANSFER PROTEA MILLS", reference: "", amountCents: owing })
    } else {
      const reference = invoices.map(({ number }) => number).join(" ")
      lines.push({ day: addDays(month, 19), text: `PROTEA MILLS ${reference}`, reference: "", amountCents: owing })
    }
    owing = 0
    lines.push({ day: last, text: "SERVICE FEE", reference: "", amountCents: -feeCents })
    if (nth === 11) {
      app.clock.set("2026-11-25T08:00:00Z")
      await createPremiumRun({ manager, runJobs: app.runJobs }, nthMonth(12), [policyId])
    }

    app.clock.set(`${addDays(last, 1)}T09:00:00Z`)
    await app.runJobs()
    await bringStatement(nth)
    // Premium billed in advance is income of its own month.
    const earned = 0 - (await readAccountSums("premium_income", last))
    const told = membersOwed.slice(0, nth).reduce((sum, _, at) => sum + earnedCentsIn(at + 1), 0)
    // April's premium of the leaver was billed; May's invoice corrects this.
    expect(earned, `earned to the end of ${month}`).toBe(nth === 4 ? told + 350_00 : told)
    expect(0 - (await readAccountSums("unearned_premium", last))).toBe(nth === 11 ? billedNet[11] : 0)
    expect(await verifyLedger(app.sql)).toEqual([])
    await closeMonth(nth)
  }
}

test(
  "a year of one employer is billed, paid, reconciled and closed month by month",
  { timeout: 240_000 },
  playWholeYear,
)

test("the closed year's ledger equals the amounts billed, paid and earned", async () => {
  const billed = billedNet.reduce((sum, net) => sum + net, 0)
  const vat = addVat(billed) - billed
  const end = "2026-12-31"
  const { accounts } = await manager.ledger.trialBalance({ asOf: end })
  const of = (name: string) => {
    const found = accounts.find(({ account }) => account === name)
    return found ? found.debitCents - found.creditCents : 0
  }
  // December's payment of the 20th is on January's statement, so it is allocated on 1 January.
  expect(of("premium_debtors")).toBe(addVat(billedNet[11]!))
  expect(of("premium_debtors") + of("unallocated_receipts")).toBe(0)
  expect(await readAccountSums("premium_debtors", "2027-01-01")).toBe(0)
  expect(-of("premium_income")).toBe(membersOwed.reduce((sum, _, at) => sum + earnedCentsIn(at + 1), 0))
  expect(-of("premium_income")).toBe(billed)
  expect(-of("vat_output")).toBe(vat)
  expect(of("bank")).toBe(openingCents + addVat(billed) - 1_500_00 - 12 * feeCents)
  expect(of("bank")).toBe(readBankBalance(end))
})
