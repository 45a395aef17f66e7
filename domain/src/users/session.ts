/** A session ends after this many hours even while in use. */
export const absoluteSessionHours = 12

/** Minimum interval between writes of a session's last activity, in seconds. */
export const activityUpdateSeconds = 60

export interface SessionTimes {
  startedAt: Temporal.Instant
  lastActiveAt: Temporal.Instant
}

/**
 * Whether a session is still valid: used within the idle time-out and started less than twelve hours ago.
 *
 * @param idleMinutes the setting "session timeout" (60 by default)
 */
export function isSessionValid(session: SessionTimes, now: Temporal.Instant, idleMinutes: number): boolean {
  const idle = secondsSince(session.lastActiveAt, now) / 60
  const age = secondsSince(session.startedAt, now) / 3_600
  return idle < idleMinutes && age < absoluteSessionHours
}

/**
 * Whether this request extends the session. Only user actions count, not live updates and refetches, at most once a
 * minute.
 */
export function isSessionExtending(session: SessionTimes, now: Temporal.Instant, isUserRequest: boolean): boolean {
  return isUserRequest && secondsSince(session.lastActiveAt, now) >= activityUpdateSeconds
}

const secondsSince = (then: Temporal.Instant, now: Temporal.Instant): number =>
  (now.epochMilliseconds - then.epochMilliseconds) / 1_000
