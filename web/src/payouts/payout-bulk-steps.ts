import { formatMoney } from "@milkwood/domain/kernel/money"
import type { PayoutRow } from "@milkwood/domain/payouts/payouts.contract"
import { client } from "../platform/api.ts"
import type { BulkStep } from "../ui/data-table/types.ts"

export const payoutBulkSteps: readonly BulkStep<PayoutRow>[] = [
  {
    label: "Release",
    done: "released",
    room: "payouts",
    may: ({ allowedActions }) => allowedActions.includes("release"),
    name: ({ number, memberName }) => (memberName ? `${number}, ${memberName}` : number),
    question: (rows, currency) => ({
      title: rows.length === 1 ? "Release 1 payment?" : `Release ${rows.length} payments?`,
      words: `${formatMoney(
        rows.reduce((sum, { amountCents }) => sum + amountCents, 0),
        currency,
      )} together. After the release, payee and amount can no longer change.`,
    }),
    run: ({ id, version }, { key }) => client.payouts.release({ payoutId: id, version, idempotencyKey: key }),
  },
]
