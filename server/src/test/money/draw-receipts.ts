import { randomUUID } from "node:crypto"
import { receiptMethods } from "@milkwood/domain/receipts/receipt"
import { sql } from "drizzle-orm"
import { isOnceIn, pickRow, reason, type SimulatedActions, type SimulationContext } from "./hand.ts"

interface PickedReceipt {
  id: string
  version: number
}

const pickReceipt = (hand: SimulationContext, where = sql`true`) =>
  pickRow<PickedReceipt>(
    hand,
    sql`select id, version from receipts where policy_id = ${hand.policy.policyId} and reversed_at is null and ${where} order by number`,
  )

const pickOpenInvoice = (hand: SimulationContext) =>
  pickRow<{ id: string; openCents: number }>(
    hand,
    sql`select id, total_cents - credited_cents - allocated_cents - written_off_cents as "openCents" from invoices
      where policy_id = ${hand.policy.policyId} and status = 'sent' and total_cents > credited_cents + allocated_cents + written_off_cents
      order by number`,
  )

const pickWriteOff = (hand: SimulationContext, where: ReturnType<typeof sql>) =>
  pickRow<{ id: string }>(
    hand,
    sql`select w.id from write_offs w join invoices i on i.id = w.invoice_id
      where i.policy_id = ${hand.policy.policyId} and ${where} order by w.asked_at, i.number, w.total_cents`,
  )

const isWaitingSql = sql`w.written_off_on is null and w.declined_at is null`

async function createReceiptInput(hand: SimulationContext) {
  const invoice = isOnceIn(hand, 3) && (await pickOpenInvoice(hand))
  return {
    amountCents: invoice ? invoice.openCents : 1 + hand.draw.below(900_00),
    method: isOnceIn(hand, 2) ? ("bank_transfer" as const) : hand.draw.of(receiptMethods),
    receivedOn: hand.draw.of(["2026-09-14", "2026-10-20", "2026-11-01"]),
    reference: "",
    notes: "",
  }
}

export const receiptActions: SimulatedActions = {
  receipt: {
    weight: 6,
    async act(hand) {
      const of = { ...(await createReceiptInput(hand)), policyId: hand.policy.policyId, number: "" }
      const unallocated = isOnceIn(hand, 3) ? {} : { oldestFirst: true }
      await hand.maker.receipts.record({ idempotencyKey: randomUUID(), ...of, ...unallocated })
    },
  },
  deposit: {
    weight: 2,
    async act(hand) {
      const { draw, insured, policy } = hand
      const others = insured.filter((other) => other !== policy)
      const parts = [policy, draw.of(others)].map(({ policyId }) => ({ policyId, amountCents: 1 + draw.below(500_00) }))
      const amountCents = parts.reduce((sum, part) => sum + part.amountCents, 0)
      await hand.maker.receipts.recordDeposit({
        ...{ idempotencyKey: randomUUID(), ...(await createReceiptInput(hand)), amountCents, parts },
      })
    },
  },
  "reverse a deposit": {
    weight: 1,
    async act(hand) {
      const deposit = await pickRow<{ id: string }>(
        hand,
        sql`select distinct d.id, d.number from deposits d join receipts r on r.deposit_id = d.id
          where r.policy_id = ${hand.policy.policyId} and r.reversed_at is null order by d.number`,
      )
      if (!deposit) return false
      return hand.maker.receipts.reverseDeposit({ depositId: deposit.id, idempotencyKey: randomUUID(), reason })
    },
  },
  allocate: {
    weight: 4,
    async act(hand) {
      const receipt = await pickReceipt(hand, sql`amount_cents > allocated_cents + refunded_cents`)
      const invoice = await pickOpenInvoice(hand)
      if (!receipt || !invoice) return false
      const amountCents = 1 + hand.draw.below(invoice.openCents)
      const chosen = isOnceIn(hand, 2) ? {} : { allocations: [{ invoiceId: invoice.id, amountCents }] }
      const { id: receiptId, version } = receipt
      return hand.maker.receipts.allocate({ idempotencyKey: randomUUID(), receiptId, version, ...chosen })
    },
  },
  "take back": {
    weight: 3,
    async act(hand) {
      const one = await pickRow<PickedReceipt & { receiptId: string }>(
        hand,
        sql`select a.id, r.id as "receiptId", r.version from receipt_allocations a join receipts r on r.id = a.receipt_id
          where a.policy_id = ${hand.policy.policyId} and a.released_at is null order by r.number, a.amount_cents, a.invoice_id`,
      )
      if (!one) return false
      const { id, receiptId, version } = one
      return hand.maker.receipts.unallocate({
        ...{ idempotencyKey: randomUUID(), receiptId, version, allocationIds: [id] },
      })
    },
  },
  correct: {
    weight: 2,
    async act(hand) {
      const receipt = await pickReceipt(hand, sql`allocated_cents = 0 and refunded_cents = 0`)
      if (!receipt) return false
      const { id: receiptId, version } = receipt
      const was = await hand.maker.receipts.detail({ receiptId })
      const amountCents = isOnceIn(hand, 2) ? was.amountCents : 1 + hand.draw.below(900_00)
      const method = isOnceIn(hand, 3) ? hand.draw.of(receiptMethods) : was.method
      const { policyId, receivedOn, reference } = was
      return hand.maker.receipts.update({
        ...{ receiptId, version, policyId, receivedOn, reference, method, amountCents, notes: reason },
      })
    },
  },
  reverse: {
    weight: 2,
    async act(hand) {
      const receipt = await pickReceipt(hand, isOnceIn(hand, 4) ? sql`true` : sql`refunded_cents = 0`)
      if (!receipt) return false
      const { id: receiptId, version } = receipt
      return hand.maker.receipts.reverse({ idempotencyKey: randomUUID(), receiptId, version, reason })
    },
  },
  "write off": {
    weight: 3,
    async act(hand) {
      const invoice = await pickOpenInvoice(hand)
      if (!invoice) return false
      const amountCents = isOnceIn(hand, 3) ? null : 1 + hand.draw.below(invoice.openCents)
      return hand.maker.receipts.writeOff({
        ...{ invoiceId: invoice.id, idempotencyKey: randomUUID(), amountCents, reason },
      })
    },
  },
  "confirm a write-off": {
    weight: 3,
    async act(hand) {
      const fits = sql`w.total_cents <= i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents`
      const one = await pickWriteOff(hand, isOnceIn(hand, 4) ? isWaitingSql : sql`${isWaitingSql} and ${fits}`)
      return one && hand.second.receipts.confirmWriteOff({ writeOffId: one.id, idempotencyKey: randomUUID() })
    },
  },
  "decline a write-off": {
    weight: 1,
    async act(hand) {
      const one = await pickWriteOff(hand, isWaitingSql)
      return one && hand.second.receipts.declineWriteOff({ writeOffId: one.id, idempotencyKey: randomUUID() })
    },
  },
  "take up again": {
    weight: 2,
    async act(hand) {
      const one = await pickWriteOff(hand, sql`w.written_off_on is not null and w.reversed_on is null`)
      return one && hand.maker.receipts.reverseWriteOff({ writeOffId: one.id, idempotencyKey: randomUUID(), reason })
    },
  },
}
