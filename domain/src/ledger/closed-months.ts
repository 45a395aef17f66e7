import { addMonths, type Day, firstOfMonth, formatMonth, lastOfMonth, maxDay } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { openYears } from "./open-years.ts"

/**
 * The first day open for posting: within the open years and after the last closed month. `closedMonth` is the first day
 * of that month; null if no month is closed.
 */
export function firstOpenDay(today: Day, closedMonth: Day | null): Day {
  const { from } = openYears(today)
  return closedMonth === null ? from : maxDay(from, addMonths(closedMonth, 1))
}

/**
 * The day on which a posting takes effect: the document's day, or the first open day if that is later. A correction
 * never takes effect before the corrected entry, whose day is `corrects`.
 */
export function effectiveDay(documentDay: Day, firstOpen: Day, corrects?: Day): Day {
  return corrects === undefined ? maxDay(documentDay, firstOpen) : maxDay(documentDay, firstOpen, corrects)
}

export type CloseRefusal = "NOT_OVER" | "NOT_NEXT" | "CLOSED"

/**
 * A month can be closed when it is over and follows the last closed month. The first close may be any month and also
 * closes all earlier ones. Months are first days. Refuses CLOSED, NOT_NEXT or NOT_OVER.
 */
export function checkClosable(month: Day, today: Day, closedMonth: Day | null): Decision<true, CloseRefusal> {
  if (closedMonth !== null && month <= closedMonth) return refuse("CLOSED", `${formatMonth(month)} is already closed.`)
  const next = closedMonth === null ? month : addMonths(closedMonth, 1)
  if (month !== next) return refuse("NOT_NEXT", `Months close in order. Close ${formatMonth(next)} first.`)
  if (lastOfMonth(month) >= today) return refuse("NOT_OVER", `${formatMonth(month)} is not over yet.`)
  return true
}

/** Only the last closed month can be reopened; otherwise NOT_LAST_CLOSED. */
export function checkReopenable(month: Day, closedMonth: Day | null): Decision<true, "NOT_LAST_CLOSED"> {
  if (closedMonth === null) return refuse("NOT_LAST_CLOSED", "No month is closed.")
  return firstOfMonth(month) === closedMonth
    ? true
    : refuse("NOT_LAST_CLOSED", `You can reopen only the last closed month, ${formatMonth(closedMonth)}.`)
}
