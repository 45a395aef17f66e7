import { randomUUID } from "node:crypto"
import { addMonths, daysBetween, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { checkKeys } from "@milkwood/domain/month-end/checklist"
import { sql } from "drizzle-orm"
import { releaseAllPremium } from "../../ledger/premium-parts.ts"
import { randomMonth, reason, type SimulatedActions, type SimulationContext } from "./hand.ts"

const readLastClosedMonth = ({ app }: Pick<SimulationContext, "app">) =>
  app.sql.row<{ month: string | null; next: string | null }>(sql`
    select max(month)::text as month, (max(month) + interval '1 month')::date::text as next from closed_months where reopened_at is null`)

async function advanceDays({ app, makerActor }: SimulationContext, days: number): Promise<void> {
  app.clock.advance({ hours: 24 * days })
  await app.transaction(makerActor, releaseAllPremium)
}

export const monthEndActions: SimulatedActions = {
  close: {
    weight: 2,
    async act(hand) {
      // Open items may remain with a reason. A difference in money is a defect.
      const { next } = (await readLastClosedMonth(hand))!
      const month = next ?? randomMonth(hand)
      const today = hand.app.clock.now().toString()
      if (month.slice(0, 7) >= today.slice(0, 7)) return false
      const reasons = Object.fromEntries(checkKeys.map((key) => [key, reason]))
      return hand.maker.monthEnd.close({ idempotencyKey: randomUUID(), month, reasons })
    },
  },
  reopen: {
    weight: 2,
    async act(hand) {
      const { month } = (await readLastClosedMonth(hand))!
      return month !== null && hand.admin.monthEnd.reopen({ idempotencyKey: randomUUID(), month, reason })
    },
  },
  "a day passes": {
    weight: 2,
    act: (hand) => advanceDays(hand, 1),
  },
  "a month begins": {
    weight: 1,
    async act(hand) {
      const { today } = await hand.app.app.moment()
      // Entries of 2026 can be dated until the end of March 2027.
      return today < "2027-01-01" && advanceDays(hand, daysBetween(today, addMonths(firstOfMonth(today), 1)))
    },
  },
}
