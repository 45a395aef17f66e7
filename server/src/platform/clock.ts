/** The only source of "now". Domain rules receive the instant as an argument. */
export interface Clock {
  now(): Temporal.Instant
}

export const systemClock: Clock = { now: () => Temporal.Now.instant() }

/** A fixed clock, for tests and the demo's history. */
export class SetClock implements Clock {
  #now: Temporal.Instant

  constructor(start: string) {
    this.#now = Temporal.Instant.from(start)
  }

  now(): Temporal.Instant {
    return this.#now
  }

  set(instant: string): void {
    this.#now = Temporal.Instant.from(instant)
  }

  advance(duration: Temporal.DurationLike): void {
    this.#now = this.#now.add(duration)
  }
}
