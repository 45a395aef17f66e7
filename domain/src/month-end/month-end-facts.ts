import { type Day, formatMonth } from "../kernel/calendar.ts"
import { type CheckKey, checkTitles } from "./checklist.ts"

/** Without a group, because month end is internal to the organisation. */
interface MonthFactHead {
  record: { kind: "closed_month"; id: string; label: string }
  groupId: null
  month: Day
}

export type MonthEndFact =
  | (MonthFactHead & { type: "MonthClosed"; reasons: { key: CheckKey; reason: string }[] })
  | (MonthFactHead & { type: "MonthReopened"; reason: string })
  | {
      type: "PolicyExcused" | "PolicyExcuseTakenBack"
      record: { kind: "policy"; id: string; label: string }
      groupId: null
      month: Day
      reason: string
    }
  | {
      type: "CreditKept" | "CreditTakenUp"
      record: { kind: "receipt"; id: string; label: string }
      groupId: null
      reason: string
    }

type FactOf<T extends MonthEndFact["type"]> = Extract<MonthEndFact, { type: T }>

export const monthEndSentences: { [T in MonthEndFact["type"]]: (fact: FactOf<T>) => string } = {
  MonthClosed: ({ month, reasons }) =>
    `closed ${formatMonth(month)}${reasons.length > 0 ? ` with open checks: ${reasons.map(({ key, reason }) => `"${checkTitles[key]}" (${reason})`).join("; ")}` : ""}`,
  MonthReopened: ({ month }) => `reopened ${formatMonth(month)}`,
  PolicyExcused: ({ month }) => `excused the policy from billing for ${formatMonth(month)}`,
  PolicyExcuseTakenBack: ({ month }) => `withdrew the excuse: the policy must be billed for ${formatMonth(month)}`,
  CreditKept: () => "kept the unallocated amount as credit",
  CreditTakenUp: () => "undid keeping the unallocated amount as credit",
}
