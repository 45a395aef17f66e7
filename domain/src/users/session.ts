/** However busy a session is, it ends after this many hours (product: "Accounts"). */
export const absoluteSessionHours = 12

/** How often, at most, a session's last activity is written down. */
export const activityEverySeconds = 60

/** When a session began and when a person last did something in it. */
export interface SessionTimes {
  startedAt: Temporal.Instant
  lastActiveAt: Temporal.Instant
}

/**
 * Whether a session still holds: used within the idle time-out of the settings, and begun within twelve hours.
 *
 * @param idleMinutes the setting "session timeout" (60 by default)
 */
export function sessionHolds(session: SessionTimes, now: Temporal.Instant, idleMinutes: number): boolean {
  const idle = secondsSince(session.lastActiveAt, now) / 60
  const age = secondsSince(session.startedAt, now) / 3_600
  return idle < idleMinutes && age < absoluteSessionHours
}

/**
 * Whether this request extends the session: only what a person does counts, not live updates and refetches, and it
 * is written at most once a minute.
 */
export function extendsSession(session: SessionTimes, now: Temporal.Instant, byPerson: boolean): boolean {
  return byPerson && secondsSince(session.lastActiveAt, now) >= activityEverySeconds
}

const secondsSince = (then: Temporal.Instant, now: Temporal.Instant): number =>
  (now.epochMilliseconds - then.epochMilliseconds) / 1_000
