/** The one source of "now". Rules get the instant handed in; nothing else in the house asks the system. */
export interface Clock {
  now(): Temporal.Instant
}

export const systemClock: Clock = { now: () => Temporal.Now.instant() }

/** A clock that stands still where it was set: for tests and for the demo's company, whose history is played through. */
export class SetClock implements Clock {
  #now: Temporal.Instant

  constructor(start: string) {
    this.#now = Temporal.Instant.from(start)
  }

  now(): Temporal.Instant {
    return this.#now
  }

  /** Moves to an instant (`2026-11-01T08:00:00Z`). */
  set(instant: string): void {
    this.#now = Temporal.Instant.from(instant)
  }

  advance(duration: Temporal.DurationLike): void {
    this.#now = this.#now.add(duration)
  }
}
