import { randomUUID } from "node:crypto"
import { notOursReasons } from "@milkwood/domain/banking/bank-placement"
import { type PartKind, partInputs } from "@milkwood/domain/banking/matching"
import { type SQL, sql } from "drizzle-orm"
import { isOnceIn, pickRow, reason, type SimulatedActions, type SimulationContext } from "./hand.ts"
import { runJobsOfKind } from "./jobs-done.ts"

interface PickedLine {
  id: string
  amountCents: number
  accountId: string
}

const selectLines = (where: SQL) => sql`
  select l.id, l.amount_cents as "amountCents", l.account_id as "accountId" from bank_lines l join bank_accounts a on a.id = l.account_id
  left join bank_placements p on p.line_id = l.id and p.undone_at is null where ${where}
  order by l.day desc, l.amount_cents, l.text, l.id limit 15`

const isOpenSql = sql`p.id is null`
const isOpenIncomingSql = sql`p.id is null and l.amount_cents > 1`

const confirmLine = (
  hand: SimulationContext,
  lineId: string,
  parts: Parameters<SimulationContext["maker"]["banking"]["confirm"]>[0]["parts"],
) => hand.maker.banking.confirm({ lineId, idempotencyKey: randomUUID(), parts: partInputs(parts) })

export const matchingActions: SimulatedActions = {
  match: {
    weight: 14,
    async act(hand) {
      const line = await pickRow<PickedLine>(hand, selectLines(isOpenSql))
      if (!line) return false
      const [suggested] = await hand.maker.banking.suggestions({ lineIds: [line.id] })
      const offered = suggested!.candidates.filter(({ parts }) => parts.length > 0)
      if (offered.length === 0) return false
      return confirmLine(hand, line.id, (isOnceIn(hand, 3) ? hand.draw.of(offered) : offered[0]!).parts)
    },
  },
  "match at will": {
    weight: 7,
    async act(hand) {
      const found = await pickRow<{ lineId: string; as: PartKind; id: string; amountCents: number }>(
        hand,
        sql`select l.id as "lineId", of.as, of.id, l.amount_cents as "amountCents"
          from bank_lines l left join bank_placements p on p.line_id = l.id and p.undone_at is null
          join (
            select 'payout' as as, id, number, -amount_cents as cents from payouts union all
            select 'cameBack', id, number, amount_cents from payouts union all
            select 'returned', id, number, -amount_cents from receipts union all
            select 'deposit', id, number, amount_cents from deposits union all
            select 'returnedDeposit', id, number, -amount_cents from deposits union all
            select 'receipt', id, number, amount_cents from receipts
          ) of on of.cents = l.amount_cents
          where ${isOpenSql} order by of.as, of.number, l.day, l.id`,
      )
      if (!found) return false
      const { lineId, ...part } = found
      return confirmLine(hand, lineId, [part])
    },
  },
  "decline a suggestion": {
    weight: 1,
    async act(hand) {
      const line = await pickRow<PickedLine>(hand, selectLines(isOpenSql))
      if (!line) return false
      const [suggested] = await hand.maker.banking.suggestions({ lineIds: [line.id] })
      const [first] = suggested!.candidates
      if (!first) return false
      return hand.maker.banking.decline({ lineId: line.id, idempotencyKey: randomUUID(), key: first.key })
    },
  },
  split: {
    weight: 3,
    async act(hand) {
      const { draw, insured, policy } = hand
      const line = await pickRow<PickedLine>(hand, selectLines(isOpenIncomingSql))
      if (!line) return false
      const amountCents = 1 + draw.below(line.amountCents - 1)
      const receipt = isOnceIn(hand, 3) && (await pickRow<{ id: string }>(hand, selectReceiptsOf(policy.policyId)))
      const other = draw.of(insured.filter((one) => one !== policy))
      const rest = line.amountCents - amountCents
      return confirmLine(hand, line.id, [
        { as: "policy", id: policy.policyId, amountCents },
        receipt
          ? { as: "receipt", id: receipt.id, amountCents: rest }
          : { as: "policy", id: other.policyId, amountCents: rest },
      ])
    },
  },
  join: {
    weight: 3,
    async act(hand) {
      const first = await pickRow<PickedLine>(hand, selectLines(isOpenIncomingSql))
      const second = await pickRow<PickedLine>(hand, selectLines(isOpenIncomingSql))
      if (!first || !second || first.id === second.id) return false
      const receipt = isOnceIn(hand, 3) && (await pickRow<{ id: string }>(hand, selectReceiptsOf(hand.policy.policyId)))
      const to = receipt ? { as: "receipt" as const, ...receipt } : { as: "policy" as const, id: hand.policy.policyId }
      return hand.maker.banking.join({ lineIds: [first.id, second.id], idempotencyKey: randomUUID(), to })
    },
  },
  "match by itself": {
    weight: 1,
    async act(hand) {
      const { id: accountId } = hand.draw.of(hand.bank.accounts)
      await hand.maker.banking.autoMatch({ accountId, idempotencyKey: randomUUID() })
      await runJobsOfKind(hand, "banking.")
    },
  },
  "not ours": {
    weight: 3,
    async act(hand) {
      const line = await pickRow<PickedLine>(hand, selectLines(isOpenSql))
      if (!line) return false
      // Charges and interest are recognised by their text; any reason fits the rest.
      const why = { reason: hand.draw.of(notOursReasons), note: reason }
      return hand.maker.banking.notOurs({ lineIds: [line.id], idempotencyKey: randomUUID(), why })
    },
  },
  undo: {
    weight: 6,
    async act(hand) {
      const lineIds: string[] = []
      for (let left = 1 + (isOnceIn(hand, 3) ? 2 : 0); left > 0; left--) {
        const line = await pickRow<PickedLine>(hand, selectLines(sql`p.id is not null`))
        if (line && !lineIds.includes(line.id)) lineIds.push(line.id)
      }
      return lineIds.length > 0 && hand.maker.banking.undo({ lineIds, idempotencyKey: randomUUID() })
    },
  },
}

const selectReceiptsOf = (policyId: string) =>
  sql`select id from receipts where policy_id = ${policyId} and reversed_at is null order by number`
