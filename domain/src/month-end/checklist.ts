import type { Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { may, type Role } from "../platform/permission.ts"

/** What is looked at before a month closes, in its order. */
export const checkKeys = [
  "billed",
  "sent",
  "statements",
  "lines",
  "receipts",
  "payouts",
  "debtors",
  "deferred",
  "bank",
  "vat",
] as const
export type CheckKey = (typeof checkKeys)[number]

export const checkTitles: Record<CheckKey, string> = {
  billed: "Every active policy billed or excused",
  sent: "Every invoice sent",
  statements: "Bank statements complete up to month end",
  lines: "All bank lines matched",
  receipts: "Every receipt allocated or kept as credit",
  payouts: "No payment left in processing",
  debtors: "Premium debtors agree with unpaid invoices",
  deferred: "Unearned premium agrees with premium billed for later months",
  bank: "Bank balance reconciled with the statements",
  vat: "VAT output agrees with invoices and credit notes",
}

/**
 * Where ledger and records must be equal to the cent: nobody closes over a difference. What is merely left undone may be
 * left so with a reason, which stands on record with who gave it.
 */
export const moneyChecks: readonly CheckKey[] = ["debtors", "deferred", "bank", "vat"]

/** One of the two figures of a check: cents, or how many. */
export interface CheckFigure {
  label: string
  kind: "cents" | "count"
  value: number
}

export interface Check {
  key: CheckKey
  isDone: boolean
  /** A check of money that nothing contradicts and nothing proves: a reason is accepted for it. */
  isUnproved?: boolean | undefined
  /** What must be, and what is. */
  figures: CheckFigure[]
  /** What is left, or how the two come together; as sentences. */
  notes: string[]
}

/** A check as it was signed off. */
export interface SignedCheck extends Check {
  /** Why the month was closed without it. */
  reason: string | null
}

/** The checklist as it was when the month was closed. */
export interface SignedChecklist {
  month: Day
  checks: SignedCheck[]
}

/**
 * The checklist signed off: no equality of money is contradicted, and each other check that is not done has its reason. Reasons
 * for what is done are dropped.
 */
export function signOff(
  month: Day,
  checks: readonly Check[],
  reasons: Partial<Record<CheckKey, string>>,
): Decision<SignedChecklist, "MONEY_DIFFERS" | "REASONS_NEEDED"> {
  const open = checks.filter(({ isDone }) => !isDone)
  const differs = open.filter(({ key, isUnproved }) => moneyChecks.includes(key) && !isUnproved)
  if (differs.length > 0) {
    const named = differs.map(({ key }) => checkTitles[key]).join("; ")
    return refuse("MONEY_DIFFERS", `The month stays open until this holds: ${named}.`)
  }
  const bare = open.filter(({ key }) => !reasons[key]?.trim())
  if (bare.length > 0) {
    const named = bare.map(({ key }) => checkTitles[key]).join("; ")
    return refuse("REASONS_NEEDED", `Say why the month closes without this: ${named}.`)
  }
  return {
    month,
    checks: checks.map((check) => ({ ...check, reason: check.isDone ? null : reasons[check.key]!.trim() })),
  }
}

export const monthStates = ["open", "closed"] as const
export type MonthState = (typeof monthStates)[number]

export const monthActions = ["close", "reopen"] as const
export type MonthAction = (typeof monthActions)[number]

/** What may be done with a month now: the next one to close, once it is over, and the last closed one to open again. */
export function monthActionsOf(
  { isNext, isLastClosed }: { isNext: boolean; isLastClosed: boolean },
  role: Role | null,
): MonthAction[] {
  if (isNext && may(role, "monthEnd.write")) return ["close"]
  if (isLastClosed && may(role, "monthEnd.reopen")) return ["reopen"]
  return []
}
