import { randomUUID } from "node:crypto"
import { partInputs } from "@milkwood/domain/banking/matching"
import { addDays, addMonths, type Day, lastOfMonth, minDay } from "@milkwood/domain/kernel/calendar"
import { statementFiles, type WrittenLine } from "../banking/statement-files.samples.ts"
import type { Diary } from "./diary.ts"
import type { DemoStage } from "./play.ts"
import { unmatchedDays } from "./year.ts"

/** Opening bank balance (the founders' capital), on top of premiums received. */
const capitalCents = 2_500_000_00

/** Bank statements, monthly and overlapping, matched on import except for the last days. */
export function playBank(stage: DemoStage, diary: Diary, months: readonly Day[], today: Day): void {
  const [start] = months as [Day]
  const yesterday = addDays(today, -1)
  const until = addDays(today, -unmatchedDays)
  const bank: Bank = { startCents: null, lines: [] }
  stage.onlyAtBank.push(...createUnknownLines(start, today))
  diary.on(start, async () => {
    const { banking } = stage.as(stage.admin)
    const [account] = await banking.accounts({})
    const { id: accountId, version, bank, accountNumber, branchCode } = account!
    await banking.editAccount({
      accountId,
      version,
      account: { name: "Premium account", bank, accountNumber, branchCode },
    })
  })
  for (const month of months) {
    const from = month === start ? start : addDays(month, -7)
    const to = minDay(lastOfMonth(month), yesterday)
    if (to < month) continue
    diary.on(addDays(to, 1), async () => {
      const accountId = await importBankLines(stage, bank, start, { from, to })
      await matchLines(stage, accountId, minDay(to, until))
    })
  }
}

/** The bank's own data, unaffected by later changes in the product. */
interface Bank {
  startCents: number | null
  lines: WrittenLine[]
}

/** Bank lines for which the product has no record. */
function createUnknownLines(start: Day, today: Day): WrittenLine[] {
  const cash = { text: "CASH DEPOSIT NEWLANDS", reference: "", amountCents: 1_850_00 }
  const ago = (days: number) => addDays(today, -days)
  return [
    { ...cash, day: addDays(start, 19) },
    { ...cash, day: ago(5), amountCents: 920_00 },
    { day: ago(3), text: "PROTEA BROKERS KAROO AND RICHARDS BAY", reference: "", amountCents: 7_000_00 },
    ...[start, addMonths(start, 1), addMonths(start, 2)].flatMap((month) => [
      { day: lastOfMonth(month), text: "FIXED MONTHLY FEE", reference: "", amountCents: -395_00 },
      { day: lastOfMonth(month), text: "CREDIT INTEREST", reference: "", amountCents: 1_204_17 },
    ]),
  ]
}

const setAsideRules = [
  { speaksOf: /FEE/, why: { reason: "charge", note: "" } },
  { speaksOf: /INTEREST/, why: { reason: "interest", note: "" } },
  { speaksOf: /CASH/, why: { reason: "unknown", note: "Paid in without a name; the branch looks for the slip" } },
] as const

async function matchLines(stage: DemoStage, accountId: string, until: Day): Promise<void> {
  const { banking } = stage.as(stage.manager)
  const oldestFirst = { sort: "day", dir: "asc", pageSize: 100 } as const
  const { rows } = await banking.lines({ accountId, bookedTo: until, tab: "open", ...oldestFirst })
  for (const { id: lineId, text } of rows) {
    const idempotencyKey = randomUUID()
    const why = setAsideRules.find(({ speaksOf }) => speaksOf.test(text))?.why
    if (why) {
      await banking.notOurs({ lineIds: [lineId], idempotencyKey, why })
      continue
    }
    const [found] = await banking.suggestions({ lineIds: [lineId] })
    const known = found?.candidates.find(({ kind }) => kind !== "policy" && kind !== "notOurs")
    if (known) await banking.confirm({ lineId, parts: partInputs(known.parts), idempotencyKey })
  }
}

async function createBookedLines(stage: DemoStage, from: Day, to: Day): Promise<WrittenLine[]> {
  const manager = stage.as(stage.manager)
  const receipts = await manager.receipts.list({ receivedFrom: from, receivedTo: to, pageSize: 100 })
  const payouts = await manager.payouts.list({ paidFor: "claims", completedFrom: from, completedTo: to, pageSize: 100 })
  const refunds = await manager.refunds.list({ refundedFrom: from, refundedTo: to, pageSize: 100 })
  const deposits = new Map<string, WrittenLine>()
  const single: WrittenLine[] = []
  for (const { status, depositNumber, receivedOn: day, groupName, reference, amountCents } of receipts.rows) {
    if (status === "Reversed") continue
    const line = { day, text: `CREDIT TRANSFER ${groupName.toUpperCase()}`, reference, amountCents }
    const other = depositNumber && deposits.get(depositNumber)
    if (other) other.amountCents += amountCents
    else if (depositNumber)
      deposits.set(depositNumber, { ...line, text: "CREDIT TRANSFER PROTEA BROKERS", reference: depositNumber })
    else single.push(line)
  }
  return [
    ...single,
    ...deposits.values(),
    ...payouts.rows.map(({ completedOn, memberName, reference, amountCents }) => ({
      ...{ day: completedOn!, text: `PAYMENT TO ${memberName?.toUpperCase()}`, reference, amountCents: -amountCents },
    })),
    ...refunds.rows
      .filter(({ payoutId }) => payoutId !== null)
      .map(({ refundedOn, groupName, number, amountCents }) => ({
        ...{
          day: refundedOn!,
          text: `PAYMENT TO ${groupName.toUpperCase()}`,
          reference: number,
          amountCents: -amountCents,
        },
      })),
    ...stage.onlyAtBank.filter(({ day }) => day >= from && day <= to),
  ]
}

/** Imports the statement lines of these days; returns the account id. `start`: day of the first statement. */
async function importBankLines(
  stage: DemoStage,
  bank: Bank,
  start: Day,
  { from, to }: { from: Day; to: Day },
): Promise<string> {
  const { banking, ledger } = stage.as(stage.manager)
  const [account] = await banking.accounts({})
  if (bank.startCents === null) {
    const { accounts } = await ledger.trialBalance({ asOf: addDays(start, -1) })
    const before = accounts.find((of) => of.account === "bank")
    bank.startCents = capitalCents + (before ? before.debitCents - before.creditCents : 0)
  }
  const wordsOf = (line: WrittenLine) => JSON.stringify([line.day, line.text, line.reference, line.amountCents])
  const had = new Set(bank.lines.map(wordsOf))
  const since = (await createBookedLines(stage, from, to)).filter((line) => !had.has(wordsOf(line)))
  // Early in a month there may be no new lines.
  if (since.length === 0) return account!.id
  bank.lines.push(...since)
  bank.lines.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  const openingCents = bank.lines.reduce(
    (sum, { day, amountCents }) => (day < from ? sum + amountCents : sum),
    bank.startCents,
  )
  const lines = bank.lines.filter(({ day }) => day >= from)
  const csv = statementFiles.standardBank({ accountNumber: "", openingCents, lines })
  const name = `statement ${from} to ${to}.csv`
  const uploadId = await stage.post.sendStatement(stage.manager, account!.id, { name, csv })
  await banking.import({ uploadId, idempotencyKey: randomUUID() })
  return account!.id
}
