import { randomUUID } from "node:crypto"
import { addDays, addMonths, type Day, firstOfMonth, lastOfMonth, minDay } from "@milkwood/domain/kernel/calendar"
import { statementFiles, type WrittenLine } from "../banking/statement-files.samples.ts"
import type { DemoStage } from "./play.ts"

/** What was in the bank before the first statement: its founders' money, on top of what the book has taken. */
const capitalCents = 2_500_000_00

/**
 * The organisation's bank account with a statement a month, each a week into the one before: what employers paid and what was paid
 * out, the bank's fee and interest, and a deposit that nobody knows.
 */
export async function playBank(stage: DemoStage, today: Day): Promise<void> {
  const admin = stage.as(stage.admin)
  const start = addMonths(firstOfMonth(today), -2)
  stage.on(start)
  const { settings } = await admin.settings.detail()
  const { bank, accountNumber, branchCode } = settings.organisation.bankAccount
  const { id: accountId } = await admin.banking.addAccount({
    idempotencyKey: randomUUID(),
    account: { name: "Premium account", bank, accountNumber, branchCode },
  })
  const booked = await bookedSince(stage, start, addDays(today, -1))
  const ledger = await stage.as(stage.manager).ledger.trialBalance({ asOf: addDays(start, -1) })
  const before = ledger.accounts.find(({ account }) => account === "bank")
  const openingCents = capitalCents + (before ? before.debitCents - before.creditCents : 0)

  const yesterday = addDays(today, -1)
  for (let month = start; month <= yesterday; month = addMonths(month, 1)) {
    const period = { from: month === start ? start : addDays(month, -7), to: minDay(lastOfMonth(month), yesterday) }
    await bring(stage, accountId, openingCents, booked, period)
  }
  await match(stage, accountId, addDays(today, -8))
}

/** What the book has already is found again, up to a week ago: what nobody knows, and the last days, wait for somebody. */
async function match(stage: DemoStage, accountId: string, until: Day): Promise<void> {
  const { banking } = stage.as(stage.manager)
  const { rows } = await banking.lines({ accountId, bookedTo: until, tab: "open", pageSize: 100 })
  for (const { id: lineId, text } of rows) {
    const idempotencyKey = randomUUID()
    const reason = /FEE/.test(text) ? "charge" : /INTEREST/.test(text) ? "interest" : null
    if (reason) {
      await banking.notOurs({ lineIds: [lineId], idempotencyKey, why: { reason, note: "" } })
      continue
    }
    const [found] = await banking.suggestions({ lineIds: [lineId] })
    const known = found?.candidates.find(({ kind }) => kind === "receipt" || kind === "payout")
    if (known) await banking.confirm({ lineId, parts: known.parts, idempotencyKey })
  }
}

async function bookedSince(stage: DemoStage, from: Day, to: Day): Promise<WrittenLine[]> {
  const manager = stage.as(stage.manager)
  const receipts = await manager.receipts.list({ receivedFrom: from, receivedTo: to, pageSize: 100 })
  const payouts = await manager.payouts.list({ completedFrom: from, completedTo: to, tab: "completed", pageSize: 100 })
  const booked: WrittenLine[] = [
    ...receipts.rows
      .filter(({ status }) => status !== "Reversed")
      .map(({ receivedOn, groupName, reference, amountCents }) => ({
        ...{ day: receivedOn, text: `CREDIT TRANSFER ${groupName.toUpperCase()}`, reference, amountCents },
      })),
    ...payouts.rows.map(({ completedOn, memberName, reference, amountCents }) => ({
      ...{
        day: completedOn!,
        text: `PAYMENT TO ${memberName?.toUpperCase() ?? "MEMBER"}`,
        reference,
        amountCents: -amountCents,
      },
    })),
    { day: addDays(from, 19), text: "CASH DEPOSIT NEWLANDS", reference: "", amountCents: 1_850_00 },
  ]
  for (let month = from; lastOfMonth(month) <= to; month = addMonths(month, 1)) {
    booked.push({ day: lastOfMonth(month), text: "FIXED MONTHLY FEE", reference: "", amountCents: -395_00 })
    booked.push({ day: lastOfMonth(month), text: "CREDIT INTEREST", reference: "", amountCents: 1_204_17 })
  }
  return booked.filter(({ day }) => day <= to).sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

/** Downloads a period from Standard Bank, and imports it as a manager does. */
async function bring(
  stage: DemoStage,
  accountId: string,
  openingCents: number,
  booked: readonly WrittenLine[],
  { from, to }: { from: Day; to: Day },
): Promise<void> {
  const before = booked
    .filter(({ day }) => day < from)
    .reduce((sum, { amountCents }) => sum + amountCents, openingCents)
  const lines = booked.filter(({ day }) => day >= from && day <= to)
  if (lines.length === 0) return
  const csv = statementFiles.standardBank({ accountNumber: "", openingCents: before, lines })
  stage.on(addDays(to, 1))
  const name = `statement ${from} to ${to}.csv`
  const uploadId = await stage.post.sendStatement(stage.manager, accountId, { name, csv })
  await stage.as(stage.manager).banking.import({ uploadId, idempotencyKey: randomUUID() })
}
