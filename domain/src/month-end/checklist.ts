import type { Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { hasPermission, type Role } from "../platform/permission.ts"

/** In display order. */
export const checkKeys = [
  "billed",
  "sent",
  "statements",
  "lines",
  "receipts",
  "payouts",
  "debtors",
  "deferred",
  "reserves",
  "bank",
  "vat",
] as const
export type CheckKey = (typeof checkKeys)[number]

export const checkTitles: Record<CheckKey, string> = {
  billed: "All active policies billed or excused",
  sent: "All invoices sent",
  statements: "Bank statements complete up to month end",
  lines: "All bank lines matched",
  receipts: "Every receipt allocated or kept as credit",
  payouts: "No payments in processing",
  debtors: "Premium debtors agree with unpaid invoices",
  deferred: "Unearned premium agrees with premium billed for later months",
  reserves: "Claims outstanding agree with the reserves of open claims",
  bank: "Bank balance reconciled with the statements",
  vat: "VAT output agrees with invoices and credit notes",
}

/**
 * Ledger and records must agree to the cent: no reason permits closing with a difference. Other checks may stay open
 * with a recorded reason.
 */
export const moneyCheckKeys: readonly CheckKey[] = ["debtors", "deferred", "reserves", "bank", "vat"]

/** Cents, or a count. */
export interface CheckFigure {
  label: string
  kind: "cents" | "count"
  value: number
}

export interface Check {
  key: CheckKey
  isDone: boolean
  /** A money check that cannot be verified, for example without a statement: it needs a reason. */
  isUnproved?: boolean | undefined
  /** Expected and actual. */
  figures: CheckFigure[]
  /** Open items, or how the two figures reconcile, as sentences. */
  notes: string[]
}

export interface SignedCheck extends Check {
  reason: string | null
}

export interface SignedChecklist {
  month: Day
  checks: SignedCheck[]
}

/** Open checks that must pass before the month can close, with or without reasons. */
export const blockingChecks = <C extends Pick<Check, "key" | "isDone" | "isUnproved">>(checks: readonly C[]): C[] =>
  checks.filter(({ key, isDone, isUnproved }) => !isDone && moneyCheckKeys.includes(key) && !isUnproved)

/**
 * MONEY_DIFFERS if a money check fails, REASONS_NEEDED if another open check has no reason. Drops reasons of completed
 * checks.
 */
export function signOff(
  month: Day,
  checks: readonly Check[],
  reasons: Partial<Record<CheckKey, string>>,
): Decision<SignedChecklist, "MONEY_DIFFERS" | "REASONS_NEEDED"> {
  const differs = blockingChecks(checks)
  if (differs.length > 0) {
    const named = differs.map(({ key }) => checkTitles[key]).join("; ")
    return refuse("MONEY_DIFFERS", `These checks must pass before the month can close: ${named}.`)
  }
  const bare = checks.filter(({ key, isDone }) => !isDone && !reasons[key]?.trim())
  if (bare.length > 0) {
    const named = bare.map(({ key }) => checkTitles[key]).join("; ")
    return refuse("REASONS_NEEDED", `Enter a reason for each open check: ${named}.`)
  }
  return {
    month,
    checks: checks.map((check) => ({ ...check, reason: check.isDone ? null : reasons[check.key]!.trim() })),
  }
}

export const monthStates = ["open", "closed"] as const

export const monthActions = ["close", "reopen"] as const
export type MonthAction = (typeof monthActions)[number]

/** `isNext`: this is the next month to close, and it is over. */
export function monthActionsOf(
  { isNext, isLastClosed }: { isNext: boolean; isLastClosed: boolean },
  role: Role | null,
): MonthAction[] {
  if (isNext && hasPermission(role, "monthEnd.write")) return ["close"]
  if (isLastClosed && hasPermission(role, "monthEnd.reopen")) return ["reopen"]
  return []
}
