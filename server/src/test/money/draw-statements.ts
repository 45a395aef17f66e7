import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { storeStatementUpload } from "../../banking/banking.samples.ts"
import { isOnceIn, pickRow, reason, type SimulatedActions, type SimulationContext } from "./hand.ts"

type Text = { text: string; amountCents: number }

const randomCents = ({ draw }: SimulationContext) => 1 + draw.below(200_00)

const bookingMakers: Record<string, (hand: SimulationContext, accountId: string) => Promise<Text | false>> = {
  async premium(hand) {
    const invoice = await pickRow<{ number: string; cents: number }>(
      hand,
      sql`select number, total_cents - credited_cents - allocated_cents - written_off_cents as cents from invoices
        where policy_id = ${hand.policy.policyId} and status = 'sent'
          and total_cents > credited_cents + allocated_cents + written_off_cents order by number`,
    )
    const slip = isOnceIn(hand, 4) ? hand.draw.below(20_00) - 10_00 : 0
    return invoice && { text: `ACB CREDIT ${invoice.number}`, amountCents: Math.max(1, invoice.cents + slip) }
  },
  premiumOfPolicy: async (hand) => ({
    text: `PREMIUM ${hand.policy.number}`,
    amountCents: 1 + hand.draw.below(900_00),
  }),
  async receipt(hand) {
    const receipt = await pickRow<{ number: string; cents: number }>(
      hand,
      sql`select number, amount_cents as cents from receipts r where policy_id = ${hand.policy.policyId} and reversed_at is null
        and not exists (select from bank_matches m where m.receipt_id = r.id and m.undone_at is null) order by number`,
    )
    if (!receipt) return false
    const { number, cents } = receipt
    return { text: `DEPOSIT ${number}`, amountCents: isOnceIn(hand, 3) ? Math.ceil(cents / 2) : cents }
  },
  async deposit(hand) {
    const deposit = await pickRow<{ number: string; cents: number }>(
      hand,
      sql`select d.number, sum(r.amount_cents)::bigint as cents from deposits d join receipts r on r.deposit_id = d.id
        where r.reversed_at is null and not exists (select from bank_matches m where m.receipt_id = r.id and m.undone_at is null)
        group by d.id having bool_or(r.policy_id = ${hand.policy.policyId}) order by d.number`,
    )
    return deposit && { text: isOnceIn(hand, 2) ? `DEPOSIT ${deposit.number}` : "CASH", amountCents: deposit.cents }
  },
  async receiptReturned(hand) {
    const receipt = await pickRow<{ number: string; cents: number }>(
      hand,
      sql`select r.number, r.amount_cents as cents from receipts r join bank_matches m on m.receipt_id = r.id and m.undone_at is null
        where r.policy_id = ${hand.policy.policyId} and r.reversed_at is null and (r.refunded_cents = 0 or ${isOnceIn(hand, 4)})
        order by r.number`,
    )
    return receipt && { text: `UNPAID DEBIT ORDER ${receipt.number}`, amountCents: -receipt.cents }
  },
  async depositReturned(hand) {
    const deposit = await pickRow<{ number: string; cents: number }>(
      hand,
      sql`select d.number, sum(r.amount_cents)::bigint as cents from deposits d join receipts r on r.deposit_id = d.id
        where r.reversed_at is null and r.amount_cents = (select sum(amount_cents) from bank_matches m
          where m.receipt_id = r.id and m.undone_at is null and m.kind in ('made', 'linked'))
        group by d.id having bool_or(r.policy_id = ${hand.policy.policyId}) and bool_and(r.refunded_cents = 0 or ${isOnceIn(hand, 4)})
        order by d.number`,
    )
    return (
      deposit && {
        text: isOnceIn(hand, 2) ? `UNPAID DEBIT ORDER ${deposit.number}` : "UNPAID",
        amountCents: -deposit.cents,
      }
    )
  },
  async payment(hand, accountId) {
    const payout = await pickRow<{ number: string; cents: number }>(
      hand,
      sql`select number, amount_cents as cents from payouts o where status in ('processing', 'completed')
        and coalesce(bank_account_id, (select id from bank_accounts where is_main)) = ${accountId}
        and (${isOnceIn(hand, 4)} or not exists (select from bank_matches m where m.payout_id = o.id and m.undone_at is null))
        order by number`,
    )
    return payout && { text: `PAYMENT ${payout.number}`, amountCents: -payout.cents }
  },
  async paymentReturned(hand, accountId) {
    const payout = await pickRow<{ number: string; cents: number }>(
      hand,
      sql`select number, amount_cents as cents from payouts o where status in ('completed', 'returned')
        and coalesce(bank_account_id, (select id from bank_accounts where is_main)) = ${accountId} order by number`,
    )
    return payout && { text: `UNPAID ${payout.number}`, amountCents: payout.cents }
  },
  charge: async (hand) => ({ text: "SERVICE FEE", amountCents: -hand.draw.of([12_50, 25_00]) }),
  interest: async (hand) => ({ text: "CREDIT INTEREST", amountCents: randomCents(hand) }),
  unknown: async (hand) => ({ text: "CASH", amountCents: randomCents(hand) * (isOnceIn(hand, 2) ? 1 : -1) }),
}

