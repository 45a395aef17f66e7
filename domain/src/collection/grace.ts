import { graceEndOn } from "../billing/premium-standing.ts"
import { addDays, type Day, daysBetween } from "../kernel/calendar.ts"

/** Days within which the insurer must notify the policyholder of non-payment (Policyholder Protection Rules, 15A). */
export const noticeDays = 15

export interface Grace {
  /** The first day on which the premium was late. */
  nonPaymentOn: Day
  noticeDueOn: Day
  /** The last day of cover without payment. */
  coverUntil: Day
  /** Whole days, including today; 0 when over. */
  daysLeft: number
  isOver: boolean
}

/** Grace period of the oldest unpaid premium; null if none is overdue. */
export function graceOf(oldestDueOn: Day | null, today: Day, graceDays: number): Grace | null {
  if (oldestDueOn === null || oldestDueOn >= today) return null
  const coverUntil = graceEndOn(oldestDueOn, graceDays)
  const isOver = today > coverUntil
  return {
    nonPaymentOn: addDays(oldestDueOn, 1),
    noticeDueOn: addDays(oldestDueOn, noticeDays),
    coverUntil,
    daysLeft: isOver ? 0 : daysBetween(today, coverUntil) + 1,
    isOver,
  }
}
