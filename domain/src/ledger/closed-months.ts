import { addMonths, type Day, firstOfMonth, formatMonth, lastOfMonth, maxDay } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { openYears } from "./open-years.ts"

/**
 * The first day on which something may be posted: of the open years, and after the last closed month. `closedMonth` is
 * the first day of that month, null where none is closed.
 */
export function firstOpenDay(today: Day, closedMonth: Day | null): Day {
  const { from } = openYears(today)
  return closedMonth === null ? from : maxDay(from, addMonths(closedMonth, 1))
}

/**
 * The day on which a posting counts: its document's, or the first open one where that is later. The document keeps its
 * own day. What corrects an entry never counts before it: `corrects` is the day of that one.
 */
export function effectiveDay(documentDay: Day, firstOpen: Day, corrects?: Day): Day {
  return corrects === undefined ? maxDay(documentDay, firstOpen) : maxDay(documentDay, firstOpen, corrects)
}

export type CloseRefusal = "NOT_OVER" | "NOT_NEXT" | "CLOSED"

/**
 * Whether a month may be closed now: it is over, and it is the one after the last closed month. The first one closed may
 * be any; it closes what came before it as well. Months are their first days.
 */
export function closable(month: Day, today: Day, closedMonth: Day | null): Decision<true, CloseRefusal> {
  if (closedMonth !== null && month <= closedMonth) return refuse("CLOSED", `${formatMonth(month)} is closed already.`)
  const next = closedMonth === null ? month : addMonths(closedMonth, 1)
  if (month !== next) return refuse("NOT_NEXT", `Months close in order: ${formatMonth(next)} comes first.`)
  if (lastOfMonth(month) >= today) return refuse("NOT_OVER", `${formatMonth(month)} is not over yet.`)
  return true
}

/** Whether a month may be opened again: the last closed one alone. */
export function reopenable(month: Day, closedMonth: Day | null): Decision<true, "NOT_LAST_CLOSED"> {
  if (closedMonth === null) return refuse("NOT_LAST_CLOSED", "No month is closed.")
  return firstOfMonth(month) === closedMonth
    ? true
    : refuse("NOT_LAST_CLOSED", `Only the last closed month opens again: ${formatMonth(closedMonth)}.`)
}