const mainAccountBookings = [
  ...["premium", "premium", "premium", "premiumOfPolicy", "premiumOfPolicy", "receipt", "receipt", "receipt"],
  ...["deposit", "deposit", "deposit", "depositReturned", "depositReturned"],
  ...["receiptReturned", "receiptReturned", "payment", "payment", "payment", "paymentReturned", "paymentReturned"],
  ...["charge", "interest", "unknown"],
]
const otherAccountBookings = [
  ...["payment", "payment", "paymentReturned", "charge", "interest", "unknown", "premium", "premium"],
  ...["receipt", "receipt", "deposit", "receiptReturned", "depositReturned"],
]

async function createBankLines(
  hand: SimulationContext,
  account: SimulationContext["bank"]["accounts"][number],
): Promise<void> {
  const today: Day = hand.app.clock.now().toString().slice(0, 10)
  for (let left = 1 + hand.draw.below(4); left > 0; left--) {
    const what = hand.draw.of(account.isMain ? mainAccountBookings : otherAccountBookings)
    const line = (await bookingMakers[what]!(hand, account.id)) || (await bookingMakers.unknown!(hand, account.id))
    const day = hand.bank.turn(hand.draw.below(4), today)
    account.lines.push({ ...(line as Text), day, reference: "" })
    if (isOnceIn(hand, 12)) account.lines.push({ ...account.lines.at(-1)! })
  }
}

export const statementActions: SimulatedActions = {
  "import a statement": {
    weight: 6,
    async act(hand) {
      const { bank, draw, app, maker, makerActor } = hand
      const isOther = isOnceIn(hand, 5)
      const account = bank.accounts.find(({ isMain }) => isMain !== isOther)!
      await createBankLines(hand, account)
      const { content, ...file } = bank.file(account, draw.of([0, 0, 1, 5]))
      const uploadId = await storeStatementUpload(app, makerActor, account.id, content)
      const { id } = await maker.banking.import({ uploadId, idempotencyKey: randomUUID() })
      account.files.set(id, file)
    },
  },
  "undo an import": {
    weight: 3,
    async act(hand) {
      const { bank, draw, app, maker } = hand
      const account = draw.of(bank.accounts)
      const statementIds = [...account.files.keys()].slice(-3)
      if (statementIds.length === 0) return false
      const statementId = draw.of(statementIds)
      const placed = await app.sql.rows<{ id: string }>(sql`
        select l.id from bank_lines l join bank_placements p on p.line_id = l.id and p.undone_at is null
        where l.statement_id = ${statementId}`)
      if (placed.length > 0 && !isOnceIn(hand, 3)) {
        await maker.banking.undo({ lineIds: placed.map(({ id }) => id), idempotencyKey: randomUUID() })
      }
      await maker.banking.undoImport({ statementId, idempotencyKey: randomUUID() })
      account.files.delete(statementId)
    },
  },
  "correct an opening balance": {
    weight: 1,
    async act(hand) {
      const { bank, draw, admin } = hand
      const { id: accountId, openingCents: saidByBank } = draw.of(bank.accounts)
      const { version } = (await admin.banking.accounts({})).find(({ id }) => id === accountId)!
      const openingCents = isOnceIn(hand, 3) ? saidByBank - 500_00 + draw.below(1_000_00) : saidByBank
      return admin.banking.correctOpening({ accountId, version, openingCents, reason, idempotencyKey: randomUUID() })
    },
  },
}
