import { addWorkingDays, isWorkingDay, workingDaysBetween } from "../kernel/business-days.ts"
import { addDays, type Day, todayInTimezone } from "../kernel/calendar.ts"
import { type Claim, type ClaimStatus, type ClaimType, claimTabs } from "./claim.ts"

/** A stretch in which documents were asked for. Null: still open. Instants are ISO text. */
export interface ClockPause {
  from: string
  until: string | null
}

/** The promise of a claim: a decision within so many working days of the day on which its documents are complete. */
export interface ClaimClock {
  /** Fixed at submission; null for a draft. */
  promisedDays: number | null
  /** When the last required document arrived or was waived; null while one is missing. */
  documentsCompleteAt: string | null
  documentPauses: ClockPause[]
  /** The last day of the promise; null unless the clock is running. */
  dueOn: Day | null
  /** Working days from complete documents to the decision, without pauses; null before a decision. */
  workingDaysUsed: number | null
}

export const newClock: ClaimClock = {
  promisedDays: null,
  documentsCompleteAt: null,
  documentPauses: [],
  dueOn: null,
  workingDaysUsed: null,
}

/** How the organisation counts days. */
export interface WorkingCalendar {
  timezone: string
  /** Holidays announced for one year only. */
  extraHolidays: readonly Day[]
}

export type PromisedDays = Record<ClaimType, number>

const isIn = (statuses: readonly ClaimStatus[], status: ClaimStatus) => statuses.includes(status)
const unroutedStatuses = ["submitted", "under_review"] as const
const decidedStatuses = ["approved", "rejected", "paid"] as const

export const isUnrouted = (status: ClaimStatus): boolean => isIn(unroutedStatuses, status)

type ClockedClaim = ClaimClock &
  Pick<Claim, "status" | "claimType" | "requestedDocuments" | "finalApprovalAt" | "rejectedAt">

export interface ClockMoment {
  now: Temporal.Instant
  /** Whether a required document is missing; only asked before routing. */
  isMissingDocuments: boolean
  promised: PromisedDays
  calendar: WorkingCalendar
}

/** The clock after a change of the claim. */
export function advanceClock(before: ClockedClaim, after: ClockedClaim, moment: ClockMoment): ClaimClock {
  if (after.status === "draft" || after.claimType === null) return newClock
  const { now, isMissingDocuments, promised, calendar } = moment
  if (isIn(decidedStatuses, before.status) && isIn(decidedStatuses, after.status)) return clockOf(before)
  const isKept = before.promisedDays !== null && before.claimType === after.claimType
  const promisedDays = isKept ? before.promisedDays : promised[after.claimType]
  // A reopened claim is promised a new decision from its reopening.
  const isReopened = isIn(decidedStatuses, before.status)
  const completeAt = isReopened ? now.toString() : (before.documentsCompleteAt ?? now.toString())
  const documentsCompleteAt = !isUnrouted(after.status)
    ? before.documentsCompleteAt
    : isMissingDocuments
      ? null
      : completeAt
  const documentPauses = movePauses(before.documentPauses, after.requestedDocuments.length > 0, now.toString())
  return settleClock({ ...after, promisedDays, documentsCompleteAt, documentPauses }, calendar)
}

const clockOf = ({
  promisedDays,
  documentsCompleteAt,
  documentPauses,
  dueOn,
  workingDaysUsed,
}: ClaimClock): ClaimClock => ({ promisedDays, documentsCompleteAt, documentPauses, dueOn, workingDaysUsed })

function movePauses(pauses: readonly ClockPause[], isAsking: boolean, now: string): ClockPause[] {
  const last = pauses.at(-1)
  const isOpen = last !== undefined && last.until === null
  if (isAsking === isOpen) return [...pauses]
  return isAsking ? [...pauses, { from: now, until: null }] : [...pauses.slice(0, -1), { ...last!, until: now }]
}

