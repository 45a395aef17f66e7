import { addDays } from "@milkwood/domain/kernel/calendar"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import type { Client } from "../test/app.ts"
import {
  type BankDesk,
  createBankAccount,
  importSampleStatement,
  openBankDesk,
  premiumAccount,
} from "./banking.samples.ts"
import {
  createEmployerNames,
  createRandomPayments,
  type GeneratedPayment,
  type Payer,
  slipKinds,
} from "./payments.samples.ts"
import { type StatementFile, statementFiles } from "./statement-files.samples.ts"

let desk: BankDesk
let manager: Client
let accountId: string
let payers: Payer[]
beforeAll(async () => {
  desk = await openBankDesk()
  manager = desk.app.as(desk.app.people.manager)
  accountId = (await createBankAccount(desk.app.as(desk.app.people.admin))).id
  payers = []
  const names = createEmployerNames(24)
  // Every third employer has a second policy; premiums repeat, so that an amount alone is weak evidence.
  for (const [at, groupName] of names.flatMap((name, at) => (at % 3 === 0 ? [name, name] : [name])).entries()) {
    const premiumCents = [350_00, 411_50, 350_00, 289_99, 1_204_75][at % 5]!
    const policy = await createActivePolicy(manager, { groupName, premiumCents, members: 1 + (at % 3) })
    const invoices: { id: string; number: string; openCents: number }[] = []
    for (const month of ["2026-09-01", "2026-10-01"].slice(at % 4 === 1 ? 1 : 0)) {
      const { id, number, totalCents } = await createSentInvoice(manager, {
        policyId: policy.id,
        month,
        invoiceOn: month,
      })
      invoices.push({ id, number, openCents: totalCents })
    }
    payers.push({ policyId: policy.id, policyNumber: policy.number, groupName, invoices })
  }
}, 300_000)
afterAll(() => desk.app.close())

/** A line's position, encoded in letters so that it is not read as a reference. */
const letters = "ABCDEFGHIJ"
const encodePlace = (place: number) => `QX${[...String(place)].map((digit) => letters[Number(digit)]).join("")}`
const decodePlace = (text: string) =>
  Number([...(/QX([A-J]+)/.exec(text)?.[1] ?? "")].map((letter) => letters.indexOf(letter)).join(""))

const sortedIdText = (ids: readonly string[]) => [...new Set(ids)].sort().join()

async function compareWithKnown(known: readonly GeneratedPayment[], statementId: string) {
  const found = []
  for (let page = 1; found.length < known.length; page++) {
    const { rows } = await manager.banking.lines({
      statementId,
      tab: "all",
      sort: "day",
      dir: "asc",
      pageSize: 100,
      page,
    })
    const said = await manager.banking.suggestions({ lineIds: rows.map(({ id }) => id) })
    for (const [at, row] of rows.entries()) {
      const truth = known[decodePlace(row.text)]!
      const [first] = said[at]!.candidates
      const parts = first?.parts ?? []
      const isTrue =
        sortedIdText(parts.map(({ id }) => id)) === sortedIdText(truth.policyIds) &&
        sortedIdText(parts.flatMap(({ allocations }) => (allocations ?? []).map(({ invoiceId }) => invoiceId))) ===
          sortedIdText(truth.invoiceIds)
      found.push({ slip: truth.slip, isTrue, isSure: first?.isSure ?? false, text: row.text, first })
    }
  }
  return found
}

test("suggestions for each bank's format are correct, and no sure one is wrong", async () => {
  const all: Awaited<ReturnType<typeof compareWithKnown>> = []
  for (const [at, file] of (Object.keys(statementFiles) as StatementFile[]).entries()) {
    const known = createRandomPayments(payers, {
      seed: 20_261_122 + at,
      from: addDays("2026-10-20", at * 2),
      slippedEvery: 2,
    })
    const lines = known.map(({ line }, place) => ({ ...line, text: `${line.text} ${encodePlace(place)}` }))
    const content = statementFiles[file]({ accountNumber: premiumAccount.accountNumber, openingCents: 0, lines })
    const { id } = await importSampleStatement(desk, desk.app.people.manager, accountId, content)
    all.push(...(await compareWithKnown(known, id)))
  }
  const share = (some: typeof all) => some.filter(({ isTrue }) => isTrue).length / some.length
  const per = (slip: (typeof slipKinds)[number]) => all.filter((one) => one.slip === slip)
  const clean = all.filter(({ slip }) => slip === null)
  const slipped = all.filter(({ slip }) => slip !== null)
  const sure = all.filter(({ isSure }) => isSure)
  const percent = (some: typeof all) => `${(share(some) * 100).toFixed(1)} % of ${some.length}`
  console.log(
    [
      `clean: ${percent(clean)}; slipped: ${percent(slipped)}; sure: ${percent(sure)}`,
      ...slipKinds.map((slip) => `  ${slip}: ${percent(per(slip))}`),
    ].join("\n"),
  )
  expect(sure.filter(({ isTrue }) => !isTrue)).toEqual([])
  expect(sure.length).toBeGreaterThan(0)
  expect(share(clean)).toBeGreaterThanOrEqual(0.95)
  expect(share(slipped)).toBeGreaterThanOrEqual(0.8)
}, 300_000)
