import { graceUntil } from "../billing/premium-standing.ts"
import { addDays, type Day, daysBetween } from "../kernel/calendar.ts"

/** The insurer tells the policyholder of a non-payment within so many days (Policyholder Protection Rules, 15A). */
export const noticeDays = 15

export interface Grace {
  /** The first day on which the premium was late. */
  nonPaymentOn: Day
  noticeDueOn: Day
  /** The last day on which cover stands without payment. */
  coverUntil: Day
  /** Whole days left, today included; 0 once it is over. */
  daysLeft: number
  isOver: boolean
}

/** How the grace period of the oldest unpaid premium stands; null while none is past its due day. */
export function graceOf(oldestDueOn: Day | null, today: Day, graceDays: number): Grace | null {
  if (oldestDueOn === null || oldestDueOn >= today) return null
  const coverUntil = graceUntil(oldestDueOn, graceDays)
  const isOver = today > coverUntil
  return {
    nonPaymentOn: addDays(oldestDueOn, 1),
    noticeDueOn: addDays(oldestDueOn, noticeDays),
    coverUntil,
    daysLeft: isOver ? 0 : daysBetween(today, coverUntil) + 1,
    isOver,
  }
}