/** Recomputes the due day and the days used, for example after a holiday was announced. */
export function settleClock(claim: ClockedClaim, calendar: WorkingCalendar): ClaimClock {
  const { promisedDays, documentsCompleteAt, documentPauses } = claim
  const stored = { promisedDays, documentsCompleteAt, documentPauses, dueOn: null, workingDaysUsed: null }
  if (documentsCompleteAt === null || promisedDays === null) return stored
  const decidedAt = claim.finalApprovalAt ?? claim.rejectedAt
  if (isIn(decidedStatuses, claim.status) && decidedAt !== null) {
    return { ...stored, workingDaysUsed: countedDays(documentsCompleteAt, decidedAt, documentPauses, calendar) }
  }
  const isRunning = isIn(claimTabs.pending, claim.status) && claim.requestedDocuments.length === 0
  return isRunning ? { ...stored, dueOn: dueDay(documentsCompleteAt, promisedDays, documentPauses, calendar) } : stored
}

interface StoppedDays {
  after: Day
  until: Day | null
}

const stoppedDays = (pauses: readonly ClockPause[], { timezone }: WorkingCalendar): StoppedDays[] => {
  const dayOf = (at: string) => todayInTimezone(Temporal.Instant.from(at), timezone)
  return pauses.map(({ from, until }) => ({ after: dayOf(from), until: until && dayOf(until) }))
}

/** The day on which documents are asked for still counts; the day on which they arrive does not. */
const isStopped = (day: Day, stopped: readonly StoppedDays[]): boolean =>
  stopped.some(({ after, until }) => day > after && (until === null || day <= until))

/** The first day is that of complete documents, and does not count. */
function dueDay(completeAt: string, promised: number, pauses: readonly ClockPause[], calendar: WorkingCalendar): Day {
  const stopped = stoppedDays(pauses, calendar)
  let day = todayInTimezone(Temporal.Instant.from(completeAt), calendar.timezone)
  if (stopped.length === 0) return addWorkingDays(day, promised, calendar.extraHolidays)
  for (let left = promised; left > 0; ) {
    day = addDays(day, 1)
    if (isWorkingDay(day, calendar.extraHolidays) && !isStopped(day, stopped)) left -= 1
  }
  return day
}

/** Working days after the first day up to that of `to`, without stopped days. */
export function countedDays(
  from: string,
  to: string,
  pauses: readonly ClockPause[],
  calendar: WorkingCalendar,
): number {
  const dayOf = (at: string) => todayInTimezone(Temporal.Instant.from(at), calendar.timezone)
  const stopped = stoppedDays(pauses, calendar)
  let count = 0
  for (let day = addDays(dayOf(from), 1); day <= dayOf(to); day = addDays(day, 1)) {
    if (isWorkingDay(day, calendar.extraHolidays) && !isStopped(day, stopped)) count += 1
  }
  return count
}

export const clockStates = ["running", "due", "late", "waiting", "decided"] as const
export type ClockState = (typeof clockStates)[number]

export interface TimeLeft {
  state: ClockState
  /** Working days left, or late. */
  days: number
  /** "2 working days left" */
  text: string
}

export type ClockFacts = Pick<ClaimClock, "promisedDays" | "dueOn" | "workingDaysUsed"> & Pick<Claim, "status">

/** Null for a draft. */
export function timeLeft(claim: ClockFacts, today: Day, extraHolidays: readonly Day[]): TimeLeft | null {
  const { status, promisedDays, dueOn, workingDaysUsed } = claim
  if (isIn(decidedStatuses, status)) {
    if (promisedDays === null || workingDaysUsed === null) return { state: "decided", days: 0, text: "Decided" }
    return {
      state: "decided",
      days: workingDaysUsed,
      text: `Decided in ${workingDaysUsed} of ${workingDaysText(promisedDays)}`,
    }
  }
  if (!isIn(claimTabs.pending, status)) return null
  if (dueOn === null) return { state: "waiting", days: 0, text: "Waiting for documents" }
  if (dueOn === today) return { state: "due", days: 0, text: "Due today" }
  if (dueOn > today) {
    const days = workingDaysBetween(today, dueOn, extraHolidays)
    return { state: "running", days, text: `${workingDaysText(days)} left` }
  }
  const days = workingDaysBetween(dueOn, today, extraHolidays)
  return { state: "late", days, text: days === 0 ? "Late" : `${workingDaysText(days)} late` }
}

const workingDaysText = (days: number): string => `${days} working ${days === 1 ? "day" : "days"}`
