import { randomUUID } from "node:crypto"
import { addDays, addMonths } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { createDraftInvoice } from "../../billing/billing.samples.ts"
import { createMember } from "../../members/members.samples.ts"
import {
  isOnceIn,
  pickRow,
  randomDay,
  randomMonth,
  reason,
  type SimulatedActions,
  type SimulationContext,
} from "./hand.ts"
import { runJobsOfKind } from "./jobs-done.ts"

interface PickedInvoice {
  id: string
  version: number
}

const pickInvoice = (hand: SimulationContext, status: string) =>
  pickRow<PickedInvoice>(
    hand,
    sql`select id, version from invoices where policy_id = ${hand.policy.policyId} and status = any (${sql.param(status.split(" "))}::text[]) order by number`,
  )

async function runPremiums(hand: SimulationContext): Promise<void> {
  const { draw, insured, policy, maker } = hand
  const { runs } = maker.billing
  const { id: runId } = await runs.start({
    idempotencyKey: randomUUID(),
    month: randomMonth(hand),
    policyIds: isOnceIn(hand, 4) ? insured.map(({ policyId }) => policyId) : [policy.policyId],
  })
  await runJobsOfKind(hand, "billing.")
  const { version } = await runs.detail({ runId })
  await runs.make({ runId, version, idempotencyKey: randomUUID(), outcome: draw.of(["draft", "pending", "sent"]) })
  await runJobsOfKind(hand, "billing.")
}

export const invoiceActions: SimulatedActions = {
  generate: {
    weight: 3,
    async act(hand) {
      const month = randomMonth(hand)
      const discounted = { discountCents: hand.draw.below(3) * 1_11, discountReason: reason }
      const asked = { policyId: hand.policy.policyId, month, invoiceOn: month }
      const { lines } = await hand.maker.billing.fillLines(asked)
      // A run of another month may have billed everything.
      if (lines.length === 0) return false
      await createDraftInvoice(hand.maker, { ...asked, with: { ...discounted, lines } })
    },
  },
  "generate another": {
    weight: 4,
    async act(hand) {
      const on = randomDay(hand)
      const line = { description: reason, quantity: 1 + hand.draw.below(3), unitCents: 1 + hand.draw.below(400_00) }
      const covers = isOnceIn(hand, 2) ? on : addMonths(randomMonth(hand), hand.draw.below(5))
      const days = { invoiceOn: on, dueOn: addDays(on, 30), periodStartOn: covers, periodEndOn: covers }
      const invoice = { policyId: hand.policy.policyId, kind: "other" as const, ...days, lines: [line] }
      await hand.maker.billing.generate({ idempotencyKey: randomUUID(), invoice })
    },
  },
  send: {
    weight: 9,
    async act(hand) {
      const invoice = await pickInvoice(hand, "draft pending")
      if (!invoice) return false
      const { id: invoiceId, version } = invoice
      return hand.maker.billing.send({
        ...{ invoiceId, version, idempotencyKey: randomUUID(), useCredit: isOnceIn(hand, 3) },
      })
    },
  },
  cancel: {
    weight: 1,
    async act(hand) {
      const invoice = await pickInvoice(hand, "draft pending")
      if (!invoice) return false
      return hand.maker.billing.cancel({ invoiceId: invoice.id, version: invoice.version, reason })
    },
  },
  credit: {
    weight: 3,
    async act(hand) {
      const invoice = await pickInvoice(hand, "sent")
      if (!invoice) return false
      const amountCents = isOnceIn(hand, 4) ? null : 1 + hand.draw.below(300_00)
      const kind = isOnceIn(hand, 2) ? "correction" : "concession"
      return hand.maker.billing.credit({
        ...{ invoiceId: invoice.id, idempotencyKey: randomUUID(), amountCents, kind, reason },
      })
    },
  },
  run: { weight: 1, act: runPremiums },
  "join or leave": {
    weight: 2,
    async act(hand) {
      const { policyId } = hand.policy
      const day = randomDay(hand)
      // The first member stays, so that every month has a member to bill.
      const member = await pickRow<PickedInvoice & { startOn: string }>(
        hand,
        sql`select id, version, start_on as "startOn" from members where policy_id = ${policyId} and status = 'Active' order by number offset 1`,
      )
      if (!member || !isOnceIn(hand, 3)) return createMember(hand.maker, policyId, { startOn: day })
      const on = day < member.startOn ? member.startOn : day
      return hand.maker.members.terminate({ memberId: member.id, version: member.version, on, reason })
    },
  },
}
