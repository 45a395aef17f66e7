import { type Day, formatMonth } from "../kernel/calendar.ts"
import { type Cents, formatRand } from "../kernel/money.ts"
import { type Resolution, resolutionNames } from "./reconciliation.ts"

/** What is done about what an employer paid too little or too much is the insurer's own affair: no group hears of it. */
export interface ReconciliationFact {
  record: { kind: "group"; id: string; label: string }
  groupId: null
  type: "MonthResolved"
  month: Day
  kind: Resolution
  differenceCents: Cents
  reason: string
}

export const reconciliationSentences = {
  MonthResolved: ({ month, kind, differenceCents }: ReconciliationFact) => {
    const side = differenceCents < 0 ? "short by" : "too much by"
    const done = resolutionNames[kind].toLowerCase()
    return `resolved ${formatMonth(month)}, ${side} ${formatRand(Math.abs(differenceCents))}: ${done}`
  },
}
